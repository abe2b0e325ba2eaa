"""Issues by what requests call them: ids, keys, former keys, many at once."""

from __future__ import annotations

from collections.abc import Sequence

from clones.core.digits import is_digits
from clones.tracker.domain.errors import ISSUE_GONE, Invalid
from clones.tracker.models import FormerIssueKey, Issue
from clones.tracker.queries.rights import BROWSE, Rights

_WITH = ("project", "issue_type", "status")


def issues_named(rights: Rights, names: Sequence[str]) -> list[Issue]:
    """Return the issues that a body names, in that order; few statements, whatever their number.

    Raises:
        Invalid: one of them is nothing, or nothing that they see.
    """
    texts = [str(name).strip() for name in names]
    numbers = {text for text in texts if is_digits(text)}
    keys = {text.upper() for text in texts if text not in numbers}
    rows = Issue.objects.select_related(*_WITH)
    found: dict[str, Issue] = {}
    if numbers:
        by_id = rows.filter(id__in=[int(text) for text in numbers])
        found |= {str(issue.id): issue for issue in by_id}
    if keys:
        found |= {issue.key: issue for issue in rows.filter(key__in=keys)}
    missing = keys - found.keys()
    if missing:
        former = FormerIssueKey.objects.filter(key__in=missing).select_related(
            *(f"issue__{name}" for name in ("project", "issue_type", "status"))
        )
        found |= {row.key: row.issue for row in former}
    chosen = []
    for text in texts:
        issue = found.get(text if text in numbers else text.upper())
        if issue is None or not rights.may_on(BROWSE, issue):
            raise Invalid(ISSUE_GONE)
        chosen.append(issue)
    return chosen
