"""SQL of conversations, messages and artifacts."""
