"""Programs that people connect: who they are, what they were allowed, and the tokens for that."""
