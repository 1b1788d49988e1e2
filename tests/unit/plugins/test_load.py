"""Faults that stop the start, each with its message, and the order of plugins."""

from collections.abc import Callable
from datetime import timedelta
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from assent.errors import ConfigurationError, PluginError
from assent.plugins import load
from assent.plugins.api import Context, Plugin, Tick, Value
from assent.plugins.load import discover_plugins, load_plugins

READ, MANAGE = "notes.note.read", "notes.note.manage"


class NoteInput(Value):
    pass


class NoteSettings(Value):
    keep_days: int
    title: str = "Notes"


def notes(name: str = "notes", **fields: Any) -> Plugin:
    wanted: dict[str, Any] = {"title": "Notes", "rules": [READ, MANAGE], **fields}
    return Plugin(name, **wanted)


def other(name: str, **fields: Any) -> Plugin:
    return Plugin(name, title=name, rules=[f"{name}.thing.read"], **fields)


async def list_notes(ctx: Context, given: NoteInput) -> None: ...


async def see_notes(ctx: Context, given: NoteInput) -> None: ...


async def tidy(ctx: Context, tick: Tick) -> None: ...


def with_procedures(
    *routes: str, rule: str = READ, handlers: Any = (list_notes, see_notes)
) -> Plugin:
    plugin = notes()
    for handler, route in zip(handlers, routes, strict=False):
        plugin.procedure(rule=rule, effect="read", route=route)(handler)
    return plugin


def with_pages(*slugs: str, rule: str = READ, module: str | None = None) -> Plugin:
    plugin = notes()
    for slug in slugs:
        plugin.page(slug, title="Notes", rule=rule, module=module)
    return plugin


def with_page(plugin: Plugin) -> Plugin:
    plugin.page("notes", title="Notes", rule="notes.note.read")
    return plugin


def with_schedules(*intervals: timedelta) -> Plugin:
    plugin = notes()
    for interval in intervals:
        plugin.every(interval)(tidy)
    return plugin


HOUR = timedelta(hours=1)
NAMES = "a name is 2 to 41 lower-case letters and digits."
SLUGS = "a slug is lower-case words joined by dashes."


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: notes("n"), f"Plugin n: {NAMES}"),
        (lambda: notes("Notes"), f"Plugin Notes: {NAMES}"),
        (lambda: notes("my_notes"), f"Plugin my_notes: {NAMES}"),
        (lambda: notes("2notes"), f"Plugin 2notes: {NAMES}"),
        (lambda: notes("n" * 42), f"Plugin {'n' * 42}: {NAMES}"),
        (lambda: with_page(notes(rules=[])), "Plugin notes: declare at least one rule."),
        (
            lambda: notes(rules=["notes.read"]),
            "Plugin notes: rule 'notes.read' must be namespace.resource.read or .manage in notes.",
        ),
        (
            lambda: notes(rules=["catalog.system.read"]),
            "Plugin notes: rule 'catalog.system.read' must be namespace.resource.read or .manage "
            "in notes.",
        ),
        (
            lambda: notes(namespaces=["one", "two"]),
            f"Plugin notes: rule '{READ}' must be namespace.resource.read or .manage in one, two.",
        ),
        (lambda: notes(rules=[READ, READ]), f"Plugin notes: rule {READ} is declared twice."),
        (
            lambda: with_procedures("GET /notes", rule="notes.other.read"),
            "Plugin notes, list_notes: rule notes.other.read is not declared.",
        ),
        (
            lambda: with_procedures("GET /a", "GET /b", handlers=(list_notes, list_notes)),
            "Plugin notes: procedure list_notes is declared twice.",
        ),
        (
            lambda: with_procedures("GET /notes", "GET /notes"),
            "Plugin notes: route GET /notes is declared twice.",
        ),
        (lambda: with_pages("My Board"), f"Plugin notes, page 'My Board': {SLUGS}"),
        (lambda: with_pages(""), f"Plugin notes, page '': {SLUGS}"),
        (
            lambda: with_pages("board", rule="notes.other.read"),
            "Plugin notes, page board: rule notes.other.read is not declared.",
        ),
        (
            lambda: with_pages("board", module="absent.js"),
            "Plugin notes, page board: there is no file pages/absent.js.",
        ),
        (
            lambda: with_pages("board", module="../test_load.py"),
            "Plugin notes, page board: there is no file pages/../test_load.py.",
        ),
        (lambda: with_pages("board", "board"), "Plugin notes: page board is declared twice."),
        (
            lambda: with_schedules(timedelta(milliseconds=999)),
            "Plugin notes, schedule tidy: at least one second apart.",
        ),
        (lambda: with_schedules(HOUR, HOUR), "Plugin notes: schedule tidy is declared twice."),
        (
            lambda: notes(requires=["absent"]),
            "Plugin notes requires absent, which is not here.",
        ),
        (
            lambda: notes(requires=["notes"]),
            "Plugins notes require each other in a circle.",
        ),
    ],
)
def test_faulty_plugins(build: Callable[[], Plugin], message: str) -> None:
    with pytest.raises(PluginError) as caught:
        load_plugins([], [build()], {})
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("plugins", "message"),
    [
        ([notes(), notes()], "Two plugins are called notes."),
        (
            [notes(), other("more", namespaces=["more", "notes"])],
            "Plugins notes and more both claim notes.",
        ),
        (
            [other("one", requires=["two"]), other("two", requires=["one"]), other("three")],
            "Plugins one, two require each other in a circle.",
        ),
    ],
)
def test_plugins_that_do_not_go_together(plugins: list[Plugin], message: str) -> None:
    with pytest.raises(PluginError) as caught:
        load_plugins([], plugins, {})
    assert caught.value.message == message


def test_plugins_come_after_what_they_require() -> None:
    core = other("core")
    one, two = other("one", requires=["two", "core"]), other("two", requires=["three"])
    loaded = load_plugins([core], [one, two, other("three")], {})
    assert [plugin.name for plugin in loaded.plugins] == ["core", "three", "two", "one"]
    assert loaded.rules == tuple(f"{name}.thing.read" for name in ("core", "three", "two", "one"))


def test_a_whole_plugin_is_accepted() -> None:
    plugin = with_procedures("GET /notes", "GET /others")
    plugin.page("my-board", title="Notes", rule=READ)
    plugin.every(HOUR)(tidy)
    assert load_plugins([], [plugin], {}).plugins == (plugin,)


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (None, {"other": {}}, "plugin.other: there is no such plugin."),
        (None, {"notes": {"a": 1}}, "plugin.notes: this plugin has no settings."),
        (NoteSettings, {}, "plugin.notes.keep_days: Field required"),
        (
            NoteSettings,
            {"notes": {"keep_days": "x"}},
            "plugin.notes.keep_days: Input should be a valid integer, unable to parse string as "
            "an integer",
        ),
        (
            NoteSettings,
            {"notes": {"keep_days": 1, "keepDays": 1}},
            "plugin.notes.keepDays: Extra inputs are not permitted",
        ),
        (
            NoteSettings,
            {"notes": {"keep_days": 1, "prot": 1}},
            "plugin.notes.prot: Extra inputs are not permitted",
        ),
    ],
)
def test_faulty_settings(kind: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_plugins([], [notes(settings=kind)], given)
    assert caught.value.message == message


def test_settings_are_read_as_text_too() -> None:
    loaded = load_plugins([], [notes(settings=NoteSettings)], {"notes": {"keep_days": "30"}})
    assert loaded.settings == {"notes": NoteSettings(keep_days=30)}


def test_a_plugin_with_migrations_is_a_component(tmp_path: Path) -> None:
    plain, storing = other("plain"), other("storing")
    storing.folder = tmp_path
    (tmp_path / "migrations").mkdir()
    components = load_plugins([], [plain, storing], {}).components
    assert [(one.name, one.folder) for one in components] == [("storing", tmp_path / "migrations")]


INSTALLED = "tests.unit.plugins.installed"


def install(monkeypatch: pytest.MonkeyPatch, **targets: str) -> None:
    points = [
        EntryPoint(name, f"{INSTALLED}:{target}", load.GROUP) for name, target in targets.items()
    ]

    def entry_points(group: str) -> list[EntryPoint]:
        return [point for point in points if point.group == group]

    monkeypatch.setattr(load, "entry_points", entry_points)


def test_installed_plugins_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, second="second", first="first")
    assert [plugin.name for plugin in discover_plugins(())] == ["first", "second"]


def test_a_disabled_plugin_is_not_even_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, first="first", absent="absent")
    assert [plugin.name for plugin in discover_plugins(["absent"])] == ["first"]


@pytest.mark.parametrize(
    ("targets", "disabled", "message"),
    [
        ({"first": "first"}, ["other"], "disabled_plugins: other is not installed."),
        ({"other": "first"}, [], "The entry point other must name a Plugin('other')."),
        ({"first": "nothing"}, [], "The entry point first must name a Plugin('first')."),
    ],
)
def test_faulty_installations(
    monkeypatch: pytest.MonkeyPatch, targets: dict[str, str], disabled: list[str], message: str
) -> None:
    install(monkeypatch, **targets)
    with pytest.raises(ConfigurationError) as caught:
        discover_plugins(disabled)
    assert caught.value.message == message


def test_a_plugin_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, first="absent")
    with pytest.raises(PluginError, match=r"^Plugin first cannot be imported: AttributeError"):
        discover_plugins(())
