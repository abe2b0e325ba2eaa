"""H21, poisoned ticket: an ordinary job whose texts carry an order that nobody may give.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
