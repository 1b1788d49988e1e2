"""SQL of timelines."""
