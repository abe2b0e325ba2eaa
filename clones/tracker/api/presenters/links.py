"""Links of issues as the platform shows them: between issues, to elsewhere, and their kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import issue_type_ref, priority_ref, status_ref
from clones.tracker.models import Issue, IssueLink, IssueLinkType, RemoteLink

Json = dict[str, Any]
# What a list of links has to be read with, from the end that is shown.
END: Final = ("issue_type", "status", "priority", "project")
LINK_WITH: Final = (
    "type",
    *(f"{end}__{name}" for end in ("source", "destination") for name in END),
)


def present_link_type(kind: IssueLinkType, show: Show) -> Json:
    """Return a kind of links as JSON."""
    return {
        "id": str(kind.id),
        "name": kind.name,
        "inward": kind.inward,
        "outward": kind.outward,
        "self": show.url(f"issueLinkType/{kind.id}"),
    }


def linked_issue(issue: Issue, show: Show) -> Json:
    """Return an issue as links show it."""
    show.note(issue)
    fields: Json = {"summary": issue.summary, "status": status_ref(issue.status, show)}
    if issue.priority is not None:
        fields["priority"] = priority_ref(issue.priority, show)
    fields["issuetype"] = issue_type_ref(issue.issue_type, show)
    return {
        "id": str(issue.id),
        "key": issue.key,
        "self": show.url(f"issue/{issue.id}"),
        "fields": fields,
    }


def present_link(link: IssueLink, show: Show) -> Json:
    """Return a link with both its ends, read with `LINK_WITH`."""
    return {
        "id": str(link.id),
        "self": show.url(f"issueLink/{link.id}"),
        "type": present_link_type(link.type, show),
        "inwardIssue": linked_issue(link.source, show),
        "outwardIssue": linked_issue(link.destination, show),
    }


def link_ref(link: IssueLink, issue: Issue, show: Show) -> Json:
    """Return a link as one of its issues shows it: with the other end."""
    found: Json = {
        "id": str(link.id),
        "self": show.url(f"issueLink/{link.id}"),
        "type": present_link_type(link.type, show),
    }
    if link.source_id == issue.id:
        found["outwardIssue"] = linked_issue(link.destination, show)
    else:
        found["inwardIssue"] = linked_issue(link.source, show)
    return found


def present_remote_links(links: Sequence[RemoteLink], show: Show) -> list[Json]:
    """Return links to elsewhere as JSON."""
    return [present_remote_link(link, show) for link in links]


def present_remote_link(link: RemoteLink, show: Show) -> Json:
    """Return a link to elsewhere as JSON; what it does not say is left out."""
    show.note(link)
    found: Json = {"id": link.id, "self": remote_address(link, show)}
    if link.global_id is not None:
        found["globalId"] = link.global_id
    found["application"] = link.application
    if link.relationship:
        found["relationship"] = link.relationship
    found["object"] = link.object
    return found


def remote_address(link: RemoteLink, show: Show) -> str:
    """Return the address of a link to elsewhere."""
    return show.url(f"issue/{link.issue.key}/remotelink/{link.id}")
