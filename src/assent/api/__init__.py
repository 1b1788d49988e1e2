"""The HTTP edge, the only importer of fastapi."""
