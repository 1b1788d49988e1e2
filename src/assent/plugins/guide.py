"""A guide: long instructions that a model loads when it needs them. Pure."""

from dataclasses import dataclass

from assent.errors import PluginError
from assent.plugins.extension import Contribution

POINT = "ai.guide"
LONGEST = 12_000


@dataclass(frozen=True, slots=True)
class Guide:
    """`when` says in a few words what it is for; the model sees it before it loads anything."""

    title: str
    when: str
    text: str


def check_guide(contribution: Contribution) -> None:
    """Raise unless a model could be given it."""
    guide = contribution.value
    if not isinstance(guide, Guide):
        raise PluginError("a guide is a Guide(title, when, text).")
    if not guide.title.strip() or not guide.when.strip() or not guide.text.strip():
        raise PluginError("a guide needs a title, when to load it, and a text.")
    if len(guide.text) > LONGEST:
        raise PluginError(f"a guide has at most {LONGEST:,} characters.")
