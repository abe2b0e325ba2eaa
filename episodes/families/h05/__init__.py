"""H05, double charge: a customer says they were charged twice. Put it right.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
