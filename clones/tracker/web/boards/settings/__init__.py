"""The settings of a board, for those who administer it."""
