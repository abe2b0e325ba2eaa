"""Writing issues.

creating.create_issue(project, issue_type, planned, *, actor, ...) -> Issue
editing.edit_issue(issue, planned, *, actor, ...) -> ChangeGroup | None
editing.assign_issue(issue, user, *, actor) -> Issue
deleting.delete_issue(issue, *, actor, delete_subtasks=False) -> None
archiving.archive_issues / unarchive_issues(issues, *, actor) -> number of them
"""
