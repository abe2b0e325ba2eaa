"""The settings of a service desk, among those of its space."""
