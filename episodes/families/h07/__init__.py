"""H07: one customer wrote several times about one matter; it becomes one conversation."""
