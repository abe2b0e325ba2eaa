"""Mail about an issue that somebody writes themselves, to people by their part in the issue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.notifications import mail_about, subject_of
from clones.tracker.models import Issue, User
from clones.tracker.queries.recipients import members_of, reachable, voters_of, watchers_of
from clones.tracker.queries.rights import Rights

NOBODY: Final = "No recipients were defined for notification."
NOT_SELF: Final = "You cannot send a notification to yourself only."


@dataclass(frozen=True, slots=True)
class Recipients:
    """Whom a notice is for. Groups are ids or names; people are account ids."""

    reporter: bool = False
    assignee: bool = False
    watchers: bool = False
    voters: bool = False
    users: Sequence[str] = ()
    groups: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """What is said, to whom, and which groups and permissions they need to be told.

    Without a subject it is the issue's key and summary.
    """

    to: Recipients
    subject: str | None = None
    text: str | None = None
    html: str | None = None
    groups: Sequence[str] = ()
    permissions: Sequence[str] = field(default_factory=tuple)


def send_notice(issue: Issue, notice: Notice, *, actor: Rights) -> list[User]:
    """Mail a notice and return who got it.

    Raises:
        Invalid: nobody is named, somebody named is none, or nobody is left besides the actor.
    """
    people = _people(issue, notice.to)
    if not people:
        raise Invalid(NOBODY)
    if notice.groups:
        people &= members_of(notice.groups)
    own = actor.user
    found = [
        user
        for user in reachable(people, issue)
        if (own is None or user.id != own.id) and _holds(user, notice.permissions, issue)
    ]
    if not found and own is not None and people == {own.id}:
        raise Invalid(NOT_SELF)
    mail_about(
        issue,
        actor,
        found,
        subject=notice.subject or subject_of(issue),
        text=notice.text or "",
        html=notice.html,
    )
    return found


def read_notice(body: Mapping[str, Any]) -> Notice:
    """Return the notice that a body describes, as the API has its parts."""
    to = _mapping(body.get("to"))
    restrict = _mapping(body.get("restrict"))
    return Notice(
        Recipients(
            reporter=to.get("reporter") is True,
            assignee=to.get("assignee") is True,
            watchers=to.get("watchers") is True,
            voters=to.get("voters") is True,
            users=_texts(to.get("users"), "accountId"),
            groups=[*_texts(to.get("groups"), "groupId", "name"), *_texts(to.get("groupIds"))],
        ),
        subject=_text(body.get("subject")),
        text=_text(body.get("textBody")),
        html=_text(body.get("htmlBody")),
        groups=[
            *_texts(restrict.get("groups"), "groupId", "name"),
            *_texts(restrict.get("groupIds")),
        ],
        permissions=_permissions(restrict.get("permissions")),
    )


def _permissions(value: Any) -> list[str]:
    found = _texts(value, "key", "id")
    if isinstance(value, list) and len(found) < len(value):
        raise Invalid("Either the 'id' or the 'key' of a permission must be specified.")
    return found


def _people(issue: Issue, to: Recipients) -> set[int]:
    found: set[int] = set()
    if to.reporter and issue.reporter_id is not None:
        found.add(issue.reporter_id)
    if to.assignee:
        if issue.assignee_id is None:
            raise Invalid("The assignee cannot be notified: the issue is unassigned.")
        found.add(issue.assignee_id)
    if to.watchers:
        found |= watchers_of(issue)
    if to.voters:
        found |= voters_of(issue)
    known = dict(User.objects.filter(account_id__in=list(to.users)).values_list("account_id", "id"))
    for account in to.users:
        if account not in known:
            raise Invalid(f"The user with account ID '{account}' does not exist.")
    return found | set(known.values()) | (members_of(to.groups) if to.groups else set())


def _holds(user: User, permissions: Sequence[str], issue: Issue) -> bool:
    if not permissions:
        return True
    rights = Rights(user)
    # The vendor's examples still say BROWSE for what is BROWSE_PROJECTS.
    names = ["BROWSE_PROJECTS" if key == "BROWSE" else key for key in permissions]
    return all(rights.may_on(key, issue) for key in names)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _texts(value: Any, *names: str) -> list[str]:
    """Return the texts of a list, or of the first of these keys that each of its objects has."""
    found = []
    for item in value if isinstance(value, list) else ():
        text = item
        if isinstance(item, Mapping):
            text = next((item[name] for name in names if item.get(name)), None)
        if isinstance(text, str) and text:
            found.append(text)
    return found
