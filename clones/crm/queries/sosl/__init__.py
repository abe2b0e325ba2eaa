"""Searches run: the words that are looked for become a condition on each object's query."""
