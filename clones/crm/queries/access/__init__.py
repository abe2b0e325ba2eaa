"""What the user at hand may see and do: rights, the schema as it is open, records by sharing."""
