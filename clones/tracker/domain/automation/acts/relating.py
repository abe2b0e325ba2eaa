"""Links between issues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from clones.core.digits import is_digits
from clones.tracker.domain.automation.acts.registry import performs
from clones.tracker.domain.automation.context import ActFailed, Run, fresh
from clones.tracker.domain.links import WITH, link_issues, unlink_issues
from clones.tracker.models import Issue, IssueLink, IssueLinkType
from clones.tracker.queries.rights import find_issue
from clones.tracker.rules.automation.documents import Component
from clones.tracker.rules.automation.events import named


@performs("jira.issue.link")
def link(run: Run, component: Component) -> str:
    """Link the issue at hand to another: `linkType` is `inward:` or `outward:` and the type."""
    value = component["value"]
    issue = run.row()
    end, kind = _kind(str(value.get("linkType") or ""))
    made = []
    for other in _others(run, value.get("issue")):
        ends = (issue, other) if end == "outward" else (other, issue)
        link_issues(*ends, kind, actor=run.actor)
        made.append(other.key)
    if not made:
        raise ActFailed("The work item to link could not be found.")
    return f"Work items linked successfully: {issue.key} with {', '.join(made)}"


def _kind(text: str) -> tuple[str, IssueLinkType]:
    end, colon, name = text.partition(":")
    if not colon or end not in ("inward", "outward"):
        end, name = "outward", text
    rows = IssueLinkType.objects.order_by("id")
    found = rows.filter(id=int(name)).first() if is_digits(name, 17) else None
    if found is None and name:
        found = rows.filter(name__iexact=name).first()
        for way in ("outward", "inward"):
            if found is None:
                found = rows.filter(**{f"{way}__iexact": name}).first()
                end = way if found is not None else end
    if found is None:
        raise ActFailed(f"The link type could not be found: {text[:80]}")
    return end, found


def _others(run: Run, given: Any) -> list[Issue]:
    how = given if isinstance(given, Mapping) else {"value": given}
    copy = how.get("copy") or (how.get("value") if how.get("type") == "COPY" else "")
    if copy:
        parts = {"trigger": run.trigger_issue, "current": run.issue}
        if copy in ("created", "createdIssue", "createdLast"):
            return [fresh(one.id) for one in run.shared.created[-1:]]
        if copy == "parent":
            parent = run.row().parent_id
            return [] if parent is None else [fresh(parent)]
        found = parts.get(str(copy))
        return [] if found is None else [fresh(found.id)]
    keys = run.texts(how.get("value"))
    return [fresh(find_issue(run.actor, key).id) for key in keys]


@performs("jira.issue.delete.link")
def delete_links(run: Run, component: Component) -> str:
    """Take away links of the issue at hand: of some types, or all."""
    issue = run.row()
    wanted = [text.rpartition(":")[2] for _, text in named(component["value"].get("linkTypes"))]
    rows = IssueLink.objects.filter(Q(source=issue) | Q(destination=issue))
    gone = []
    for one in rows.select_related(*WITH).order_by("id"):
        if wanted and not {str(one.type_id), one.type.name} & set(wanted):
            continue
        other = one.destination if one.source_id == issue.id else one.source
        unlink_issues(one, actor=run.actor)
        gone.append(other.key)
    if not gone:
        return f"There were no links to delete on work items: {issue.key}"
    return f"Links deleted from {issue.key} to {', '.join(gone)}"
