"""Admin Center's roles: sets of rights that agents hold."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import roles as domain
from clones.helpdesk.domain.setup import rights_of
from clones.helpdesk.models import CustomRole, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, area, check, line, select
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.admin.role_rights import PARTS, word_label

ACTIVE = "admin_roles"
KINDS = (("", "Any type"), ("custom", "Custom"), ("system", "System"))
HELD = Q(user__active=True, user__role__in=("agent", "admin"))


@admin_page
def roles(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the roles, with how many hold each."""
    kind = keys.filter_of(request, "type", "Type", KINDS)
    rows = CustomRole.objects.annotate(members=Count("user", HELD))
    rows = pages.searched(request, rows, "name")
    if kind.value:
        of_system = Q(role_type__gt=0)
        rows = rows.filter(of_system if kind.value == "system" else ~of_system)
    listing = ListPage(
        "Roles",
        ACTIVE,
        [Panel(("Name", "Description", "Type", "Team members"), empty="No roles.")],
        acts=[pages.creating("Create role", reverse("helpdesk:admin_role_new"))],
        search=pages.search(request, kind),
    )
    return pages.show_list(request, agent, listing, rows.order_by("name", "id"), _line)


@admin_page
def role(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a role, or of a new one, or take it."""
    found = _role(key) if key is not None else None

    def write(sent: PageForm) -> WriteResult:
        changes = {
            "name": sent.text("name"),
            "description": sent.text("description"),
            "configuration": _rights(sent),
        }
        saved = (
            domain.create_role(actor=agent.user, changes=changes)
            if found is None
            else domain.update_role(found, actor=agent.user, changes=changes)
        )
        return saved.name, reverse("helpdesk:admin_role", args=[saved.id])

    shown = found or CustomRole(configuration=rights_of(admin=False))
    return pages.ask(request, agent, _form(found, shown), write, record=found)


@admin_page
def clone_role(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show the form of a new role with another one's rights; the list takes it."""
    found = _role(key)
    shown = CustomRole(
        name=f"{found.name} (copy)",
        description=found.description,
        configuration=found.configuration,
    )
    return pages.show_form(request, agent, _form(None, shown))


@admin_page
def delete_role(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a role shall go, and let it go."""
    found = _role(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete role {found.name}",
        "Roles that team members hold cannot be deleted.",
        reverse("helpdesk:admin_role", args=[key]),
        reverse("helpdesk:admin_roles"),
        found.name,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_role(found, actor=agent.user)
    )


def _role(key: int) -> CustomRole:
    return queries.one(CustomRole.objects.all(), "role", key)


def _line(found: CustomRole) -> ListRow:
    return linked_row(
        reverse("helpdesk:admin_role", args=[found.id]),
        found.name,
        found.description,
        "System" if found.role_type else "Custom",
        str(getattr(found, "members", 0)),
    )


def _rights(sent: PageForm) -> dict[str, Any]:
    rights: dict[str, Any] = {}
    for part in PARTS.values():
        for name in part:
            if name not in domain.WORDS:
                rights[name] = sent.ticked(f"right_{name}")
            elif given := sent.text(f"right_{name}"):
                rights[name] = given
    return rights


def _form(found: CustomRole | None, shown: CustomRole) -> Form:
    """Return the form of a role, or of a new one that begins as `shown`."""
    named = (
        line("name", "Name", shown.name, required=True),
        area("description", "Description", shown.description),
    )
    parts = [FormSection("", named)] + [
        FormSection(legend, tuple(_right(name, label, shown.configuration) for name, label in part))
        for legend, part in ((legend, part.items()) for legend, part in PARTS.items())
    ]
    links: list[Action] = []
    place = [found.id] if found is not None else []
    if found is not None:
        held = User.objects.filter(custom_role=found, active=True).count()
        parts[0] = FormSection("", named, note=f"Team members who hold it: {held}")
        links.append(
            Action(
                "Clone role",
                reverse("helpdesk:admin_role_clone", args=place),
                test_id="admin-clone",
            )
        )
    return Form(
        ACTIVE,
        found.name if found is not None else "New role",
        reverse("helpdesk:admin_roles"),
        tuple(parts),
        delete_url=None
        if found is None or found.role_type != 0
        else reverse("helpdesk:admin_role_delete", args=place),
        submit_label="Save" if found is not None else "Create role",
        links=tuple(links),
        # A clone's form is sent to where new roles are made.
        extra={"action": "" if found is not None else reverse("helpdesk:admin_role_new")},
    )


def _right(name: str, label: str, rights: dict[str, Any]) -> AdminInput:
    value = rights.get(name)
    if name not in domain.WORDS:
        return check(f"right_{name}", label, on=bool(value))
    options = [(word, word_label(word)) for word in domain.WORDS[name]]
    return select(f"right_{name}", label, value, options)
