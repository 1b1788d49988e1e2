"""Every error has a message and a code of its own, and an HTTP status or none on purpose."""

import inspect

import pytest

from assent import errors
from assent.api.problems import STATUS, TITLES, find_status
from assent.errors import AssentError, Conflict, Invalid, Issue, MissingRule, NotFound, TooMany

CLASSES = [
    one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, AssentError)
]

NO_STATUS = {
    errors.AssentError: "a defect",
    errors.ConfigurationError: "stops the start, before there is HTTP",
    errors.MeasurementFailed: "ends a measurement, which is no request",
    errors.PluginError: "stops the start, before there is HTTP",
    errors.OidcFailed: "becomes an address of the sign-in page",
    errors.OidcUnknown: "becomes an address of the sign-in page",
    errors.SealBroken: "a defect, or a key that is missing: nothing that a caller can do",
    errors.ToolFailed: "a defect of a tool: nothing that a caller can do",
    errors.ModelError: "becomes an event of the stream",
    errors.ModelCredentials: "becomes an event of the stream",
    errors.ModelQuota: "becomes an event of the stream",
    errors.ModelRateLimit: "becomes an event of the stream",
    errors.ModelContextTooLong: "becomes an event of the stream",
    errors.ModelUnavailable: "becomes an event of the stream",
    errors.ModelRefused: "becomes an event of the stream",
    errors.OutputInvalid: "is how a run ends that nobody follows",
    errors.LeaseLost: "ends work in the background",
}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_has_a_status_or_none_on_purpose(kind: type[AssentError]) -> None:
    status = find_status(kind.__new__(kind))
    assert (status == 500) is (kind in NO_STATUS)
    assert status in TITLES


def test_statuses_are_for_errors_that_exist() -> None:
    assert set(STATUS) <= set(CLASSES)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MissingRule("catalog.system.read"), 403),
        (errors.NeedsProposal(), 403),
        (errors.PeopleOnly(), 403),
        (errors.CrossSite(), 403),
        (errors.UnknownCursor(), 404),
        (Conflict("Taken."), 409),
        (Invalid.at("name", "Too long."), 422),
        (TooMany(30), 429),
    ],
)
def test_subclasses_inherit_their_status(error: AssentError, status: int) -> None:
    assert find_status(error) == status


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in CLASSES]
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize(
    "kind",
    [kind for kind in CLASSES if kind not in (MissingRule, Invalid, TooMany, Conflict)],
    ids=lambda kind: kind.__name__,
)
def test_the_docstring_is_the_message(kind: type[AssentError]) -> None:
    assert kind().message == (kind.__doc__ or "").strip()
    assert kind("Something else.").message == "Something else."


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MissingRule("a.b.read"), "This needs the access rule a.b.read."),
        (Conflict("Taken."), "Taken."),
        (Conflict(), "The present state does not allow this."),
        (Conflict.at("slug", "Taken."), "Taken."),
        (Conflict(issues=[Issue("a", "One."), Issue("b", "Two.")]), "One.; Two."),
        (Invalid.at("name", "Too long."), "name: Too long."),
        (TooMany(5), "Too many attempts. Wait, then try again."),
        (NotFound("No such note."), "No such note."),
    ],
)
def test_messages(error: AssentError, message: str) -> None:
    assert error.message == message


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (None, "a moment"),
        (0, "a moment"),
        (1.2, "2 seconds"),
        (120, "120 seconds"),
        (121, "3 minutes"),
        (7_200, "120 minutes"),
        (86_400, "24 hours"),
    ],
)
def test_a_rate_limit_says_when_to_come_back(seconds: float | None, expected: str) -> None:
    error = errors.ModelRateLimit(retry_after=seconds)
    assert error.message.endswith(f"Try again in {expected}.")
