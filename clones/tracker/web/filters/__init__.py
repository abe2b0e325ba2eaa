"""Pages of saved filters."""
