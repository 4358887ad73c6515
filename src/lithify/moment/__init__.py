"""Memory at the moment it matters: rules with the prompt or before the call that they concern."""
