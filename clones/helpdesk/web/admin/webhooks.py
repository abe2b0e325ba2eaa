"""Admin Center's webhooks: where the desk sends word, what it sent, and how it signs."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.models import Delivery
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, SearchForm, linked_row
from clones.helpdesk.domain import deliveries
from clones.helpdesk.domain import webhooks as domain
from clones.helpdesk.models import Webhook
from clones.helpdesk.queries import webhooks as queries
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages, webhook_form
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import ConfirmPage, Form
from clones.helpdesk.web.times import Times

ACTIVE = "admin_webhooks"
STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))
ENDS = {
    Delivery.SUCCESS: "Success",
    Delivery.FAILED: "Failed",
    Delivery.WAITING: "Retrying",
    Delivery.PENDING: "Retrying",
}


@admin_page
def webhooks(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the webhooks."""
    state = keys.filter_of(request, "status", "Status", STATES)
    rows = Webhook.objects.all()
    rows = pages.searched(request, rows, "name")
    if state.value:
        rows = rows.filter(status=state.value)
    listing = ListPage(
        "Webhooks",
        ACTIVE,
        [Panel(("Name", "Endpoint", "Connection", "Status"), empty="No webhooks.")],
        acts=[pages.creating("Create webhook", reverse("helpdesk:admin_webhook_new"))],
        search=pages.search(request, state),
    )
    return pages.show_list(request, agent, listing, rows.order_by("name", "id"), _line)


@admin_page
def webhook(request: SandboxRequest, agent: Agent, key: str | None = None) -> HttpResponse:
    """Show the form of a webhook, or of a new one, or take it."""
    found = queries.webhook(key) if key is not None else None

    def write(sent: PageForm) -> WriteResult:
        changes = webhook_form.changes_of(sent, found)
        saved = (
            domain.create_webhook(actor=agent.user, changes=changes)
            if found is None
            else domain.update_webhook(found, actor=agent.user, changes=changes)
        )
        return saved.name, reverse("helpdesk:admin_webhook", args=[saved.id])

    return pages.ask(request, agent, _form(found), write, record=found, names=webhook_form.INPUTS)


@admin_page
def delete_webhook(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Ask whether a webhook shall go, and let it go."""
    found = queries.webhook(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete webhook {found.name}",
        "Triggers and automations that notify it no longer do.",
        reverse("helpdesk:admin_webhook", args=[key]),
        reverse("helpdesk:admin_webhooks"),
        found.name,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_webhook(found, actor=agent.user)
    )


@admin_page
def secret(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Show the secret that a webhook signs with."""
    found = queries.webhook(key)
    sightings.note(found, "detail")
    context = {
        "text": deliveries.secret_of(found, request.sandbox.id),
        "label": f"Signing secret of {found.name}",
        "said": "Requests are signed with it: HMAC of SHA-256 over the time and the body.",
    }
    form = Form(
        ACTIVE,
        "Signing secret",
        reverse("helpdesk:admin_webhook", args=[key]),
        (),
        extra=context,
        template="helpdesk/admin/secret.html",
    )
    return pages.show_form(request, agent, form)


@admin_page
def reset_secret(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Ask whether a webhook shall sign with another secret, and make it one."""
    found = queries.webhook(key)
    question = ConfirmPage(
        ACTIVE,
        f"Reset the signing secret of {found.name}",
        "The endpoint must know the new secret: the old one signs nothing any more.",
        reverse("helpdesk:admin_webhook", args=[key]),
        reverse("helpdesk:admin_webhook_secret", args=[key]),
        "Signing secret",
        "Reset",
        "saved",
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.reset_signing_secret(found, actor=agent.user)
    )


@admin_page
def invocations(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """List what a webhook sent in the last week, newest first."""
    found = queries.webhook(key)
    state = keys.filter_of(
        request,
        "status",
        "Status",
        [("", "Any status"), ("success", "Success"), ("failed", "Failed")],
    )
    rows = queries.invocations_of(found, status=str(state.value) or None)
    listing = ListPage(
        f"Activity of {found.name}",
        ACTIVE,
        [
            Panel(
                ("Invocation", "Event", "Status", "Code", "Attempts", "Completed"),
                empty="Nothing was sent in the last week.",
            )
        ],
        acts=[
            Action(
                "Back to webhook",
                reverse("helpdesk:admin_webhook", args=[key]),
                test_id="admin-back",
            )
        ],
        search=SearchForm("", "", [state]),
    )
    times = Times(agent.user)
    return pages.show_list(
        request,
        agent,
        listing,
        rows.order_by("-completed_at", "-id"),
        lambda found: _invocation_line(found, times),
    )


@admin_page
def attempts(request: SandboxRequest, agent: Agent, key: str, invocation: str) -> HttpResponse:
    """Show the attempts of one invocation: what was sent, and what was answered."""
    found = queries.webhook(key)
    rows = list(queries.attempts_of(found, invocation).order_by("number", "id"))
    for row in rows:
        sightings.note(row, "list")
    form = Form(
        ACTIVE,
        f"Invocation {invocation}",
        reverse("helpdesk:admin_webhook_invocations", args=[key]),
        (),
        extra={"attempts": rows},
        template="helpdesk/admin/attempts.html",
    )
    return pages.show_form(request, agent, form)


def _line(found: Webhook) -> ListRow:
    return linked_row(
        reverse("helpdesk:admin_webhook", args=[found.id]),
        found.name,
        found.endpoint,
        webhook_form.connection_label(found.subscriptions),
        found.status.capitalize(),
    )


def _invocation_line(found: Delivery, times: Times) -> ListRow:
    done = times.maybe(found.completed_at)
    return linked_row(
        reverse("helpdesk:admin_webhook_attempts", args=[found.webhook, found.id]),
        found.id,
        found.event,
        ENDS[found.status],
        str(found.response_status or 0),
        str(found.attempts),
        done.full if done is not None else "-",
    )


def _form(found: Webhook | None) -> Form:
    links: tuple[Action, ...] = ()
    if found is not None:
        places = {
            "Activity": "invocations",
            "Reveal signing secret": "secret",
            "Reset signing secret": "secret_reset",
        }
        links = tuple(
            Action(
                label,
                reverse(f"helpdesk:admin_webhook_{name}", args=[found.id]),
                test_id=f"admin-webhook-{name.replace('_', '-')}",
            )
            for label, name in places.items()
        )
    return Form(
        ACTIVE,
        found.name if found is not None else "New webhook",
        reverse("helpdesk:admin_webhooks"),
        webhook_form.parts(found),
        delete_url=reverse("helpdesk:admin_webhook_delete", args=[found.id])
        if found is not None
        else None,
        submit_label="Save" if found is not None else "Create webhook",
        links=links,
    )
