"""Bulk jobs: made and fed by requests, done by timers, a stretch at a time (docs/adr/0055)."""
