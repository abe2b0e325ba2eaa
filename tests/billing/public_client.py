"""The public `stripe` client that billing is held to, as pip takes it."""

REQUIREMENTS = ("stripe==16.1.0",)
