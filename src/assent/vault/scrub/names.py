"""Whether a name, such as a key of a JSON object, is that of a credential. Pure."""

import re
from functools import lru_cache

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
ENDINGS = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "connectionstring",
)
LAST = frozenset({"pwd", "pass", "secrets", "tokens", "passwords", "credentials", "jwt"})
HEADERS = frozenset({"authorization", "cookie"})
KEYS = frozenset(
    {
        "access",
        "account",
        "api",
        "auth",
        "client",
        "crypt",
        "encryption",
        "hmac",
        "master",
        "private",
        "secret",
        "service",
        "session",
        "shared",
        "signing",
        "ssh",
        "storage",
        "subscription",
    }
)
AFTERWARDS = frozenset(
    {
        "prod",
        "production",
        "dev",
        "staging",
        "stage",
        "test",
        "live",
        "old",
        "new",
        "value",
        "plain",
        "text",
        "b64",
        "base64",
        "hash",
    }
)
OTHER_TOKENS = frozenset(
    {
        "next",
        "prev",
        "previous",
        "page",
        "paging",
        "continuation",
        "sync",
        "resume",
        "cancel",
        "cancellation",
        "cursor",
        "change",
        "max",
        "min",
        "eos",
        "bos",
        "pad",
        "unk",
        "sep",
        "mask",
        "input",
        "output",
        "prompt",
        "completion",
        "total",
        "cached",
        "reasoning",
        "used",
        "remaining",
    }
)
ORDINARY = re.compile(
    r"(?i)(?:true|false|null|nil|none|undefined|string|str|optional|required|hidden|redacted|"
    r"masked|enabled|disabled|basic|bearer|\*+|x+|\.+|<[^<>]*>|\$\{[^{}]*\}|\{\{[^{}]*\}\}|"
    r"\[[^\[\]]*\])?"
)


@lru_cache(4096)
def is_credential_name(name: str) -> bool:
    """`dbPassword`, `api_key` and `X-Auth-Token` are; `secretName` and `max_tokens` are not."""
    words = [word.lower() for word in WORDS.findall(name[-200:])]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in AFTERWARDS):
        words.pop()
    if not words:
        return False
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last in ("token", "tokens"):
        return before not in OTHER_TOKENS
    if last in ("key", "keys"):
        return before in KEYS
    if (last, before) == ("data", "key") or (last, before) == ("string", "connection"):
        return True
    return last in LAST or last in HEADERS or last.endswith(ENDINGS)


def is_ordinary(value: str) -> bool:
    """What stands where a credential would, and is none."""
    return ORDINARY.fullmatch(value.strip()) is not None
