"""Admin Center's OAuth clients: programs that may act for people, and their tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Count
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import oauth as domain
from clones.helpdesk.models import OAuthClient, OAuthToken
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import area, line, select
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.times import Times

ACTIVE = "admin_oauth_clients"
KINDS = (("confidential", "Confidential"), ("public", "Public"))
TEXTS = ("name", "identifier", "description", "company")


@admin_page
def clients(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the programs."""
    rows = OAuthClient.objects.annotate(held=Count("tokens"))
    rows = pages.searched(request, rows, "name")
    listing = ListPage(
        "OAuth clients",
        ACTIVE,
        [Panel(("Name", "Identifier", "Kind", "Tokens"), empty="No OAuth clients.")],
        acts=[pages.creating("Add OAuth client", reverse("helpdesk:admin_oauth_client_new"))],
        search=pages.search(request),
    )
    return pages.show_list(request, agent, listing, rows.order_by("name", "id"), _line)


@admin_page
def client(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a program, or of a new one, or take it; a new one's secret follows."""
    found = _client(key) if key is not None else None

    def write(sent: PageForm) -> WriteResult:
        changes: dict[str, Any] = {
            name: sent.text(name) for name in (*TEXTS, "kind", "redirect_uri")
        }
        for name in ("description", "company"):
            changes[name] = changes[name] or None
        if found is None:
            made = domain.create_client(actor=agent.user, changes=changes)
            return _show_secret(request, agent, made)
        saved = domain.update_client(found, actor=agent.user, changes=changes)
        return saved.name, reverse("helpdesk:admin_oauth_client", args=[key])

    form = _form(found) if found is None else _with_tokens(_form(found), found, Times(agent.user))
    return pages.ask(request, agent, form, write, record=found)


@admin_page
def renew_secret(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a program shall have another secret, and show it."""
    found = _client(key)
    if request.method == "POST":
        return _show_secret(request, agent, domain.renew_secret(found, actor=agent.user))
    back = reverse("helpdesk:admin_oauth_client", args=[key])
    question = ConfirmPage(
        ACTIVE,
        f"Generate a new secret for {found.name}",
        "The old one is worth nothing any more. Tokens stay.",
        back,
        back,
        found.name,
        "Generate secret",
    )
    return pages.ask_first(request, agent, question, lambda: None)


@admin_page
def delete_client(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a program shall be forgotten, and forget it."""
    found = _client(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete OAuth client {found.name}",
        "Its tokens prove nothing any more.",
        reverse("helpdesk:admin_oauth_client", args=[key]),
        reverse(f"helpdesk:{ACTIVE}"),
        found.name,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_client(found, actor=agent.user)
    )


@admin_page
def revoke_token(request: SandboxRequest, agent: Agent, key: int, token: int) -> HttpResponse:
    """Ask whether a token shall end, and end it."""
    found = queries.one(OAuthToken.objects.filter(client_id=key), "token", token)
    back = reverse("helpdesk:admin_oauth_client", args=[key])
    question = ConfirmPage(
        ACTIVE,
        f"Revoke token {token}",
        "The program can no longer use it.",
        back,
        back,
        f"Token {token}",
        "Revoke",
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.revoke_token(found, actor=agent.user)
    )


def _client(key: int) -> OAuthClient:
    return queries.one(OAuthClient.objects.all(), "client", key)


def _line(found: OAuthClient) -> ListRow:
    return linked_row(
        reverse("helpdesk:admin_oauth_client", args=[found.id]),
        found.name,
        found.identifier,
        found.kind.capitalize(),
        str(getattr(found, "held", 0)),
    )


def _form(found: OAuthClient | None) -> Form:
    shown = found or OAuthClient()
    fields = (
        line("name", "Client name", shown.name, required=True),
        area("description", "Description", shown.description),
        line("company", "Company", shown.company),
        line("identifier", "Unique identifier", shown.identifier, required=True),
        select("kind", "Client kind", shown.kind, KINDS),
        area("redirect_uri", "Redirect URLs", "\n".join(shown.redirect_uris)),
    )
    return Form(
        ACTIVE,
        found.name if found is not None else "New OAuth client",
        reverse(f"helpdesk:{ACTIVE}"),
        (FormSection("", fields),),
        submit_label="Save" if found is not None else "Create client",
    )


def _with_tokens(form: Form, found: OAuthClient, times: Times) -> Form:
    rows = OAuthToken.objects.filter(client=found).select_related("user").order_by("id")
    tokens = []
    for row in rows:
        address = reverse("helpdesk:admin_oauth_token_revoke", args=[found.id, row.id])
        scopes = " ".join(row.scopes)
        cells = (f"Revoke {row.id}", row.user.name, scopes, f"{times.day(row.created_at):%Y-%m-%d}")
        tokens.append(linked_row(address, *cells, record=row))
    place = [found.id]
    secret = reverse("helpdesk:admin_oauth_client_secret", args=place)
    return replace(
        form,
        delete_url=reverse("helpdesk:admin_oauth_client_delete", args=place),
        links=(Action("Generate new secret", secret, test_id="admin-oauth-secret"),),
        below=Panel(
            ("Token", "Acts for", "Scopes", "Created"), tokens, "Tokens", empty="None yet."
        ),
    )


def _show_secret(request: SandboxRequest, agent: Agent, found: OAuthClient) -> HttpResponse:
    context = {
        "text": domain.secret_of(found, request.sandbox.id),
        "label": f"Secret of {found.name}",
        "said": "Copy the secret now: it is not shown whole again.",
    }
    form = Form(
        ACTIVE,
        "Client secret",
        reverse("helpdesk:admin_oauth_client", args=[found.id]),
        (),
        extra=context,
        template="helpdesk/admin/secret.html",
    )
    return pages.show_form(request, agent, form)
