"""What is done to a user beside changing properties: addresses, access, merging, deleting."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse

from clones.core import sightings
from clones.core.accounts import Presented, authenticate
from clones.core.models import Session
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import given_to, posted_lines, posted_text
from clones.helpdesk import queries
from clones.helpdesk.domain import organizations as organization_domain
from clones.helpdesk.domain import sessions, users
from clones.helpdesk.domain.errors import (
    AccessDenied,
    RecordInvalid,
)
from clones.helpdesk.domain.passwords import choose_password
from clones.helpdesk.domain.user_erasure import erase_user
from clones.helpdesk.domain.user_merging import merge_users
from clones.helpdesk.models import Identity, OrganizationMembership, User
from clones.helpdesk.web import labels, plain_pages, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.form_errors import attempt, attempt_on_found
from clones.helpdesk.web.lookups import is_key, organization_named, person_named
from clones.helpdesk.web.ticket_page import via_web
from clones.helpdesk.web.user_form import may_edit
from clones.helpdesk.web.user_page import may_see_security, show_user

# What comes back with a refusal; a password does not.
TYPED = ("type", "value", "organization", "organization_id")
Action = Callable[[SandboxRequest, Agent, User], None]


def _act(request: SandboxRequest, agent: Agent, key: int, tab: str, action: Action) -> HttpResponse:
    """Do something to a user and show the tab again, or show there why it was refused."""
    found = queries.user(key)
    address = reverse(f"helpdesk:{tab}", args=[key])
    if request.method != "POST":
        return shell.go(address)
    _, errors = attempt_on_found(lambda: action(request, agent, found))
    if errors is not None:
        typed = {name: posted_text(request, name, strip=False) for name in TYPED}
        return show_user(
            request,
            agent,
            queries.user(key),
            tab,
            failures=errors.sentences,
            typed=typed,
            status=422,
        )
    return shell.go(address, "user_saved")


@agent_page
def change_identities(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Add an address to a user, or do something to one."""
    return _act(request, agent, key, "user_identities", _change_identity)


def _change_identity(request: SandboxRequest, agent: Agent, found: User) -> None:
    post, actor = request.POST, agent.user
    if post.get("do") == "add":
        given = {"type": post.get("type", "email"), "value": post.get("value", "").strip()}
        if not given["value"]:
            raise RecordInvalid.of("value", "Value: cannot be blank", "BlankValue")
        users.create_identity(found, actor=actor, changes=given)
        return
    rows = Identity.objects.filter(user=found).select_related("user")
    identity = queries.one(rows, "identity", _number(post.get("identity", "")))
    doing = post.get("do")
    if doing == "primary":
        users.make_identity_primary(identity, actor=actor)
    elif doing == "verify":
        users.update_identity(identity, actor=actor, verified=True)
    elif doing == "remove":
        users.delete_identity(identity, actor=actor)


@agent_page
def change_organizations(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Put a user into an organization, take them out of one, or make one the default."""
    return _act(request, agent, key, "user_organizations", _change_organization)


def _change_organization(request: SandboxRequest, agent: Agent, found: User) -> None:
    post, actor = request.POST, agent.user
    if not may_edit(actor, found):
        raise AccessDenied("only admins change agents")
    if post.get("do") == "add":
        named = organization_named(post.get("organization", ""), post.get("organization_id", ""))
        if named is None:
            raise RecordInvalid.of("organization", "Organization: is invalid", "InvalidValue")
        organization_domain.add_organization_member(
            actor=actor, user_id=found.id, organization_id=named.id
        )
        return
    rows = OrganizationMembership.objects.filter(user=found).select_related("user", "organization")
    place = queries.one(rows, "membership", _number(post.get("membership", "")))
    if post.get("do") == "default":
        organization_domain.make_organization_default(place, actor=actor)
    elif post.get("do") == "remove":
        organization_domain.unassign_organization(place, actor=actor)


@agent_page
def change_security(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Sign a user out, or change one's own password."""
    if not may_see_security(agent.user, queries.user(key)):
        return shell.go(reverse("helpdesk:user", args=[key]))
    return _act(request, agent, key, "user_security", _change_security)


def _change_security(request: SandboxRequest, agent: Agent, found: User) -> None:
    doing = posted_text(request, "do")
    if doing == "password" and found.id == agent.user.id:
        _change_password(request)
    elif doing == "end_all":
        sessions.end_sessions([found], actor=agent.user)
    elif doing == "end":
        rows = sessions.sessions_of(found)
        session: Session = queries.one(rows, "session", _number(posted_text(request, "session")))
        sessions.end_one(session, found, actor=agent.user)


def _change_password(request: SandboxRequest) -> None:
    signed_in = request.authenticated
    if signed_in is None:
        return
    account = signed_in.account
    presented = Presented(
        posted_text(request, "previous_password", strip=False), account.login, ("password",)
    )
    if authenticate(presented, "helpdesk", request.sandbox) is None:
        raise RecordInvalid.of("previous_password", "Previous password: is wrong", "InvalidValue")
    choose_password(account, password=posted_text(request, "password", strip=False))


@agent_page
def change_access(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Suspend a user's access, or give it back."""
    return _act(request, agent, key, "user", _change_access)


def _change_access(request: SandboxRequest, agent: Agent, found: User) -> None:
    suspended = posted_text(request, "suspended") == "1"
    if suspended and found.id == agent.user.id:
        raise RecordInvalid.of("base", "You cannot suspend yourself")
    users.update_user(found, actor=agent.user, changes={"suspended": suspended})


@agent_page
def change_notes(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Keep what is noted of a customer beside a ticket, and show it there again."""
    found = queries.user(key)
    ticket = posted_text(request, "ticket")
    if request.method != "POST":
        return shell.go(reverse("helpdesk:user", args=[key]))
    notes = posted_lines(request, "notes")
    failures: list[str] = []
    if notes != (found.notes or ""):
        changes = {"notes": notes or None}
        _, errors = attempt(lambda: users.update_user(found, actor=agent.user, changes=changes))
        failures = errors.sentences if errors is not None else []
    if request.headers.get("HX-Request") or failures:
        context = {
            "user": found,
            "notes": notes,
            "ticket_id": ticket,
            "token": agent.token,
            "failures": failures,
            "saved": not failures,
            "notes_editable": True,
        }
        html = render_to_string("helpdesk/ticket/_customer_notes.html", context)
        # A browser swaps only what is answered with success in.
        status = 200 if request.headers.get("HX-Request") else 422
        return plain_pages.secured(HttpResponse(html, status=status))
    if is_key(ticket):
        return shell.go(reverse("helpdesk:ticket", args=[int(ticket)]), "user_saved")
    return shell.go(reverse("helpdesk:user", args=[key]), "user_saved")


@agent_page
def delete(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether to delete a user, or do it."""
    found = _editable(agent, key)
    failures: list[str] = []
    if request.method == "POST":
        _, errors = attempt(lambda: users.deactivate_user(found, actor=agent.user))
        if errors is None:
            return shell.go(reverse("helpdesk:user", args=[key]), "user_deleted")
        failures = errors.sentences
    return _confirm(request, agent, found, "Delete", failures)


@agent_page
def erase(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether to erase a deleted user for good, or do it."""
    found = queries.user(key)
    if agent.user.role != "admin":
        raise AccessDenied("only admins erase users")
    failures: list[str] = []
    if request.method == "POST":
        _, errors = attempt(lambda: erase_user(found, actor=agent.user))
        if errors is None:
            return shell.go(reverse("helpdesk:user", args=[key]), "user_erased")
        failures = errors.sentences
    return _confirm(request, agent, found, "Permanently delete", failures)


def _editable(agent: Agent, key: int) -> User:
    """Return a user whom the agent may change.

    Raises:
        AccessDenied: it is another agent, or somebody who is deleted.
        RecordNotFound: there is none.
    """
    found = queries.user(key)
    if not may_edit(agent.user, found):
        raise AccessDenied("only admins change agents")
    return found


def _confirm(
    request: SandboxRequest, agent: Agent, found: User, word: str, failures: list[str]
) -> HttpResponse:
    sightings.note(found, "detail")
    related = queries.user_related(found, agent.user)
    context = {
        "user": found,
        "word": word,
        "erasing": word != "Delete",
        "requested": related["requested_tickets"],
        "assigned": related["assigned_tickets"],
        "failures": failures,
    }
    return shell.page(
        request,
        agent,
        "helpdesk/user_delete.html",
        context,
        title=f"{word} {found.name}",
        active="customers",
        status=422 if failures else 200,
    )


@agent_page
def merge(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Choose whom to merge a user into, confirm it, do it."""
    found = _editable(agent, key)
    given = given_to(request)
    text, failures = given.get("into", ""), list[str]()
    winner = person_named(text, given.get("into_id", "")) if text else None
    if text and winner is None:
        failures = ["User: nobody has that name or address"]
    if request.method == "POST" and winner is not None:
        into, via = winner, via_web(request)
        _, errors = attempt(lambda: merge_users(found, into, actor=agent.user, via=via))
        if errors is None:
            return shell.go(reverse("helpdesk:user", args=[winner.id]), "user_merged")
        failures = errors.sentences
    for user in (found, winner):
        if user is not None:
            sightings.note(user, "detail")
    context = {
        "user": found,
        "winner": winner,
        "sides": [
            (title, user, labels.initials(user.name), labels.hue(user.id), _addresses(user))
            for title, user in (("This user goes", found), ("This user stays", winner))
            if user is not None
        ],
        "into": text,
        "failures": failures,
    }
    return shell.page(
        request,
        agent,
        "helpdesk/user_merge.html",
        context,
        title=f"Merge {found.name}",
        active="customers",
        status=422 if failures else 200,
    )


def _addresses(user: User) -> list[str]:
    rows = Identity.objects.filter(user=user).order_by("-primary", "id")
    return list(rows.values_list("value", flat=True))


def _number(text: str) -> int:
    return int(text) if is_key(text) else 0
