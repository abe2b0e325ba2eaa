"""Links of issues as they are sent with other changes of an issue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.tracker.domain.errors import Invalid, NotFound, Unauthenticated
from clones.tracker.domain.links import find_kind, link_issues
from clones.tracker.models import Issue, IssueLink
from clones.tracker.queries.rights import Rights, find_issue


def link_as_sent(issue: Issue, value: Any, *, actor: Rights) -> IssueLink:
    """Link an issue as `update.issuelinks` says: {"type", "outwardIssue" or "inwardIssue"}.

    Of an issue that is sent with its `outwardIssue` the outward words hold: it blocks the other.

    Raises:
        Invalid: under `issuelinks`: no kind, no other issue, or no permission.
    """
    said: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
    try:
        kind = find_kind(said.get("type"))
        for name in ("outwardIssue", "inwardIssue"):
            end = said.get(name)
            named = (end.get("key") or end.get("id")) if isinstance(end, Mapping) else None
            if isinstance(named, str | int):
                other = find_issue(actor, named)
                pair = (issue, other) if name == "outwardIssue" else (other, issue)
                return link_issues(*pair, kind, actor=actor)
    except (Invalid, NotFound, Unauthenticated) as error:
        raise Invalid(fields={"issuelinks": str(error)}) from error
    raise Invalid(fields={"issuelinks": "The issue to link must be specified by its id or key."})
