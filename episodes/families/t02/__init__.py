"""T02, save a filter: a shared query that finds exactly what a sentence describes, now and later.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
