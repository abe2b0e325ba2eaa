"""Whether the user at hand may do what is asked, and what administrators let others do."""
