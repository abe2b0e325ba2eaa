"""What the pages of every clone have in common: who may open them, sessions, refusals, forms."""
