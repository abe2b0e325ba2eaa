"""H14, write a trigger: a routing rule that a guide describes, with four examples.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
