"""T03, bug triage: sort incoming reports by the space's guide.

New ones, duplicates, faults that came back, and what is no bug at all.
"""
