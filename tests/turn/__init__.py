"""Whole requests over HTTP, on real Postgres."""
