"""Our own source as the house rules see it: modules, docstrings, imports. Reads, never imports."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "assent"


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: `from assent.ids import new_id` is (`assent.ids`, `new_id`)."""

    module: str
    name: str | None
    line: int
    in_function: bool
    for_types_only: bool


@dataclass(frozen=True, slots=True)
class Module:
    name: str
    path: Path
    tree: ast.Module

    @property
    def docstring(self) -> str:
        return ast.get_docstring(self.tree) or ""

    @property
    def part(self) -> str:
        """The folder or file directly under the package: `identity`, `settings`, …"""
        return self.name.split(".")[1] if "." in self.name else ""

    def imports(self) -> list[Import]:
        return list(_walk_imports(self, self.tree, in_function=False, for_types_only=False))


@cache
def read_modules() -> dict[str, Module]:
    return {module.name: module for module in map(_read, sorted(PACKAGE.rglob("*.py")))}


def find_modules(pattern: str) -> list[Module]:
    """Those whose path inside the package matches, such as `identity/*.py`."""
    return [one for one in read_modules().values() if one.path.relative_to(PACKAGE).match(pattern)]


def _read(path: Path) -> Module:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(name, path, ast.parse(path.read_text(), str(path)))


def _walk_imports(
    module: Module, node: ast.AST, *, in_function: bool, for_types_only: bool
) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, None, child.lineno, in_function, for_types_only)
        elif isinstance(child, ast.ImportFrom):
            yield from _read_from(module, child, in_function, for_types_only)
        else:
            yield from _walk_imports(
                module,
                child,
                in_function=in_function
                or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda),
                for_types_only=for_types_only or _is_type_checking(child),
            )


def _read_from(
    module: Module, node: ast.ImportFrom, in_function: bool, for_types_only: bool
) -> Iterator[Import]:
    origin = node.module or ""
    if node.level:
        package = module.name.split(".")
        if module.path.name != "__init__.py":
            package.pop()
        above = package[: len(package) - node.level + 1]
        origin = ".".join([*above, *([origin] if origin else [])])
    for alias in node.names:
        whole = f"{origin}.{alias.name}"
        is_module = whole in _own_names()
        yield Import(
            whole if is_module else origin,
            None if is_module else alias.name,
            node.lineno,
            in_function,
            for_types_only,
        )


@cache
def _own_names() -> frozenset[str]:
    names = set[str]()
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        names.add(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return frozenset(names)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
