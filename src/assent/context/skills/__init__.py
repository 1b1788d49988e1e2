"""Instructions that a person chooses for one turn."""
