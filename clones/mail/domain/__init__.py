"""Every write of the mail clone."""
