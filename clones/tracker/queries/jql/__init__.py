"""Queries on the database: plans of JQL become conditions and orders of issues, in SQL.

One module for each family of fields; `compiling.SYSTEM` names the reader of each field. Whatever a
query says, the number of statements is that of its kinds of names, never that of rows.
"""
