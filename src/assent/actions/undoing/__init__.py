"""Taking an applied change back: what is kept for it, and what became of it."""
