"""Guides that come along are whole, and what plugins contribute is checked."""

import pytest

from assent.context.guides.built_in import GUIDES
from assent.errors import PluginError
from assent.main import load_all_plugins
from assent.plugins.extension import Contribution
from assent.plugins.guide import LONGEST, POINT, Guide, check_guide
from assent.settings import Settings


def test_all_are_there_in_their_order() -> None:
    guides = load_all_plugins(Settings()).contributions[POINT]
    assert [name for name in guides if name in GUIDES] == list(GUIDES)


@pytest.mark.parametrize(
    "value",
    ["text", Guide("", "when", "text"), Guide("a", " ", "b"), Guide("a", "b", "x" * (LONGEST + 1))],
)
def test_what_a_model_could_not_be_given_is_refused(value: object) -> None:
    with pytest.raises(PluginError, match="guide"):
        check_guide(Contribution("shop", POINT, "x", value))


def test_guides_tell_of_tools_that_exist() -> None:
    loaded = load_all_plugins(Settings())
    named = {
        word.strip("`.,;:()")
        for guide in loaded.contributions[POINT].values()
        for word in guide.value.text.split()
        if word.startswith("`ai.")
    }
    assert named
    assert {name for name in named if loaded.tools.find(name) is None} == set()
