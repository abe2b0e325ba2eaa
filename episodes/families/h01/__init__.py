"""H01, ticket fact: report one fact of a ticket that is known by description only.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
