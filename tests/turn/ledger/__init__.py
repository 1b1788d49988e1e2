"""A plugin as an author would write it, with the mistakes that authors make, for tests."""

from datetime import timedelta
from uuid import UUID

from assent.bundled.catalog.systems import create_system
from assent.bundled.catalog.values import SystemDraft
from assent.plugins.api import (
    AssentError,
    Context,
    DemoWorkspace,
    Event,
    Page,
    Plugin,
    Text,
    Tick,
    Value,
    new_id,
)

READ, MANAGE = "ledger.note.read", "ledger.note.manage"
INSERT = "INSERT INTO ledger.notes (id, tenant_id, source, text) VALUES ($1, $2, $3, $4)"
SECRET = "the launch code is 0000"


class LedgerSettings(Value):
    greeting: str = "hello"
    fails: int = 0


class NoInput(Value):
    pass


class NoteDraft(Value):
    text: Text


class Note(Value):
    id: UUID
    text: str


class Told(Value):
    """What a procedure found out about its surroundings."""

    text: str


class SecretRef(Value):
    secret_id: UUID


class NestedDraft(Value):
    workspace_id: UUID
    name: str
    text: str
    forgive: bool = False


plugin = Plugin(
    "ledger", title="Ledger", rules=[READ, MANAGE], requires=["catalog"], settings=LedgerSettings
)
plugin.page("ledger", title="Ledger", rule=READ, module="ledger.js")


async def write(ctx: Context, source: str, text: str) -> UUID:
    note_id = new_id()
    await ctx.db.execute(INSERT, note_id, ctx.tenant_id, source, text)
    return note_id


@plugin.procedure(rule=READ, effect="read", route="GET /notes")
async def list_notes(ctx: Context, _query: NoInput) -> Page[Note]:
    rows = await ctx.db.fetch(
        "SELECT id, text FROM ledger.notes WHERE tenant_id = $1 ORDER BY id", ctx.tenant_id
    )
    return Page(items=[Note(**row) for row in rows])


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /notes")
async def add_note(ctx: Context, draft: NoteDraft) -> Note:
    note_id = await write(ctx, "form", draft.text)
    await ctx.publish("ledger.note.added", {"noteId": str(note_id)})
    return Note(id=note_id, text=draft.text)


@plugin.procedure(rule=READ, effect="read", route="GET /sneaky")
async def write_while_reading(ctx: Context, _query: NoInput) -> Told:
    await write(ctx, "sneaky", "should never be there")
    return Told(text="written")


@plugin.procedure(rule=READ, effect="read", route="GET /insistent")
async def insist_on_writing(ctx: Context, _query: NoInput) -> Told:
    await ctx.db.execute("SET TRANSACTION READ WRITE")
    await write(ctx, "sneaky", "should never be there")
    return Told(text="written")


@plugin.procedure(rule=READ, effect="read", route="GET /indirect")
async def write_through_another(ctx: Context, _query: NoInput) -> Told:
    await ctx.call(add_note, NoteDraft(text="should never be there"))
    return Told(text="written")


@plugin.procedure(rule=READ, effect="read", route="GET /broken")
async def break_down(ctx: Context, _query: NoInput) -> Told:
    raise RuntimeError(SECRET)


@plugin.procedure(rule=READ, effect="read", route="GET /surroundings")
async def tell_surroundings(ctx: Context, _query: NoInput) -> Told:
    reachable = sorted(name for name in dir(ctx.db) if not name.startswith("_"))
    return Told(text=f"{ctx.settings.greeting} {' '.join(reachable)}")


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /nested")
async def write_and_create(ctx: Context, draft: NestedDraft) -> Told:
    """A note, and a system through the catalog as the same person."""
    await write(ctx, "nested", draft.text)
    system = SystemDraft(workspace_id=draft.workspace_id, name=draft.name)
    try:
        await ctx.call(create_system, system)
    except AssentError as error:
        if not draft.forgive:
            raise
        return Told(text=error.code)
    return Told(text="created")


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /secrets")
async def keep(ctx: Context, draft: NoteDraft) -> Told:
    return Told(text=str(await ctx.keep_secret("test", draft.text)))


@plugin.procedure(rule=READ, effect="read", route="GET /secrets/{secret_id}")
async def reveal(ctx: Context, ref: SecretRef) -> Told:
    return Told(text=await ctx.reveal_secret(ref.secret_id))


@plugin.on("catalog.system.created")
async def note_system(ctx: Context, event: Event) -> None:
    await write(ctx, "event", event.payload["systemId"])


@plugin.on("ledger.note.added")
async def fail_at_first(ctx: Context, event: Event) -> None:
    """Writes, then fails for the number of times that the settings say."""
    await write(ctx, "fragile", event.payload["noteId"])
    if await ctx.db.fetchval("SELECT nextval('ledger.tries')") <= ctx.settings.fails:
        raise RuntimeError("not yet")


@plugin.on("catalog.group.created")
async def overreach(ctx: Context, event: Event) -> None:
    """Tries to change the catalog, whose rules this plugin does not have."""
    draft = SystemDraft(workspace_id=UUID(int=0), name="overreach")
    try:
        await ctx.call(create_system, draft)
    except AssentError as error:
        await write(ctx, "overreach", f"{ctx.principal.kind} {error.code}")


@plugin.every(timedelta(seconds=1))
async def tick(ctx: Context, tick: Tick) -> None:
    await write(ctx, "tick", tick.id)


@plugin.demo
async def fill(ctx: Context, demo: DemoWorkspace) -> None:
    await ctx.call(add_note, NoteDraft(text=f"demo in {demo.workspace_id}"))
