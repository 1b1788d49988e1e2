"""Nothing grows so large that one cannot take it in at once."""

import ast
from collections.abc import Iterator

from tests.contract.source import ROOT, Module, read_modules

FILE_LINES = 400
FUNCTION_LINES = 50
PARAMETERS = 7
COMPONENT_LINES = 300


def list_functions() -> Iterator[tuple[Module, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for module in read_modules().values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield module, node


def count_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = function.args
    named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    collected = [one for one in (given.vararg, given.kwarg) if one is not None]
    return len([name for name in named if name not in ("self", "cls")]) + len(collected)


def test_files() -> None:
    lengths = {one.name: len(one.path.read_text().splitlines()) for one in read_modules().values()}
    assert lengths
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}


def test_functions() -> None:
    long = {
        f"{module.name}.{function.name}": lines
        for module, function in list_functions()
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > FUNCTION_LINES
    }
    assert long == {}


def test_parameters() -> None:
    many = {
        f"{module.name}.{function.name}": count
        for module, function in list_functions()
        if (count := count_parameters(function)) > PARAMETERS
    }
    assert many == {}


def test_components_of_the_pages() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
        for path in (ROOT / "web" / "src").rglob("*.tsx")
    }
    assert lengths
    assert {name: lines for name, lines in lengths.items() if lines > COMPONENT_LINES} == {}
