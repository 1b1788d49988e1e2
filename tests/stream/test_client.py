"""The AI SDK's own client, newest major and the one before, ends with what is stored (SPEC R2)."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from assent.runs.events import Failure
from assent.runs.transcript import Part, build_shown_parts
from tests.stream.scenarios import (
    FAILING,
    MESSAGE,
    RUN,
    RUNS,
    Recording,
    Response,
    break_after,
    call_tools,
    go_on_after,
    record,
    show_cards,
    think,
    write_body,
)
from tests.unit.runs.samples import Played, runs

NODE = Path(sys.prefix) / "node" / "bin" / "node"
SCRIPT = Path(__file__).with_name("client.mjs")
MODULES = Path(__file__).parents[2] / "web" / "node_modules"
CLIENTS = {"ai": "7", "ai6": "6"}
LARGEST_EXACT = 2**53

client = pytest.mark.parametrize("client", CLIENTS)


def talk(client: str, scenarios: Mapping[str, Sequence[Response]]) -> dict[str, Any]:
    """What the client made of each scenario."""
    given = {name: [one.encode() for one in responses] for name, responses in scenarios.items()}
    done = subprocess.run(
        [NODE, SCRIPT, MODULES / client],
        input=json.dumps(given).encode(),
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def check_clean(result: dict[str, Any], parts: list[Part]) -> None:
    """No complaint of any kind, and the message is the stored one, however the bytes came."""
    assert "thrown" not in result, result["thrown"]
    assert (result["invalid"], result["complaints"], result["errors"]) == ([], [], [])
    assert result["status"] == "ready"
    check_message(result, parts)


def check_message(result: dict[str, Any], parts: list[Part]) -> None:
    (message,) = result["messages"]
    assert result["piecewise"] == result["messages"]
    assert message["id"] == MESSAGE
    shared = [find_shared(part) for part in message["parts"]]
    assert as_browser(shared) == as_browser(build_shown_parts(parts))


def find_shared(part: Part) -> Part:
    """Without what only the client knows; what was streamed must have come to its end."""
    if part["type"] not in ("text", "reasoning"):
        return part
    assert part["state"] == "done"
    return {key: value for key, value in part.items() if key not in ("state", "id")}


def as_browser(value: Any) -> Any:
    """JSON as JavaScript reads it: large numbers are doubles."""
    if isinstance(value, list):
        return [as_browser(one) for one in value]
    if isinstance(value, dict):
        return {key: as_browser(one) for key, one in value.items()}
    if isinstance(value, int) and abs(value) > LARGEST_EXACT:
        return float(value)
    return value


@pytest.mark.parametrize(("client", "major"), CLIENTS.items())
def test_the_clients_are_of_the_two_newest_majors(client: str, major: str) -> None:
    package = json.loads((MODULES / client / "package.json").read_text())
    assert (package["name"], package["version"].split(".")[0]) == ("ai", major)


@client
def test_every_kind_of_run(client: str) -> None:
    played = {play.__name__: record(play) for play in RUNS if play not in FAILING}
    results = talk(
        client, {name: [Response(write_body(run.numbered))] for name, run in played.items()}
    )
    for name, run in played.items():
        check_clean(results[name], run.parts)
        (message,) = results[name]["messages"]
        assert message["metadata"] == run.stored.metadata, name
        assert message["metadata"]["runId"] == str(RUN)
        assert results[name]["requests"] == ["POST /api/chat"]


@client
def test_every_kind_of_run_merged(client: str) -> None:
    played = {play.__name__: record(play) for play in RUNS if play not in FAILING}
    results = talk(client, {name: go_on_after(run, 1) for name, run in played.items()})
    for name, run in played.items():
        check_clean(results[name], run.parts)


@client
def test_a_run_that_failed(client: str) -> None:
    """The client reads no further than the error; what was said before it stays."""
    played = {play.__name__: record(play) for play in FAILING}
    results = talk(
        client, {name: [Response(write_body(run.numbered))] for name, run in played.items()}
    )
    for name, run in played.items():
        failure = run.events[-1]
        assert isinstance(failure, Failure)
        result = results[name]
        assert (result["errors"], result["status"]) == ([failure.error_text], "error")
        assert (result["invalid"], result["complaints"]) == ([], [])
        check_message(result, run.parts)


@client
def test_transient_data_is_seen_and_not_kept(client: str) -> None:
    run = record(show_cards)
    result = talk(client, {"cards": [Response(write_body(run.numbered))]})["cards"]
    seen = [part["type"] for part in result["data"]]
    assert {"data-phase", "data-progress", "data-title"} <= set(seen)
    kept = [part["type"] for part in result["messages"][0]["parts"]]
    assert [one for one in kept if one.startswith("data-")] == [
        "data-proposal",
        "data-question",
        "data-applied",
    ]
    assert result["finished"] == ["tool-calls"]


@client
def test_a_broken_connection_at_every_event(client: str) -> None:
    run = record(call_tools)
    breaks = range(1, len(run.events))
    scenarios = {f"replay {seen}": break_after(run, seen) for seen in breaks}
    scenarios |= {f"go on {seen}": go_on_after(run, seen) for seen in breaks}
    results = talk(client, scenarios)
    for seen in breaks:
        check_clean(results[f"go on {seen}"], run.parts)
        replayed = results[f"replay {seen}"]
        assert replayed["errors"] == ["network error"]
        assert replayed["requests"] == ["POST /api/chat", "GET /api/chat/conversation/stream"]
        assert (replayed["status"], replayed["complaints"]) == ("ready", [])
        check_message(replayed, run.parts)


@client
def test_another_process_takes_the_run_over(client: str) -> None:
    """Its attempt begins again and may go on differently."""
    first, second = record(call_tools), record(think)
    broken = Response(write_body(first.numbered[:9], is_over=False), breaks=True)
    again = Response(write_body(second.numbered, attempt=2))
    result = talk(client, {"taken over": [broken, again]})["taken over"]
    assert result["status"] == "ready"
    check_message(result, second.parts)


@settings(
    max_examples=3,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(runs(), min_size=1, max_size=15))
def test_whatever_a_run_says(played: list[Played]) -> None:
    recordings = {str(number): build_recording(one) for number, one in enumerate(played)}
    scenarios = {name: [Response(write_body(run.numbered))] for name, run in recordings.items()}
    for client in CLIENTS:
        results = talk(client, scenarios)
        for name, run in recordings.items():
            check_clean(results[name], run.parts)


def build_recording(played: Played) -> Recording:
    run = Recording(events=played.events)
    run.stored.parts = played.parts
    return run
