"""Webhooks, what they sent, and their signing secrets."""

from __future__ import annotations

from typing import Any

from pydantic import AwareDatetime, Field

from clones.core import resources
from clones.core.models import Delivery
from clones.core.operations import Call, Reply
from clones.core.webhooks.messages import NoAnswer
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    Query,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, Page, paginate
from clones.helpdesk.api.presenters.webhooks import (
    present_attempt,
    present_invocation,
    present_webhook,
)
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.domain import deliveries, webhooks
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter
from clones.helpdesk.models import Webhook
from clones.helpdesk.queries import webhooks as queries

SORTED_BY = ("name", "status", "created_at")
STATUSES = {"success": Delivery.SUCCESS, "failed": Delivery.FAILED, "retrying": Delivery.WAITING}


class WebhookList(PagedQuery):
    """Filters, order and paging of the list of webhooks."""

    name_contains: str | None = Field(None, alias="filter[name_contains]")
    status: str | None = Field(None, alias="filter[status]", description="active or inactive")
    sort: str | None = Field(None, description="name, status or created_at, or -name...")


class AuthenticationWrite(Body):
    """The authentication of a webhook: what it sends to prove itself to its endpoint."""

    type: str = Field(description="basic_auth, bearer_token or api_key")
    data: dict[str, str] | None = Field(
        None, description="username and password, or token, or name and value."
    )
    add_position: str = "header"


class WebhookWrite(Body):
    """The attributes of a webhook that can be set."""

    name: str | None = None
    description: str | None = None
    status: str | None = Field(None, description="active or inactive")
    endpoint: str | None = None
    http_method: str | None = Field(None, description="GET, POST, PUT, PATCH or DELETE")
    request_format: str | None = Field(None, description="json, xml or form_encoded")
    subscriptions: list[str] | None = Field(
        None, description="conditional_ticket_events, for triggers and automations, or events."
    )
    authentication: AuthenticationWrite | None = None
    custom_headers: dict[str, str] | None = None


class WebhookBody(Body):
    """A webhook to create or update."""

    webhook: WebhookWrite | None = None


class CloneQuery(Query):
    """The id of the webhook that a new one copies."""

    clone_webhook_id: str | None = None


class RequestWrite(WebhookWrite):
    """A request to test a webhook with: endpoint, method, format, payload."""

    payload: str | None = None


class RequestBody(Body):
    """A request to test a webhook with, or changes to the webhook's own."""

    request: RequestWrite | None = None


class TestQuery(Query):
    """The id of the webhook to test."""

    webhook_id: str | None = None


class InvocationList(PagedQuery):
    """Filters, order and paging of a webhook's invocations."""

    from_ts: AwareDatetime | None = Field(None, alias="filter[from_ts]")
    to_ts: AwareDatetime | None = Field(None, alias="filter[to_ts]")
    status: str | None = Field(None, alias="filter[status]", description="success or failed")
    sort: str | None = Field(None, description="latest_completed_at, or -latest_completed_at")


def _webhook(call: Call) -> Webhook:
    return queries.webhook(call.path["webhook_id"])


def _changes(body: WebhookWrite) -> dict[str, Any]:
    known = set(WebhookWrite.model_fields)
    return body.model_dump(include=body.model_fields_set & known)


def _given(webhook: WebhookWrite | None) -> dict[str, Any]:
    if webhook is None:
        raise MissingParameter("webhook")
    return _changes(webhook)


def _list(call: Call) -> dict[str, Any]:
    """List webhooks, in pages by cursor."""
    rows = Webhook.objects.all()
    if call.query.name_contains:
        rows = rows.filter(name__icontains=call.query.name_contains)
    if call.query.status:
        rows = rows.filter(status=call.query.status)
    wanted = call.query.sort or "created_at"
    order = Order((wanted if wanted.lstrip("-") in SORTED_BY else "created_at", "id"))
    page = paginate(rows, list_request(call), order, offset=False)
    return listed("webhooks", [present_webhook(item, show(call)) for item in page.rows], page)


def _create(call: Call) -> dict[str, Any]:
    """Create a webhook, or a copy of the one that `clone_webhook_id` names."""
    template = None
    changes: dict[str, Any] = {}
    if call.query.clone_webhook_id:
        template = queries.webhook(call.query.clone_webhook_id)
    if template is None or call.body.webhook is not None:
        changes = _given(call.body.webhook)
    made = webhooks.create_webhook(actor=call.actor, changes=changes, template=template)
    return {"webhook": present_webhook(made, show(call, "detail"), new=True)}


def _replace(call: Call) -> None:
    """Replace a webhook's values."""
    webhooks.replace_webhook(_webhook(call), actor=call.actor, changes=_given(call.body.webhook))


register_resource(
    resources.ResourceApi(
        resource=webhooks.WEBHOOK,
        path="/webhooks",
        one="/{webhook_id}",
        find=queries.webhook,
        present=present_webhook,
        body=WebhookBody,
        values=_given,
        reads="admin",
    ),
    resources.lists("ListWebhooks", "List webhooks.", query=WebhookList, view=_list),
    resources.creates(
        "CreateOrCloneWebhook", "Create a webhook, or copy one.", query=CloneQuery, view=_create
    ),
    resources.shows("ShowWebhook", "Show one webhook."),
    resources.updates("UpdateWebhook", "Replace a webhook.", status=204, view=_replace),
    resources.updates("PatchWebhook", "Change a webhook.", method="PATCH", status=204),
    resources.deletes("DeleteWebhook", "Delete a webhook."),
    module=__name__,
)


@OPERATIONS.operation(
    "TestWebhook",
    "POST",
    "/webhooks/test",
    summary="Send a request as a webhook would, and show the answer.",
    query=TestQuery,
    body=RequestBody,
    access="admin",
)
def test_webhook(call: Call) -> dict[str, Any]:
    """Send a request of a webhook, or one that is given, and answer with what came back."""
    given, key = call.body.request, call.query.webhook_id
    if given is None and not key:
        raise MissingParameter("request")
    tried = webhooks.webhook_to_try(
        queries.webhook(key) if key else None, _changes(given) if given is not None else {}
    )
    payload = given.payload if given is not None else None
    outcome = deliveries.try_webhook(tried, payload, sandbox=call.request.sandbox.id)
    if isinstance(outcome, NoAnswer):
        status = 504 if outcome.timed_out else 503
        return _response(status, [], outcome.reason)
    headers = [{"key": name, "value": value} for name, value in outcome.headers]
    return _response(outcome.status, headers, outcome.body)


def _response(status: int, headers: list[dict[str, str]], payload: str) -> dict[str, Any]:
    return {"response": {"status_code": status, "headers": headers, "payload": payload}}


@OPERATIONS.operation(
    "ListWebhookInvocations",
    "GET",
    "/webhooks/{webhook_id}/invocations",
    summary="List what a webhook sent in the last week, newest first.",
    query=InvocationList,
    access="admin",
)
def list_invocations(call: Call) -> dict[str, Any]:
    """List a webhook's invocations."""
    status = call.query.status
    if status is not None and status not in STATUSES:
        raise InvalidAttribute("filter[status]", "success or failed")
    rows = queries.invocations_of(
        _webhook(call),
        status=STATUSES[status] if status is not None else None,
        start=call.query.from_ts,
        end=call.query.to_ts,
    )
    rising = call.query.sort == "latest_completed_at"
    order = Order(("completed_at", "id") if rising else ("-completed_at", "-id"))
    page = paginate(rows, list_request(call), order, offset=False)
    return listed(
        "invocations", [present_invocation(item) for item in page.rows], _only_forward(page)
    )


@OPERATIONS.operation(
    "ListWebhookInvocationAttempts",
    "GET",
    "/webhooks/{webhook_id}/invocations/{invocation_id}/attempts",
    summary="List the attempts of one invocation: what was sent and answered.",
    query=PagedQuery,
    access="admin",
)
def list_attempts(call: Call) -> dict[str, Any]:
    """List an invocation's attempts, in order."""
    rows = queries.attempts_of(_webhook(call), call.path["invocation_id"])
    page = paginate(rows, list_request(call), Order(("number", "id")), offset=False)
    return listed("attempts", [present_attempt(item) for item in page.rows], _only_forward(page))


def _only_forward(page: Page) -> Page:
    """Return the page without what leads back: the service has none here."""
    meta, links = page.around["meta"], page.around["links"]
    more = meta["has_more"]
    around = {
        "meta": {"has_more": more, "after_cursor": meta["after_cursor"]},
        "links": {"next": links["next"] if more else None},
    }
    return Page(page.rows, around)


def _secret(call: Call, webhook: Webhook) -> dict[str, Any]:
    secret = deliveries.secret_of(webhook, call.request.sandbox.id)
    return {"signing_secret": {"algorithm": "SHA256", "secret": secret}}


@OPERATIONS.operation(
    "ShowWebhookSigningSecret",
    "GET",
    "/webhooks/{webhook_id}/signing_secret",
    summary="Show the secret that a webhook signs with.",
    access="admin",
)
def show_signing_secret(call: Call) -> dict[str, Any]:
    """Show a webhook's signing secret."""
    return _secret(call, _webhook(call))


@OPERATIONS.operation(
    "ResetWebhookSigningSecret",
    "POST",
    "/webhooks/{webhook_id}/signing_secret",
    summary="Give a webhook another secret to sign with.",
    access="admin",
    status=201,
)
def reset_signing_secret(call: Call) -> Reply:
    """Reset a webhook's signing secret."""
    webhook = webhooks.reset_signing_secret(_webhook(call), actor=call.actor)
    return Reply(_secret(call, webhook), 201)
