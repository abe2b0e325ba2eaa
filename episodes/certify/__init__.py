"""Certification: whether a task's rewards may be believed.

Nothing is imported here: the catalogue reads reports without what makes them.
"""
