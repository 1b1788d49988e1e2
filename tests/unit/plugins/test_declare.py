"""What a procedure may look like, and what each fault is told."""

from typing import Any

import pytest

from assent.errors import PluginError
from assent.plugins.api import Context, Plugin, Value

READ, MANAGE = "notes.note.read", "notes.note.manage"


class Note(Value):
    note_id: str = ""


async def add_note(ctx: Context, note: Note) -> Note:
    """Add a note.

    And more about it.
    """
    return note


async def without_output(ctx: Context, note: Note): ...  # type: ignore[no-untyped-def]


async def with_plain_input(ctx: Context, note: str) -> None: ...


async def with_untyped_input(ctx: Context, note) -> None: ...  # type: ignore[no-untyped-def]


async def with_one_parameter(ctx: Context) -> None: ...


async def with_three_parameters(ctx: Context, note: Note, more: Note) -> None: ...


def not_async(ctx: Context, note: Note) -> None: ...


def declare(handler: Any, **access: Any) -> Any:
    plugin = Plugin("notes", title="Notes", rules=[READ, MANAGE])
    wanted: dict[str, Any] = {"rule": MANAGE, "effect": "mutate", **access}
    return plugin.procedure(**wanted)(handler)


SHAPE = "write `async def name(ctx: Context, input: Input) -> Output`."
ANNOTATE = "its second parameter must be annotated with a Value."


FAULTS: list[tuple[Any, dict[str, Any], str]] = [
    (add_note, {"rule": "notes"}, "'notes' is not namespace.resource.read or .manage."),
    (add_note, {"rule": "*"}, "'*' is not namespace.resource.read or .manage."),
    (
        add_note,
        {"effect": "write"},
        "the effect must be one of read, mutate, destructive.",
    ),
    (
        add_note,
        {"rule": READ},
        "what changes something needs a rule that ends in .manage.",
    ),
    (
        add_note,
        {"rule": READ, "effect": "destructive"},
        "what changes something needs a rule that ends in .manage.",
    ),
    (
        add_note,
        {"effect": "read", "calls_out": True},
        "what calls out is asked for by people, so it does not read.",
    ),
    (
        add_note,
        {"route": "POST notes"},
        "route 'POST notes' should look like `GET /systems/{system_id}`.",
    ),
    (
        add_note,
        {"route": "/notes"},
        "route '/notes' should look like `GET /systems/{system_id}`.",
    ),
    (
        add_note,
        {"route": "HEAD /notes"},
        "route 'HEAD /notes' should look like `GET /systems/{system_id}`.",
    ),
    (
        add_note,
        {"route": "POST /notes/"},
        "route 'POST /notes/' should look like `GET /systems/{system_id}`.",
    ),
    (
        add_note,
        {"route": "POST /notes/{noteId}"},
        "route 'POST /notes/{noteId}' should look like `GET /systems/{system_id}`.",
    ),
    (
        add_note,
        {"route": "POST /../users"},
        "route 'POST /../users' should look like `GET /systems/{system_id}`.",
    ),
    (add_note, {"route": "GET /notes"}, "a route with GET reads, and what reads has GET."),
    (
        add_note,
        {"rule": READ, "effect": "read", "route": "POST /notes"},
        "a route with GET reads, and what reads has GET.",
    ),
    (
        add_note,
        {"route": "PATCH /notes/{other_id}"},
        "{other_id} in the route is not a field of the input.",
    ),
    (without_output, {}, SHAPE),
    (with_one_parameter, {}, SHAPE),
    (with_three_parameters, {}, SHAPE),
    (not_async, {}, SHAPE),
    (with_plain_input, {}, ANNOTATE),
    (with_untyped_input, {}, ANNOTATE),
]


@pytest.mark.parametrize(("handler", "access", "message"), FAULTS)
def test_faulty_declarations(handler: Any, access: dict[str, Any], message: str) -> None:
    with pytest.raises(PluginError) as caught:
        declare(handler, **access)
    assert caught.value.message == f"Plugin notes, procedure {handler.__name__}: {message}"


def test_a_declaration() -> None:
    procedure = declare(add_note, route="PATCH /notes/{note_id}")
    assert procedure.action == "notes.addNote"
    assert procedure.description == "Add a note.\n\nAnd more about it."
    assert (procedure.input, procedure.output) == (Note, Note)
    assert (procedure.route.method, procedure.route.path) == ("PATCH", "/notes/{note_id}")
    assert procedure.route.path_fields == ("note_id",)


@pytest.mark.parametrize(
    ("access", "route"),
    [
        ({}, "POST /add-note"),
        ({"effect": "destructive"}, "POST /add-note"),
        ({"rule": READ, "effect": "read"}, "GET /add-note"),
    ],
)
def test_the_default_route(access: dict[str, Any], route: str) -> None:
    procedure = declare(add_note, **access)
    assert f"{procedure.route.method} {procedure.route.path}" == route


def test_reading_may_need_more_than_a_read_rule() -> None:
    assert declare(add_note, rule=MANAGE, effect="read").access.rule == MANAGE


def test_a_projection_is_titled_by_its_author_or_by_its_name() -> None:
    plugin = Plugin("notes", title="Notes", rules=[READ, MANAGE])

    @plugin.procedure(rule=READ, effect="read")
    async def list_notes(ctx: Context, note: Note) -> Note:  # pyright: ignore[reportUnusedFunction]
        """List notes."""
        return note

    plugin.project(list_notes, tool="notes.listNotes")
    plugin.project(list_notes, tool="note.list", title="List all notes")
    assert [tool.title for tool in plugin.tools] == ["List notes", "List all notes"]
