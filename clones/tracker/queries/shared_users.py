"""Whom the shares of filters let in, one by one, read for many filters at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Q

from clones.tracker.models import Filter, GroupMember, RoleActor, Share, User

EVERYBODY = ("global", "loggedin")


def shared_users(filters: Sequence[Filter]) -> dict[int, list[User]]:
    """Return the active people that filters, with their shares, are shared with, by name.

    A share with a space lets in those with a role there. The statements do not grow with the
    filters.
    """
    shares = {row.id: list(row.shares.all()) for row in filters}
    every = [share for several in shares.values() for share in several]
    inside = _Inside(every)
    people = {key: inside.of(several) for key, several in shares.items()}
    open_to_all = any(share.type in EVERYBODY for share in every)
    wanted = Q() if open_to_all else Q(id__in=sorted(set().union(*people.values())))
    rows = User.objects.filter(wanted, active=True).order_by("display_name", "id")
    users = list(rows) if open_to_all or any(people.values()) else []
    found: dict[int, list[User]] = {}
    for key, several in shares.items():
        to_all = any(share.type in EVERYBODY for share in several)
        found[key] = [user for user in users if to_all or user.id in people[key]]
    return found


class _Inside:
    """Who fills roles and belongs to groups that shares name."""

    def __init__(self, shares: Sequence[Share]) -> None:
        self.actors: dict[int, list[RoleActor]] = defaultdict(list)
        spaces = {share.project_id for share in shares if share.project_id is not None}
        for actor in RoleActor.objects.filter(project__in=sorted(spaces)) if spaces else ():
            self.actors[actor.project_id or 0].append(actor)
        groups = {share.group_id for share in shares}
        groups |= {actor.group_id for actors in self.actors.values() for actor in actors}
        named = sorted(group for group in groups if group is not None)
        self.members: dict[int, set[int]] = defaultdict(set)
        for member in GroupMember.objects.filter(group__in=named) if named else ():
            self.members[member.group_id].add(member.user_id)

    def of(self, shares: Sequence[Share]) -> set[int]:
        """Return the users that shares name, those with everybody aside."""
        found: set[int] = set()
        for share in shares:
            found |= self._held(share.user_id, share.group_id)
            for actor in self.actors.get(share.project_id or 0, ()):
                if share.role_id in (None, actor.role_id):
                    found |= self._held(actor.user_id, actor.group_id)
        return found

    def _held(self, user: int | None, group: int | None) -> set[int]:
        found = set() if user is None else {user}
        return found if group is None else found | self.members[group]
