"""Programs that come with a credential and call a tool with the same request."""
