"""Single sign-on, with a provider of our own."""
