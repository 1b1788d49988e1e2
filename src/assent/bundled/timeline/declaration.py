"""The plugin as it is declared: tables, and functions for other plugins in `api.py`."""

from assent.plugins.api import Plugin

plugin = Plugin("timeline", title="Timelines", rules=[], requires=["catalog"])
