"""What is wrong with a playbook stops the start, with one message."""

from dataclasses import replace
from typing import Any

import pytest

from assent.errors import PluginError
from assent.plugins.api import Context, Line, Pick, Playbook, Plugin, Slot, Use, Value
from assent.plugins.load import load_plugins

GROW = Playbook(
    name="garden.grow",
    phrases=("grow {what} [now]",),
    slots={"what": Slot(kind="word"), "name": Slot(kind="name", default="the ${what}")},
    steps=(
        Use(tool="garden.list", keep="beds"),
        Pick(rows="${beds.items}", named="name", noun="bed", keep="bed"),
        Use(tool="garden.plant", arguments={"what": "${what}", "soil": {"wet": 3}}),
        Use(tool="weather.read", optional=True),
    ),
    says=(Line(text="Done: ${what|host}."), Line(text="${row.name}", each="${beds.items}")),
)


NOTHING = "nothing before it is called"


class Nothing(Value):
    pass


class Soil(Value):
    wet: int


class Planting(Value):
    what: str
    soil: Soil | None = None


def build_garden(*playbooks: Playbook) -> Plugin:
    plugin = Plugin("garden", title="Garden", rules=["garden.bed.read", "garden.bed.manage"])

    @plugin.tool("garden.list", effect="read", rules=["garden.bed.read"])
    class ListBeds:  # pyright: ignore[reportUnusedClass]
        """List the beds."""

        Input = Nothing

        async def execute(self, ctx: Context, given: Any) -> Any: ...

    @plugin.tool("garden.plant", effect="read", rules=["garden.bed.read"])
    class Plant:  # pyright: ignore[reportUnusedClass]
        """Plant something."""

        Input = Planting

        async def execute(self, ctx: Context, given: Any) -> Any: ...

    for one in playbooks:
        plugin.playbook(one)
    return plugin


def test_playbooks_are_there_in_the_order_of_plugins() -> None:
    loaded = load_plugins([], [build_garden(GROW)], {})
    assert loaded.playbooks == (GROW,)


def use(**changes: Any) -> Playbook:
    return replace(GROW, steps=(Use(**{"tool": "garden.list", "keep": "beds", **changes}),))


def plant(**arguments: Any) -> Playbook:
    return replace(GROW, steps=(*GROW.steps[:2], Use(tool="garden.plant", arguments=arguments)))


@pytest.mark.parametrize(
    ("playbook", "message"),
    [
        (replace(GROW, name="grow"), "a playbook is called like a tool, `garden.something`."),
        (replace(GROW, phrases=()), "it needs phrases, steps and something to say."),
        (replace(GROW, says=()), "it needs phrases, steps and something to say."),
        (replace(GROW, phrases=("grow {who}",)), "who is not one of its slots."),
        (
            replace(GROW, phrases=("grow (a|b",)),
            "the phrase 'grow (a|b' has a bracket without its other half.",
        ),
        (replace(GROW, phrases=("… {what}",)), "the phrase '… {what}' would answer everything."),
        (
            replace(GROW, slots={**GROW.slots, "what": Slot(default="${name}")}),
            "nothing before it is called name, as in ${name}.",
        ),
        (use(tool="garden.weed"), "there is no tool garden.weed."),
        (use(tool="weather.read"), "there is no tool weather.read."),
        (use(tool="garden.weed", optional=True), "there is no tool garden.weed."),
        (use(when="${bed.id}"), "nothing before it is called bed, as in ${bed.id}."),
        (use(otherwise="${bed}"), "nothing before it is called bed, as in ${bed}."),
        (use(prepared=(Line(text="${beds.}"),)), "'${beds.}' has a reference that cannot be read."),
        (use(otherwise="${what|loud}"), "there is no loud for ${what|loud}."),
        (plant(what="x", size=3), "garden.plant has no field size."),
        (plant(), "garden.plant needs what."),
        (plant(what="x", soil={"dry": 1}), "garden.plant has no field soil.dry."),
        (plant(what="x", soil={}), "garden.plant needs soil.wet."),
        (
            replace(GROW, steps=(Pick(rows="${what}", named="bed", noun="bed", keep="beds"),)),
            "bed is not one of its slots.",
        ),
        (replace(GROW, says=(Line(text="${row}"),)), f"{NOTHING} row, as in ${{row}}."),
        (replace(GROW, about=("bed", "${plant}")), f"{NOTHING} plant, as in ${{plant}}."),
    ],
)
def test_faults(playbook: Playbook, message: str) -> None:
    with pytest.raises(PluginError) as raised:
        load_plugins([], [build_garden(playbook)], {})
    assert str(raised.value) == f"Plugin garden, playbook {playbook.name}: {message}"


def test_a_name_is_there_once() -> None:
    with pytest.raises(PluginError) as raised:
        load_plugins([], [build_garden(GROW, GROW)], {})
    assert str(raised.value).endswith("there are two of that name.")
