"""Postgres: the pool, migrations and the embedded server. Knows no table but its own."""
