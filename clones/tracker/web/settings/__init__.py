"""The settings of a space, for those who run it."""
