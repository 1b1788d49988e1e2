"""Runs: turns being worked on, what they say while they do, and who follows them."""
