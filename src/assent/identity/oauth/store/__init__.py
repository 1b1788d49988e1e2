"""SQL of connected programs."""
