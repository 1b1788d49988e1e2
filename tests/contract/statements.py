"""Every SQL statement of the program, read from the constants of its `store.py` files."""

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from tests.contract.source import Module, find_modules

STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE)\b")
BOUND = re.compile(r"\btenant_id (=|IS NOT DISTINCT FROM) \$\d")
INSERTED = re.compile(r"INSERT INTO [a-z_.]+(?: AS \w+)?\s*\([^)]*\btenant_id\b")


@dataclass(frozen=True, slots=True)
class Statement:
    module: str
    constant: str
    sql: str

    @property
    def name(self) -> str:
        return f"{self.module.removeprefix('assent.')}.{self.constant}"

    def touches(self, table: str) -> bool:
        """Whether the table's name, with or without its schema, stands in the statement."""
        return re.search(rf"\b{table.rpartition('.')[2]}\b", self.sql) is not None

    @property
    def binds_tenant(self) -> bool:
        return bool(BOUND.search(self.sql) or INSERTED.search(self.sql))


@cache
def list_stores() -> tuple[ModuleType, ...]:
    found = [*find_modules("store.py"), *find_modules("store/*.py")]
    return tuple(importlib.import_module(module.name) for module in found)


@cache
def list_statements() -> tuple[Statement, ...]:
    return tuple(statement for store in list_stores() for statement in _read_constants(store))


def list_functions(store: ModuleType) -> list[Callable[..., Any]]:
    return [
        function
        for _, function in inspect.getmembers(store, inspect.isfunction)
        if function.__module__ == store.__name__
    ]


def list_used(function: Callable[..., Any], store: ModuleType) -> list[Statement]:
    """The statements that a function of a store names."""
    tree = ast.parse(inspect.getsource(function))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return [one for one in _read_constants(store) if one.constant in names]


def list_strings(module: Module) -> Iterator[tuple[int, str]]:
    """Every string of a module that is not a docstring; of an f-string its beginning."""
    docstrings = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in docstrings:
                continue
            yield node.lineno, node.value


def _read_constants(store: ModuleType) -> list[Statement]:
    """Those assigned here, not imported; pieces such as a list of columns are no statements."""
    tree = ast.parse(inspect.getsource(store))
    names = [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    return [
        Statement(store.__name__, name, value)
        for name in names
        if isinstance(value := getattr(store, name), str) and STATEMENT.match(value)
    ]
