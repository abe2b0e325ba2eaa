"""The macros that an agent can choose from on a ticket."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.domain.macros import usable_macros
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.queries.workspaces import workspace_of


def macro_choices(ticket: Ticket, agent: User) -> dict[str, Any]:
    """Return the ticket's workspace, its macros, and the others: titles in the agent's language."""
    rows = usable_macros(agent).filter(active=True).order_by("position", "title", "id")
    found = {macro.id: macro for macro in rows}
    for macro in found.values():
        macro.title = translated(macro.title, agent.locale)
    workspace = workspace_of(ticket) if ticket.id else None
    keys = workspace.macro_ids if workspace is not None else []
    chosen = [found.pop(key) for key in keys if key in found]
    return {"workspace": workspace, "workspace_macros": chosen, "macros": list(found.values())}
