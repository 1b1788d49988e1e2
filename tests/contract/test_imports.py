"""Imports go downwards only: the parts of the program in their order, and who may import what."""

import ast
from collections.abc import Iterator
from functools import cache

from tests.contract.source import Import, Module, read_modules

LAYERS: tuple[tuple[str, ...], ...] = (
    (
        "__main__",
        "main",
        "cli",
        "serve",
        "apply",
        "commands",
        "connect",
        "documents",
        "invoke",
        "doctor",
        "background",
        "monitoring",
        "bench",
    ),
    ("api", "mcp_server"),
    ("runs",),
    ("agents", "history", "context"),
    ("actions",),
    ("plugins",),
    ("models", "conversations", "sandbox"),
    ("tools",),
    ("identity",),
    ("vault", "audit"),
    ("work", "net"),
    ("db",),
    ("telemetry",),
    ("settings", "ids", "errors", "value", "logs"),
)
"""From the top downwards, parts that do not exist yet included."""

APART = {"bundled", "testing"}
"""Not in the order: `bundled` holds plugins, `testing` is for tests; rules of their own follow."""

SIBLINGS = {("settings", "errors"), ("value", "errors"), ("logs", "settings")}
"""The only parts of one layer that import each other; the top layer is one program."""

WEB_FRAMEWORK = ("fastapi", "starlette")
EDGES = {"api", "mcp_server", "main", "serve", "testing"}
LAZY = {
    ("assent.conversations.pdf_child", "pypdf"),
    ("assent.main", "assent.identity.oidc_provider"),
    ("assent.main", "assent.telemetry.export"),
    ("assent.net.client", "assent.net.names"),
}
"""Imports inside a function: optional parts, slow to load or not installed."""

DEPTH = {part: depth for depth, layer in enumerate(LAYERS) for part in layer}


def own_imports(module: Module) -> Iterator[tuple[Import, str]]:
    """Imports of our own package with the part that they are from."""
    for one in module.imports():
        if one.module == "assent" or one.module.startswith("assent."):
            yield one, [*one.module.split("."), ""][1]


def may_import(part: str, target: str) -> bool:
    if part == target or target == "":
        return True
    if target not in DEPTH or DEPTH[part] > DEPTH[target]:
        return False
    return DEPTH[part] < DEPTH[target] or DEPTH[part] == 0 or (part, target) in SIBLINGS


def describe(module: Module, one: Import) -> str:
    return f"{module.name}:{one.line} imports {one.module}"


def test_every_part_has_its_place() -> None:
    parts = {module.part for module in read_modules().values()} - {""}
    assert parts - set(DEPTH) - APART == set()


def test_imports_go_downwards() -> None:
    upwards = [
        describe(module, one)
        for module in read_modules().values()
        if module.part in DEPTH
        for one, target in own_imports(module)
        if not may_import(module.part, target)
    ]
    assert upwards == []


def test_the_package_itself_imports_nothing() -> None:
    assert read_modules()["assent"].imports() == []


def find_plugin(module: Module) -> str:
    return ".".join(module.name.split(".")[:3])


@cache
def list_faces(plugin: str) -> frozenset[str]:
    """What a bundled plugin may import: the plugin API, and the face of each that it requires."""
    declared = [one for name, one in read_modules().items() if f"{name}.".startswith(f"{plugin}.")]
    required = {
        element.value
        for one in declared
        for node in ast.walk(one.tree)
        if isinstance(node, ast.keyword) and node.arg == "requires"
        if isinstance(node.value, ast.List | ast.Tuple)
        for element in node.value.elts
        if isinstance(element, ast.Constant)
    }
    return frozenset({"assent.plugins.api", *(f"assent.bundled.{name}.api" for name in required)})


def test_bundled_plugins_import_only_the_plugin_api_and_faces_of_what_they_require() -> None:
    strangers = [
        describe(module, one)
        for module in read_modules().values()
        if module.part == "bundled"
        for one, _ in own_imports(module)
        if one.module not in list_faces(find_plugin(module))
        and not f"{one.module}.".startswith(f"{find_plugin(module)}.")
    ]
    assert strangers == []


def test_only_the_edge_knows_the_web_framework() -> None:
    strangers = [
        describe(module, one)
        for module in read_modules().values()
        if module.part not in EDGES
        for one in module.imports()
        if one.module.split(".")[0] in WEB_FRAMEWORK
    ]
    assert strangers == []


def test_nothing_imports_the_tools_for_tests() -> None:
    strangers = [
        describe(module, one)
        for module in read_modules().values()
        if module.part != "testing"
        for one, target in own_imports(module)
        if target == "testing"
    ]
    assert strangers == []


def test_only_the_command_measures() -> None:
    strangers = [
        describe(module, one)
        for module in read_modules().values()
        if module.part not in ("bench", "cli")
        for one, target in own_imports(module)
        if target == "bench"
    ]
    assert strangers == []


def test_what_measures_looks_from_outside() -> None:
    """It starts the program and asks it over HTTP; of its inside it knows how to start Postgres."""
    inside = {
        one.module
        for module in read_modules().values()
        if module.part == "bench"
        for one, target in own_imports(module)
        if target not in ("", "bench")
    }
    assert inside == {
        "assent.db.embedded",
        "assent.db.operating_system",
        "assent.errors",
        "assent.settings",
    }


def test_imports_stand_at_the_top() -> None:
    hidden = {
        (module.name, one.module)
        for module in read_modules().values()
        for one in module.imports()
        if one.in_function
    }
    assert hidden == LAZY


def test_no_import_of_ours_is_for_types_only() -> None:
    hidden = [
        describe(module, one)
        for module in read_modules().values()
        for one, _ in own_imports(module)
        if one.for_types_only
    ]
    assert hidden == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    needs = {
        name: {one.module for one, _ in own_imports(module)} - {name}
        for name, module in read_modules().items()
        if module.path.name != "__init__.py"
    }
    while free := [name for name, targets in needs.items() if not targets & set(needs)]:
        for name in free:
            del needs[name]
    assert needs == {}
