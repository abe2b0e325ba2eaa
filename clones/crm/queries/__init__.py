"""Reads that the API and the pages share."""
