"""Reports by the resources of analytics."""
