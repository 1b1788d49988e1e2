"""What entry points of the tests name."""

from assent.plugins.api import Plugin

first = Plugin("first", title="First", rules=["first.thing.read"])
second = Plugin("second", title="Second", rules=["second.thing.read"])
nothing = "not a plugin"
