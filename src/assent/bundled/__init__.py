"""Plugins that come with Assent: ordinary plugins, importing `assent.plugins.api` only."""
