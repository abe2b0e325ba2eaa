"""That somebody looked at an issue: recent issues and `lastViewed` come of it."""

from __future__ import annotations

from clones.core import clock
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Issue, IssueView, User


def view_issue(issue: Issue, user: User) -> None:
    """Keep that a user looks at an issue now."""
    found = IssueView.objects.filter(user=user, issue=issue).first()
    if found is None:
        row = IssueView(id=next_id(IssueView), user=user, issue=issue, at=clock.now())
        row.save(force_insert=True)
    else:
        found.at = clock.now()
        found.save(update_fields=["at"])
