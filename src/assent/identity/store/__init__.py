"""SQL of identity, one file per kind of row; each turns its rows into values."""
