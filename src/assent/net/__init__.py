"""The way out: which addresses may be reached, and the only outgoing HTTP besides the models'."""
