"""Tests of what a model is shown of a conversation."""
