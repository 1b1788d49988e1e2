"""Rule files: the one that comes along, and one that the operator names."""

import logging
import tomllib
from pathlib import Path

import pytest

from assent.errors import ConfigurationError
from assent.settings import Settings
from assent.vault.scrub.load import OWN, load_rules
from assent.vault.scrub.rule import parse_rules
from assent.vault.scrub.scrubber import Scrubber

PUBLIC = r"""
title = "rules as they are published"
[extend]
useDefault = true
disabledRules = ["github-token"]

[allowlist]
regexes = ['''^acme_0000''']
paths = ['''node_modules''']
stopwords = ["sample"]

[[rules]]
id = "acme"
description = "Acme key"
regex = '''(?i)\b(acme_[a-z0-9]{8,20})(?:[\s"';]|$)'''
entropy = 2
keywords = ["acme_"]

[[rules]]
id = "generic-thing"
regex = '''thing=(\w+)-(\w+)'''
secretGroup = 2
keywords = ["thing"]
    [[rules.allowlists]]
    condition = "AND"
    regexTarget = "line"
    regexes = ['''# fine''']
    stopwords = ["quiet"]
    [[rules.allowlists]]
    regexTarget = "match"
    regexes = ['''thing=public''']

[[rules]]
id = "no-keywords"
regex = '''zz\d{6}zz'''

[[rules]]
id = "only-a-path"
path = '''\.p12$'''

[[rules]]
id = "looks-back"
regex = '''(?<=x)y'''
keywords = ["y"]
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(PUBLIC)
    return path


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("key acme_q1w2e3r4 here", "key [secret: acme] here"),
        ("key ACME_Q1W2E3R4", "key [secret: acme]"),
        ("key acme_aaaaaaaa here", "key acme_aaaaaaaa here"),
        ("key acme_0000q1w2e3 here", "key acme_0000q1w2e3 here"),
        ("key acme_samplex1y2 here", "key acme_samplex1y2 here"),
        ("thing=first-second2", "thing=first-[secret: generic-thing]"),
        ("thing=first-second", "thing=first-second"),
        ("thing=public-second2", "thing=public-second2"),
        ("thing=first-quiet2 # fine", "thing=first-quiet2 # fine"),
        ("thing=first-quiet2", "thing=first-[secret: generic-thing]"),
        ("thing=first-other2 # fine", "thing=first-[secret: generic-thing] # fine"),
        ("zz123456zz", "[secret: no-keywords]"),
        ("ghp_" + "q1W2e3R4t5" * 4, "ghp_" + "q1W2e3R4t5" * 4),
        ("glpat-" + "q1W2e3R4t5" * 2, "[secret: gitlab-token]"),
    ],
)
def test_a_public_rule_file(rules: Path, text: str, scrubbed: str) -> None:
    assert Scrubber(load_rules(Settings(secret_rules=rules))).scrub_text(text) == scrubbed


def test_what_cannot_be_used_is_named(rules: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        loaded = load_rules(Settings(secret_rules=rules))
    assert [one.id for one in loaded.unusable] == ["looks-back"]
    assert "looks-back" in caplog.text


@pytest.mark.parametrize(
    "content",
    [
        "not toml",
        "rules = 3",
        "[[rules]]\nregex = 'x'",
        "[[rules]]\nid = 'x'\nregex = 'x'\nsecretGroup = 2",
    ],
)
def test_a_broken_file_stops_the_start(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(content)
    with pytest.raises(ConfigurationError, match=r"broken\.toml"):
        load_rules(Settings(secret_rules=path))


def test_a_file_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        load_rules(Settings(secret_rules=tmp_path / "nowhere.toml"))


def test_the_own_file() -> None:
    tables = tomllib.loads(OWN.read_text())["rules"]
    assert len({table["id"] for table in tables}) == len(tables) >= 120
    assert all(table["keywords"] and table["description"] for table in tables)
    assert all(keyword == keyword.lower() for table in tables for keyword in table["keywords"])
    assert all(" " not in keyword for table in tables for keyword in table["keywords"])
    assert parse_rules({"rules": tables}, where="own").unusable == ()
