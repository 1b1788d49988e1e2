"""Proposals as cards of a conversation."""
