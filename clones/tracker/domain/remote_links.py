"""Links from issues to things elsewhere: pages, tickets of other systems, builds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, TooLarge
from clones.tracker.domain.history import Changes
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Issue, RemoteLink
from clones.tracker.queries.rights import Rights

FIELD: Final = "RemoteWorkItemLink"
LIMIT: Final = 2000  # of one issue
_ADDRESS: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://\S+|mailto:\S+")
_LENGTHS: Final = {"globalId": 255, "relationship": 255, "title": 255, "url": 2000}


@dataclass(frozen=True, slots=True)
class RemoteTarget:
    """What a link leads to, as the API has its parts; see `read_target`."""

    object: dict[str, Any]
    global_id: str | None = None
    relationship: str = ""
    application: dict[str, Any] = field(default_factory=dict)


def read_target(value: Any) -> RemoteTarget:
    """Return what a client says that a link leads to; what is not said is empty.

    Raises:
        Invalid: title or address are missing, too long, or the address is none.
    """
    body: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
    parts = body.get("object")
    thing: Mapping[str, Any] = parts if isinstance(parts, Mapping) else {}
    wrong = {}
    for name in ("url", "title"):
        text = thing.get(name)
        if not isinstance(text, str) or not text.strip():
            wrong[name] = f"'{name}' is required."
        elif len(text) > _LENGTHS[name]:
            wrong[name] = f"'{name}' cannot be longer than {_LENGTHS[name]} characters."
    if "url" not in wrong and not _ADDRESS.fullmatch(str(thing["url"]).strip()):
        wrong["url"] = "'url' is not a valid URL."
    for name in ("globalId", "relationship"):
        text = body.get(name)
        if text is not None and not (isinstance(text, str) and len(text) <= _LENGTHS[name]):
            wrong[name] = f"'{name}' cannot be longer than {_LENGTHS[name]} characters."
    if wrong:
        raise Invalid(fields=wrong)
    application = body.get("application")
    return RemoteTarget(
        object=dict(thing),
        global_id=body.get("globalId") or None,
        relationship=body.get("relationship") or "",
        application=dict(application) if isinstance(application, Mapping) else {},
    )


def keep_remote_link(
    issue: Issue, target: RemoteTarget, *, actor: Rights
) -> tuple[RemoteLink, bool]:
    """Link an issue to something elsewhere, or change the link of the same global id.

    Return it, and whether it is new.

    Raises:
        Forbidden: the actor may not link.
        TooLarge: the issue has as many as it may have.
    """
    require_linking(issue, actor=actor)
    if target.global_id is not None:
        found = RemoteLink.objects.filter(issue=issue, global_id=target.global_id).first()
        if found is not None:
            found.issue = issue
            return update_remote_link(found, target, actor=actor), False
    if RemoteLink.objects.filter(issue=issue).count() >= LIMIT:
        raise TooLarge(f"The limit of {LIMIT} remote links for this issue has been reached.")
    link = RemoteLink(
        id=next_id(RemoteLink),
        issue=issue,
        global_id=target.global_id,
        application=target.application,
        relationship=target.relationship,
        object=target.object,
    )
    link.save(force_insert=True)
    _tell(link, issue, actor, made=True)
    return link, True


def update_remote_link(link: RemoteLink, target: RemoteTarget, *, actor: Rights) -> RemoteLink:
    """Change a link to elsewhere; what is not said is emptied.

    Raises:
        Forbidden: the actor may not link.
    """
    require_linking(link.issue, actor=actor)
    link.global_id = target.global_id
    link.application = target.application
    link.relationship = target.relationship
    link.object = target.object
    link.save()
    return link


def delete_remote_link(link: RemoteLink, *, actor: Rights) -> None:
    """Take a link to elsewhere away.

    Raises:
        Forbidden: the actor may not link.
    """
    require_linking(link.issue, actor=actor)
    _tell(link, link.issue, actor, made=False)
    link.delete()


def find_remote_link(issue: Issue, id: str) -> RemoteLink:
    """Return a link of an issue by its id.

    Raises:
        Invalid: the id is no number, or another issue's (the vendor answers 400).
        NotFound: there is none.
    """
    if not is_digits(id):
        raise Invalid(f"The remote link id '{id}' is not valid.")
    found = RemoteLink.objects.filter(id=int(id)).first()
    if found is None:
        raise NotFound("The remote issue link does not exist.")
    if found.issue_id != issue.id:
        raise Invalid("The remote issue link does not belong to the specified issue.")
    found.issue = issue
    return found


def require_linking(issue: Issue, *, actor: Rights) -> None:
    """Hold somebody to the permission to link an issue.

    Raises:
        Forbidden: they have not got it.
    """
    if not actor.may_on("LINK_ISSUES", issue):
        raise Forbidden("You do not have permission to link issues.")


def _tell(link: RemoteLink, issue: Issue, actor: Rights, *, made: bool) -> None:
    title = link.object.get("title", "")
    name = link.application.get("name")
    text = (
        f'This work item links to "{title} ({name})"'
        if name
        else (f'This work item links to "{title}"')
    )
    id = str(link.id)
    changes = Changes(issue, actor)
    if made:
        changes.note(FIELD, "", None, None, id, text)
    else:
        changes.note(FIELD, "", id, text, None, None)
    changes.save()
    issue.save(update_fields=["updated"])
