"""Rules of the CRM that need no database."""
