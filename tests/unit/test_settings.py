"""Reading settings: file, environment, overrides, in that order, and what is wrong with them."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from assent.errors import ConfigurationError
from assent.settings import Settings, list_unknown, load_settings


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(text: str, name: str = "assent.toml") -> None:
    Path(name).write_text(text)


def test_everything_has_a_default() -> None:
    assert load_settings({}) == Settings.model_validate({})
    assert load_settings({}).embedded


def test_later_places_win() -> None:
    write("port = 1\nhost = 'file'\nworkers = 3")
    environ = {"ASSENT_PORT": "2", "ASSENT_HOST": "environment"}
    settings = load_settings(environ, {"port": 3, "host": None})
    assert (settings.port, settings.host, settings.workers) == (3, "environment", 3)


def test_the_file_can_be_named() -> None:
    write("port = 1")
    write("port = 2", "other.toml")
    assert load_settings({"ASSENT_CONFIG": "other.toml"}).port == 2


@pytest.mark.parametrize(
    ("environ", "field", "value"),
    [
        ({"PORT": "1"}, "port", 1),
        ({"PORT": "1", "ASSENT_PORT": "2"}, "port", 2),
        ({"HOST": "::1"}, "host", "::1"),
        ({"LOG_LEVEL": "DEBUG"}, "log_level", "debug"),
        ({"TZ": ":Europe/Berlin"}, "time_zone", "Europe/Berlin"),
        ({"DATABASE_URL": "postgresql://db"}, "database_url", SecretStr("postgresql://db")),
        ({"ASSENT_PORT": ""}, "port", 8700),
        ({"ASSENT_DEMO": "false"}, "demo", False),
        ({"ASSENT_DEMO": "0"}, "demo", False),
        ({"ASSENT_DATA_DIR": "elsewhere"}, "data_dir", Path("elsewhere")),
        ({"ASSENT_DISABLED_PLUGINS": "one, two,,"}, "disabled_plugins", ("one", "two")),
        (
            {"ASSENT_PREVIOUS_MASTER_KEYS": "a,b"},
            "previous_master_keys",
            (SecretStr("a"), SecretStr("b")),
        ),
        ({"ASSENT_PUBLIC_URL": "https://a.example/"}, "public_url", "https://a.example"),
        (
            {"ASSENT_MCP_ORIGINS": "https://a.example, http://localhost:6274"},
            "mcp_origins",
            ("https://a.example", "http://localhost:6274"),
        ),
    ],
)
def test_the_environment(environ: dict[str, str], field: str, value: object) -> None:
    assert getattr(load_settings(environ), field) == value


def test_plugins_have_tables_and_variables() -> None:
    write("[plugin.notes]\nkeep_days = 1\ntitle = 'Notes'\n[plugin.other]\nx = 1")
    settings = load_settings({"ASSENT_PLUGIN_NOTES_KEEP_DAYS": "30"})
    assert settings.plugin == {"notes": {"keep_days": "30", "title": "Notes"}, "other": {"x": 1}}


@pytest.mark.parametrize(
    ("environ", "line"),
    [
        ({"ASSENT_PORT": "x"}, "port (ASSENT_PORT): Input should be a valid integer"),
        ({"ASSENT_PORT": "70000"}, "port (ASSENT_PORT): Input should be less than or equal to"),
        ({"PORT": "-1"}, "port (ASSENT_PORT): Input should be greater than or equal to 0"),
        ({"ASSENT_DEMO": "perhaps"}, "demo (ASSENT_DEMO): Input should be a valid boolean"),
        ({"LOG_LEVEL": "loud"}, "log_level (ASSENT_LOG_LEVEL): Input should be 'debug', 'info'"),
        ({"TZ": "Mars/Olympus"}, "'Mars/Olympus' is not a time zone; use a name such as"),
        ({"TZ": "../../etc/passwd"}, "'../../etc/passwd' is not a time zone"),
        ({"ASSENT_PUBLIC_URL": "assent"}, "public_url (ASSENT_PUBLIC_URL): "),
        ({"ASSENT_OAUTH_SCHEMES": "cursor://"}, "'cursor://' is not a scheme"),
        ({"ASSENT_MCP_ORIGINS": "*"}, "mcp_origins (ASSENT_MCP_ORIGINS): "),
        ({"ASSENT_MCP_ORIGINS": "https://a.example/x"}, "'https://a.example/x' is not an origin"),
        ({"ASSENT_MCP_ORIGINS": "a.example"}, "'a.example' is not an origin"),
        ({"ASSENT_OIDC_ISSUER": "https://sso.example"}, "oidc_issuer needs oidc_client_id too"),
        ({"ASSENT_LISTEN_URL": "postgresql://db"}, "listen_url needs database_url too"),
    ],
)
def test_errors_name_the_setting(environ: dict[str, str], line: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(environ)
    assert caught.value.message.startswith("These settings are not valid:\n  ")
    assert line in caught.value.message


def test_all_errors_come_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings({"ASSENT_PORT": "x", "ASSENT_DEMO": "x"})
    assert len(caught.value.message.splitlines()) == 3


def test_an_error_does_not_show_the_value() -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings({"ASSENT_POOL_SIZE": "hunter2"})
    assert "hunter2" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1", "prot: there is no such setting"),
        ("port = ", "assent.toml cannot be read: "),
        ("plugin = 1", "plugin (ASSENT_PLUGIN): Input should be a valid"),
        ("[plugin]\nnotes = 1", "plugin.notes"),
    ],
)
def test_faulty_files(text: str, message: str) -> None:
    write(text)
    with pytest.raises(ConfigurationError) as caught:
        load_settings({})
    assert message in caught.value.message


def test_a_plugin_must_have_a_table_even_with_a_variable() -> None:
    write("[plugin]\nnotes = 1")
    with pytest.raises(ConfigurationError):
        load_settings({"ASSENT_PLUGIN_NOTES_KEEP_DAYS": "30"})


def test_a_file_that_is_named_must_be_there() -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings({"ASSENT_CONFIG": "absent.toml"})
    assert caught.value.message == "ASSENT_CONFIG names absent.toml, which is not there."


def test_unknown_variables() -> None:
    environ = {
        "ASSENT_PROT": "1",
        "ASSENT_PORT": "1",
        "ASSENT_CONFIG": "x",
        "ASSENT_PLUGIN_NOTES_X": "1",
        "ASSENT": "1",
        "PROT": "1",
        "ASSENT_A": "1",
    }
    assert list_unknown(environ) == ["ASSENT_A", "ASSENT_PROT"]


def test_secrets_do_not_show() -> None:
    settings = load_settings(
        {"DATABASE_URL": "postgresql://ann:hunter2@db", "ASSENT_MASTER_KEY": "hunter2"}
    )
    assert "hunter2" not in repr(settings)
    assert not settings.embedded


def test_a_setting_of_our_own_that_sounds_like_a_plugins() -> None:
    settings = load_settings({"ASSENT_PLUGIN_CONCURRENCY": "3"}, {})
    assert (settings.plugin_concurrency, settings.plugin) == (3, {})
