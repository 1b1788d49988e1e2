"""The catalog's tools: lists in `lists.py`, changes in one file per resource, for models."""

from assent.bundled.catalog.tools import environments, groups, links, lists, systems

__all__ = ["environments", "groups", "links", "lists", "systems"]
