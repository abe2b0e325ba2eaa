"""What many people may, read together: as many statements for twenty as for two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db.models import Q

from clones.tracker.models import GroupMember, RoleActor, User
from clones.tracker.queries.rights import Holder, Known, Rights

Groups = list[tuple[int, str, str]]


class _Together(Known):
    """What is the same for all, and the groups and roles of each."""

    def __init__(self, users: Sequence[User]) -> None:
        super().__init__(None)
        self._users = users

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that rights ask for."""
        return self._settings

    @property
    def spaces(self) -> list[tuple[int, int, int, bool]]:
        """Every space that is not in the trash."""
        return self._projects

    @property
    def levels(self) -> dict[int, list[Holder]]:
        """Who sees the issues of a security level, by level."""
        return self._members

    @property
    def holders(self) -> dict[str, dict[int, list[Holder]]]:
        """Who holds a permission, by permission and scheme, as far as somebody asked."""
        return self._holders

    @cached_property
    def groups(self) -> Mapping[int, Groups]:
        """The groups of each user."""
        found: dict[int, Groups] = defaultdict(list)
        rows = GroupMember.objects.filter(user__in=[user.id for user in self._users])
        for user, key, uuid, name in rows.order_by("id").values_list(
            "user_id", "group_id", "group__uuid", "group__name"
        ):
            found[user].append((key, uuid, name))
        return found

    @cached_property
    def roles(self) -> Mapping[int, dict[int, set[int]]]:
        """The roles that each user fills themselves or by a group, by space."""
        members: dict[int, list[int]] = defaultdict(list)
        for user, groups in self.groups.items():
            for key, _, _ in groups:
                members[key].append(user)
        mine = Q(user__in=[user.id for user in self._users]) | Q(group__in=sorted(members))
        rows = RoleActor.objects.filter(mine, project__isnull=False)
        found: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        for person, group, project, role in rows.values_list(
            "user_id", "group_id", "project_id", "role_id"
        ):
            # One of the two is there: somebody themselves, or a group.
            for one in members.get(group or -1, [person or -1]):
                found[one][int(project or 0)].add(role)
        return found


class _OneOfMany(Rights):
    """The rights of one, of which most is read with those of others."""

    def __init__(self, user: User, together: _Together) -> None:
        super().__init__(user)
        self._together = together
        self._key = user.id
        self._holders = together.holders

    @cached_property
    def _groups(self) -> Groups:
        return self._together.groups.get(self._key, [])

    @cached_property
    def _settings(self) -> dict[str, Any]:
        return self._together.settings

    @cached_property
    def _roles(self) -> dict[int, set[int]]:
        return self._together.roles.get(self._key, {})

    @cached_property
    def _projects(self) -> list[tuple[int, int, int, bool]]:
        return self._together.spaces

    @cached_property
    def _members(self) -> dict[int, list[Holder]]:
        return self._together.levels


def rights_of(users: Sequence[User]) -> list[Rights]:
    """Return the rights of each user, in their order."""
    together = _Together(users)
    return [_OneOfMany(user, together) for user in users]
