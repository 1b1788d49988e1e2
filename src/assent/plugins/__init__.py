"""Plugins: what they declare, how they are loaded and how their procedures run."""
