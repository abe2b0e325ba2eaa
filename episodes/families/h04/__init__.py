"""H04, beat the breach: six tickets near their first-reply breach, answered or handed over in time.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
