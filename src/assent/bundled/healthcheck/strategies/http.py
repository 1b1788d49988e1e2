"""A request to a web address."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from assent.bundled.healthcheck.declaration import STRATEGY, plugin
from assent.bundled.healthcheck.origin import WebAddress, origin_of
from assent.bundled.healthcheck.reach import Reach
from assent.bundled.healthcheck.values import Assertion
from assent.plugins.api import Request, Value


def _check_headers(headers: dict[str, str]) -> dict[str, str]:
    Request(url="", headers=headers)
    return headers


class HttpConfig(Value):
    url: WebAddress = Field(description="Where the request goes, such as https://example.com/up.")
    method: Literal["GET", "HEAD", "POST"] = "GET"
    headers: Annotated[dict[str, str], AfterValidator(_check_headers)] = Field(
        {}, max_length=30, description="No credentials: everybody who sees the check sees them."
    )
    body: str = Field("", max_length=20_000, description="Sent with POST.")


class HttpResult(Value):
    status_code: int
    content_type: str | None
    location: str | None = Field(description="Where a redirect leads; it is not followed.")
    body_bytes: int
    truncated: bool = Field(description="Whether the body was longer than what is read.")
    headers: dict[str, str] = Field(exclude=True)
    body: bytes = Field(exclude=True)


@plugin.contribute(STRATEGY, "http")
class HttpStrategy:
    """Send a request to a web address; redirects are not followed.

    Without assertions it is up when the status code is under 400.
    """

    title = "HTTP request"
    version = 1
    Config = HttpConfig
    Result = HttpResult
    expects = (Assertion(field="statusCode", operator="lessThan", value=400),)

    def origins(self, config: HttpConfig) -> tuple[str, ...]:
        return (origin_of(config.url),)

    async def probe(self, reach: Reach, config: HttpConfig) -> HttpResult:
        request = Request(
            url=config.url,
            method=config.method,
            headers=config.headers,
            body=config.body.encode() if config.method == "POST" else b"",
        )
        answer = await reach.http.fetch(request, reach.limits)
        return HttpResult(
            status_code=answer.status,
            content_type=answer.find_header("content-type"),
            location=answer.find_header("location"),
            body_bytes=len(answer.body),
            truncated=answer.truncated,
            headers=dict(reversed(answer.headers)),
            body=answer.body,
        )
