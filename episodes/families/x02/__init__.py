"""X02, raise a bug: a ticket becomes a bug of engineering's, or joins the one that is on record.

Nothing is imported here: the oracle loads without Django, as an agent would.
"""
