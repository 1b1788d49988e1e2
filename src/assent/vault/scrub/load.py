"""The rules that a process uses: those that come along, and a file that the operator names."""

import logging
import tomllib
from functools import cache
from pathlib import Path

from assent.errors import ConfigurationError
from assent.settings import Settings
from assent.vault.scrub.rule import RuleFile, parse_rules
from assent.vault.scrub.rules import Rules

log = logging.getLogger("assent.vault")

OWN = Path(__file__).parent / "rules.toml"


def load_rules(settings: Settings) -> Rules:
    """Raise when the operator's file cannot be read; single rules of it may be unusable."""
    own = _load_own()
    if settings.secret_rules is None:
        return Rules(own.rules)
    given = _read(settings.secret_rules)
    for rule in given.unusable:
        log.warning("The rule %s of %s is not used: %s", rule.id, settings.secret_rules, rule.why)
    taken = {rule.id for rule in given.rules} | given.disabled
    kept = tuple(rule for rule in own.rules if rule.id not in taken)
    return Rules((*given.rules, *kept), given.unusable)


@cache
def _load_own() -> RuleFile:
    return _read(OWN)


def _read(path: Path) -> RuleFile:
    try:
        content = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"The rule file {path} cannot be read: {error}") from error
    return parse_rules(content, where=str(path))
