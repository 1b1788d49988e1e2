"""Agents, and what the system prompt tells a model."""
