"""What a run says, read by the clients that will read it."""
