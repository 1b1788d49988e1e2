"""How programs are connected: an authorization server of our own for what is at `/mcp`."""
