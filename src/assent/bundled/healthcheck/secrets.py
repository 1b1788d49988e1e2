"""Secrets of a workspace that scripts name: kept in the vault, given only to scheduled runs."""

from assent.bundled.healthcheck.capability import Capabilities, list_secrets
from assent.bundled.healthcheck.installed import find_capabilities
from assent.bundled.healthcheck.store import secrets as store
from assent.bundled.healthcheck.validate import Sound, read_strategy
from assent.bundled.healthcheck.values import Check
from assent.plugins.api import Conflict, Context, Invalid


async def check_secrets(ctx: Context, sound: Sound) -> None:
    """Raise Conflict for a placeholder that no secret stands behind."""
    known = find_capabilities(ctx)
    strategy = known.strategies[sound.draft.strategy.kind]
    config = read_strategy(sound.draft.strategy, known).value
    wanted = list_secrets(strategy, config)
    if not wanted:
        return
    held = await store.find_secrets(ctx.db, ctx.tenant_id, sound.draft.workspace_id, wanted)
    missing = [name for name in wanted if name not in held]
    if missing:
        raise Conflict.at(
            "strategy.config.env", f"There is no secret {missing[0]} in this workspace."
        )


async def reveal_secrets(ctx: Context, check: Check, known: Capabilities) -> dict[str, str]:
    """The values that a run of the check needs; what is gone by now stays a placeholder.

    What cannot be read any more is told by the run itself.
    """
    strategy = known.strategies.get(check.strategy.kind)
    if strategy is None or not hasattr(strategy, "list_secrets"):
        return {}
    try:
        wanted = list_secrets(strategy, read_strategy(check.strategy, known).value)
    except Invalid:
        return {}
    if not wanted:
        return {}
    held = await store.find_secrets(ctx.db, ctx.tenant_id, check.workspace_id, wanted)
    return {name: await ctx.reveal_secret(secret_id) for name, secret_id in held.items()}
