"""H16, SLA policy: put the targets of a contract into service-level policies.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
