"""Finding users and groups: by id, by the beginnings of names, by what they may and did."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.core.digits import is_digits
from clones.core.json_keys import at_path, can_be_asked
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import (
    ChangeItem,
    Comment,
    EntityProperty,
    FieldValue,
    Group,
    GroupMember,
    Issue,
    PermissionGrant,
    Project,
    RoleActor,
    SecurityMember,
    User,
    Vote,
    Watcher,
)
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.rules.user_queries import BadQuery, Having, Joined, Related, UserQuery, parse

NO_USER: Final = "Specified user does not exist or you do not have required permissions"
NO_ONE: Final = Q(pk__in=[])
EVERYONE: Final = ~NO_ONE


def find_user(account_id: str | None) -> User:
    """Return the user of an account id.

    Raises:
        Invalid: none is given.
        NotFound: there is none.
    """
    if not account_id:
        raise Invalid("The query parameter 'accountId' must be provided.")
    found = None
    if "\0" not in account_id and len(account_id) <= 128:
        found = User.objects.filter(account_id=account_id).first()
    if found is None:
        raise NotFound(NO_USER)
    return found


def find_group(group_id: str | None, name: str | None) -> Group:
    """Return the group of an id or a name; names in the given case only.

    Raises:
        Invalid: neither is given, or both.
        NotFound: there is none.
    """
    if bool(group_id) == bool(name):
        raise Invalid("Exactly one of the query parameters 'groupname' and 'groupId' is needed.")
    rows = Group.objects.filter(uuid=group_id) if group_id else Group.objects.filter(name=name)
    found = rows.first()
    if found is None:
        text = f"Group with id, {group_id}" if group_id else f"The group named '{name}'"
        raise NotFound(f"{text} does not exist.")
    return found


def called(text: str, *, reader: Rights) -> Q:
    """Return the users with a word of their name, or an address, that begins with a text.

    Addresses that the reader does not see count only as a whole.
    """
    wanted = text.strip()
    if wanted in ("", ".", "%"):
        return EVERYONE
    if not reader.sees_emails:
        return Q(display_name__has_prefix=wanted) | Q(email__iexact=wanted)
    return Q(display_name__has_prefix=wanted) | Q(email__istartswith=wanted)


def active_users() -> QuerySet[User]:
    """Return those who may do anything, by name."""
    return User.objects.filter(active=True).order_by("display_name", "id")


# Who holds a permission: the question of `Rights`, the other way round.


def holding(
    permission: str,
    project: Project,
    *,
    issue: Issue | None = None,
    products: Collection[str] = (),
) -> Q:
    """Return the users who hold a permission in a space, or on an issue of it.

    Args:
        permission: its key.
        project: the space.
        issue: the issue; its level of security counts too.
        products: uuids of the groups by which products are had.
    """
    rows = PermissionGrant.objects.filter(
        scheme=project.permission_scheme_id, permission=permission
    )
    found = _held(rows.values_list("holder_type", "parameter"), project, issue, products)
    if issue is not None and issue.security_level_id is not None:
        members = SecurityMember.objects.filter(level=issue.security_level_id)
        pairs = members.values_list("holder_type", "parameter")
        found &= _held(pairs, project, issue, products)
    return found


def _held(pairs: Any, project: Project, issue: Issue | None, products: Collection[str]) -> Q:
    found = NO_ONE
    for kind, parameter in sorted(set(pairs), key=str):
        found |= _holder(kind, parameter, project, issue, products)
    return found


def _in_groups(uuids: Collection[str]) -> Q:
    places = GroupMember.objects.filter(user=OuterRef("pk"), group__uuid__in=sorted(uuids))
    return Q(Exists(places))


def _holder(
    kind: str,
    parameter: str | None,
    project: Project,
    issue: Issue | None,
    products: Collection[str],
) -> Q:
    match kind:
        case "anyone":
            return EVERYONE
        case "applicationRole" | "loggedIn":
            return ~Q(account_type="customer") & _in_groups(products)
        case "group":
            return _in_groups([str(parameter)])
        case "projectRole":
            mine = Q(user=OuterRef("pk")) | Q(group__members__user=OuterRef("pk"))
            rows = RoleActor.objects.filter(mine, project=project, role=int(parameter or 0))
            return Q(Exists(rows))
        case "user":
            return Q(account_id=parameter)
        case "projectLead":
            return Q(id=project.lead_id)
    return NO_ONE if issue is None else _holder_on(kind, parameter, issue)


def _holder_on(kind: str, parameter: str | None, issue: Issue) -> Q:
    if kind == "reporter":
        return Q(id=issue.reporter_id)
    if kind == "assignee":
        return Q(id=issue.assignee_id)
    number = str(parameter or "").removeprefix("customfield_")
    if not is_digits(number):
        return NO_ONE
    values = FieldValue.objects.filter(issue=issue, field_id=int(number))
    if kind == "userCustomField":
        return Q(id__in=values.filter(user__isnull=False).values("user"))
    if kind == "groupCustomField":
        groups = values.filter(group__isnull=False).values("group")
        return Q(Exists(GroupMember.objects.filter(user=OuterRef("pk"), group__in=groups)))
    return NO_ONE


# Structured queries


def structured(text: str, reader: Rights) -> Q:
    """Return the users that a structured query finds, on the issues that the reader sees.

    Raises:
        Invalid: it is no such query.
    """
    try:
        return _compiled(parse(text), reader)
    except BadQuery as error:
        raise Invalid(f"The query is invalid: {error}") from error


def _compiled(query: UserQuery, reader: Rights) -> Q:
    match query:
        case Joined("AND", left, right):
            return _compiled(left, reader) & _compiled(right, reader)
        case Joined(_, left, right):
            return _compiled(left, reader) | _compiled(right, reader)
        case Having(key, path, value):
            return with_property(key, path, value)
        case Related(relation, keys):
            return _related(relation, keys, reader)


def _related(relation: str, keys: Sequence[str], reader: Rights) -> Q:
    issues = visible_issues(reader).filter(Q(key__in=keys) | Q(project__key__in=keys))
    among = Q(issue__in=issues.values("id"))
    match relation:
        case "assignee" | "reporter":
            named = issues.filter(**{f"{relation}__isnull": False})
            return Q(id__in=named.values(relation))
        case "watcher":
            return Q(id__in=Watcher.objects.filter(among).values("user"))
        case "voter":
            return Q(id__in=Vote.objects.filter(among).values("user"))
        case "commenter":
            rows = Comment.objects.filter(among, author__isnull=False, visibility=None)
            return Q(id__in=rows.values("author"))
    moves = ChangeItem.objects.filter(among, field_id="status", group__author__isnull=False)
    return Q(id__in=moves.values("group__author"))


def with_property(key: str, path: Sequence[str], value: str) -> Q:
    """Return the users one of whose properties has a value at a path."""
    return having_property("user", OuterRef("account_id"), key, path, value)


def having_property(kind: str, entity: Any, key: str, path: Sequence[str], value: str) -> Q:
    """Return the things one of whose properties has a value at a path.

    Args:
        kind: the kind of things, as `EntityProperty` has it.
        entity: what leads from a property to the thing: a reference to the outer query.
        key: the property's key.
        path: the names that lead to the value within the property.
        value: a text; a number or a boolean in words is found as such, too.
    """
    if not can_be_asked(path):
        return NO_ONE
    rows = EntityProperty.objects.filter(kind=kind, key=key, entity=entity)
    candidates: list[Any] = [value]
    if value in ("true", "false"):
        candidates.append(value == "true")
    if is_digits(value.removeprefix("-")):
        candidates.append(int(value))
    found = Q()
    for candidate in candidates:
        found |= Q(place=candidate)
    return Q(Exists(rows.alias(place=at_path("value", path)).filter(found)))


def zone_of_email(email: str) -> str | None:
    """Return the time zone of the active user who has the address, as an IANA name, or None."""
    rows = User.objects.filter(email=email.strip().lower(), active=True).order_by("id")
    return rows.values_list("time_zone", flat=True).first()
