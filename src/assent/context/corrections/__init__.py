"""What the assistant got wrong before, for every prompt."""
