"""H13, write a macro: a colleague asks for one, for their group alone.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
