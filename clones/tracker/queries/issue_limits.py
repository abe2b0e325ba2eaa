"""How much issues hold of what the vendor limits."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from django.db.models import Count, Model

from clones.tracker.models import Attachment, Comment, IssueLink, RemoteLink, Worklog
from clones.tracker.queries.rights import Rights, visible_issues

LIMITS: Final = {
    "attachment": 2000,
    "comment": 5000,
    "issuelinks": 2000,
    "remoteIssueLinks": 2000,
    "worklog": 10_000,
}
# From which part of a limit on an issue is near it.
NEAR: Final = 0.9
_COUNTED: Final[dict[str, list[tuple[type[Model], str]]]] = {
    "attachment": [(Attachment, "issue_id")],
    "comment": [(Comment, "issue_id")],
    "issuelinks": [(IssueLink, "source_id"), (IssueLink, "destination_id")],
    "remoteIssueLinks": [(RemoteLink, "issue_id")],
    "worklog": [(Worklog, "issue_id")],
}


def counts_near(name: str, rights: Rights) -> list[tuple[int, str, int]]:
    """Return the issues near a limit or beyond it: id, key and number, by id.

    An issue with links of both directions counts both.
    """
    least = int(LIMITS[name] * NEAR)
    counted = _COUNTED[name]
    totals: dict[int, int] = defaultdict(int)
    for model, column in counted:
        rows = (
            model._default_manager.order_by(column).values_list(column).annotate(number=Count("id"))
        )
        # One direction alone has at least half where both together are near.
        for issue, number in rows.filter(number__gte=least // len(counted)):
            totals[issue] += number
    near = {issue: number for issue, number in totals.items() if number >= least}
    seen = visible_issues(rights).filter(id__in=sorted(near)).order_by("id")
    return [(issue, key, near[issue]) for issue, key in seen.values_list("id", "key")]
