"""Bulk jobs: the words of their states, and the tables that they are fed with. Pure."""
