"""Duplicates: what records are like others, what is done about it when they are saved."""
