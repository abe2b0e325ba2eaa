"""Which issue may be the parent of which: one level above, and of sub-tasks in the same space."""

from __future__ import annotations

from typing import Final

from clones.tracker.domain.issues.named import BadValue
from clones.tracker.models import Issue, IssueType, Project

WRONG_LEVEL: Final = "Given parent work item does not belong to appropriate hierarchy"
OTHER_SPACE: Final = "Sub-tasks must be created in the same project as the parent."
NO_PARENT: Final = "Issue type is a sub-task but parent issue key or id not specified."
WRONG_TYPE: Final = "The issue type selected is invalid."


def check_parent(
    project: Project, issue_type: IssueType, parent: Issue | None, issue: Issue | None = None
) -> None:
    """Hold an issue of a type in a space to having this parent, or none.

    Raises:
        BadValue: it cannot; with the fields that the vendor finds wrong.
    """
    if parent is None:
        if issue_type.subtask:
            raise BadValue(by_field={"issuetype": NO_PARENT})
        return
    level = parent.issue_type.hierarchy_level
    if issue_type.subtask and parent.project_id != project.id:
        raise BadValue(by_field={"issuetype": WRONG_TYPE, "project": OTHER_SPACE})
    if level != issue_type.hierarchy_level + 1 or (issue is not None and issue.id == parent.id):
        raise BadValue(by_field={"parentId": WRONG_LEVEL})
    # A team-managed space keeps its families together.
    apart = parent.project_id != project.id
    if apart and (project.simplified or parent.project.simplified):
        raise BadValue(by_field={"parentId": WRONG_LEVEL})
