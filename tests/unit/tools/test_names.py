"""Names that every provider takes, and the way back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.names import NAME_LENGTH, WIRE_LENGTH, build_wire_names, is_tool_name, wire_name

SAFE = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
LONG = "outside." + "x" * 100

names = st.from_regex(r"[a-z][a-z0-9]{0,3}\.[A-Za-z][A-Za-z0-9_-]{0,110}", fullmatch=True)
crowded = st.from_regex(r"[ab]\.[ab_]{1,4}", fullmatch=True).filter(is_tool_name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("healthcheck.propose", "healthcheck_propose"),
        ("catalog.listSystems", "catalog_listSystems"),
        ("github.create_issue", "github_create_issue"),
        ("github.create-issue", "github_create-issue"),
    ],
)
def test_wire_names(name: str, expected: str) -> None:
    assert wire_name(name) == expected


@pytest.mark.parametrize(
    "text",
    [
        "list",
        "catalog.",
        ".list",
        "Catalog.list",
        "cata_log.list",
        "catalog.list.systems",
        "catalog.1st",
        "catalog.list systems",
        "catalog.list\n",
        "catalog.größe",
        "a." + "b" * NAME_LENGTH,
        "",
    ],
)
def test_what_is_no_name(text: str) -> None:
    assert not is_tool_name(text)


def test_a_long_name_is_cut_and_stays_recognisable() -> None:
    assert wire_name(LONG).startswith("outside_xxx")
    assert len(wire_name(LONG)) == WIRE_LENGTH
    assert wire_name(LONG) != wire_name(LONG + "x")


def test_what_fits_exactly_is_not_cut() -> None:
    fits, over = "outside." + "x" * 56, "outside." + "x" * 57
    assert wire_name(fits) == fits.replace(".", "_")
    assert len(wire_name(fits)) == len(wire_name(over)) == 64
    assert wire_name(over) != over.replace(".", "_")[:64]
    assert is_tool_name("outside." + "x" * 120)
    assert not is_tool_name("outside." + "x" * 121)


def test_names_that_clash_get_others() -> None:
    taken = wire_name(LONG).replace("_", ".", 1)
    wires = build_wire_names([LONG, taken])
    assert wires[taken] == wire_name(LONG)
    assert wires[LONG] == wire_name(LONG, attempt=1)
    assert wires == build_wire_names([taken, LONG])


@given(st.sets(names | crowded, max_size=20))
def test_every_name_gets_a_safe_one_of_its_own(wanted: set[str]) -> None:
    wires = build_wire_names(wanted)
    assert set(wires) == wanted
    assert len(set(wires.values())) == len(wanted)
    assert all(SAFE.match(wire) for wire in wires.values())
    assert wires == build_wire_names(sorted(wanted, reverse=True))


@given(names)
def test_the_way_back_needs_no_table_for_names_that_fit(name: str) -> None:
    assert is_tool_name(name)
    wire = wire_name(name)
    assert (wire.replace("_", ".", 1) == name) == (len(name) <= WIRE_LENGTH)
