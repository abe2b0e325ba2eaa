"""T10, board set-up: columns, limits, quick filters and swimlanes of a team's board.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
