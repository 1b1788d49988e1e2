"""What is hidden, by every rule and in every surrounding, and what is not."""

import base64
import json
import re
from urllib.parse import quote

import pytest

from assent.settings import Settings
from assent.vault.scrub.load import load_rules
from assent.vault.scrub.names import is_credential_name
from assent.vault.scrub.scrubber import Scrubber
from assent.vault.scrub.values import Values
from tests.unit.vault.scrub.made_up import BESIDE_A_NAME, BY_THEMSELVES, make_up
from tests.unit.vault.scrub.ordinary import ORDINARY

RULES = load_rules(Settings())
SCRUBBER = Scrubber(RULES)
SEEDS = (1, 2, 3)
ALONE = [
    (rule, make_up(template, seed))
    for rule, *templates in (line.split() for line in BY_THEMSELVES.split("\n") if line)
    for template in templates
    for seed in SEEDS
]
NAMED = [
    (rule, name, make_up(template, seed))
    for rule, name, template in (line.split() for line in BESIDE_A_NAME.split("\n") if line)
    for seed in SEEDS
]
AROUND = (
    "{}",
    "Please use {} for this, thanks.",
    '{{"credential": "{}"}}',
    "EXAMPLE_VALUE={}\nOTHER=1",
    "    client = Client('{}')  # production",
    "2026-11-15 ERROR request failed: key={}, status=401",
    "curl -H 'X-Custom: {}' https://api.example.com",
    "first line\\n{}\\nlast line",
    "`{}`",
    "<value>{}</value>",
)


def assert_hidden(secret: str, text: str) -> None:
    scrubbed = SCRUBBER.scrub_text(text)
    assert secret not in scrubbed
    assert "[secret: " in scrubbed
    assert SCRUBBER.scrub_text(scrubbed) == scrubbed


@pytest.mark.parametrize(("rule", "secret"), ALONE, ids=lambda one: one[:40])
def test_formats(rule: str, secret: str) -> None:
    assert f"[secret: {rule}]" in SCRUBBER.scrub_text(f"It is {secret} I think")
    for around in AROUND:
        assert_hidden(secret.removeprefix("https://"), around.format(secret))


@pytest.mark.parametrize(("rule", "name", "secret"), NAMED, ids=lambda one: one[:40])
def test_formats_beside_a_name(rule: str, name: str, secret: str) -> None:
    scrubbed = SCRUBBER.scrub_text(f"{name}={secret}")
    assert scrubbed == f"{name}=[secret: {rule}]"
    for text in (f'"{name}": "{secret}"', f"{name.lower()}: {secret}", f"{name} = '{secret}'"):
        assert_hidden(secret, text)


@pytest.mark.parametrize(
    "text",
    [
        "postgres://app:§@db.internal:5432/orders?sslmode=require",
        "redis://:§@cache:6379/0",
        "amqp://worker:§@queue/vhost",
        "mongodb+srv://app:§@cluster0.abcde.mongodb.net/test?retryWrites=true",
        "jdbc:postgresql://db:5432/app?user=app&password=§",
        "jdbc:sqlserver://db:1433;databaseName=app;user=sa;password=§;encrypt=true",
        "Server=tcp:db,1433;Database=app;User Id=sa;Password=§;Encrypt=True;",
        "smtp://mailer:§@smtp.example.com:587",
        "https://ada:§@example.com/private",
        "mysql+pymysql://root:§@127.0.0.1/app",
        "machine api.example.com login ada password §",
        "machine api.example.com\n  login ada\n  password §\n",
        "DB_PASSWORD=§",
        "export SECRET_KEY_BASE='§'",
        "spring.datasource.password=§",
        'password: "§"',
        "password: §",
        "    db_password = '§'",
        '{"user": "ada", "password": "§"}',
        '"{\\"password\\": \\"§\\"}"',
        "{'password': '§'}",
        "<password>§</password>",
        "X-Api-Key: §",
        "x-auth-token: §",
        "Authorization: Bearer §",
        "authorization: token §",
        "'Authorization': 'ApiKey §'",
        "Proxy-Authorization: Bearer §",
        "Cookie: theme=dark; session=§; lang=en",
        "Set-Cookie: session=§; Path=/; HttpOnly",
        "https://example.com/callback?access_token=§&state=1",
        "https://example.com/login?token=§",
        "//packages.example.com/:_authToken=§",
        "curl -u ada:§ https://example.com",
        "mysql --user root --password §",
        "tool login --token=§",
        "CREATE USER app WITH PASSWORD '§';",
        "GRANT ALL ON app.* TO 'app'@'%' IDENTIFIED BY '§';",
        "client_secret=§&grant_type=client_credentials",
        "clientSecret: '§',",
        "aws_session_token = §",
        "    token: §\n",
    ],
)
def test_places(text: str) -> None:
    for secret in ("kT9#vLq2mZx7Rb4w", "s3cr3tP4ssw0rd99", "Zm9vYmFyYmF6MTIzNDU2"):
        assert_hidden(secret, text.replace("§", secret))


def test_short_and_plain_passwords_where_only_a_password_can_be() -> None:
    assert_hidden("hunter2", "password: hunter2")
    assert_hidden("postgres", "POSTGRES_PASSWORD=postgres")
    assert_hidden("correct horse battery", 'ADMIN_PASSWORD="correct horse battery"')


def test_basic_credentials() -> None:
    for pair in ("ada:lovelace", "user:pass", "service:kT9vLq2mZx7R"):
        encoded = base64.b64encode(pair.encode()).decode()
        assert_hidden(encoded, f"Authorization: Basic {encoded}")
        assert_hidden(encoded, f'{{"auths": {{"registry": {{"auth": "{encoded}"}}}}}}')


KEY = "\n".join(["MIIEowIBAAKCAQEA" + "a1B2c3D4" * 6] * 4 + ["Qw=="])
ARMOURS = ("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY")


@pytest.mark.parametrize("armour", [*ARMOURS, "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
def test_private_keys(armour: str) -> None:
    begin, end = f"-----{'BEGIN'} {armour}-----", f"-----END {armour}-----"
    block = f"{begin}\n{KEY}\n{end}"
    assert SCRUBBER.scrub_text(f"before {block} after") == "before [secret: private-key] after"
    assert_hidden("a1B2c3D4", json.dumps({"note": block}))
    assert_hidden("a1B2c3D4", json.dumps(json.dumps({"note": block})))
    assert_hidden("a1B2c3D4", f"{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: A,00\n\n{KEY}\n{end}")
    assert_hidden("a1B2c3D4", f"key: |\n  {block.replace(chr(10), chr(10) + '  ')}\nnext: 1")
    assert_hidden("a1B2c3D4", f"{begin}{KEY.replace(chr(10), '')}{end}")
    assert_hidden("a1B2c3D4", f"cut off: {begin}\n{KEY}")
    two = SCRUBBER.scrub_text(f"{block}\nand\n{block}")
    assert two == "[secret: private-key]\nand\n[secret: private-key]"


def test_there_are_enough_ordinary_texts() -> None:
    assert len(set(ORDINARY)) >= 100


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_texts_stay(text: str) -> None:
    assert SCRUBBER.scrub_text(text) == text


def lower_codes(quoted: str) -> str:
    return re.sub("%..", lambda code: code[0].lower(), quoted)


VALUE = 'Gr/üße + 100% "quoted" & <b>'
PLAIN = "violet-Umbrella_42"


@pytest.mark.parametrize("value", [VALUE, PLAIN, "multi\nline\tvalue", "exactly8"])
def test_values_of_the_vault_in_all_encodings(value: str) -> None:
    scrubber = Scrubber(RULES, Values([value, "another-value-of-it"]))
    raw = value.encode()
    forms = [value, quote(value), quote(value, safe=""), lower_codes(quote(value, safe=""))]
    forms += [raw.hex(), raw.hex().upper(), json.dumps(value), json.dumps(value)[1:-1]]
    forms += [json.dumps(json.dumps(value))]
    for before in (b"", b"a", b"ab", b"user:"):
        for after in (b"", b"!", b"ab"):
            wrapped = before + raw + after
            forms += [
                base64.b64encode(wrapped).decode(),
                base64.urlsafe_b64encode(wrapped).decode(),
            ]
            forms.append(base64.b64encode(wrapped).decode().rstrip("="))
    for form in forms:
        scrubbed = scrubber.scrub_text(f"<<{form}>>")
        assert "[secret: vault]" in scrubbed, form
        assert form not in scrubbed
        assert scrubber.scrub_text(scrubbed) == scrubbed


def test_short_values_are_not_looked_for() -> None:
    scrubber = Scrubber(RULES, Values(["short", "", "  blank "]))
    assert scrubber.scrub_text("a short text with a blank ") == "a short text with a blank "


def test_many_values() -> None:
    values = [f"value-{number}-of-the-vault" for number in range(500)]
    scrubber = Scrubber(RULES, Values(values))
    text = " ".join(values)
    assert scrubber.scrub_text(text) == " ".join(["[secret: vault]"] * 500)


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "Password",
        "dbPassword",
        "db_password",
        "DB-PASSWORD",
        "passwd",
        "pwd",
        "passphrase",
        "secret",
        "clientSecret",
        "client_secret",
        "token",
        "tokens",
        "authToken",
        "access_token",
        "refresh-token",
        "apiKey",
        "api_key",
        "APIKey",
        "apikey",
        "X-Api-Key",
        "authorization",
        "Authorization",
        "cookie",
        "Set-Cookie",
        "privateKey",
        "private_key",
        "secretKey",
        "accessKey",
        "aws_secret_access_key",
        "connectionString",
        "client-key-data",
        "password1",
        "passwordHash",
        "TOKEN_PROD",
        "sshKey",
        "credentials",
        "identitytoken",
    ],
)
def test_names_of_credentials(name: str) -> None:
    assert is_credential_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "max_tokens",
        "tokenCount",
        "nextPageToken",
        "next_token",
        "pageToken",
        "inputTokens",
        "secretName",
        "passwordPolicy",
        "token_type",
        "tokenizer",
        "key",
        "keys",
        "primaryKey",
        "publicKey",
        "keyId",
        "access_key_id",
        "name",
        "id",
        "passport",
        "cookiePolicy",
        "authorizationUrl",
        "author",
        "compass",
        "secretary",
        "monkey",
    ],
)
def test_other_names(name: str) -> None:
    assert not is_credential_name(name)


def test_values_with_names() -> None:
    given = {
        "user": "ada",
        "password": "see the vault",
        "nested": [{"apiKey": "k", "count": 3}, "DB_PASSWORD=hunter22"],
        "tokens": ["one", "two"],
        "token": None,
        "maxTokens": "12",
        "schema": {"password": {"type": "string"}},
        "env": [{"name": "API_KEY", "value": "abc"}, {"name": "REGION", "value": "north"}],
        "secret": "${SECRET}",
        "_opaque": {"signature": "password: hunter22"},
    }
    assert SCRUBBER.scrub(given) == {
        "user": "ada",
        "password": "[secret: named]",
        "nested": [
            {"apiKey": "[secret: named]", "count": 3},
            "DB_PASSWORD=[secret: environment-variable]",
        ],
        "tokens": ["[secret: named]", "[secret: named]"],
        "token": None,
        "maxTokens": "12",
        "schema": {"password": {"type": "string"}},
        "env": [
            {"name": "API_KEY", "value": "[secret: named]"},
            {"name": "REGION", "value": "north"},
        ],
        "secret": "${SECRET}",
        "_opaque": {"signature": "password: hunter22"},
    }
    assert SCRUBBER.scrub(SCRUBBER.scrub(given)) == SCRUBBER.scrub(given)


DEEP = {"a": [{"b": ({"c": "@"},)}]}


@pytest.mark.parametrize(
    "shape",
    [
        {"text": "@"},
        ["plain", "@"],
        {"@": "as a name"},
        DEEP,
        {"id": "0b7c1d6a-0000-4000-8000-00000000fc00", "more": [1, None, "x", "@"]},
        {"when": "2026-11-16T00:55:11Z", "text": "before @ after"},
    ],
)
@pytest.mark.parametrize(
    "secret",
    ["umbrella-of-violets", "AKIAQ7MZ4PK2XH5TB3WD", "8f14e45f-ceea-467f-ab83-1b0a1c2d3e4f"],
)
def test_no_secret_hides_among_harmless_texts(shape: object, secret: str) -> None:
    """One look at all texts tells that there is nothing: it must not say so when there is."""
    vault = Values(["umbrella-of-violets", "8f14e45f-ceea-467f-ab83-1b0a1c2d3e4f"])
    scrubber = Scrubber(RULES, vault)
    given = json.loads(json.dumps(shape).replace("@", secret))
    hidden = json.dumps(scrubber.scrub(given))
    assert secret not in hidden
    assert "[secret: " in hidden


def test_what_holds_nothing_stays_the_same_value() -> None:
    ids = ["0b7c1d6a-00fc-4000-8000-00000000fc00", "0b7c1dfb-0000-4000-8000-00000000fc00"]
    given = {"environmentIds": ids, "createdAt": "2026-11-16T00:55:11.25Z", "count": 2}
    assert SCRUBBER.scrub(given) is given
