"""Model Context Protocol: an episode's tools at an address of its own."""
