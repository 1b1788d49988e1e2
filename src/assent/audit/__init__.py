"""The audit log: who did what through which edge, and with what outcome."""
