"""Loading what a run's prompt tells beside the conversation, as it is now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.context.business import store as business_store
from assent.context.business.facts import merge_facts
from assent.context.corrections import store as correction_store
from assent.context.corrections.procedures import MOST
from assent.context.declaration import MEMORY
from assent.context.docs.index import Index
from assent.context.memories import store as memory_store
from assent.context.memories.keep import open_viewer
from assent.context.memories.memory import Memory
from assent.context.skills.keep import find_skill
from assent.context.told import (
    Grounding,
    find_room,
    find_taint,
    list_materials,
    tell_corrections,
    tell_facts,
    tell_memories,
    tell_skill,
)
from assent.db.database import Db
from assent.identity.access import load_scope
from assent.identity.principal import Principal

FITTING = 5
"""Memories that are told because of what was said."""
LONGEST_SAID = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a turn is about: who, where, what they said and which skill they chose."""

    person: Principal
    workspace_id: UUID | None
    said: str
    skill_id: str | None
    window: int
    platform: Mapping[str, Any]


async def load_grounding(db: Db, situation: Situation) -> Grounding:
    person, room = situation.person, find_room(situation.window)
    skill = await find_skill(db, person, situation.skill_id) if situation.skill_id else None
    corrections = await correction_store.list_corrections(db, person.tenant_id, MOST)
    memories = await _choose_memories(db, person, situation.said)
    told = (
        tell_facts(await _load_facts(db, situation), room),
        tell_corrections(corrections, room),
        tell_memories(memories, person.id, room),
        tell_skill(skill),
    )
    return Grounding(
        told=tuple(one for one in told if one is not None),
        taint=find_taint(memories, corrections, skill),
        materials=list_materials(memories, person.id),
    )


async def _load_facts(db: Db, situation: Situation) -> dict[str, Any]:
    person = situation.person
    levels = await business_store.load_levels(
        db, person.tenant_id, workspace_id=situation.workspace_id, user_id=person.id
    )
    near = (levels.get(level, business_store.NOTHING).facts for level in ("tenant", "workspace"))
    own = levels.get("user", business_store.NOTHING).facts
    return merge_facts([situation.platform, *near, own])


async def _choose_memories(db: Db, person: Principal, said: str) -> list[Memory]:
    """Those that always apply, then the person's own that fit what they said.

    Notes of others that do not always apply are told only to who asks for them: they are content
    that somebody else wrote.
    """
    if (await load_scope(db, person, f"{MEMORY}.read")).is_empty:
        return []
    visible = await memory_store.list_visible(db, await open_viewer(db, person))
    always = [one for one in visible if one.always_apply]
    own = [one for one in visible if not one.always_apply and one.author_id == person.id]
    return [*always, *_find_fitting(own, said)]


def _find_fitting(memories: Sequence[Memory], said: str) -> list[Memory]:
    if not memories or not said.strip():
        return []
    by_id = {str(one.id): one for one in memories}
    hits = Index(one.page for one in memories).search(said[:LONGEST_SAID], FITTING)
    return [by_id[slug] for slug in dict.fromkeys(hit.passage.slug for hit in hits)]
