"""The administration of the site: people, work items, spaces, the system."""
