"""Views of the API: each parses, calls and presents."""
