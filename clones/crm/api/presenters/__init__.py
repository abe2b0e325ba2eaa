"""How records and descriptions of objects look in answers."""
