"""What grounds an answer besides the conversation: documentation, and what is to be remembered."""
