"""What a team member leaves behind who becomes an end user.

Source: support.zendesk.com, article 4408888690842. Tickets that are not closed are the admin's who
did it, or, where that admin is not in a ticket's group, the oldest active agent's of the group.
"""

from __future__ import annotations

from clones.core import clock
from clones.helpdesk.domain import audits, metrics, skills
from clones.helpdesk.domain.changes import snapshot
from clones.helpdesk.domain.group_members import remove_group_member
from clones.helpdesk.domain.routing import ask_for_routing
from clones.helpdesk.domain.values import Via
from clones.helpdesk.models import (
    AgentAvailability,
    AgentValue,
    GroupMembership,
    Macro,
    Ticket,
    User,
    View,
)


def leave_desk(user: User, *, actor: User) -> None:
    """Take from an agent what only agents have; the role itself is set by the caller.

    Tickets get other assignees, with an audit each but without rules; places in groups, skills,
    status, personal views and personal macros go. `user` is changed in memory and in its row.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _hand_over(user, actor)
    if AgentValue.objects.filter(agent=user).exists():
        skills.set_agent_values(user, [], actor=actor)
    AgentAvailability.objects.filter(id=user.id).delete()
    for place in GroupMembership.objects.filter(user=user).select_related("group").order_by("id"):
        place.user = user
        remove_group_member(place, actor=actor)
    for owned in (Macro, View):
        for rule in owned.objects.filter(restriction__type="User", restriction__id=user.id):
            rule.delete()
    user.custom_role = user.default_group = None
    user.alias = None
    user.only_private_comments = False


def _hand_over(user: User, actor: User) -> None:
    """Give a leaving agent's tickets to others, and tell of it in their audits."""
    heirs: dict[int | None, User | None] = {}
    via = Via("web")
    theirs = Ticket.objects.filter(assignee=user, deleted_at=None).exclude(status="closed")
    for ticket in theirs.select_related("metric").order_by("id"):
        if ticket.group_id not in heirs:
            heirs[ticket.group_id] = _heir(user, ticket.group_id, actor)
        before = snapshot(ticket)
        ticket.assignee = heirs[ticket.group_id]
        ticket.updated_at = clock.now()
        ticket.save()
        after = snapshot(ticket)
        metric = metrics.metric_of(ticket)
        metrics.note_changes(metric, before, after, comment=None)
        metrics.store(metric)
        recorder = audits.open_audit(ticket, author=actor, via=via.as_json(), client=None)
        recorder.add(audits.change_events(before, after))
    if heirs:
        ask_for_routing()


def _heir(user: User, group: int | None, actor: User) -> User | None:
    members = User.objects.filter(
        group_memberships__group_id=group or 0, active=True, role__in=("agent", "admin")
    ).exclude(id=user.id)
    if actor.id != user.id and members.filter(id=actor.id).exists():
        return actor
    return members.order_by("id").first()
