"""Queries run: a plan becomes one statement for each list of records that it asks for."""
