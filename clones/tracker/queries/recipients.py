"""Whom notifications reach: from kinds of recipients to people who may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db.models import Q

from clones.core.digits import is_digits
from clones.core.prepared import Prepared
from clones.tracker.models import (
    FieldValue,
    Group,
    GroupMember,
    Issue,
    IssueComponent,
    Notification,
    Preference,
    RoleActor,
    User,
    Vote,
    Watcher,
)
from clones.tracker.queries.comments import passes
from clones.tracker.queries.rights import BROWSE, Rights
from clones.tracker.queries.rights_of_many import rights_of

OWN_CHANGES: Final = "user.notify.own.changes"
_TOLD: Prepared[tuple[str, str | None]] = Prepared(
    lambda scheme, event: (
        Notification.objects.filter(scheme_id=scheme, event=event)
        .order_by("id")
        .values_list("type", "parameter")
    ),
    int,
    int,
)


def recipients_of(
    issue: Issue, event: int, actor: Rights, *, former: int | None = None
) -> tuple[set[int], list[str]]:
    """Return the people that the issue's space tells of an event, and bare addresses.

    `former` is who was its assignee before; they are told wherever the present one is.
    """
    scheme = issue.project.notification_scheme_id
    people: set[int] = set()
    addresses: list[str] = []
    for kind, parameter in _TOLD.all(scheme, event) if scheme is not None else ():
        if kind == "EmailAddress" and parameter:
            addresses.append(parameter)
        else:
            people |= _people(kind, parameter, issue, actor)
            if kind == "CurrentAssignee" and former is not None:
                people.add(former)
    return people, addresses


def _people(kind: str, parameter: str | None, issue: Issue, actor: Rights) -> set[int]:
    own = None if actor.user is None else actor.user.id
    parts = {
        "CurrentAssignee": issue.assignee_id,
        "Reporter": issue.reporter_id,
        "CurrentUser": own,
        "ProjectLead": issue.project.lead_id,
    }
    if kind in parts:
        return {id for id in [parts[kind]] if id is not None}
    match kind:
        case "ComponentLead":
            rows = IssueComponent.objects.filter(issue=issue, component__lead__isnull=False)
            return _ids(rows.values_list("component__lead_id", flat=True))
        case "AllWatchers":
            return watchers_of(issue)
        case "User":
            rows_of = User.objects.filter(account_id=parameter or "")
            return _ids(rows_of.values_list("id", flat=True))
        case "Group":
            return members_of([parameter or ""])
        case "ProjectRole":
            return _of_role(parameter, issue)
    return _of_field(kind, parameter, issue)


def watchers_of(issue: Issue) -> set[int]:
    """Return the people who watch an issue."""
    return _ids(Watcher.objects.filter(issue=issue).values_list("user_id", flat=True))


def voters_of(issue: Issue) -> set[int]:
    """Return the people who voted for an issue."""
    return _ids(Vote.objects.filter(issue=issue).values_list("user_id", flat=True))


def members_of(names: Iterable[str]) -> set[int]:
    """Return the people in groups, which are given by their ids or names."""
    wanted = list(names)
    groups = Group.objects.filter(Q(uuid__in=wanted) | Q(name__in=wanted))
    rows = GroupMember.objects.filter(group__in=groups.values("id"))
    return _ids(rows.values_list("user_id", flat=True))


def _of_role(parameter: str | None, issue: Issue) -> set[int]:
    number = int(parameter) if parameter is not None and is_digits(parameter) else -1
    actors = RoleActor.objects.filter(project=issue.project_id, role=number)
    people = _ids(actors.filter(user__isnull=False).values_list("user_id", flat=True))
    groups = actors.filter(group__isnull=False).values("group_id")
    rows = GroupMember.objects.filter(group__in=groups)
    return people | _ids(rows.values_list("user_id", flat=True))


def _of_field(kind: str, parameter: str | None, issue: Issue) -> set[int]:
    number = str(parameter or "").removeprefix("customfield_")
    if not is_digits(number):
        return set()
    values = FieldValue.objects.filter(issue=issue, field=int(number))
    if kind == "UserCustomField":
        found = values.filter(user__isnull=False)
        return _ids(found.values_list("user_id", flat=True))
    groups = values.filter(group__isnull=False).values("group_id")
    rows = GroupMember.objects.filter(group__in=groups)
    return _ids(rows.values_list("user_id", flat=True))


def reachable(
    people: Iterable[int],
    issue: Issue,
    *,
    visibility: Mapping[str, Any] | None = None,
) -> list[User]:
    """Return those of some people who have an address and see an issue, by id.

    `visibility` is the restriction of what they are told of. Customers of service desks are told
    of their requests by the desk, not here.
    """
    wanted = sorted(people)
    if not wanted:
        return []
    rows = User.objects.filter(id__in=wanted, active=True, account_type="atlassian")
    users = list(rows.exclude(email=None).order_by("id"))
    return [
        user
        for user, rights in zip(users, rights_of(users), strict=True)
        if rights.may_on(BROWSE, issue) and passes(rights, visibility, issue.project_id)
    ]


def wants_own_changes(user: User) -> bool:
    """Tell whether somebody wants to be told of what they did themselves."""
    rows = Preference.objects.filter(user=user, key=OWN_CHANGES)
    return rows.values_list("value", flat=True).first() in (True, "true")


def _ids(rows: Iterable[int | None]) -> set[int]:
    return {id for id in rows if id is not None}


def are_told(said: str | None, issue: Issue, rights: Rights) -> bool:
    """Tell whether people are told of a change whose request says `notifyUsers`.

    Only admins of the site and of the space can keep it quiet; of others it is passed over.
    """
    if said is None or said.strip().lower() != "false":
        return True
    return not (rights.is_admin or rights.may("ADMINISTER_PROJECTS", issue.project))
