"""The tracker's pages."""
