"""Limits on waiting are set with `asyncio.timeout`, which loses no cancel."""

import ast

from tests.contract.source import read_modules


def test_nobody_waits_with_wait_for() -> None:
    """On Python 3.11 it swallows a cancel that comes together with what was waited for."""
    found = [
        f"{module.name}:{node.lineno}"
        for module in read_modules().values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "asyncio.wait_for"
    ]
    assert found == []
