"""A change is laid over a check, and what it would take back is known."""

from datetime import UTC, datetime
from typing import Any

from assent.bundled.healthcheck.given import GivenChange, GivenCheck, merge, reverse
from assent.bundled.healthcheck.validate import read_check
from assent.bundled.healthcheck.values import Check, CheckDraft
from assent.plugins.api import new_id
from tests.unit.bundled.healthcheck.samples import KNOWN, build_given

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def build_check(**fields: Any) -> Check:
    sound = read_check(build_given(**fields), KNOWN)
    return Check(
        id=new_id(),
        **sound.draft.model_dump(),
        reaches=list(sound.reaches),
        status="up",
        status_since=NOW,
        reason="",
        last_run_at=NOW,
        next_run_at=NOW,
        version=1,
        created_at=NOW,
        updated_at=NOW,
    )


def change(check: Check, body: dict[str, Any]) -> Check:
    draft = read_check(merge(check, body), KNOWN).draft
    return check.model_copy(update={name: getattr(draft, name) for name in CheckDraft.model_fields})


def test_a_strategy_of_the_same_kind_keeps_what_is_left_out() -> None:
    check = build_check()
    changed = change(check, {"strategy": {"config": {"method": "HEAD"}}})
    assert changed.strategy.config == {"url": "https://example.com/health", "method": "HEAD"}
    back = change(changed, {"strategy": {"config": {"method": None}}})
    assert back.strategy == check.strategy


def test_a_strategy_of_another_kind_replaces_it() -> None:
    strategy = {"kind": "tcp", "config": {"host": "db.example.com", "port": 5432}}
    changed = change(build_check(), {"strategy": strategy, "collectors": [], "assertions": []})
    assert changed.strategy.config == {"host": "db.example.com", "port": 5432}


def test_lists_are_replaced_whole() -> None:
    assertions = [{"field": "statusCode", "operator": "lessThan", "value": 300}]
    changed = change(build_check(), {"assertions": assertions})
    assert [one.operator for one in changed.assertions] == ["lessThan"]
    assert len(changed.collectors) == 1


def test_what_takes_a_change_back() -> None:
    check = build_check()
    for body in (
        {"strategy": {"config": {"method": "HEAD"}}, "timeoutMs": 900},
        {
            "strategy": {"kind": "tcp", "config": {"host": "a.example", "port": 1}},
            "collectors": [],
            "assertions": [],
        },
        {"name": "Other", "enabled": False, "egress": ["tcp://a.example:1"]},
    ):
        changed = change(check, body)
        assert changed != check
        assert change(changed, reverse(check, changed, body)) == check


def test_the_schema_is_that_of_the_draft() -> None:
    shown, strict = GivenCheck.model_json_schema(), CheckDraft.model_json_schema()
    assert shown["required"] == strict["required"]
    assert set(shown["properties"]) == set(strict["properties"])
    assert "$ref" not in str(shown)
    change_schema = GivenChange.model_json_schema()
    assert change_schema["required"] == ["checkId"]
    assert change_schema["additionalProperties"] is False
