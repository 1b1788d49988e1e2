"""Where scripts that nobody vouches for run: behind walls, or not at all."""
