"""What belongs to conversations. So far: results that were too large to show."""
