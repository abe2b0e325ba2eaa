"""What functions of queries answer: rows of the things that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.core.digits import is_digits
from clones.tracker.models import (
    ChangeGroup,
    ChangeItem,
    Comment,
    Component,
    FieldOption,
    Group,
    Issue,
    IssueLink,
    IssueType,
    IssueView,
    Project,
    RemoteLink,
    RequestType,
    RequestTypeGroup,
    Sprint,
    User,
    Version,
    Vote,
    Watcher,
)
from clones.tracker.queries.jql.asking import PredicateContext, rows_of, within
from clones.tracker.queries.jql.links import inward_of, outward_of
from clones.tracker.queries.jql.visibility import NOTHING
from clones.tracker.rules.jql import JqlError, Message, MessageKind
from clones.tracker.rules.jql.dates import FORMATS, Stretch, literal, stretch
from clones.tracker.rules.jql.plan import Call

Answer = Callable[[Call, PredicateContext], QuerySet[Any]]


def answers(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    """Return the rows that a call names.

    Raises:
        JqlError: an argument that only the function itself can read is wrong.
    """
    return _ANSWERS[call.function](call, asking)


def every(arguments: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the ids of all arguments."""
    return [id for argument in arguments for id in argument]


def numbers(ids: Iterable[str]) -> list[int]:
    """Return ids as keys."""
    return [int(id) for id in ids]


# People


def _members_of(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    groups = Group.objects.filter(uuid__in=every(call.arguments))
    return User.objects.filter(memberships__group__in=groups)


def _inactive_users(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    return User.objects.filter(active=False)


def _organization_members(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    return User.objects.filter(organizations__organization__in=numbers(every(call.arguments)))


# Spaces and what is in them


def _whoever(call: Call, asking: PredicateContext) -> Any:
    """Return the users that a call names, the viewer if it names none."""
    ids = every(call.arguments)
    if not ids and asking.sight.viewer.account_id is not None:
        ids = [asking.sight.viewer.account_id]
    return rows_of("user", ids)


def _projects_led(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    return asking.sight.projects.filter(lead__in=_whoever(call, asking))


def _projects_permitted(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    rights = asking.sight.rights
    if rights is None:
        return asking.sight.projects
    spaces = [rights.projects_with(key) for key in every(call.arguments)]
    return asking.sight.projects.filter(pk__in=sorted(set[int]().union(*spaces)))


def _projects_of_role(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    found = [asking.sight.filling(role) for role in numbers(every(call.arguments))]
    return Project.objects.filter(reduce(or_, (Q(pk__in=rows.values("pk")) for rows in found)))


def _components_led(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    return Component.objects.filter(lead__in=_whoever(call, asking))


def _versions(call: Call, asking: PredicateContext) -> QuerySet[Version]:
    rows = Version.objects.filter(archived=False)
    if call.arguments:
        return rows.filter(project__in=numbers(every(call.arguments)))
    return rows.filter(project__in=asking.sight.projects.values("pk"))


def _released(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    return _versions(call, asking).filter(released=True)


def _unreleased(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    return _versions(call, asking).filter(released=False)


def _earliest_unreleased(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    rows = _unreleased(call, asking)
    before = rows.filter(project=OuterRef("project"), position__lt=OuterRef("position"))
    return rows.filter(~Exists(before))


def _latest_released(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    rows = _released(call, asking)
    after = rows.filter(project=OuterRef("project"), position__gt=OuterRef("position"))
    return rows.filter(~Exists(after))


def _types(condition: Q) -> Answer:
    return lambda call, asking: IssueType.objects.filter(condition)


def _sprints(state: str) -> Answer:
    return lambda call, asking: Sprint.objects.filter(state=state)


# Options


def _choices(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    return FieldOption.objects.filter(pk__in=numbers(every(call.arguments)))


def _cascade(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    parents = numbers(call.arguments[0])
    if len(call.arguments) == 1:
        return FieldOption.objects.filter(Q(pk__in=parents) | Q(parent__in=parents))
    (child,) = call.arguments[1]
    if child.lower() == "none":
        return FieldOption.objects.filter(pk__in=parents)
    found = Q(value__iexact=child)
    if is_digits(child):
        found |= Q(pk=int(child))
    return FieldOption.objects.filter(found, parent__in=parents)


# Issues


def _linked(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    issues = numbers(call.arguments[0])
    types = every(call.arguments[1:])
    found = NOTHING
    outward = IssueLink.objects.filter(source__in=issues)
    inward = IssueLink.objects.filter(destination__in=issues)
    if types:
        outward, inward = outward.filter(outward_of(types)), inward.filter(inward_of(types))
    found = Q(pk__in=outward.values("destination")) | Q(pk__in=inward.values("source"))
    return Issue.objects.filter(found)


def _seen_lately(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    views = IssueView.objects.filter(user=asking.sight.user)
    return Issue.objects.filter(pk__in=views.values("issue"))


def _linked_to_pages(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    links = RemoteLink.objects.filter(global_id__in=every(call.arguments))
    return Issue.objects.filter(pk__in=links.values("issue"))


def _voted(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    return Issue.objects.filter(pk__in=Vote.objects.filter(user=asking.sight.user).values("issue"))


def _watched(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    rows = Watcher.objects.filter(user=asking.sight.user)
    return Issue.objects.filter(pk__in=rows.values("issue"))


def _updated_by(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    """Return the issues that somebody made, changed or commented on, between two times."""
    people = rows_of("user", list(call.arguments[0]))
    span = Stretch(None, None)
    if len(call.arguments) > 1:
        span = span.within(stretch(">=", _moment(call.arguments[1], asking)))
    if len(call.arguments) > 2:
        span = span.within(stretch("<=", _moment(call.arguments[2], asking)))
    changed = ChangeGroup.objects.filter(within("created", span), author__in=people)
    said = Comment.objects.filter(asking.sight.seen_texts).filter(
        Q(within("created", span), author__in=people)
        | Q(within("updated", span), update_author__in=people)
    )
    return Issue.objects.filter(
        Q(within("created", span), creator__in=people)
        | Q(pk__in=changed.values("issue"))
        | Q(pk__in=said.values("issue"))
    )


def _moment(argument: tuple[str, ...], asking: PredicateContext) -> Any:
    (text,) = argument
    found = literal(text, asking.sight.viewer)
    if found is None:
        message = f"Date value '{text}' for function 'updatedBy' is invalid. {FORMATS}"
        raise JqlError((Message(MessageKind.OPERAND, message),))
    return found


def _moved_in_sprint(*, added: bool) -> Answer:
    """Return what finds issues that came into running sprints, or left them.

    A change of the field names all sprints of the issue, so a sprint came if the new list has it
    and the old one has not.
    """

    def find(call: Call, asking: PredicateContext) -> QuerySet[Any]:
        found = NOTHING
        for sprint in Sprint.objects.filter(pk__in=numbers(every(call.arguments))):
            if sprint.start_date is None:
                continue
            there, gone = ("new", "old") if added else ("old", "new")
            span = Stretch(sprint.start_date, sprint.complete_date)
            items = ChangeItem.objects.filter(
                within("created", span), _lists(there, sprint.id), field="Sprint"
            ).exclude(_lists(gone, sprint.id))
            found |= Q(pk__in=items.values("issue"))
        return Issue.objects.filter(found)

    return find


def _lists(column: str, id: int) -> Q:
    return Q(**{f"{column}__regex": f"(^|[ ,]){id}([ ,]|$)"})


# Requests


def _request_types(call: Call, asking: PredicateContext) -> QuerySet[Any]:
    (space,), (name,) = call.arguments
    desk = Q(desk__project__key__iexact=space) | Q(desk__project__name__iexact=space)
    groups = set(
        RequestTypeGroup.objects.filter(desk, name__iexact=name).values_list("id", flat=True)
    )
    offered = RequestType.objects.filter(desk).values_list("id", "groups")
    wanted = [id for id, headings in offered if groups.intersection(map(int, headings))]
    return RequestType.objects.filter(pk__in=wanted)


_ANSWERS: Final[dict[str, Answer]] = {
    "cascadeOption": _cascade,
    "choiceOption": _choices,
    "closedSprints": _sprints("closed"),
    "componentsLeadByUser": _components_led,
    "earliestUnreleasedVersion": _earliest_unreleased,
    "futureSprints": _sprints("future"),
    "inactiveUsers": _inactive_users,
    "issueHistory": _seen_lately,
    "issuesWithRemoteLinksByGlobalId": _linked_to_pages,
    "latestReleasedVersion": _latest_released,
    "linkedIssues": _linked,
    "membersOf": _members_of,
    "openSprints": _sprints("active"),
    "organizationMembers": _organization_members,
    "projectsLeadByUser": _projects_led,
    "projectsWhereUserHasPermission": _projects_permitted,
    "projectsWhereUserHasRole": _projects_of_role,
    "releasedVersions": _released,
    "requestTypesInGroup": _request_types,
    "standardIssueTypes": _types(Q(hierarchy_level__gte=0)),
    "subTaskIssueTypes": _types(Q(hierarchy_level__lt=0)),
    "unreleasedVersions": _unreleased,
    "updatedBy": _updated_by,
    "votedIssues": _voted,
    "watchedIssues": _watched,
    "workItemsAddedDuringSprint": _moved_in_sprint(added=True),
    "workItemsRemovedDuringSprint": _moved_in_sprint(added=False),
}
