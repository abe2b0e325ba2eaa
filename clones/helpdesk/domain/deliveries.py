"""What webhooks are told: by rules about tickets, and of events they subscribed to."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from clones.core import clock, ids, randomness
from clones.core.models import Delivery
from clones.core.webhooks import deliverers, outbox
from clones.core.webhooks.messages import Header, Outcome, Outgoing, compact
from clones.core.webhooks.senders import sender
from clones.core.webhooks.signatures import hmac_sha256, signing_secret
from clones.helpdesk.domain.audits import Event
from clones.helpdesk.domain.notifications import placeholder_values
from clones.helpdesk.domain.values import ACCOUNT_ID
from clones.helpdesk.models import Organization, Ticket, User, Webhook
from clones.helpdesk.queries.hot import ACTIVE_WEBHOOKS, WEBHOOK
from clones.helpdesk.rules import webhooks as rules
from clones.helpdesk.rules.actions import Call
from clones.helpdesk.rules.placeholders import names_in

EVENT_VERSION = "2022-06-20"
TICKET_EVENT_VERSION = "2022-11-06"


def call_webhook(
    ticket: Ticket, call: Call, *, via: dict[str, Any], actor: User | None
) -> Event | None:
    """Owe a rule's request to its webhook and return the event that records it.

    None if there is no such webhook, it is inactive, or is not meant for rules: nothing is owed.
    """
    webhook = WEBHOOK.first(call.webhook)
    if (
        webhook is None
        or webhook.status != "active"
        or rules.CONDITIONAL not in webhook.subscriptions
    ):
        return None
    wanted = names_in(rules.names_of(call.content))
    url, body = rules.content(
        method=webhook.http_method,
        request_format=webhook.request_format,
        endpoint=webhook.endpoint,
        given=call.content,
        values=placeholder_values(ticket, actor=actor, wanted=wanted),
    )
    _owe(webhook, rules.CONDITIONAL, url, body)
    return "External", {
        "via": via,
        "resource": webhook.id,
        "body": rules.names_of(call.content),
    }


def tell_of_ticket(name: str, ticket: Ticket, *, actor: User | None) -> None:
    """Owe an event about a ticket to the webhooks that subscribed to it."""
    _tell(
        f"ticket.{name}",
        "ticket",
        ticket.id,
        TICKET_EVENT_VERSION,
        lambda: {
            "actor_id": _text(actor.id if actor is not None else None),
            "assignee_id": _text(ticket.assignee_id),
            "brand_id": _text(ticket.brand_id),
            "created_at": _time(ticket.created_at),
            "custom_status": _text(ticket.custom_status_id),
            "description": ticket.description,
            "external_id": ticket.external_id,
            "form_id": _text(ticket.ticket_form_id),
            "group_id": _text(ticket.group_id),
            "id": str(ticket.id),
            "is_public": ticket.is_public,
            "organization_id": _text(ticket.organization_id),
            "priority": (ticket.priority or "").upper() or None,
            "requester_id": str(ticket.requester_id),
            "status": ticket.status.upper(),
            "subject": ticket.subject,
            "submitter_id": _text(ticket.submitter_id),
            "tags": list(ticket.tags),
            "type": (ticket.type or "").upper() or None,
            "updated_at": _time(ticket.updated_at),
            "via": {"channel": ticket.via.get("channel", "api")},
        },
    )


def tell_of_user(name: str, user: User) -> None:
    """Owe an event about a user to the webhooks that subscribed to it."""
    _tell(
        f"user.{name}",
        "user",
        user.id,
        EVENT_VERSION,
        lambda: {
            "created_at": _time(user.created_at),
            "email": user.email or "",
            "external_id": user.external_id or "",
            "default_group_id": str(user.default_group_id or 0),
            "id": str(user.id),
            "organization_id": str(user.organization_id or 0),
            "role": user.role,
            "updated_at": _time(user.updated_at),
        },
    )


def tell_of_organization(name: str, organization: Organization) -> None:
    """Owe an event about an organization to the webhooks that subscribed to it."""
    _tell(
        f"organization.{name}",
        "organization",
        organization.id,
        EVENT_VERSION,
        lambda: {
            "created_at": _time(organization.created_at),
            "external_id": organization.external_id or "",
            "group_id": str(organization.group_id or 0),
            "id": str(organization.id),
            "name": organization.name,
            "shared_comments": organization.shared_comments,
            "shared_tickets": organization.shared_tickets,
            "updated_at": _time(organization.updated_at),
        },
    )


def _tell(
    name: str, kind: str, key: int, version: str, detail: Callable[[], dict[str, Any]]
) -> None:
    event = f"zen:event-type:{name}"
    told = [webhook for webhook in ACTIVE_WEBHOOKS.all() if event in webhook.subscriptions]
    if not told:
        return
    bits = randomness.stream("helpdesk.events").getrandbits(128)
    body = {
        "type": event,
        "account_id": ACCOUNT_ID,
        "id": str(uuid.UUID(int=bits, version=4)),
        "time": _time(clock.now()),
        "zendesk_event_version": version,
        "subject": f"zen:{kind}:{key}",
        "detail": detail(),
        "event": {},
    }
    text = compact(body)
    for webhook in told:
        _owe(webhook, event, webhook.endpoint, text)


def try_webhook(webhook: Webhook, payload: str | None, *, sandbox: str) -> Outcome:
    """Send a webhook's request at once, as it stands in memory, and return what came of it.

    It is no invocation: nothing is kept, and it is not tried again.
    """
    url, body = rules.content(
        method=webhook.http_method,
        request_format=webhook.request_format,
        endpoint=webhook.endpoint,
        given=payload,
        values={},
    )
    headers = [Header(name, value) for name, value in _own_headers(webhook, body)]
    added = _headers_of(webhook, ids.next_ulid(Delivery), body, sandbox, clock.now())
    request = Outgoing(webhook.http_method, url, (*headers, *added), body.encode("utf-8"))
    return sender().ask(request)


def _own_headers(webhook: Webhook, body: str) -> list[list[str]]:
    headers = [["Content-Type", rules.CONTENT_TYPES[webhook.request_format]]] if body else []
    return headers + [[name, value] for name, value in (webhook.custom_headers or {}).items()]


def _owe(webhook: Webhook, event: str, url: str, body: str) -> None:
    outbox.owe(
        clone="helpdesk",
        webhook=webhook.id,
        event=event,
        method=webhook.http_method,
        url=url,
        headers=_own_headers(webhook, body),
        body=body,
    )


def secret_of(webhook: Webhook, sandbox: str) -> str:
    """Return a webhook's signing secret in a sandbox."""
    return signing_secret(sandbox, "helpdesk", webhook.id, webhook.signing_revision)


def _added_headers(delivery: Delivery, sandbox: str, moment: datetime) -> tuple[Header, ...] | None:
    """Return credentials, signature and identifiers; None if the webhook is gone."""
    webhook = WEBHOOK.first(delivery.webhook)
    if webhook is None:
        return None
    return _headers_of(webhook, delivery.id, delivery.body, sandbox, moment)


def _headers_of(
    webhook: Webhook, invocation: str, body: str, sandbox: str, moment: datetime
) -> tuple[Header, ...]:
    stamp = _time(moment)
    signed = stamp.encode() + body.encode("utf-8")
    return (
        *_credentials(webhook.authentication),
        Header("User-Agent", "Zendesk Webhook"),
        Header("X-Zendesk-Account-Id", str(ACCOUNT_ID)),
        Header("X-Zendesk-Webhook-Id", webhook.id),
        Header("X-Zendesk-Webhook-Invocation-Id", invocation),
        Header("X-Zendesk-Webhook-Signature", hmac_sha256(secret_of(webhook, sandbox), signed)),
        Header("X-Zendesk-Webhook-Signature-Timestamp", stamp),
    )


def _credentials(authentication: Mapping[str, Any] | None) -> tuple[Header, ...]:
    if authentication is None:
        return ()
    data = authentication["data"]
    if authentication["type"] == "basic_auth":
        pair = base64.b64encode(f"{data['username']}:{data['password']}".encode()).decode()
        return (Header("Authorization", f"Basic {pair}", secret=True),)
    if authentication["type"] == "bearer_token":
        return (Header("Authorization", f"Bearer {data['token']}", secret=True),)
    return (Header(data["name"], data["value"], secret=True),)


def _again_after(number: int, outcome: Outcome) -> timedelta | None:
    seconds = rules.retry_seconds(
        number,
        status=outcome.status,
        retry_after=outcome.header("Retry-After"),
        timed_out=outcome.timed_out,
    )
    return None if seconds is None else timedelta(seconds=seconds)


deliverers.register("helpdesk", deliverers.Deliverer(_added_headers, _again_after))


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(key: int | None) -> str | None:
    return None if key is None else str(key)
