"""Which changes of a check carry data out, and so never apply by themselves."""

from typing import Any
from uuid import UUID

import pytest

from assent.bundled.healthcheck.given import GivenChange
from assent.bundled.healthcheck.tools.changes import UpdateCheck
from assent.plugins.load import Loaded


@pytest.mark.parametrize(
    ("body", "egress"),
    [
        ({"name": "Other", "description": "x", "systemIds": []}, False),
        ({"enabled": False, "name": "Other"}, False),
        ({"enabled": False, "strategy": {"config": {"url": "https://x.example"}}}, True),
        ({"enabled": True}, True),
        ({"intervalSeconds": 5}, True),
        ({"strategy": {"config": {"url": "https://x.example"}}}, True),
        ({"name": "Other", "egress": ["tcp://x.example:1"]}, True),
    ],
)
def test_what_carries_data_out(body: dict[str, Any], egress: bool) -> None:
    assert UpdateCheck().egress_of(GivenChange(check_id=UUID(int=1), **body)) is egress


def test_a_new_check_always_does(loaded: Loaded) -> None:
    tool = loaded.tools.by_name["healthcheck.propose"]
    assert tool.behaviour.egress
    assert tool.functions.egress_of is None
    assert loaded.tools.by_name["healthcheck.delete"].behaviour.effect == "destructive"
