"""docs/settings.md lists every setting as the program knows it, and no other."""

import re
import types
from typing import Any, Literal, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from assent.settings import FILE_VARIABLE, PREFIX, SHORT_NAMES, Settings
from tests.contract.source import ROOT

PAGE = ROOT / "docs" / "settings.md"
NOTHING = "–"
PLUGIN_VARIABLE = "ASSENT_PLUGIN_NAME_FIELD"
MISSPELT = "ASSENT_PROT"
"""What `assent doctor` finds in its example."""


def build_row(name: str, field: FieldInfo) -> str:
    variable = PLUGIN_VARIABLE if name == "plugin" else PREFIX + name.upper()
    return f"| `{variable}` | {show_default(field)} | {show_values(field)} | {field.description} |"


def show_default(field: FieldInfo) -> str:
    default: Any = field.get_default()
    if isinstance(default, tuple):
        default = ", ".join(cast(tuple[str, ...], default))
    if isinstance(default, bool):
        default = str(default).lower()
    return NOTHING if default in (None, "", {}) else f"`{default}`"


def show_values(field: FieldInfo) -> str:
    """The choice, the range or the kind, as far as a reader needs it."""
    kinds = [kind for kind in _list_kinds(field.annotation) if kind is not types.NoneType]
    if choices := [choice for kind in kinds for choice in _list_choices(kind)]:
        return ", ".join(f"`{choice}`" for choice in choices)
    if bool in kinds:
        return "`true`, `false`"
    limits = {type(one).__name__: one for one in field.metadata}
    if "Ge" in limits:
        return f"{limits['Ge'].ge} to {limits['Le'].le}"
    return "several, with commas" if any(get_origin(kind) is tuple for kind in kinds) else NOTHING


def _list_kinds(annotation: Any) -> list[Any]:
    is_union = get_origin(annotation) is types.UnionType
    return list(get_args(annotation)) if is_union else [annotation]


def _list_choices(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def test_the_page_lists_every_setting() -> None:
    expected = [build_row(name, field) for name, field in Settings.model_fields.items()]
    listed = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{PREFIX}")]
    assert listed == expected, "docs/settings.md should have\n" + "\n".join(expected)


def test_every_setting_says_what_it_is_for() -> None:
    for name, field in Settings.model_fields.items():
        assert (field.description or "").endswith("."), name


def test_the_page_lists_the_short_names() -> None:
    pairs = re.findall(r"^\| `([A-Z_]+)` \| `([A-Z_]+)` \|$", PAGE.read_text(), re.MULTILINE)
    assert dict(pairs) == {name: PREFIX + field.upper() for name, field in SHORT_NAMES.items()}


def test_the_page_names_no_variable_that_does_nothing() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields} | {FILE_VARIABLE}
    known |= {PLUGIN_VARIABLE, "ASSENT_PLUGIN_NOTES_KEEP_DAYS", MISSPELT}
    for page in (ROOT / "docs").glob("*.md"):
        named = set(re.findall(r"\bASSENT_[A-Z_]*[A-Z]", page.read_text()))
        assert named <= known, page.name
