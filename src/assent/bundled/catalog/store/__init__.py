"""SQL of the catalog, one file per kind of entry."""
