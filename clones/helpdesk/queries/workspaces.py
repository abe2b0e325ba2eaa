"""Which workspace a ticket opens in."""

from __future__ import annotations

from clones.helpdesk.domain.changes import snapshot
from clones.helpdesk.models import ContextualWorkspace, Ticket
from clones.helpdesk.queries.situations import situation_at_rest
from clones.helpdesk.rules.conditions import matches


def workspace_of(ticket: Ticket) -> ContextualWorkspace | None:
    """Return the first workspace in order that is activated and whose conditions a ticket meets."""
    rows = ContextualWorkspace.objects.filter(activated=True).order_by("position", "id")
    situation = None
    for workspace in rows:
        situation = situation or situation_at_rest(ticket, snapshot(ticket))
        if matches(workspace.conditions, situation):
            return workspace
    return None
