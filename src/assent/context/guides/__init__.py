"""Long instructions that the model loads when it needs them."""
