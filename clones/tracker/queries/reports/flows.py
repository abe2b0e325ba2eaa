"""The ways of a board's issues through the statuses, for cumulative flow diagrams."""

from __future__ import annotations

from django.db.models import Q

from clones.tracker.models import Board, Issue
from clones.tracker.queries.board_issues import found_by_board
from clones.tracker.queries.reports.sprint_tales import status_courses
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.reports.flow import StatusPath

NO_EPICS = Q(issue_type__hierarchy_level__lte=0)


def ways_on(board: Board, rights: Rights) -> list[StatusPath]:
    """Return the ways of the issues that a board's filter finds now, epics left out.

    Raises:
        JqlError: the filter names something that the viewer does not see.
    """
    rows = found_by_board(board, rights, within=NO_EPICS).found
    issues: dict[int, Issue] = {
        issue.id: issue for issue in rows.only("id", "created", "status_id").order_by("id")
    }
    courses = status_courses(issues)
    return [StatusPath(issue.created, courses[id]) for id, issue in issues.items()]
