"""What needs no database: replies and forwards as mail programs begin them."""
