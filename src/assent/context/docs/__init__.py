"""Documentation that the model can look things up in."""
