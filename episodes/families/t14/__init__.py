"""T14, what blocks the release: which open work items stand before it, and which is due first."""
