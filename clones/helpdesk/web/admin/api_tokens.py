"""Admin Center's API tokens: a token is shown whole once, when it is made."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse

from clones.core.accounts import secrets
from clones.core.models import Credential
from clones.core.server import server
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import api_tokens as domain
from clones.helpdesk.models import User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import line, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.times import Times

ACTIVE = "admin_api_tokens"
STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))


@admin_page
def tokens(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the API tokens."""
    state = keys.filter_of(request, "status", "Status", STATES)
    rows = _tokens()
    rows = pages.searched(request, rows, "description")
    if state.value:
        rows = rows.filter(active=state.value == "active")
    subjects = {item.account.subject for item in rows}
    owners = User.objects.in_bulk([int(subject) for subject in subjects])
    listing = ListPage(
        "API tokens",
        ACTIVE,
        [Panel(("Name", "Signs in as", "Created", "Last used", "Status"), empty="No API tokens.")],
        said="A token signs in with the e-mail address of the person who made it.",
        acts=[pages.creating("Add API token", reverse("helpdesk:admin_api_token_new"))],
        search=pages.search(request, state),
    )

    times = Times(agent.user)

    def row(token: Credential) -> ListRow:
        owner = owners.get(int(token.account.subject))
        used = token.last_used_at
        return linked_row(
            reverse("helpdesk:admin_api_token", args=[token.id]),
            name_of(token),
            owner.name if owner is not None else token.account.login,
            f"{times.day(token.created_at):%Y-%m-%d}",
            f"{times.day(used):%Y-%m-%d}" if used is not None else "Never",
            "Active" if token.active else "Inactive",
        )

    return pages.show_list(request, agent, listing, rows.order_by("id"), row)


@admin_page
def new_token(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new token, or make it and show it whole."""

    def write(sent: PageForm) -> WriteResult:
        made = domain.create_token(agent.session.account, actor=agent.user, name=sent.text("name"))
        return _show_secret(request, agent, made)

    form = Form(
        ACTIVE,
        "New API token",
        reverse(f"helpdesk:{ACTIVE}"),
        (FormSection("", (line("name", "Name", required=True),)),),
        submit_label="Create token",
    )
    return pages.ask(request, agent, form, write)


@admin_page
def token(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a token's form, or take its new name."""
    found = _token(key)

    def write(sent: PageForm) -> WriteResult:
        saved = domain.update_token(found, actor=agent.user, name=sent.text("name"))
        return saved.description, reverse("helpdesk:admin_api_token", args=[key])

    verb = "Deactivate" if found.active else "Activate"
    fields = (
        line("name", "Name", found.description, required=True),
        static("login", "Signs in as", found.account.login),
    )
    form = Form(
        ACTIVE,
        name_of(found) if found.active else f"{name_of(found)} (inactive)",
        reverse(f"helpdesk:{ACTIVE}"),
        (FormSection("", fields),),
        delete_url=None if found.active else reverse("helpdesk:admin_api_token_delete", args=[key]),
        links=(
            Action(
                verb, reverse("helpdesk:admin_api_token_switch", args=[key]), test_id="admin-switch"
            ),
        ),
    )
    return pages.ask(request, agent, form, write, record=found)


@admin_page
def switch(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a token shall prove nothing any more, or prove its owner again."""
    found = _token(key)
    verb = "Deactivate" if found.active else "Activate"
    back = reverse("helpdesk:admin_api_token", args=[key])
    consequence = (
        "Programs that use it are refused from now on."
        if found.active
        else "Programs that have it can sign in with it again."
    )
    question = ConfirmPage(
        ACTIVE, f"{verb} {name_of(found)}", consequence, back, back, name_of(found), verb, "saved"
    )
    return pages.ask_first(
        request,
        agent,
        question,
        lambda: domain.update_token(found, actor=agent.user, active=not found.active),
    )


@admin_page
def delete_token(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a token shall go, and let it go."""
    found = _token(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete {name_of(found)}",
        "It cannot be made active again.",
        reverse("helpdesk:admin_api_token", args=[key]),
        reverse(f"helpdesk:{ACTIVE}"),
        name_of(found),
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_token(found, actor=agent.user)
    )


def _tokens() -> QuerySet[Credential]:
    rows = Credential.objects.filter(kind=domain.KIND, account__clone="helpdesk")
    return rows.select_related("account")


def _token(key: int) -> Credential:
    return queries.one(_tokens(), "API token", key)


def name_of(token: Credential) -> str:
    """Return what a token is called: those that an account began with have no name."""
    return token.description or f"Token of {token.account.login}"


def _show_secret(request: SandboxRequest, agent: Agent, made: Credential) -> HttpResponse:
    row = request.sandbox
    context = {
        "text": secrets.mint(server().key, row.id, row.credential_epoch, domain.KIND, made.id),
        "label": f"API token {made.description}",
        "said": "Copy the token now: it is not shown again.",
    }
    form = Form(
        ACTIVE,
        "API token created",
        reverse(f"helpdesk:{ACTIVE}"),
        (),
        extra=context,
        template="helpdesk/admin/secret.html",
    )
    return pages.show_form(request, agent, form)
