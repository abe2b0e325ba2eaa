"""The older bulk API, below `/services/async`: jobs of many batches, in XML, JSON and tables."""
