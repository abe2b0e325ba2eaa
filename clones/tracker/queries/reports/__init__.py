"""What reports are made of: the histories of issues, for any number of them at once."""
