"""Headless runs: nobody follows along, and the answer may be a value."""
