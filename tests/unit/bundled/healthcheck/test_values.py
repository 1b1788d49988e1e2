"""What an assertion is compared with: one value, which stays what it was."""

from typing import Any

import pytest
from pydantic import ValidationError

from assent.bundled.healthcheck.values import Assertion
from assent.errors import Invalid
from assent.tools.schema import parse_value


def assertion(value: Any) -> dict[str, Any]:
    return {"field": "statusCode", "operator": "equals", "value": value}


@pytest.mark.parametrize("value", [None, True, False, 0, 1, -1, 200, 2**53, 0.0, 1.0, 1.5, "", "1"])
def test_a_stored_value_is_read_as_it_was(value: Any) -> None:
    read = Assertion.model_validate(assertion(value)).value
    assert (type(read), read) == (type(value), value)
    text = Assertion.model_validate(assertion(value)).model_dump_json(by_alias=True)
    again = Assertion.model_validate_json(text, strict=True).value
    assert (type(again), again) == (type(value), value)


@pytest.mark.parametrize("value", [[], [1], {}, {"a": 1}])
def test_several_are_refused_with_one_sentence(value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        Assertion.model_validate(assertion(value))
    [error] = refused.value.errors()
    assert (error["loc"], error["msg"]) == (
        ("value",),
        "Value error, This must be a text, a number, true or false.",
    )
    with pytest.raises(Invalid) as named:
        parse_value(Assertion, assertion(value))
    assert [one.path for one in named.value.issues] == ["value"]
