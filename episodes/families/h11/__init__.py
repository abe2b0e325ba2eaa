"""H11, ask first: a request that fits two things. Ask the one question, or see what decides it.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
