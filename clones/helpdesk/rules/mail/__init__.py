"""What a mail says by its form: the ticket it belongs to, what in it is new, who may read it."""
