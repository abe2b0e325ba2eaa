"""Mailboxes of the company's people and of its customers: what `core.post` carries, to be read."""
