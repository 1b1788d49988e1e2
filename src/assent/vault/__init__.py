"""Secrets: sealed with the master key, kept as rows, opened only on the server."""
