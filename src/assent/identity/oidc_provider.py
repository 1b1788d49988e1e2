"""The other side of single sign-on: discovery, the redirect, the exchange, the signed claims."""

import logging
import time
from typing import Any

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from assent.errors import OidcFailed
from assent.identity.oidc import OidcClaims
from assent.settings import Settings
from assent.value import Email, Name

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"]
SCOPE = "openid email profile"
METADATA_SECONDS = 3600
LEEWAY_SECONDS = 60
TIMEOUT_SECONDS = 10
NONSENSE = (KeyError, TypeError, ValueError)
"""What comes of answers that are not what they should be."""

log = logging.getLogger("assent.oidc")


class Metadata(BaseModel):
    """What discovery says, as far as we need it."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None


class PublicKeys(BaseModel):
    keys: list[dict[str, Any]]


class Description(BaseModel):
    """What is said about a person. Whether the rest makes sense is looked at afterwards."""

    sub: str = Field(max_length=255, pattern=r"^[^\x00]+$")
    email: Any = None
    email_verified: Any = None
    name: Any = None


class OidcProvider:
    def __init__(self, settings: Settings, *, redirect_url: str) -> None:
        self._issuer = str(settings.oidc_issuer)
        self._client_id = settings.oidc_client_id or ""
        secret = settings.oidc_client_secret
        self._client_secret = secret.get_secret_value() if secret else None
        self._redirect_url = redirect_url
        # Reading the certificates takes 50 ms: once, not for each client.
        self._tls = httpx2.create_ssl_context()
        self._metadata: Metadata | None = None
        self._metadata_until = 0.0

    async def build_url(self, *, state: str, nonce: str, verifier: str) -> str:
        metadata = await self._load_metadata()
        async with self._open() as client:
            url, _ = client.create_authorization_url(
                metadata.authorization_endpoint,
                state=state,
                nonce=nonce,
                code_verifier=verifier,
            )
        return str(url)

    async def redeem(self, code: str, *, verifier: str, nonce: str) -> OidcClaims:
        """Exchange the code and verify the signed answer."""
        metadata = await self._load_metadata()
        try:
            async with self._open() as client:
                token = await client.fetch_token(
                    metadata.token_endpoint, code=code, code_verifier=verifier
                )
                person = await self._verify(client, metadata, str(token["id_token"]), nonce)
                if person.email is None and metadata.userinfo_endpoint is not None:
                    person = await _load_userinfo(client, metadata.userinfo_endpoint, person.sub)
        except (AuthlibBaseError, JoseError, httpx2.HTTPError, *NONSENSE) as error:
            log.warning("Single sign-on failed: %s", type(error).__name__)
            raise OidcFailed from error
        email = _find_valid(Email, person.email) if person.email_verified is True else None
        return OidcClaims(self._issuer, person.sub, email, _find_valid(Name, person.name))

    async def _verify(
        self, client: Any, metadata: Metadata, id_token: str, nonce: str
    ) -> Description:
        response = await client.request("GET", metadata.jwks_uri, withhold_token=True)
        published = PublicKeys.model_validate(response.raise_for_status().json())
        keys = KeySet.import_key_set({"keys": published.keys})
        claims = jwt.decode(id_token, keys, algorithms=ALGORITHMS).claims
        registry = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": metadata.issuer},
            aud={"essential": True, "value": self._client_id},
            exp={"essential": True},
            iat={"essential": True},
            sub={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        registry.validate(claims)
        if (
            isinstance(claims["aud"], list)
            and claims.get("azp", self._client_id) != self._client_id
        ):
            raise ValueError("azp")
        return Description.model_validate(claims)

    async def _load_metadata(self) -> Metadata:
        if self._metadata is not None and time.monotonic() < self._metadata_until:
            return self._metadata
        url = f"{self._issuer}/.well-known/openid-configuration"
        try:
            async with httpx2.AsyncClient(timeout=TIMEOUT_SECONDS, verify=self._tls) as client:
                response = await client.get(url)
                metadata = Metadata.model_validate(response.raise_for_status().json())
            if metadata.issuer.rstrip("/") != self._issuer:
                raise ValueError("issuer")
        except (httpx2.HTTPError, *NONSENSE) as error:
            log.warning("The provider cannot be asked: %s", type(error).__name__)
            raise OidcFailed("The sign-on provider does not answer.") from error
        self._metadata, self._metadata_until = metadata, time.monotonic() + METADATA_SECONDS
        return metadata

    def _open(self) -> Any:
        return AsyncOAuth2Client(
            client_id=self._client_id,
            client_secret=self._client_secret,
            redirect_uri=self._redirect_url,
            scope=SCOPE,
            code_challenge_method="S256",
            token_endpoint_auth_method="client_secret_basic" if self._client_secret else "none",
            timeout=TIMEOUT_SECONDS,
            verify=self._tls,
        )


async def _load_userinfo(client: Any, url: str, subject: str) -> Description:
    response = await client.get(url)
    found = Description.model_validate(response.raise_for_status().json())
    if found.sub != subject:
        raise ValueError("sub")
    return found


def _find_valid(kind: Any, value: object) -> str | None:
    """The value in our own form; what has none is left out."""
    try:
        return TypeAdapter[str](kind).validate_python(value)
    except ValidationError:
        return None
