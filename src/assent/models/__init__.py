"""Model providers and what their calls may cost. So far: the spend cap."""
