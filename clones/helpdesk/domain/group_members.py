"""Which agents are in which groups."""

from __future__ import annotations

from clones.core import clock
from clones.helpdesk.domain import people
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.models import Group, GroupMembership, Ticket, User


@logged("create")
def add_group_member(*, actor: User, user_id: int, group_id: int) -> GroupMembership:
    """Put an agent into a group.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: there is no such agent or group, or the agent is in it already.
    """
    _admins_only(actor)
    user = User.objects.filter(id=user_id, active=True, role__in=("agent", "admin")).first()
    group = Group.objects.filter(id=group_id, deleted=False).first()
    if user is None:
        raise RecordInvalid.of("user_id", "User: must be an agent", "InvalidValue")
    if group is None:
        raise RecordInvalid.of("group_id", "Group: is invalid", "InvalidValue")
    if GroupMembership.objects.filter(user=user, group=group).exists():
        raise RecordInvalid.of("user_id", "User: has already been taken", "DuplicateValue")
    first = not GroupMembership.objects.filter(user=user).exists()
    if first:
        user.default_group = group
        user.save(update_fields=["default_group"])
    return people.join_group(user, group, default=first)


@logged("destroy")
def remove_group_member(membership: GroupMembership, *, actor: User) -> None:
    """Take an agent out of a group; their open tickets there lose their assignee.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    membership.delete()
    drop_assignments(membership.user_id, membership.group_id)
    _settle_default_group(membership, actor)


def leave_group(membership: GroupMembership, *, actor: User) -> None:
    """Take an agent out of a group, whose tickets keep their assignee as yet.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    membership.delete()
    _settle_default_group(membership, actor)


def drop_assignments(user_id: int, group_id: int) -> None:
    """Take an agent off the tickets of a group that are not closed."""
    theirs = Ticket.objects.filter(assignee_id=user_id, group_id=group_id)
    theirs.exclude(status="closed").update(assignee=None)


def _settle_default_group(gone: GroupMembership, actor: User) -> None:
    user = gone.user
    if user.default_group_id != gone.group_id:
        return
    left = GroupMembership.objects.filter(user=user).order_by("id").first()
    if left is not None:
        make_group_default(left, actor=actor)
    else:
        user.default_group = None
        user.save(update_fields=["default_group"])


def make_group_default(membership: GroupMembership, *, actor: User) -> None:
    """Make a group the one that an agent's tickets get.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    user = membership.user
    others = GroupMembership.objects.filter(user=user, default=True).exclude(id=membership.id)
    others.update(default=False)
    membership.default = True
    membership.updated_at = clock.now()
    membership.save(update_fields=["default", "updated_at"])
    user.default_group_id = membership.group_id
    user.save(update_fields=["default_group"])


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins put agents into groups")
