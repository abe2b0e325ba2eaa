"""The portals of service desks, where customers ask for help."""
