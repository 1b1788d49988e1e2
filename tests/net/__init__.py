"""The outgoing network, with real connections."""
