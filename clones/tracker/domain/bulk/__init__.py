"""Changing many issues at once: each a task, whose progress tells of every issue."""
