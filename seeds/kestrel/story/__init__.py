"""The hidden story of a world: what is true, before any clone has its version of it."""
