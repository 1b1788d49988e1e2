"""What a model is told of what happened before."""
