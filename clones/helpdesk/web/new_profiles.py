"""The pages on which new users and new organizations are written."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.helpdesk.domain.organizations import create_organization
from clones.helpdesk.domain.users import create_user
from clones.helpdesk.models import User
from clones.helpdesk.web import labels, plain_pages, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.form_values import Values
from clones.helpdesk.web.organization_form import (
    organization_changes,
    organization_fields,
    posted_organization,
    standing_form,
)
from clones.helpdesk.web.profile_form import (
    FieldMaker,
    ProfileForm,
    attempt_form,
    posted_form,
)
from clones.helpdesk.web.properties import FieldView

BLANK: Values = {
    "name": "",
    "email": "",
    "role": "end-user",
    "organization": "",
    "organization_id": "",
}


@agent_page
def new_user(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new user, or take it."""
    form = ProfileForm(dict(BLANK), dict(BLANK))
    if request.method == "POST":
        form = posted_form(request.POST, dict(BLANK), _user_fields(agent.user, form))
        changes, fields = _new_user(form), _user_fields(agent.user, form)
        made, errors = attempt_form(lambda: create_user(actor=agent.user, changes=changes), fields)
        if made is not None:
            return shell.go(reverse("helpdesk:user", args=[made.id]), "user_created")
        form.errors = errors or FormErrors()
    fields = _user_fields(agent.user, form)
    return _page(request, agent, "user", form, fields)


def _new_user(form: ProfileForm) -> dict[str, object]:
    values = form.values
    found: dict[str, object] = {
        "name": values["name"],
        "email": values["email"] or None,
        "role": values["role"],
    }
    if values["organization"]:
        found["organization"] = {"name": values["organization"]}
    return found


def _user_fields(agent: User, form: ProfileForm) -> list[FieldView]:
    """Return the fields of a new user; only admins make agents."""
    roles = labels.ROLE_LABELS if agent.role == "admin" else {"end-user": "End user"}
    make = FieldMaker("user", form)
    return [
        make.text("name", "Name", required=True),
        make.text("email", "Email"),
        make.choice("role", "User type", roles),
        make.text(
            "organization",
            "Organization",
            kind="lookup",
            suggest=reverse("helpdesk:suggest_organizations"),
            placeholder="search organizations",
        ),
    ]


@agent_page
def new_organization(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new organization, or take it; only admins make organizations."""
    if agent.user.role != "admin":
        return plain_pages.forbidden("You do not have access to this page.")
    form = standing_form(None)
    fields = organization_fields(agent.user, form)
    if request.method == "POST":
        form, fields = posted_organization(request.POST, None, agent.user)
        changes = organization_changes(form)
        made, errors = attempt_form(
            lambda: create_organization(actor=agent.user, changes=changes), fields
        )
        if made is not None:
            address = reverse("helpdesk:organization", args=[made.id])
            return shell.go(address, "organization_created")
        form.errors = errors or FormErrors()
        fields = organization_fields(agent.user, form)
    return _page(request, agent, "organization", form, fields)


def _page(
    request: SandboxRequest,
    agent: Agent,
    what: str,
    form: ProfileForm,
    fields: list[FieldView],
) -> HttpResponse:
    back = reverse("helpdesk:customers" if what == "user" else "helpdesk:organizations")
    context = {"form": form, "fields": fields, "what": what, "back": back}
    return shell.page(
        request,
        agent,
        "helpdesk/new_profile.html",
        context,
        title=f"New {what}",
        active="customers" if what == "user" else "organizations",
        status=422 if form.errors.sentences else 200,
    )
