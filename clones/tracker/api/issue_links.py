"""Links between issues."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.tracker.api.operations import Body, actor, document, operation, show
from clones.tracker.api.presenters.links import LINK_WITH, present_link
from clones.tracker.domain import comments, links
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.site_options import require_links
from clones.tracker.models import Issue, IssueLink
from clones.tracker.queries.rights import Rights, find_issue

PATH = "/rest/api/3/issueLink"


class LinkWrite(Body):
    """A link to create: its type and both issues; `inwardIssue` has the outward words."""

    type: dict[str, Any]
    inwardIssue: dict[str, Any]
    outwardIssue: dict[str, Any]
    comment: dict[str, Any] | None = None


@operation(
    "linkIssues",
    "POST",
    PATH,
    summary="Link two issues, and comment on the one from which the link leads.",
    body=LinkWrite,
    access="anyone",
    status=201,
)
def link_issues(call: Call) -> Reply:
    """Link two issues; the answer is empty."""
    rights = actor(call)
    require_links()
    source = _issue(rights, call.body.inwardIssue)
    destination = _issue(rights, call.body.outwardIssue)
    links.link_issues(source, destination, links.find_kind(call.body.type), actor=rights)
    said = call.body.comment
    if said:
        comments.add_comment(
            source,
            document(call, said.get("body"), "comment"),
            actor=rights,
            visibility=said.get("visibility"),
            properties=said.get("properties") or (),
        )
    return Reply(None, 201)


@operation("getIssueLink", "GET", PATH + "/{id}", summary="Show a link of issues.", access="anyone")
def show_link(call: Call) -> dict[str, Any]:
    """Show a link between issues that the caller sees."""
    require_links()
    found = links.find_link(call.path["id"], actor(call))
    return present_link(IssueLink.objects.select_related(*LINK_WITH).get(id=found.id), show(call))


@operation(
    "deleteIssueLink",
    "DELETE",
    PATH + "/{id}",
    summary="Take a link of issues away.",
    access="anyone",
    status=204,
)
def delete_link(call: Call) -> None:
    """Delete a link."""
    rights = actor(call)
    require_links()
    links.unlink_issues(links.find_link(call.path["id"], rights), actor=rights)


def _issue(rights: Rights, value: dict[str, Any]) -> Issue:
    named = value.get("key") or value.get("id")
    if not isinstance(named, str | int):
        raise Invalid("The issue to link must be specified by its id or key.")
    return find_issue(rights, named)
