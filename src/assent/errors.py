"""Every error that one part of Assent raises for another.

Pure. The docstring is the default message. Nothing here knows of HTTP or of exit codes: each edge
(`api/problems.py`, `cli.py`) maps these classes once.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID


def describe_wait(seconds: float) -> str:
    """How long to wait, in words, rounded up."""
    if seconds <= 1:
        return "a moment"
    for size, unit in ((3600, "hours"), (60, "minutes")):
        if seconds > 2 * size:
            return f"{math.ceil(seconds / size)} {unit}"
    return f"{math.ceil(seconds)} seconds"


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing wrong with an input: where, and what."""

    path: str
    message: str


class AssentError(Exception):
    """Something went wrong inside Assent."""

    code = "internal"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())

    @property
    def message(self) -> str:
        return str(self.args[0])


class ConfigurationError(AssentError):
    """Assent cannot start with these settings."""

    code = "configuration"


class MeasurementFailed(AssentError):
    """Something could not be measured."""

    code = "measurement_failed"


class PluginError(ConfigurationError):
    """A plugin is declared wrongly."""

    code = "plugin"


class NotSignedIn(AssentError):
    """Sign in, or send a valid key."""

    code = "not_signed_in"


class SignInFailed(AssentError):
    """That did not work. Check the e-mail address and the password."""

    code = "sign_in_failed"


class OidcFailed(AssentError):
    """Single sign-on did not work. Try again."""

    code = "oidc_failed"


class OidcUnknown(AssentError):
    """Single sign-on knows you, but you are not listed here. Ask an admin to add you."""

    code = "oidc_unknown"


class LinkUnusable(AssentError):
    """This link was used already, has expired or never existed."""

    code = "link_unusable"


class Forbidden(AssentError):
    """You may not do this."""

    code = "forbidden"


class MissingRule(Forbidden):
    """A rule is missing."""

    code = "missing_rule"

    def __init__(self, rule: str) -> None:
        super().__init__(f"This needs the access rule {rule}.")
        self.rule = rule


class CrossSite(Forbidden):
    """The request did not come from one of Assent's own pages."""

    code = "cross_site"


class DestinationRefused(Forbidden):
    """This place may not be reached."""

    code = "destination_refused"


class PeopleOnly(Forbidden):
    """Only a person who is signed in may do this."""

    code = "people_only"


class TokenInvalid(Forbidden):
    """This token is not for you and this proposal, or too old. Ask for a new one."""

    code = "token_invalid"


class NeedsProposal(Forbidden):
    """A key cannot change anything by itself: propose the change and let a person decide."""

    code = "needs_proposal"


class ChatDisabled(Forbidden):
    """The chat is switched off here. Ask an admin."""

    code = "chat_disabled"


class NotFound(AssentError):
    """Not there, or not yours."""

    code = "not_found"


class UnknownCursor(NotFound):
    """This cursor is not from this list. Start again without one."""

    code = "unknown_cursor"


class Conflict(AssentError):
    """The present state does not allow this."""

    code = "conflict"

    def __init__(self, message: str | None = None, *, issues: Sequence[Issue] = ()) -> None:
        super().__init__(message or "; ".join(issue.message for issue in issues))
        self.issues = tuple(issues)

    @classmethod
    def at(cls, path: str, message: str) -> "Conflict":
        return cls(issues=[Issue(path, message)])


class Altered(Conflict):
    """What was stored is not what was proposed: somebody altered it. Nothing was changed."""

    code = "altered"


RefusedFor: TypeAlias = Literal["unknown", "unreachable", "description", "redirect"]
"""Which part of a program is at fault: itself, its document's place, its words, its address."""


class ClientRefused(Conflict):
    """This program cannot be connected."""

    code = "client_refused"

    def __init__(
        self,
        message: str | None = None,
        *,
        issues: Sequence[Issue] = (),
        reason: RefusedFor = "description",
    ) -> None:
        super().__init__(message, issues=issues)
        self.reason: RefusedFor = reason


class Expired(AssentError):
    """This has expired."""

    code = "expired"


class Changed(AssentError):
    """Somebody else changed this in the meantime. Load it again."""

    code = "changed"

    def __init__(self, message: str | None = None, *, successor_id: UUID | None = None) -> None:
        super().__init__(message)
        self.successor_id = successor_id


class Invalid(AssentError):
    """The input is not valid."""

    code = "invalid"

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__("; ".join(f"{issue.path}: {issue.message}" for issue in issues))
        self.issues = tuple(issues)

    @classmethod
    def at(cls, path: str, message: str) -> "Invalid":
        return cls([Issue(path, message)])


class Repeated(AssentError):
    """This call was made before in this run."""

    code = "repeated"


class ToolFailed(AssentError):
    """The tool failed. The log has the details."""

    code = "tool_failed"


class TooLarge(AssentError):
    """The request is too large."""

    code = "too_large"


class WrongMediaType(AssentError):
    """Send JSON with the header content-type: application/json."""

    code = "wrong_media_type"


class UnsupportedFile(WrongMediaType):
    """Files of this kind are not taken."""

    code = "unsupported_file"


class TooMany(AssentError):
    """Too many attempts. Wait, then try again."""

    code = "too_many"

    def __init__(self, retry_after: int, message: str | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class CreditsExhausted(AssentError):
    """This month's credits are used up. Ask an admin."""

    code = "credits_exhausted"


class Unavailable(AssentError):
    """Assent cannot answer right now. Try again in a moment."""

    code = "unavailable"


class Unreachable(AssentError):
    """What was asked for cannot be reached. Nothing was sent."""

    code = "unreachable"


class BrokeOff(Unavailable):
    """A request was sent, and no whole answer came."""

    code = "broke_off"


class SandboxUnavailable(AssentError):
    """Scripts cannot run here: there is nothing to keep them apart from the machine."""

    code = "sandbox_unavailable"


class ModelError(AssentError):
    """The model could not answer."""

    code = "model_failed"


class ModelCredentials(ModelError):
    """The model provider refuses the key. Ask an admin to check the integration."""

    code = "model_credentials"


class ModelQuota(ModelError):
    """The model provider's quota is used up. Ask an admin to check the account."""

    code = "model_quota"


class ModelRateLimit(ModelError):
    """The model provider is receiving too many requests. Try again in a moment."""

    code = "model_rate_limit"

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        when = describe_wait(retry_after or 0)
        told = f"The model provider is receiving too many requests. Try again in {when}."
        super().__init__(message or told)
        self.retry_after = retry_after


class ModelContextTooLong(ModelError):
    """The conversation is too long for this model."""

    code = "model_context_too_long"


class ModelUnavailable(ModelError):
    """The model provider does not answer. Try again in a moment."""

    code = "model_unavailable"

    def __init__(
        self,
        message: str | None = None,
        *,
        retry_after: float | None = None,
        was_sent: bool = True,
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.was_sent = was_sent
        """What was not sent has cost nothing."""


class ModelRefused(ModelError):
    """The model provider refused this request."""

    code = "model_refused"


class OutputInvalid(AssentError):
    """The answer did not have the shape that was asked for."""

    code = "output_invalid"


class SealBroken(AssentError):
    """What was sealed cannot be opened: it was altered, or its key is missing."""

    code = "seal_broken"


class Busy(Unavailable):
    """Somebody else is changing the same thing. Try again."""

    code = "busy"


class LeaseLost(AssentError):
    """The lease ran out and somebody else owns this work now."""

    code = "lease_lost"
