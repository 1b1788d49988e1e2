"""How conversations stand: what runs in them, what waits in them, and what was not read yet."""
