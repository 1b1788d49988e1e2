"""Conversations: who talks, what was said, and results that were too large to show."""
