"""Groups of users."""

from __future__ import annotations

from typing import Final

from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.numbering import new_uuid, next_id
from clones.tracker.domain.people import join_group
from clones.tracker.domain.settings import setting
from clones.tracker.models import (
    Comment,
    Group,
    GroupMember,
    Notification,
    PermissionGrant,
    SecurityMember,
    User,
    Worklog,
)
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "group management"


def create_group(name: str, *, actor: Rights) -> Group:
    """Make a group.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is empty, too long or taken (in any case).
    """
    admins_only(actor)
    wanted = name.strip()
    if not wanted:
        raise Invalid("The group name must be specified.")
    if len(wanted) > 255:
        raise Invalid("The group name must not exceed 255 characters in length.")
    if Group.objects.filter(name__iexact=wanted).exists():
        raise Invalid(f"A group with the name '{wanted}' already exists.")
    group = add_group(wanted)
    audit.record("Group created", CATEGORY, actor=actor, object=_item(group))
    return group


def add_group(name: str) -> Group:
    """Write a group."""
    return Group.objects.create(id=next_id(Group), uuid=new_uuid(Group), name=name)


def delete_group(group: Group, *, swap: Group | None, actor: Rights) -> None:
    """Remove a group; comments and work logs that only it sees are then for `swap`.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the group would be its own successor, or the site would lose its admins.
    """
    admins_only(actor)
    if swap == group:
        raise Invalid("The group and the swap group cannot be the same.")
    if _is_last_of_admins(group, actor):
        raise Invalid("Cannot delete a group that grants you administration rights.")
    if swap is not None:
        seen = {"type": "group", "identifier": swap.uuid}
        of_group = {"visibility__type": "group", "visibility__identifier": group.uuid}
        Comment.objects.filter(**of_group).update(visibility=seen)
        Worklog.objects.filter(**of_group).update(visibility=seen)
    mine = {"holder_type": "group", "parameter__in": [group.uuid, group.name]}
    PermissionGrant.objects.filter(**mine).delete()
    SecurityMember.objects.filter(**mine).delete()
    Notification.objects.filter(type="Group", parameter__in=[group.uuid, group.name]).delete()
    audit.record("Group deleted", CATEGORY, actor=actor, object=_item(group))
    group.delete()


def _is_last_of_admins(group: Group, actor: Rights) -> bool:
    """Tell whether the actor administers the site through this group alone."""
    rest = actor.group_uuids - {group.uuid}
    granted = setting("global_permissions", {})
    holders = {*granted.get("ADMINISTER", ()), *granted.get("SYSTEM_ADMIN", ())}
    return group.uuid in holders and rest.isdisjoint(holders)


def add_member(group: Group, user: User, *, actor: Rights) -> None:
    """Put a user into a group.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: they are in it already.
    """
    admins_only(actor)
    if GroupMember.objects.filter(group=group, user=user).exists():
        raise Invalid(
            f"Cannot add user '{user.account_id}', user is already a member of '{group.name}'"
        )
    join_group(user, group)
    audit.record(
        "User added to group",
        CATEGORY,
        actor=actor,
        object=_item(group),
        associated=[("USER", user.account_id, user.display_name)],
    )


def remove_member(group: Group, user: User, *, actor: Rights) -> None:
    """Take a user out of a group; who is not in it stays out.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    gone, _ = GroupMember.objects.filter(group=group, user=user).delete()
    if not gone:
        return
    audit.record(
        "User removed from group",
        CATEGORY,
        actor=actor,
        object=_item(group),
        associated=[("USER", user.account_id, user.display_name)],
    )


def _item(group: Group) -> tuple[str, str, str]:
    return ("GROUP", group.uuid, group.name)
