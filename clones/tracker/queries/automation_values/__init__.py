"""What smart values read: issues, people, comments, spaces, versions, sprints, as they stand.

    IssueThing(issue)          {{issue}}, {{triggerIssue}}, {{parent}} ...
    person(user)               {{initiator}}, {{assignee}} ...
    comment_of, worklog_of, version_of, sprint_of, project_of, link_of

What a thing has is read when a text names it, once, and then stays as it was read.
"""

from __future__ import annotations

from clones.tracker.queries.automation_values.issues import IssueThing, link_of, things_of
from clones.tracker.queries.automation_values.rows import (
    NamedParts,
    attachment_of,
    comment_of,
    named,
    person,
    project_of,
    sprint_of,
    version_of,
    worklog_of,
)

__all__ = [
    "IssueThing",
    "NamedParts",
    "attachment_of",
    "comment_of",
    "link_of",
    "named",
    "person",
    "project_of",
    "sprint_of",
    "things_of",
    "version_of",
    "worklog_of",
]
