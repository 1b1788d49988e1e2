"""Settings: one frozen object, read once from the environment and `assent.toml`.

Each setting is a field with its description; `ASSENT_<NAME>` sets it, `name = …` in the file does
too, and the environment wins. `docs/settings.md` lists them all; a test compares the two.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    AnyHttpUrl,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from assent.errors import ConfigurationError

PREFIX = "ASSENT_"
SHORT_NAMES = {
    "DATABASE_URL": "database_url",
    "PORT": "port",
    "HOST": "host",
    "LOG_LEVEL": "log_level",
    "TZ": "time_zone",
    "OPENAI_API_KEY": "openai_api_key",
    "OPENAI_BASE_URL": "openai_base_url",
    "ANTHROPIC_API_KEY": "anthropic_api_key",
    "ANTHROPIC_BASE_URL": "anthropic_base_url",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "otel_endpoint",
}
FILE_VARIABLE = "ASSENT_CONFIG"
PLUGIN_PREFIX = "ASSENT_PLUGIN_"
DEFAULT_FILE = Path("assent.toml")


def _split(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _check_zone(name: str) -> str:
    try:
        ZoneInfo(name.removeprefix(":"))
    except (ValueError, OSError, LookupError) as error:
        raise ValueError(
            f"{name!r} is not a time zone; use a name such as Europe/Berlin"
        ) from error
    return name.removeprefix(":")


def _check_url(text: str) -> str:
    TypeAdapter(AnyHttpUrl).validate_python(text)
    return text.rstrip("/")


def _check_each(pattern: str, hint: str) -> AfterValidator:
    def check(values: tuple[str, ...]) -> tuple[str, ...]:
        for value in values:
            if not re.fullmatch(pattern, value):
                raise ValueError(f"{value!r} is not {hint}")
        return values

    return AfterValidator(check)


Names = Annotated[tuple[str, ...], BeforeValidator(_split)]
Secrets = Annotated[tuple[SecretStr, ...], BeforeValidator(_split)]
Lowercase = BeforeValidator(lambda value: value.lower() if isinstance(value, str) else value)
Url = Annotated[str, AfterValidator(_check_url)]
Scheme = _check_each(r"[a-z][a-z0-9+.-]{1,60}", "a scheme, without what follows it: cursor")
Origin = _check_each(r"[a-z][a-z0-9+.-]*://[^/?#@\s*]+", "an origin, as https://chat.example is")


class Settings(BaseModel):
    """What an operator can set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8700, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    workers: int = Field(1, ge=1, le=64, description="Server processes that `assent serve` starts.")
    public_url: Url | None = Field(
        None,
        description="Address that people open, if not host and port (behind a proxy).",
    )
    trusted_proxies: Names = Field(
        ("127.0.0.1", "::1"),
        description="Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.",
    )
    unread_seconds: int = Field(
        60,
        ge=1,
        le=3600,
        description="A connection is closed when its other end has taken nothing for this long.",
    )

    data_dir: Path = Field(
        Path(".assent"), description="Folder for the embedded Postgres and the master key."
    )
    database_url: SecretStr | None = Field(
        None, description="Use this Postgres (15 or newer) instead of the embedded one."
    )
    postgres_binaries: Path | None = Field(
        None, description="Folder with `postgres` and `initdb` for the embedded Postgres."
    )
    pooler: Literal["auto", "transaction", "none"] = Field(
        "auto",
        description="Whether `database_url` leads to a pooler in transaction mode; "
        "`auto` finds out.",
    )
    listen_url: SecretStr | None = Field(
        None,
        description="The same database past the pooler: one connection for wake-ups, "
        "three more where work is done. Without it, they come by polling.",
    )
    pool_size: int = Field(
        16, ge=2, le=500, description="Database connections of one process at the most."
    )

    master_key: SecretStr | None = Field(
        None,
        description="Key that seals secrets: 32 bytes in hex or base64. "
        "Needed with `database_url`, unless `master_key_file` is set.",
    )
    master_key_file: Path | None = Field(
        None, description="File with that key, one per line, the newest first."
    )
    previous_master_keys: Secrets = Field(
        (), description="Older keys, still needed to open what they sealed; see `vault rotate`."
    )

    secret_rules: Path | None = Field(
        None,
        description="File with more rules that find credentials, in gitleaks' format.",
    )

    session_idle_hours: int = Field(
        168, ge=1, le=8760, description="A session ends after this time without a request."
    )
    session_lifetime_hours: int = Field(
        720, ge=1, le=8760, description="A session ends this long after signing in, used or not."
    )
    session_rotation_minutes: int = Field(
        60, ge=1, le=10_080, description="A session's token is replaced when it is this old."
    )
    sessions_per_person: int = Field(
        20,
        ge=1,
        le=1000,
        description="Sessions of one person; the oldest ends when one more opens.",
    )
    sign_in_attempts: int = Field(
        10,
        ge=1,
        le=1000,
        description="Failed sign-ins in 15 minutes, per e-mail address and network address.",
    )

    oidc_issuer: Url | None = Field(
        None, description="OpenID Connect provider; setting it offers that way to sign in."
    )
    oidc_client_id: str | None = Field(None, description="Client id registered there.")
    oidc_client_secret: SecretStr | None = Field(None, description="Client secret, if it has one.")
    oidc_label: str = Field("single sign-on", description="Its name on the sign-in page.")
    oidc_create_people: bool = Field(
        False, description="Let people in who are not listed yet, with the role `oidc_role`."
    )
    oidc_role: str = Field("viewer", description="Slug of the role that such people get.")
    oidc_tenant: str = Field("default", description="Slug of the tenant that such people join.")

    oauth_attempts: int = Field(
        60,
        ge=1,
        le=10_000,
        description="Requests to connect and failed ones for tokens in 15 minutes, per program and "
        "network address, ten times as many per network address; and renewals of one connection.",
    )
    oauth_schemes: Annotated[Names, Scheme] = Field(
        ("cursor", "vscode", "vscode-insiders", "windsurf"),
        description="Schemes of their own to which programs may have their answers sent.",
    )
    oauth_registration: bool = Field(
        False, description="Let programs register themselves, if they have no document."
    )
    oauth_registrations: int = Field(
        10, ge=1, le=10_000, description="Programs that one network address registers in an hour."
    )

    mcp_origins: Annotated[Names, Origin] = Field(
        (),
        description="Sites whose pages may use `/mcp` with a token, such as "
        "`https://chat.example.com`; programs outside of a browser need none.",
    )

    background_work: bool = Field(
        True, description="Let `assent serve` do background work too, not only `assent worker`."
    )
    work_concurrency: int = Field(
        4, ge=1, le=100, description="Pieces of background work that one process does at once."
    )
    plugin_concurrency: int = Field(
        16,
        ge=1,
        le=1000,
        description="Pieces of plugins' work that wait for others, such as health checks, that one "
        "process does at once.",
    )
    lease_seconds: int = Field(
        10, ge=2, le=300, description="Work of a process that died is taken over after this time."
    )
    shutdown_seconds: int = Field(
        5,
        ge=0,
        le=300,
        description="What turns and work under way get to end in; then others go on with them.",
    )
    drain_seconds: int = Field(
        0,
        ge=0,
        le=300,
        description="How long a server that was told to stop goes on answering, so that proxies "
        "send people elsewhere.",
    )

    tool_calls: int = Field(
        60, ge=1, le=100_000, description="Tool calls of one principal in any 60 seconds."
    )

    run_concurrency: int = Field(
        200, ge=1, le=10_000, description="Turns that one process drives at once."
    )
    openai_api_key: SecretStr | None = Field(
        None, description="Key of an OpenAI-compatible provider, used where no integration is set."
    )
    openai_base_url: str = Field(
        "https://api.openai.com/v1", description="Address that goes with that key."
    )
    openai_model: str = Field("gpt-5-mini", description="Model that goes with that key.")
    anthropic_api_key: SecretStr | None = Field(
        None, description="Key for Anthropic's API, used where there is none of the other kind."
    )
    anthropic_base_url: str = Field(
        "https://api.anthropic.com", description="Address that goes with that key."
    )
    anthropic_model: str = Field("claude-sonnet-5", description="Model that goes with that key.")
    ollama_url: str = Field(
        "http://127.0.0.1:11434/v1",
        description="A local Ollama that is used if it answers; empty to look for none.",
    )
    demo_pace: float = Field(
        0.02, ge=0, le=1, description="Seconds that the demo model takes for a word."
    )

    demo: bool = Field(
        True, description="Fill a demo workspace on the first start of an embedded Postgres."
    )
    inside_hosts: Names = Field(
        (),
        description="Places inside that tools may reach: `host:port`, `address:port` or "
        "`network/bits:port`.",
    )
    sandbox: Literal["strict", "weaker", "off"] = Field(
        "strict",
        description="How scripts are kept apart from the machine: `weaker` goes on without a "
        "filter of system calls where there is none for this processor, `off` runs no scripts.",
    )
    disabled_plugins: Names = Field((), description="Plugins that are installed but not loaded.")
    metrics_token: SecretStr | None = Field(
        None, description="Bearer token that `/metrics` asks for; open without it."
    )
    metrics_port: int | None = Field(
        None,
        ge=1,
        le=65535,
        description="Each process answers `/metrics`, `/healthz` and `/readyz` on a port of its "
        "own too: the first free one from this on.",
    )
    otel_endpoint: Url | None = Field(
        None, description="OpenTelemetry collector (OTLP over HTTP) for traces and metrics."
    )
    time_zone: Annotated[str, AfterValidator(_check_zone)] = Field(
        "UTC", description="Zone used where a person's own is not known."
    )
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Lowercase] = Field(
        "info", description="How much is logged."
    )
    log_format: Literal["auto", "text", "json"] = Field(
        "auto", description="`auto` writes text on a terminal and JSON lines elsewhere."
    )
    plugin: Mapping[str, Mapping[str, Any]] = Field(
        {}, description="Settings of plugins: a table `[plugin.NAME]`, or ASSENT_PLUGIN_NAME_FIELD."
    )

    @model_validator(mode="after")
    def _check_oidc(self) -> "Settings":
        if self.oidc_issuer and not self.oidc_client_id:
            raise ValueError("oidc_issuer needs oidc_client_id too")
        return self

    @model_validator(mode="after")
    def _check_listen_url(self) -> "Settings":
        if self.listen_url and not self.database_url:
            raise ValueError("listen_url needs database_url too")
        return self

    @property
    def embedded(self) -> bool:
        return self.database_url is None


def load_settings(
    environ: Mapping[str, str], overrides: Mapping[str, object] | None = None
) -> Settings:
    """Read the file, then the environment, then what the command line says."""
    values = _read_file(environ)
    values.update(_read_environment(environ))
    values["plugin"] = _merge_plugins(values.get("plugin", {}), environ)
    values.update({key: value for key, value in (overrides or {}).items() if value is not None})
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigurationError(_explain(error)) from None


def list_unknown(environ: Mapping[str, str]) -> list[str]:
    """Variables that look like ours and set nothing: most likely misspelt."""
    known = {PREFIX + name.upper() for name in Settings.model_fields} | {FILE_VARIABLE}
    return sorted(
        name
        for name in environ
        if name.startswith(PREFIX) and name not in known and not name.startswith(PLUGIN_PREFIX)
    )


def _read_file(environ: Mapping[str, str]) -> dict[str, Any]:
    named = environ.get(FILE_VARIABLE)
    path = Path(named) if named else DEFAULT_FILE
    try:
        return tomllib.loads(path.read_text())
    except FileNotFoundError:
        if named:
            raise ConfigurationError(f"{FILE_VARIABLE} names {path}, which is not there.") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error


def _read_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found = {field: environ[name] for name, field in SHORT_NAMES.items() if environ.get(name)}
    for field in Settings.model_fields:
        value = environ.get(PREFIX + field.upper())
        if value and field != "plugin":
            found[field] = value
    return found


def _merge_plugins(tables: object, environ: Mapping[str, str]) -> object:
    """Add ASSENT_PLUGIN_NAME_FIELD to the file's tables. A plugin's name has no underscore.

    What looks like one and is a setting of our own, such as ASSENT_PLUGIN_CONCURRENCY, is that.
    """
    own = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    variables = {
        name: value
        for name, value in environ.items()
        if name.startswith(PLUGIN_PREFIX) and name not in own
    }
    if not variables or not isinstance(tables, dict):
        return tables
    merged = cast(dict[str, Any], tables)
    for name, value in variables.items():
        plugin, _, field = name.removeprefix(PLUGIN_PREFIX).lower().partition("_")
        if isinstance(table := merged.get(plugin, {}), dict):
            merged[plugin] = {**cast(dict[str, Any], table), field: value}
    return merged


def _explain(error: ValidationError) -> str:
    lines: list[str] = []
    for problem in error.errors(include_input=False, include_url=False):
        name = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            lines.append(f"{name}: there is no such setting")
        elif not name:
            lines.append(problem["msg"])
        else:
            lines.append(f"{name} ({PREFIX}{name.upper()}): {problem['msg']}")
    return "These settings are not valid:\n  " + "\n  ".join(lines)
