"""An export of the audit log as JSON Lines: one object per line, each with its `type`. Pure.

`export`, `key`…, then for each log `log`, its `entry` and `head` lines in order, `unsealed` lines,
and at last `end`. docs/audit.md describes the fields.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast
from uuid import UUID

from assent.audit.head import Head
from assent.audit.link import Content, Linked

VERSION = 1


@dataclass(frozen=True, slots=True)
class Beginning:
    exported_at: str


@dataclass(frozen=True, slots=True)
class Key:
    key_id: str
    public_key: bytes


@dataclass(frozen=True, slots=True)
class Log:
    """The start of one tenant's log. `after` is the position of the head that it starts from."""

    tenant_id: UUID
    name: str
    after: int


@dataclass(frozen=True, slots=True)
class Unsealed:
    content: Content


@dataclass(frozen=True, slots=True)
class End:
    lines: int


Item: TypeAlias = Beginning | Key | Log | Linked | Head | Unsealed | End


class Unreadable(ValueError):
    """This line is not one of an export."""


def encode_line(item: Item) -> str:
    return json.dumps(_describe(item), separators=(",", ":"), ensure_ascii=False)


def parse_line(line: str) -> Item:
    try:
        fields = json.loads(line, object_pairs_hook=_refuse_doubles)
        if not isinstance(fields, dict):
            raise Unreadable
        fields = cast(dict[str, Any], fields)
        return READERS[fields.pop("type")](fields)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Unreadable from None


def _describe(item: Item) -> Mapping[str, object]:
    match item:
        case Linked():
            position, link = item.position, item.link.hex()
            return {"type": "entry", "position": position, "link": link, "entry": item.content}
        case Head():
            return _describe_head(item)
        case Unsealed():
            return {"type": "unsealed", "entry": item.content}
        case _:
            return _describe_frame(item)


def _describe_frame(item: Beginning | Key | Log | End) -> Mapping[str, object]:
    match item:
        case Beginning():
            return {"type": "export", "version": VERSION, "exportedAt": item.exported_at}
        case Key():
            return {"type": "key", "keyId": item.key_id, "publicKey": item.public_key.hex()}
        case Log():
            tenant_id = str(item.tenant_id)
            return {"type": "log", "tenantId": tenant_id, "name": item.name, "after": item.after}
        case End():
            return {"type": "end", "lines": item.lines}


def _describe_head(head: Head) -> Mapping[str, object]:
    return {
        "type": "head",
        "tenantId": str(head.tenant_id),
        "position": head.position,
        "entries": head.entries,
        "link": head.link.hex(),
        "signedAt": head.signed_at,
        "keyId": head.key_id,
        "signature": head.signature.hex(),
    }


def _read_beginning(fields: dict[str, Any]) -> Beginning:
    version, exported_at = _take(fields, version=int, exportedAt=str)
    if version != VERSION:
        raise Unreadable
    return Beginning(exported_at)


def _read_key(fields: dict[str, Any]) -> Key:
    key_id, public_key = _take(fields, keyId=str, publicKey=str)
    return Key(key_id, bytes.fromhex(public_key))


def _read_log(fields: dict[str, Any]) -> Log:
    tenant_id, name, after = _take(fields, tenantId=str, name=str, after=int)
    return Log(UUID(tenant_id), name, after)


def _read_entry(fields: dict[str, Any]) -> Linked:
    position, link, entry = _take(fields, position=int, link=str, entry=dict)
    return Linked(position, bytes.fromhex(link), _read_content(entry))


def _read_unsealed(fields: dict[str, Any]) -> Unsealed:
    return Unsealed(_read_content(*_take(fields, entry=dict)))


def _read_end(fields: dict[str, Any]) -> End:
    return End(*_take(fields, lines=int))


def _read_head(fields: dict[str, Any]) -> Head:
    texts = {"tenantId": str, "link": str, "signedAt": str, "keyId": str, "signature": str}
    position, entries, tenant_id, link, signed_at, key_id, signature = _take(
        fields, position=int, entries=int, **texts
    )
    return Head(
        tenant_id=UUID(tenant_id),
        position=position,
        entries=entries,
        link=bytes.fromhex(link),
        signed_at=signed_at,
        key_id=key_id,
        signature=bytes.fromhex(signature),
    )


def _take(fields: dict[str, Any], **kinds: type) -> list[Any]:
    """These fields, each of its kind and no other."""
    values = [fields[name] for name in kinds]
    fits = all(type(value) is kind for value, kind in zip(values, kinds.values(), strict=True))
    if not fits or len(fields) > len(kinds):
        raise Unreadable
    return values


def _read_content(entry: Mapping[str, Any]) -> Content:
    if not all(value is None or isinstance(value, str) for value in entry.values()):
        raise Unreadable
    return entry


def _refuse_doubles(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise Unreadable
    return fields


READERS: Mapping[str, Callable[[dict[str, Any]], Item]] = {
    "export": _read_beginning,
    "key": _read_key,
    "log": _read_log,
    "entry": _read_entry,
    "head": _read_head,
    "unsealed": _read_unsealed,
    "end": _read_end,
}
