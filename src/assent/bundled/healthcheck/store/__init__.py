"""SQL of checks, runs and hours."""
