"""What can be seen from outside: measurements, spans, and the ids that tie them together."""
