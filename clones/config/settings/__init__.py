"""Settings by way of running: `embedded` (SQLite) here, `stack` (PostgreSQL) in containers."""
