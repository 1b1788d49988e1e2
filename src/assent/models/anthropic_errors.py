"""What a server that speaks Anthropic's Messages API means when it complains. Pure.

As with the other wire, codes and phrases are only recognised: nothing that the server wrote goes
into an error.
"""

from assent.errors import ModelContextTooLong, ModelError, ModelQuota, ModelRefused
from assent.models.openai_errors import UNKNOWN_MODEL, Complaint
from assent.models.openai_errors import find_failure as find_usual_failure

UNKNOWN = frozenset({"not_found_error"})
POOR = ("credit balance is too low", "usage limits", "spend limit")
"""An empty account is told in words only, as a bad request."""
TOO_LONG = ("context limit", "exceed context", "tokens > ")


def find_failure(complaint: Complaint, retry_after: float | None = None) -> ModelError:
    if complaint.has(frozenset({"invalid_request_error"}), 400):
        if any(one in complaint.message for one in POOR):
            return ModelQuota()
        if any(one in complaint.message for one in TOO_LONG):
            return ModelContextTooLong()
    if complaint.has(UNKNOWN):
        return ModelRefused(UNKNOWN_MODEL)
    return find_usual_failure(complaint, retry_after)
