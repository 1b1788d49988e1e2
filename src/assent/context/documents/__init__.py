"""Documents that a tenant adds to the documentation, found by the same search."""
