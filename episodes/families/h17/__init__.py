"""H17, build a view: a colleague needs a shared list of tickets, by conditions, columns and order.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
