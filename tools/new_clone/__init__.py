"""The skeleton of a new clone: its files, and the places of the house that have to know of it."""
