"""What a script can use, read from the very files that are put beside it.

Stubs are the file itself without its insides: nobody is told of something that is not there.
"""

import ast
from dataclasses import dataclass
from functools import cache

from assent.sandbox.script import INSIDE, Language

HIDDEN = frozenset({"Channel"})
"""How requests travel is nobody's business."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sdk:
    """`module` is imported or called; `stubs` are its types, or how it is used."""

    module: str
    helper: str
    stubs: str


@cache
def read_sdk(language: Language) -> Sdk:
    if language == "shell":
        tree = ast.parse((INSIDE / "fetch.py").read_text("utf-8"))
        usage = ast.get_docstring(tree) or ""
        return Sdk(module="http", helper=usage.partition("\n")[0], stubs=usage)
    tree = ast.parse((INSIDE / "assent_script.py").read_text("utf-8"))
    helper = (ast.get_docstring(tree) or "").partition("\n")[0]
    return Sdk(module="assent_script", helper=helper, stubs=build_stubs(tree))


def build_stubs(tree: ast.Module) -> str:
    """Public classes with their fields and signatures."""
    shown = [
        _strip(one) for one in tree.body if isinstance(one, ast.ClassDef) and one.name not in HIDDEN
    ]
    return "\n\n".join(ast.unparse(one) for one in shown) + "\n"


def _strip(found: ast.ClassDef) -> ast.ClassDef:
    body: list[ast.stmt] = []
    for one in found.body:
        if isinstance(one, ast.FunctionDef):
            if not one.name.startswith("_"):
                body.append(_strip_function(one))
        else:
            body.append(one)
    return ast.ClassDef(
        name=found.name,
        bases=found.bases,
        keywords=found.keywords,
        body=body,
        decorator_list=found.decorator_list,
    )


def _strip_function(found: ast.FunctionDef) -> ast.FunctionDef:
    told = ast.get_docstring(found)
    kept = ast.Constant(told) if told else ast.Constant(...)
    return ast.FunctionDef(
        name=found.name,
        args=found.args,
        body=[ast.Expr(kept)],
        decorator_list=found.decorator_list,
        returns=found.returns,
        lineno=found.lineno,
    )
