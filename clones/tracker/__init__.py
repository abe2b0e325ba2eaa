"""The issue tracker: a clone compatible with Jira Cloud."""
