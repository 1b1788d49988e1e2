"""A plugin whose tools give away secrets wherever they can, and the secrets."""

from assent.plugins.api import (
    Basis,
    Conflict,
    Context,
    FieldChange,
    Plugin,
    Preview,
    Result,
    Secret,
    Value,
)
from tests.unit.vault.scrub.made_up import make_up

RULE = "leaky.thing.manage"
CANARIES = {
    where: make_up("gh{}p_{A36}", number)
    for number, where in enumerate(
        (
            "message",
            "answer",
            "result",
            "error",
            "crash",
            "summary",
            "diff",
            "outcome",
            "failure",
            "text",
            "reasoning",
            "arguments",
            "title",
            "renaming",
            "reason",
            "provider",
            "name",
            "file",
            "anew",
            "comment",
            "memory",
            "document",
            "skill",
            "correction",
            "fact",
        )
    )
}
TYPED = "a typed umbrella, of no form at all"
"""What a person types into the secret field of a card."""
VAULT = "violet/Umbrella 42 über+alles"
"""Looks like nothing in particular: only the vault knows that it is a secret."""

plugin = Plugin("leaky", title="Leaky", rules=["leaky.thing.read", RULE])


class Wish(Value):
    text: str = ""


class Connection(Value):
    host_name: str
    admin_key: Secret = None


@plugin.tool("leaky.read", effect="read", rules=[RULE])
class Read:
    """Read."""

    Input = Wish

    async def execute(self, ctx: Context, given: Wish) -> Result:
        return Result({"note": f"use {CANARIES['result']}", "vault": VAULT, "password": "hunter"})


@plugin.tool("leaky.fail", effect="read", rules=[RULE])
class Fail:
    """Fail."""

    Input = Wish

    async def execute(self, ctx: Context, given: Wish) -> Result:
        raise Conflict(f"Refused: {CANARIES['error']} and {VAULT}")


@plugin.tool("leaky.crash", effect="read", rules=[RULE])
class Crash:
    """Crash."""

    Input = Wish

    async def execute(self, ctx: Context, given: Wish) -> Result:
        raise RuntimeError(f"Crashed: {CANARIES['crash']} and {VAULT}")


@plugin.tool("leaky.change", effect="mutate", rules=[RULE])
class Change:
    """Change."""

    Input = Wish

    async def dry_run(self, ctx: Context, given: Wish) -> Preview:
        return Preview(
            summary=f"Change {CANARIES['summary']} with {VAULT}",
            diff=(
                FieldChange(
                    kind="changed", path=("password",), before="hunter", after="hunter two"
                ),
                FieldChange(kind="changed", path=("text",), before=CANARIES["diff"], after=VAULT),
            ),
            basis=(Basis("thing", "1", 1),),
        )

    async def execute(self, ctx: Context, given: Wish) -> Result:
        if given.text == "fail":
            raise Conflict(f"Refused: {CANARIES['failure']} and {VAULT}")
        return Result({"done": CANARIES["outcome"], "vault": VAULT, "same": given.text == VAULT})


@plugin.tool("leaky.connect", effect="mutate", rules=[RULE])
class Connect:
    """Connect."""

    Input = Connection

    async def dry_run(self, ctx: Context, given: Connection) -> Preview:
        return Preview(summary=f"Connect to {given.host_name}", creates={"host": given.host_name})

    async def execute(self, ctx: Context, given: Connection) -> Result:
        if given.admin_key is None:
            raise Conflict("There is no key.")
        value = await ctx.reveal_secret(given.admin_key)
        if given.host_name == "nowhere":
            raise Conflict(f"Refused: {value}")
        return Result({"fits": value == TYPED, "value": value, "ref": str(given.admin_key)})


@plugin.tool("leaky.connectOutside", effect="mutate", rules=[RULE], egress=True, external=True)
class ConnectOutside(Connect):
    """Connect to somewhere else, as work of its own."""
