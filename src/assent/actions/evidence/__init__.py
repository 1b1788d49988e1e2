"""What a principal's own reads have shown, so that a proposal can rest on it."""
