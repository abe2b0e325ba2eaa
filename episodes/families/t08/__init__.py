"""T08, through the workflow: bring a work item to Done where its transitions ask for something.

A field that was agreed on, open sub-tasks, somebody else's approval.
"""
