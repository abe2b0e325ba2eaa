"""T06, release notes: write what a version brings, see to what is left over, release it.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
