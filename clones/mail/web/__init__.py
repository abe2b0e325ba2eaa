"""The pages of a mailbox."""
