"""Who is asking and what they may do: tenants, people, roles, teams, sessions, applications."""
