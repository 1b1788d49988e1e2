"""Timelines: what is said about something while it goes on, where to read more, who is told.

A plugin without a rule, a route or a tool of its own. Incidents and maintenance windows are two
plugins with the same story to tell, and tell it with what is here; who may do so, they decide.
"""

from assent.bundled.timeline.declaration import plugin

__all__ = ["plugin"]
