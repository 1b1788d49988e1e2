"""Prompts: guides for certain kinds of work, and the skills that whoever asks may choose."""

from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, GetPromptRequestParams, PaginatedRequestParams

from assent.context.declaration import SKILL
from assent.context.skills.keep import find_skill, list_all
from assent.context.skills.skill import Skill
from assent.identity.access import load_scope
from assent.mcp_server.asking import Asking, Context, read_asking
from assent.mcp_server.paging import cut_page
from assent.plugins.guide import POINT, Guide

GUIDE_PREFIX = "guide-"
SKILL_PREFIX = "skill-"
REQUEST = "request"


async def list_prompts(ctx: Context, params: PaginatedRequestParams) -> dict[str, Any]:
    asking = read_asking(ctx)
    guides = [
        {
            "name": GUIDE_PREFIX + name,
            "title": one.value.title,
            "description": f"For when {one.value.when}.",
        }
        for name, one in asking.parts.means.loaded.contributions[POINT].items()
    ]
    return cut_page("prompts", [*guides, *await _list_skills(asking)], params.cursor)


async def get_prompt(ctx: Context, params: GetPromptRequestParams) -> dict[str, Any]:
    asking, name, given = read_asking(ctx), params.name, params.arguments or {}
    found = _read_guide(asking, name) or await _read_skill(asking, name, given.get(REQUEST, ""))
    if found is None:
        raise MCPError(INVALID_PARAMS, "name: There is no such prompt.")
    description, text = found
    return {
        "description": description,
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
        "resultType": "complete",
    }


def _read_guide(asking: Asking, name: str) -> tuple[str, str] | None:
    guides = asking.parts.means.loaded.contributions[POINT]
    found = guides.get(name.removeprefix(GUIDE_PREFIX)) if name.startswith(GUIDE_PREFIX) else None
    if found is None:
        return None
    guide: Guide = found.value
    return guide.title, guide.text


async def _list_skills(asking: Asking) -> list[dict[str, Any]]:
    means, principal = asking.parts.means, asking.principal
    async with means.database.reading() as db:
        if (await load_scope(db, principal, f"{SKILL}.read")).is_empty:
            return []
        skills = await list_all(db, principal)
        scrubber = await means.scrubbing.load(db, principal.tenant_id)
    return scrubber.scrub([_describe_skill(skill) for skill in skills])


async def _read_skill(asking: Asking, name: str, request: str) -> tuple[str, str] | None:
    if not name.startswith(SKILL_PREFIX):
        return None
    means, principal = asking.parts.means, asking.principal
    async with means.database.reading() as db:
        skill = await find_skill(db, principal, name.removeprefix(SKILL_PREFIX))
        scrubber = await means.scrubbing.load(db, principal.tenant_id)
    if skill is None:
        return None
    text = f"{skill.prompt}\n\n{request or skill.starter}".rstrip()
    return scrubber.scrub_text(skill.description), scrubber.scrub_text(text)


def _describe_skill(skill: Skill) -> dict[str, Any]:
    argument = {
        "name": REQUEST,
        "description": skill.starter or "What is to be done.",
        "required": False,
    }
    return {
        "name": SKILL_PREFIX + skill.id,
        "title": skill.name,
        "description": skill.description,
        "arguments": [argument],
    }
