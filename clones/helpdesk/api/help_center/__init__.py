"""The operations of the help center, by what they are about."""
