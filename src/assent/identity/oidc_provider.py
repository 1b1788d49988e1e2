"""The other side of single sign-on: discovery, the redirect, the exchange, the signed claims."""

import logging
import time
from typing import Any, cast

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from assent.errors import OidcFailed
from assent.identity.oidc import OidcClaims
from assent.settings import Settings

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"]
SCOPE = "openid email profile"
METADATA_SECONDS = 3600
LEEWAY_SECONDS = 60
TIMEOUT_SECONDS = 10

log = logging.getLogger("assent.oidc")


class OidcProvider:
    def __init__(self, settings: Settings, *, redirect_url: str) -> None:
        self._issuer = str(settings.oidc_issuer)
        self._client_id = settings.oidc_client_id or ""
        secret = settings.oidc_client_secret
        self._client_secret = secret.get_secret_value() if secret else None
        self._redirect_url = redirect_url
        self._metadata: dict[str, Any] = {}
        self._metadata_until = 0.0

    async def build_url(self, *, state: str, nonce: str, verifier: str) -> str:
        metadata = await self._load_metadata()
        async with self._open() as client:
            url, _ = client.create_authorization_url(
                metadata["authorization_endpoint"],
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
                    metadata["token_endpoint"], code=code, code_verifier=verifier
                )
                claims = await self._verify(client, str(token["id_token"]), nonce)
                if "email" not in claims and "userinfo_endpoint" in metadata:
                    claims |= await self._load_userinfo(client, claims["sub"])
        except (AuthlibBaseError, JoseError, httpx2.HTTPError, KeyError, ValueError) as error:
            log.warning("Single sign-on failed: %s", type(error).__name__)
            raise OidcFailed from error
        email = claims.get("email") if claims.get("email_verified") is True else None
        return OidcClaims(self._issuer, claims["sub"], email, claims.get("name"))

    async def _verify(self, client: Any, id_token: str, nonce: str) -> dict[str, Any]:
        response = await client.request("GET", self._metadata["jwks_uri"], withhold_token=True)
        keys = KeySet.import_key_set(response.raise_for_status().json())
        claims = jwt.decode(id_token, keys, algorithms=ALGORITHMS).claims
        registry = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": self._issuer_claim},
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
        return claims

    async def _load_userinfo(self, client: Any, subject: str) -> dict[str, Any]:
        response = await client.get(self._metadata["userinfo_endpoint"])
        found = cast(dict[str, Any], response.raise_for_status().json())
        if found.get("sub") != subject:
            raise ValueError("sub")
        return {key: found[key] for key in ("email", "email_verified", "name") if key in found}

    async def _load_metadata(self) -> dict[str, Any]:
        if time.monotonic() < self._metadata_until:
            return self._metadata
        url = f"{self._issuer}/.well-known/openid-configuration"
        try:
            async with httpx2.AsyncClient(timeout=TIMEOUT_SECONDS) as client:
                response = await client.get(url)
                metadata = response.raise_for_status().json()
            if metadata["issuer"].rstrip("/") != self._issuer:
                raise ValueError("issuer")
        except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
            log.warning("The provider cannot be asked: %s", type(error).__name__)
            raise OidcFailed("The sign-on provider does not answer.") from error
        self._metadata, self._metadata_until = metadata, time.monotonic() + METADATA_SECONDS
        return metadata

    @property
    def _issuer_claim(self) -> str:
        return self._metadata["issuer"]

    def _open(self) -> Any:
        return AsyncOAuth2Client(
            client_id=self._client_id,
            client_secret=self._client_secret,
            redirect_uri=self._redirect_url,
            scope=SCOPE,
            code_challenge_method="S256",
            token_endpoint_auth_method="client_secret_basic" if self._client_secret else "none",
            timeout=TIMEOUT_SECONDS,
        )
