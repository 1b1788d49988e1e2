"""The second edge: other programs use our tools over MCP, through the same door."""
