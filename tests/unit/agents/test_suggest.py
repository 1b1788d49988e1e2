"""What an empty chat suggests follows from the tools in scope."""

from assent.agents.agent import Agent
from assent.agents.suggest import choose_suggestions
from tests.unit.tools.samples import build_tool

ANYONE = Agent(slug="assistant", name="Assent")
LIST = build_tool("shop.list", title="List things", examples=("Which things?", "How many things?"))
ADD = build_tool("shop.add", effect="mutate", examples=("Add a thing",))
DROP = build_tool("shop.drop", effect="destructive", examples=("Drop the thing",))
SEND = build_tool("shop.send", egress=True, examples=("Send the thing",))
FIND = build_tool("map.find", examples=("Where is it?",))
QUIET = build_tool("map.measure")


def texts(agent: Agent, *tools: object) -> list[str]:
    return [one.text for one in choose_suggestions(agent, tools)]  # type: ignore[arg-type]


def test_looking_comes_first_and_every_namespace_gets_a_turn() -> None:
    assert texts(ANYONE, LIST, ADD, FIND, QUIET) == [
        "Where is it?",
        "Which things?",
        "Add a thing",
    ]


def test_one_of_many_is_a_change_and_plugins_keep_their_order() -> None:
    reads = [build_tool(f"{name}.list", examples=(f"Which {name}?",)) for name in "abcd"]
    assert texts(ANYONE, *reads, ADD) == ["Which a?", "Which b?", "Add a thing"]
    chosen = choose_suggestions(ANYONE, [*reads, ADD], ["d", "b"])
    assert [one.text for one in chosen] == ["Which d?", "Which b?", "Add a thing"]


def test_more_of_the_same_fills_what_is_left() -> None:
    assert texts(ANYONE, LIST, ADD) == ["Which things?", "Add a thing", "How many things?"]


def test_nothing_that_destroys_or_carries_data_out_is_suggested() -> None:
    assert texts(ANYONE, DROP, SEND) == []


def test_an_agent_suggests_only_what_it_may_use() -> None:
    clerk = Agent(slug="clerk", name="Clerk", tools=frozenset({"shop.list"}))
    assert choose_suggestions(clerk, [LIST, ADD, FIND])[0].title == "List things"
    assert texts(clerk, LIST, ADD, FIND) == ["Which things?", "How many things?"]


def test_without_tools_there_is_nothing_to_suggest() -> None:
    assert texts(ANYONE) == []
