"""Links between issues: an entry in the history of both ends.

    link_issues(source, destination, kind, *, actor) -> IssueLink
    unlink_issues(link, *, actor) -> None
    find_kind(value) -> IssueLinkType              # {"id"} or {"name"}, as clients send it

`source` is the end of which the outward words are said: "source blocks destination".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Q

from clones.core.digits import is_digits
from clones.tracker.domain.errors import ISSUE_GONE, Invalid, NotFound, TooLarge, Unauthenticated
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Issue, IssueLink, IssueLinkType
from clones.tracker.queries.hot import LINK_BETWEEN
from clones.tracker.queries.rights import BROWSE, Rights

LIMIT: Final = 2000  # links of one issue
WITH: Final = ("type", "source", "source__project", "destination", "destination__project")


def find_kind(value: Any) -> IssueLinkType:
    """Return the kind of links that a client names by id or by name.

    Raises:
        Invalid: it names none.
        NotFound: there is no such kind.
    """
    if not isinstance(value, Mapping):
        raise Invalid("The issue link type must be specified.")
    id, name = value.get("id"), value.get("name")
    if id is not None:
        text = str(id)
        is_id = is_digits(text)
        found = IssueLinkType.objects.filter(id=int(text)).first() if is_id else None
        if found is None:
            raise NotFound(f"No issue link type with id '{text}' found.")
        return found
    if not isinstance(name, str) or not name:
        raise Invalid("The issue link type must be specified.")
    kinds = IssueLinkType.objects.order_by("id")
    exact = kinds.filter(name=name).first()
    found = exact or next((kind for kind in kinds if kind.name.lower() == name.lower()), None)
    if found is None:
        raise NotFound(f"No issue link type with name '{name}' found.")
    return found


def link_issues(
    source: Issue, destination: Issue, kind: IssueLinkType, *, actor: Rights
) -> IssueLink:
    """Link two issues; a link that is there already is returned.

    Raises:
        Invalid: both ends are one issue.
        TooLarge: an end has as many links as it may have.
        Unauthenticated: the actor may not link the source (the vendor answers 401).
    """
    require_linking(source, actor=actor)
    if source.id == destination.id:
        raise Invalid("You cannot link an issue to itself.")
    already = LINK_BETWEEN.first(source.id, destination.id, kind.id)
    if already is not None:
        return IssueLink.objects.select_related(*WITH).get(id=already)
    for end in (source, destination):
        if IssueLink.objects.filter(Q(source=end) | Q(destination=end)).count() >= LIMIT:
            raise TooLarge(f"The limit of {LIMIT} issue links for this issue has been reached.")
    link = IssueLink.objects.create(
        id=next_id(IssueLink), type=kind, source=source, destination=destination
    )
    for end, other, words in _ends(link):
        changes = Changes(end, actor)
        text = f"This work item {words} {other.key}"
        changes.note("Link", "issuelinks", None, None, other.key, text)
        changes.save()
        end.save(update_fields=["updated"])
    publish(Event("issuelink_created", actor, issue=source, link=link))
    return link


def unlink_issues(link: IssueLink, *, actor: Rights) -> None:
    """Take a link away.

    Raises:
        NotFound: the actor may link neither end (the vendor answers 404).
    """
    ends = (link.source, link.destination)
    if not any(actor.may_on("LINK_ISSUES", end) for end in ends):
        raise NotFound(f"No issue link with id '{link.id}' exists.")
    for end, other, words in _ends(link):
        changes = Changes(end, actor)
        text = f"This work item {words} {other.key}"
        changes.note("Link", "issuelinks", other.key, text, None, None)
        changes.save()
        end.save(update_fields=["updated"])
    publish(Event("issuelink_deleted", actor, issue=link.source, link=link))
    link.delete()


def find_link(id: str, rights: Rights) -> IssueLink:
    """Return a link between two issues that somebody sees.

    Raises:
        Invalid: the id is no number (the vendor answers 400).
        NotFound: there is none, or they do not see both.
    """
    if not is_digits(id):
        raise Invalid(f"The issue link id '{id}' is not valid.")
    found = IssueLink.objects.select_related(*WITH).filter(id=int(id)).first()
    if found is None:
        raise NotFound(f"No issue link with id '{id}' exists.")
    if not all(rights.may_on(BROWSE, end) for end in (found.source, found.destination)):
        raise NotFound(ISSUE_GONE)
    return found


def require_linking(issue: Issue, *, actor: Rights) -> None:
    """Hold somebody to the permission to link an issue.

    Raises:
        Unauthenticated: they have not got it (the vendor answers 401).
    """
    if not actor.may_on("LINK_ISSUES", issue):
        raise Unauthenticated(f"No Link Issue Permission for issue '{issue.key}'")


def _ends(link: IssueLink) -> tuple[tuple[Issue, Issue, str], tuple[Issue, Issue, str]]:
    """Return each end with the other, and what is said of it."""
    return (
        (link.source, link.destination, link.type.outward),
        (link.destination, link.source, link.type.inward),
    )
