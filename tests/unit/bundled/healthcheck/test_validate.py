"""One validator says what is wrong with a check, where, and what would be right."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.bundled.healthcheck.validate import read_check, validate_check
from tests.unit.bundled.healthcheck.samples import KNOWN, build_given


def find(**fields: Any) -> list[tuple[str, str]]:
    return [(one.path, one.message) for one in validate_check(build_given(**fields), KNOWN)]


def assertion(field: str, operator: str, **rest: Any) -> dict[str, Any]:
    return {"assertions": [{"field": field, "operator": operator, **rest}]}


def test_a_right_check_is_read_and_knows_where_it_goes() -> None:
    sound = read_check(build_given(egress=["HTTP://Example.org"]), KNOWN)
    assert sound.reaches == ("https://example.com:443", "http://example.org:80")
    assert sound.draft.strategy.version == 1
    assert sound.draft.interval_seconds == 60
    assert find() == []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"name": None}, ("name", "This field is required.")),
        ({"intervalSeconds": 4}, ("intervalSeconds", "This must be at least 5.")),
        ({"intervalSeconds": "60"}, ("intervalSeconds", "This must be an integer, not a string.")),
        ({"name": "  "}, ("name", "String should have at least 1 character")),
        (
            {"timeoutMs": 30_000, "intervalSeconds": 10},
            ("timeoutMs", "A run may not take longer than the interval."),
        ),
        (
            {"egress": ["example.com"]},
            (
                "egress.0",
                "A place begins with one of http://, https://, tcp://, tls://, dns://, "
                "then a host and a port.",
            ),
        ),
        (
            {"strategy": {"kind": "htpt", "config": {}}, "collectors": [], "assertions": []},
            ("strategy.kind", "There is no strategy htpt. Did you mean http?"),
        ),
        (
            {"strategy": {"kind": "smtp", "config": {}}, "collectors": [], "assertions": []},
            (
                "strategy.kind",
                "There is no strategy smtp. Known are: http, tcp, tls, dns, queue.",
            ),
        ),
        (
            {"strategy": {"kind": "http", "config": {"url": "https://a.example", "verb": "GET"}}},
            (
                "strategy.config.verb",
                "There is no such field. Known are: body, headers, method, url.",
            ),
        ),
        (
            {"strategy": {"kind": "http", "config": {}}},
            ("strategy.config.url", "This field is required."),
        ),
        (
            {"strategy": {"kind": "http", "config": {"url": "ftp://a.example"}}},
            ("strategy.config.url", "A web address begins with http:// or https://."),
        ),
        (
            {"strategy": {"kind": "http", "version": 2, "config": {"url": "https://a.example"}}},
            ("strategy.version", "http is at version 1 here; version 2 is not known."),
        ),
        (
            {"collectors": [{"id": "state", "kind": "jsn", "config": {"path": "a"}}]},
            ("collectors.0.kind", "There is no collector jsn. Did you mean json?"),
        ),
        (
            {"collectors": [{"id": "state", "kind": "json", "config": {"path": "a[b]"}}]},
            ("collectors.0.config.path", "This is not a path such as checks[0].status."),
        ),
        (
            {
                "strategy": {"kind": "tcp", "config": {"host": "a.example", "port": 1}},
                "assertions": [],
            },
            ("collectors.0.kind", "json works on http, not on tcp."),
        ),
        (
            assertion("statuscode", "equals", value=200),
            ("assertions.0.field", "There is no field statuscode. Did you mean statusCode?"),
        ),
        (
            assertion("state.valeu", "equals", value=200),
            (
                "assertions.0.field",
                "There is no field state.valeu. "
                "Did you mean state.value or state.size or state.found?",
            ),
        ),
        (
            assertion("statusCode", "matches", value="2.."),
            (
                "assertions.0.operator",
                "matches does not fit statusCode (integer). These do: equals, notEquals, "
                "lessThan, atMost, greaterThan, atLeast.",
            ),
        ),
        (
            assertion("statusCode", "equal", value=200),
            (
                "assertions.0.operator",
                "There is no operator equal. Did you mean equals or notEquals?",
            ),
        ),
        (
            assertion("statusCode", "equals", value="200"),
            (
                "assertions.0.value",
                "statusCode is an integer; this must be too, not a text.",
            ),
        ),
        (
            assertion("statusCode", "lessThan"),
            ("assertions.0.value", "This must be a number, not nothing."),
        ),
        (
            assertion("contentType", "exists", value=True),
            ("assertions.0.value", "This operator takes no value."),
        ),
        (
            assertion("contentType", "matches", value="("),
            ("assertions.0.value", "This is not a pattern: missing ): (."),
        ),
        (
            assertion("body", "contains", value="x"),
            (
                "assertions.0.field",
                "There is no field body. Did you mean bodyBytes?",
            ),
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    fields: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert find(**fields) == [expected]


def test_all_issues_of_a_stage_are_named_together() -> None:
    wrong = {"kind": "http", "config": {"url": "https://a.example", "verb": 1}}
    twice = [{"id": "one", "kind": "header", "config": {"name": "etag"}}] * 2
    paths = [
        path
        for path, _ in find(
            strategy=wrong, collectors=twice, **assertion("two.value", "equals", value=1)
        )
    ]
    assert paths == ["strategy.config.verb", "collectors.1.id", "assertions.0.field"]


def test_unknown_fields_are_named_with_the_known_ones() -> None:
    ((path, message),) = find(intervall=30)
    assert path == "intervall"
    assert "intervalSeconds" in message


@pytest.mark.parametrize(
    ("version", "config", "stored"),
    [
        (1, {"queue": "mail"}, {"name": "mail", "depth": 100}),
        (2, {"name": "mail", "limit": 7}, {"name": "mail", "depth": 7}),
        (3, {"name": "mail"}, {"name": "mail"}),
        (None, {"name": "mail"}, {"name": "mail"}),
    ],
)
def test_an_older_configuration_is_migrated_first(
    version: int | None, config: dict[str, Any], stored: dict[str, Any]
) -> None:
    strategy = {"kind": "queue", "config": config, "version": version}
    sound = read_check(build_given(strategy=strategy, collectors=[], assertions=[]), KNOWN)
    assert (sound.draft.strategy.version, sound.draft.strategy.config) == (3, stored)


def test_what_cannot_be_migrated_is_an_issue() -> None:
    strategy = {"kind": "queue", "config": {"name": "mail"}, "version": 1}
    ((path, _),) = find(strategy=strategy, collectors=[], assertions=[])
    assert path == "strategy.config"


def test_after_the_migration_the_schema_is_as_strict_as_ever() -> None:
    strategy = {"kind": "queue", "config": {"name": "mail", "limit": 0}, "version": 2}
    issues = find(strategy=strategy, collectors=[], assertions=[])
    assert issues == [("strategy.config.depth", "This must be at least 1.")]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=12,
)


@given(st.data())
def test_whatever_is_sent_gets_an_answer(data: st.DataObject) -> None:
    """One field at a time becomes anything: issues, or a check that reads the same again."""
    base = build_given()
    name = data.draw(st.sampled_from([*base, "egress", "timeoutMs", "systemIds", "enabled", "x"]))
    sent = {**base, name: data.draw(json_values)}
    issues = validate_check(sent, KNOWN)
    for issue in issues:
        assert issue.path
        assert issue.message
    if not issues:
        sound = read_check(sent, KNOWN)
        again = sound.draft.model_dump(mode="json", by_alias=True)
        assert read_check(json.loads(json.dumps(again)), KNOWN) == sound


@given(json_values, st.sampled_from(["http", "tcp", "tls", "dns", "queue"]))
def test_whatever_is_configured_gets_an_answer(config: Any, kind: str) -> None:
    strategy = {"kind": kind, "config": config}
    issues = validate_check(build_given(strategy=strategy, collectors=[], assertions=[]), KNOWN)
    assert all(issue.path.startswith("strategy.config") for issue in issues)


@given(
    st.sampled_from(["statusCode", "contentType", "truncated", "state.value", "durationMs"]),
    st.text() | st.sampled_from(["equals", "matches", "contains", "exists", "lessThan"]),
    json_values,
)
def test_whatever_is_asserted_gets_an_answer(field: str, operator: str, value: Any) -> None:
    issues = find(**assertion(field, operator, value=value))
    assert all(path.startswith("assertions.0.") for path, _ in issues)
