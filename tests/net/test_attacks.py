"""No attack gets through: with real connections where every address is this machine.

That needs a network namespace, which root may make, and in most places everybody may. Where nobody
may, connections are noted before they are made: less is shown then, and that is said.
"""

import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.source import ROOT
from tests.net.attacks import ATTACKS, REACHED, Reached

PROGRAM = (sys.executable, "-m", "tests.net.attack_process")
AS_ROOT = ("unshare", "--net", "--mount")
AS_ANYBODY = ("unshare", "--map-root-user", "--net", "--mount")
LEAST_NAIVE = 100
"""Attacks that get somewhere with a client that thinks nothing of them: so many are real ones."""


def can(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def run(*command: str) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def outcome() -> dict[str, Any]:
    for prefix in (AS_ROOT, AS_ANYBODY):
        if can(*prefix, "true"):
            return run(*prefix, *PROGRAM)
    warnings.warn("No network namespaces here: connections are recorded, not made.", stacklevel=1)
    return run(*PROGRAM, "recorded")


def list_tried(outcome: dict[str, Any], what: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for way in ("asked", "given"):
        for one in outcome.get(way, {}).get(what, ()):
            yield way, one


def test_there_are_enough() -> None:
    assert len(set(ATTACKS)) >= 200


def test_no_attack_arrives_anywhere(outcome: dict[str, Any]) -> None:
    tried = list(list_tried(outcome, "attacks"))
    assert {one["url"] for _, one in tried} == set(ATTACKS)
    assert [(way, one) for way, one in tried if one["hits"]] == []


def test_every_attack_is_told_why(outcome: dict[str, Any]) -> None:
    codes = {one["ended"].partition(":")[0] for _, one in list_tried(outcome, "attacks")}
    assert codes == {"destination_refused", "unreachable"}
    unknown = {
        one["url"]
        for _, one in list_tried(outcome, "attacks")
        if one["ended"].startswith("unreachable")
    }
    assert unknown == {
        "http://nothing.example/",
        "http://ping.example/",
        "http://pong.example/",
    }


def test_most_attacks_get_somewhere_without_the_guard(outcome: dict[str, Any]) -> None:
    """Otherwise the stage would show nothing."""
    naive = outcome.get("naive")
    if naive is None:
        assert "asked" not in outcome
        return
    assert len([one for one in naive if one["hits"]]) >= LEAST_NAIVE


@pytest.mark.parametrize("wanted", REACHED, ids=lambda one: one.url)
def test_what_may_be_reached_is_reached(outcome: dict[str, Any], wanted: Reached) -> None:
    tried = [one for _, one in list_tried(outcome, "reached") if one["url"] == wanted.url]
    assert tried
    for one in tried:
        hit = [tuple(hit) for hit in one["hits"]]
        assert set(hit) <= {(address, wanted.port) for address in wanted.addresses}
        assert hit
        if "asked" in outcome:
            assert (len(hit), one["ended"]) == (1, "200 hi")


def test_without_namespaces_it_is_still_tested() -> None:
    """Whoever cannot make one gets the same answers."""
    recorded = run(*PROGRAM, "recorded")["given"]
    assert [one for one in recorded["attacks"] if one["hits"]] == []
    assert all(one["hits"] for one in recorded["reached"])
