"""Admin Center's OAuth clients: programs that may act for people, and their tokens."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpResponse, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain import oauth as domain
from clones.helpdesk.models import OAuthClient, OAuthToken
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import Form, Line, Link, Listing, Part, Question
from clones.helpdesk.web.properties import Complaints

ACTIVE = "admin_oauth_clients"
KINDS = (("confidential", "Confidential"), ("public", "Public"))
TEXTS = ("name", "identifier", "description", "company")


@admin_page
def clients(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the programs."""
    rows = OAuthClient.objects.annotate(held=Count("tokens"))
    text = pages.search_text(request)
    if text:
        rows = rows.filter(name__icontains=text)
    listing = Listing(
        ACTIVE,
        "OAuth clients",
        ("Name", "Identifier", "Kind", "Tokens"),
        create=Link("Add OAuth client", reverse("helpdesk:admin_oauth_client_new"), "admin-create"),
        empty="No OAuth clients.",
    )
    return pages.show_list(request, agent, listing, rows.order_by("name", "id"), _line)


@admin_page
def client(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a program, or of a new one, or take it; a new one's secret follows."""
    found = _client(key) if key is not None else None
    if request.method != "POST":
        return _form(request, agent, found, _values(found))
    values = _sent(request.POST)
    saved, complaints = pages.attempt(
        lambda: (
            domain.create_client(actor=agent.user, changes=values)
            if found is None
            else domain.update_client(found, actor=agent.user, changes=values)
        )
    )
    if saved is None:
        again = _client(key) if key is not None else None
        return _form(request, agent, again, values, complaints)
    if found is None:
        return _show_secret(request, agent, saved)
    return shell.go(reverse("helpdesk:admin_oauth_client", args=[key]), "saved", saved.name)


@admin_page
def renew_secret(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a program shall have another secret, and show it."""
    found = _client(key)
    if request.method == "POST":
        return _show_secret(request, agent, domain.renew_secret(found, actor=agent.user))
    back = reverse("helpdesk:admin_oauth_client", args=[key])
    question = Question(
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
    question = Question(
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
    question = Question(
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


def _line(found: OAuthClient) -> Line:
    return Line(
        reverse("helpdesk:admin_oauth_client", args=[found.id]),
        (found.name, found.identifier, found.kind.capitalize(), str(getattr(found, "held", 0))),
    )


def _values(found: OAuthClient | None) -> dict[str, Any]:
    shown = found or OAuthClient()
    texts = {name: getattr(shown, name) for name in (*TEXTS, "kind")}
    return {**texts, "redirect_uri": "\n".join(shown.redirect_uris)}


def _sent(post: QueryDict) -> dict[str, Any]:
    values: dict[str, Any] = {name: post.get(name, "") for name in (*TEXTS, "kind", "redirect_uri")}
    for name in ("description", "company"):
        values[name] = values[name] or None
    return values


def _form(
    request: SandboxRequest,
    agent: Agent,
    found: OAuthClient | None,
    values: dict[str, Any],
    complaints: Complaints | None = None,
) -> HttpResponse:
    def text(name: str, label: str, *, kind: str = "text", required: bool = False) -> Any:
        return forms.field(
            name, label, values[name], kind=kind, required=required, complaints=complaints
        )

    fields = (
        text("name", "Client name", required=True),
        text("description", "Description", kind="textarea"),
        text("company", "Company"),
        text("identifier", "Unique identifier", required=True),
        forms.select("kind", "Client kind", values["kind"], KINDS, complaints=complaints),
        text("redirect_uri", "Redirect URLs", kind="textarea"),
    )
    form = Form(
        ACTIVE,
        found.name if found is not None else "New OAuth client",
        reverse(f"helpdesk:{ACTIVE}"),
        (Part("", fields),),
        submit_label="Save" if found is not None else "Create client",
    )
    if found is None:
        return pages.show_form(request, agent, form, complaints)
    sightings.note(found, "detail")
    return pages.show_form(request, agent, _with_tokens(form, found), complaints)


def _with_tokens(form: Form, found: OAuthClient) -> Form:
    rows = OAuthToken.objects.filter(client=found).select_related("user").order_by("id")
    tokens = []
    for row in rows:
        sightings.note(row, "list")
        address = reverse("helpdesk:admin_oauth_token_revoke", args=[found.id, row.id])
        scopes = " ".join(row.scopes)
        cells = (f"Revoke {row.id}", row.user.name, scopes, f"{row.created_at:%Y-%m-%d}")
        tokens.append(Line(address, cells))
    place = [found.id]
    secret = reverse("helpdesk:admin_oauth_client_secret", args=place)
    return Form(
        form.active,
        form.title,
        form.back,
        form.parts,
        delete_url=reverse("helpdesk:admin_oauth_client_delete", args=place),
        submit_label=form.submit_label,
        links=(Link("Generate new secret", secret, "admin-oauth-secret"),),
        extra={
            "below": tokens,
            "below_title": "Tokens",
            "below_headings": ("Token", "Acts for", "Scopes", "Created"),
        },
        template="helpdesk/admin/record_with_list.html",
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
