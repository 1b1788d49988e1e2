"""Facts about a tenant, its workspaces and its people, for every prompt."""
