"""What holds of the CRM without its database: its schema, its languages."""
