"""What people want to be remembered: for themselves, or for all who see a system."""
