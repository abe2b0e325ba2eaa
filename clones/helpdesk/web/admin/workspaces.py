"""Admin Center's contextual workspaces: what agents find on tickets that meet conditions."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import ListPage, ListRow, Panel, linked_row
from clones.helpdesk.domain import workspaces as domain
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import ContextualWorkspace, Macro, TicketForm, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.conditioned import ConditionEditor, confirm_of, count_of
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, area, check, checks, line, select
from clones.helpdesk.web.admin.rule_editor import Items

STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))


class WorkspaceEditor(ConditionEditor):
    """The editor of contextual workspaces."""

    entry = "admin_workspaces"
    one = "admin_workspace"
    noun = "workspace"
    hint = "The first workspace whose conditions a ticket meets is the one it opens in."

    def find(self, key: Any, actor: User) -> ContextualWorkspace:
        """Return a workspace."""
        found = ContextualWorkspace.objects.filter(id=keys.number(str(key)) or 0).first()
        if found is None:
            raise RecordNotFound("workspace", key)
        return found

    def items_of(self, rule: Any) -> Items:
        """Return the conditions."""
        return dict(rule.conditions)

    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return the inputs above the conditions."""
        shown = rule or ContextualWorkspace()
        ticket_forms = TicketForm.objects.filter(active=True).order_by("position", "id")
        macros = Macro.objects.filter(active=True, restriction=None).order_by("position", "id")
        options = [("", "-"), *ticket_forms.values_list("id", "name")]
        return [
            line("title", "Workspace name", shown.title, required=True),
            area("description", "Description", shown.description),
            check("activated", "Active", on=shown.activated),
            select("ticket_form_id", "Ticket form", shown.ticket_form_id, options),
            checks("macros", "Macros", shown.macro_ids, macros.values_list("id", "title")),
        ]

    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set."""
        return {
            "title": sent.text("title"),
            "description": sent.text("description") or None,
            "activated": sent.ticked("activated"),
            "ticket_form_id": keys.number(sent.text("ticket_form_id")),
            "macros": keys.numbers_in(sent.several("macros")),
            "conditions": items,
        }

    def create(self, changes: dict[str, Any], actor: User) -> ContextualWorkspace:
        """Create a workspace."""
        return domain.create_workspace(actor=actor, changes=changes)

    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> ContextualWorkspace:
        """Change a workspace."""
        return domain.update_workspace(rule, actor=actor, changes=changes)


EDITOR = WorkspaceEditor()


@admin_page
def workspaces(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the workspaces in their order."""
    state = keys.filter_of(request, "status", "Status", STATES)
    rows = ContextualWorkspace.objects.select_related("ticket_form")
    rows = pages.searched(request, rows, "title")
    if state.value:
        rows = rows.filter(activated=state.value == "active")
    listing = ListPage(
        "Contextual workspaces",
        EDITOR.entry,
        [
            Panel(
                ("Name", "Conditions", "Form", "Macros", "Status"),
                empty="No workspaces.",
                order=reverse("helpdesk:admin_workspaces_order"),
            )
        ],
        acts=[pages.creating("Create workspace", reverse("helpdesk:admin_workspace_new"))],
        search=pages.search(request, state),
    )
    return pages.show_list(request, agent, listing, rows.order_by("position", "id"), _line)


@admin_page
def order(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Move a workspace up or down in the list."""
    rows = ContextualWorkspace.objects.order_by("position", "id")
    write = partial(domain.reorder_workspaces, actor=agent.user)
    return pages.move(request, rows, write, reverse(f"helpdesk:{EDITOR.entry}"))


@admin_page
def delete_workspace(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Ask whether a workspace shall go, and let it go."""
    return confirm_of(
        request,
        agent,
        EDITOR,
        "Tickets open without it. Its form and macros stay.",
        lambda found: domain.delete_workspaces([found.id], actor=agent.user),
    )


def _line(found: ContextualWorkspace) -> ListRow:
    return linked_row(
        reverse("helpdesk:admin_workspace", args=[found.id]),
        found.title,
        count_of(found.conditions),
        found.ticket_form.name if found.ticket_form is not None else None,
        str(len(found.macro_ids)),
        "Active" if found.activated else "Inactive",
    )
