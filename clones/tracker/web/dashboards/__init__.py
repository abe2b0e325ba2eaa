"""Pages of dashboards and their gadgets."""
