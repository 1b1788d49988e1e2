"""What plugins add to each other: in a stable order, or a message that stops the start."""

from collections.abc import Callable

import pytest

from assent.errors import PluginError
from assent.plugins.api import Contribution, Plugin
from assent.plugins.load import load_plugins

POINT = "notes.format"


def notes() -> Plugin:
    plugin = Plugin("notes", title="Notes", rules=["notes.note.read"])
    plugin.extension(POINT, check=check_format)
    return plugin


def check_format(contribution: Contribution) -> None:
    if not hasattr(contribution.value, "write"):
        raise PluginError("a format has a method write.")


class Markdown:
    def write(self) -> str:
        return "#"


def adding(name: str, *added: str, point: str = POINT, value: object = Markdown) -> Plugin:
    plugin = Plugin(name, title=name, rules=[f"{name}.thing.read"], requires=["notes"])
    for one in added:
        assert plugin.contribute(point, one)(value) is value
    return plugin


def test_contributions_come_in_the_order_of_plugins_and_declarations() -> None:
    late, early = adding("alpha", "z", "a"), adding("beta", "html-5")
    late.requires = ("notes", "beta")
    loaded = load_plugins([], [late, early, notes()], {})
    assert list(loaded.contributions[POINT].values()) == [
        Contribution("beta", POINT, "html-5", Markdown),
        Contribution("alpha", POINT, "z", Markdown),
        Contribution("alpha", POINT, "a", Markdown),
    ]
    assert list(loaded.contributions[POINT]) == ["html-5", "z", "a"]


def test_the_owner_contributes_too() -> None:
    owner = notes()
    owner.contribute(POINT, "plain")(Markdown)
    assert list(load_plugins([], [owner], {}).contributions[POINT]) == ["plain"]


def test_a_point_without_contributions_is_empty() -> None:
    assert load_plugins([], [notes()], {}).contributions == {POINT: {}}


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: [notes(), adding("more", "pdf", point="notes.formats")],
            "Plugin more, notes.formats 'pdf': no plugin here has an extension point "
            "notes.formats.",
        ),
        (
            lambda: [notes(), adding("more", "pdf"), adding("other", "pdf")],
            f"Plugin other, {POINT} 'pdf': plugin more has contributed this name already.",
        ),
        (
            lambda: [notes(), adding("more", "pdf", "pdf")],
            f"Plugin more, {POINT} 'pdf': plugin more has contributed this name already.",
        ),
        (
            lambda: [notes(), adding("more", "My format")],
            f"Plugin more, {POINT} 'My format': a name begins with a small letter and has no "
            "spaces.",
        ),
        (
            lambda: [notes(), adding("more", "pdf", value=object)],
            f"Plugin more, {POINT} 'pdf': a format has a method write.",
        ),
    ],
)
def test_what_does_not_fit_stops_the_start(build: Callable[[], list[Plugin]], message: str) -> None:
    with pytest.raises(PluginError) as caught:
        load_plugins([], build(), {})
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("point", "message"),
    [
        (POINT, "plugin notes has declared it already."),
        ("format", "a name is words joined by dots, such as notes.format."),
        ("Notes.format", "a name is words joined by dots, such as notes.format."),
    ],
)
def test_faulty_points(point: str, message: str) -> None:
    other = Plugin("other", title="Other", rules=["other.thing.read"])
    other.extension(point)
    with pytest.raises(PluginError) as caught:
        load_plugins([], [notes(), other], {})
    assert caught.value.message == f"Plugin other, extension point {point!r}: {message}"


def test_background_work_may_read_what_the_plugin_requires() -> None:
    owner = Plugin("notes", title="Notes", rules=["notes.note.read", "notes.note.manage"])
    more = Plugin("more", title="More", rules=["more.thing.manage"], requires=["notes"])
    loaded = load_plugins([], [owner, more], {})
    assert loaded.list_service_rules(more) == {"more.thing.manage", "notes.note.read"}
    assert loaded.list_service_rules(owner) == set(owner.rules)
