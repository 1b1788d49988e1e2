"""Programs that ask for changes: who they are, and what they are told became of them."""
