"""What whoever writes a script is told is what the script will find."""

import ast

from assent.sandbox.script import INSIDE
from assent.sandbox.sdk import read_sdk


def test_stubs_are_the_public_part_of_the_real_file() -> None:
    real = ast.parse((INSIDE / "assent_script.py").read_text("utf-8"))
    stubs = ast.parse(read_sdk("python").stubs)
    shown = {one.name: one for one in stubs.body if isinstance(one, ast.ClassDef)}
    assert set(shown) == {"HttpError", "Response", "Http", "Script"}
    for one in real.body:
        if not isinstance(one, ast.ClassDef) or one.name not in shown:
            continue
        for member in one.body:
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                (found,) = [
                    two
                    for two in shown[one.name].body
                    if isinstance(two, ast.FunctionDef) and two.name == member.name
                ]
                assert ast.unparse(found.args) == ast.unparse(member.args)
                assert len(found.body) == 1
            elif isinstance(member, ast.AnnAssign):
                assert ast.unparse(member) in read_sdk("python").stubs


def test_stubs_show_no_insides() -> None:
    stubs = read_sdk("python").stubs
    for inside in ("Channel", "socket", "_channel", "base64", "fcntl"):
        assert inside not in stubs


def test_the_usage_of_the_command_names_every_option() -> None:
    tree = ast.parse((INSIDE / "fetch.py").read_text("utf-8"))
    options = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "add_argument"
        and isinstance(node.args[0], ast.Constant)
    }
    (usage,) = [line for line in read_sdk("shell").stubs.splitlines() if line.startswith("Usage:")]
    assert options == {"-X", "-H", "-d", "-i", "url"}
    assert all(str(one) in usage or str(one).upper() in usage for one in options)
