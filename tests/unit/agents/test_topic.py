"""The words of the off-topic guard: only a plain no is one."""

import json

import pytest

from assent.agents.agent import SYSTEM_AGENT, Agent
from assent.agents.topic import (
    LONGEST_MESSAGE,
    MOST_MESSAGES,
    is_off_topic,
    write_excerpt,
    write_instruction,
    write_refusal,
)


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ('{"onTopic": false}', True),
        ('```json\n{"onTopic":false}\n```', True),
        ('{"onTopic": true}', False),
        ('{"onTopic": 0}', False),
        ('{"onTopic": null}', False),
        ('{"onTopic": false, "why": ""}', False),
        ("false", False),
        ("[" * 100_000, False),
        ("", False),
    ],
)
def test_only_a_plain_no_is_one(answer: str, refused: bool) -> None:
    assert is_off_topic(answer) is refused


def test_an_excerpt_is_short_and_one_line() -> None:
    said = [("user", f'{number}\n"],' + "x" * 5_000) for number in range(20)]
    excerpt = write_excerpt(said)
    assert "\n" not in excerpt
    read = json.loads(excerpt)
    assert [one["text"][:2] for one in read] == ["14", "15", "16", "17", "18", "19"]
    assert len(read) == MOST_MESSAGES
    assert max(len(one["text"]) for one in read) == LONGEST_MESSAGE


def test_what_an_agent_is_for_is_on_topic() -> None:
    poet = Agent(slug="p", name="Poet", prompt="Write\npoems.")
    assert "on topic too: Write poems." in write_instruction(poet, ["Catalog"])
    assert "own task" not in write_instruction(SYSTEM_AGENT, ["Catalog"])
    assert "these subjects: Bank, Catalog and Shop;" in write_instruction(
        poet, ["Bank", "Catalog", "Shop"]
    )


@pytest.mark.parametrize(
    ("subjects", "told"),
    [
        ([], "questions about Assent"),
        (["Catalog"], "questions about Catalog, about Assent"),
        (["Bank", "Catalog"], "questions about Bank and Catalog, about Assent"),
    ],
)
def test_a_refusal_names_what_is_supported(subjects: list[str], told: str) -> None:
    assert told in write_refusal(SYSTEM_AGENT, subjects)
