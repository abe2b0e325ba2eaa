"""As whom a user sees records: oneself, those below in the hierarchy, and the groups of all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q

from clones.crm.models import rows_of

ROLE, SUBORDINATES = "Role", ("RoleAndSubordinates", "RoleAndSubordinatesInternal")
EVERYBODY: Final = "Organization"
_OF_ROLES: Final = (ROLE, *SUBORDINATES)


@dataclass(frozen=True, slots=True)
class Principals:
    """As whom a user sees records.

    `below` are the roles under the user's own. `groups` has those that the user is a member of,
    `groups_below` those whose members are below, and which let superiors in.
    """

    user: str
    role: str | None
    below: tuple[str, ...]
    groups: tuple[str, ...]
    groups_below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Members:
    """Who is in a group: users by their ids, users of roles, everybody."""

    users: tuple[str, ...]
    roles: tuple[str, ...]
    has_everybody: bool


def principals_of(user: str) -> Principals:
    """Return as whom a user (by id) sees records at this moment."""
    role = rows_of("User").filter(Id=user).values_list("UserRoleId", flat=True).first()
    parents = _parents()
    above = _up(role, parents)
    below = tuple(sorted(_down({role}, parents) - {role})) if role else ()
    wanted = Q(Type=EVERYBODY) | Q(Type__in=SUBORDINATES, RelatedId__in=above)
    if role:
        wanted |= Q(Type=ROLE, RelatedId=role)
    own = _closure({user}, set(_groups(wanted)), _containing)
    lower: set[str] = set()
    if below:
        of_roles = set(_groups(Q(Type__in=_OF_ROLES, RelatedId__in=below)))
        people = rows_of("User").filter(UserRoleId__in=below)
        direct = rows_of("GroupMember").filter(UserOrGroupId__in=people.values("Id"))
        members = set(direct.values_list("GroupId", flat=True))
        lower = _closure(set(), of_roles | _with_bosses(members), _containing_with_bosses)
    return Principals(user, role, below, tuple(sorted(own)), tuple(sorted(lower - own)))


def members_of(group: str) -> Members:
    """Return who is in a group, or in the groups within it."""
    users: set[str] = set()
    roles: set[str] = set()
    everybody = False
    waiting, seen, parents = [group], {group}, _parents()
    while waiting:
        kinds = rows_of("Group").filter(Id__in=waiting).order_by("Id")
        for kind, related in kinds.values_list("Type", "RelatedId"):
            everybody = everybody or kind == EVERYBODY
            if kind == ROLE:
                roles.add(related)
            elif kind in SUBORDINATES:
                roles |= _down({related}, parents)
        rows = rows_of("GroupMember").filter(GroupId__in=waiting).order_by("Id")
        found = set(rows.values_list("UserOrGroupId", flat=True))
        users |= {one for one in found if one.startswith("005")}
        waiting = sorted(one for one in found - seen if one.startswith("00G"))
        seen |= found
    return Members(tuple(sorted(users)), tuple(sorted(roles)), everybody)


def _parents() -> dict[str, str | None]:
    """Return the role above each role."""
    return dict(rows_of("UserRole").order_by("Id").values_list("Id", "ParentRoleId"))


def _up(role: str | None, parents: dict[str, str | None]) -> list[str]:
    """Return a role and those above it."""
    found: list[str] = []
    while role is not None and role not in found:
        found.append(role)
        role = parents.get(role)
    return found


def _down(roles: set[Any], parents: dict[str, str | None]) -> set[str]:
    """Return roles and those below them."""
    found = set(roles)
    while True:
        more = {role for role, parent in parents.items() if parent in found} - found
        if not more:
            return found
        found |= more


def _groups(wanted: Q) -> list[str]:
    return list(rows_of("Group").filter(wanted).order_by("Id").values_list("Id", flat=True))


def _closure(people: set[str], groups: set[str], containing: Any) -> set[str]:
    """Return groups, those that people are in, and those that contain any of these."""
    found, frontier = set(groups), people | groups
    while frontier:
        frontier = containing(frontier) - found
        found |= frontier
    return found


def _containing(members: Iterable[str]) -> set[str]:
    rows = rows_of("GroupMember").filter(UserOrGroupId__in=sorted(members))
    return set(rows.values_list("GroupId", flat=True))


def _containing_with_bosses(members: Iterable[str]) -> set[str]:
    return _with_bosses(_containing(members))


def _with_bosses(groups: set[str]) -> set[str]:
    """Return those of some groups that let the superiors of their members in."""
    return set(_groups(Q(Id__in=sorted(groups), DoesIncludeBosses=True))) if groups else set()
