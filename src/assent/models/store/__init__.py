"""SQL of what models may spend, and of the integrations that bring them."""
