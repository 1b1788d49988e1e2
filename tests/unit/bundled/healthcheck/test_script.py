"""Placeholders, digests and what a script's result means."""

from typing import Any

import pytest

from assent.bundled.healthcheck.scripts.build import build_script
from assent.bundled.healthcheck.scripts.script import (
    ScriptConfig,
    fill_in,
    find_digest,
    list_placeholders,
)
from assent.bundled.healthcheck.scripts.strategy import read_result
from assent.plugins.api import Finished, replace_secrets

SECRET = "s3cret/with+signs=="


def test_placeholders() -> None:
    env = {
        "A": "Bearer __SECRET_ONE__",
        "B": "__SECRET_TWO_2__:__SECRET_ONE__",
        "C": "__SECRET_x__",
    }
    assert list_placeholders(env) == ("ONE", "TWO_2")
    assert fill_in(env, {"ONE": "1", "TWO_2": "2"}) == {
        "A": "Bearer 1",
        "B": "2:1",
        "C": "__SECRET_x__",
    }
    assert fill_in(env, {}) == env


def test_what_is_filled_in_is_not_read_again() -> None:
    assert fill_in({"A": "__SECRET_ONE__"}, {"ONE": "__SECRET_TWO__", "TWO": "2"}) == {
        "A": "__SECRET_TWO__"
    }


def test_a_digest_is_of_the_bytes_and_the_language() -> None:
    digests = {
        find_digest("python", "x"),
        find_digest("shell", "x"),
        find_digest("python", "x "),
        find_digest("python", "X"),
        find_digest("python", ""),
    }
    assert len(digests) == 5
    assert find_digest("python", "x") == find_digest("python", "x")


def test_a_shell_script_finds_its_configuration_in_the_environment() -> None:
    config = {"url": "http://a", "most": 3, "on": True, "list": [1], "a b": "c", "PATH": "x"}
    given = ScriptConfig(source="x", config=config)
    shell = build_script("shell", given, context={}, env={"CONFIG_MOST": "4"}, milliseconds=1)
    assert shell.env == {
        "CONFIG_URL": "http://a",
        "CONFIG_MOST": "4",
        "CONFIG_ON": "true",
        "CONFIG_PATH": "x",
    }
    python = build_script("python", given, context={}, env={}, milliseconds=1)
    assert (python.env, python.config) == ({}, config)


@pytest.mark.parametrize(
    ("result", "ok", "message", "value"),
    [
        (None, True, None, None),
        (True, True, None, None),
        (False, False, None, None),
        (12, True, None, 12),
        ("text", True, None, None),
        ([1], True, None, None),
        ({}, True, None, None),
        ({"ok": False, "message": "no"}, False, "no", None),
        ({"ok": True, "value": 1.5}, True, None, 1.5),
        ({"ok": 0, "message": 3, "value": True}, True, None, None),
    ],
)
def test_what_a_result_means(
    result: Any, ok: bool, message: str | None, value: float | None
) -> None:
    finished = Finished(
        result=result,
        stdout="",
        stderr="",
        exit_code=0,
        duration_ms=7,
        timed_out=False,
        error=None,
        sandbox_downgraded=False,
    )
    read = read_result(finished, result)
    assert (read.ok, read.message, read.value, read.took_ms) == (ok, message, value, 7)
    assert set(read.model_dump(by_alias=True)) == {"ok", "message", "value", "exitCode"}


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        "s3cret%2Fwith%2Bsigns%3D%3D",
        "czNjcmV0L3dpdGgrc2lnbnM9PQ==",
        SECRET.encode().hex(),
    ],
)
def test_a_secret_is_replaced_in_whatever_form(form: str) -> None:
    hidden = replace_secrets(
        {"a": [f"x{form}y"], form: {"n": 1, "none": None}}, {"__SECRET_ONE__": SECRET}
    )
    assert form.rstrip("=") not in str(hidden)
    assert "__SECRET_ONE__" in str(hidden)
    assert hidden[next(key for key in hidden if key != "a")] == {"n": 1, "none": None}
