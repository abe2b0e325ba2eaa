"""Webhooks, invocations and attempts as JSON."""

from __future__ import annotations

from typing import Any

from clones.core.models import Delivery, DeliveryAttempt
from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import Webhook

# What of an authentication is no secret.
SHOWN = frozenset({"username", "name"})
STATUSES = {Delivery.SUCCESS: "success", Delivery.FAILED: "failed", Delivery.WAITING: "retrying"}


def present_webhook(webhook: Webhook, show: Show, *, new: bool = False) -> dict[str, Any]:
    """Return a webhook as JSON; a new one has not been updated yet."""
    show.note(webhook)
    body: dict[str, Any] = {
        "id": webhook.id,
        "name": webhook.name,
        "status": webhook.status,
        "subscriptions": webhook.subscriptions,
        "created_at": when(webhook.created_at),
        "created_by": str(webhook.created_by),
        "endpoint": webhook.endpoint,
        "http_method": webhook.http_method,
        "request_format": webhook.request_format,
    }
    if not new:
        body |= {"updated_at": when(webhook.updated_at), "updated_by": str(webhook.updated_by)}
    if webhook.description is not None:
        body["description"] = webhook.description
    kept = webhook.authentication
    if kept is not None:
        shown = {name: value for name, value in kept["data"].items() if name in SHOWN}
        body["authentication"] = {
            "type": kept["type"],
            "data": shown,
            "add_position": kept["add_position"],
        }
    if webhook.custom_headers is not None:
        body["custom_headers"] = webhook.custom_headers
    return body


def present_invocation(delivery: Delivery) -> dict[str, Any]:
    """Return an invocation as JSON. One that no host answered has the code 0."""
    return {
        "id": delivery.id,
        "status": STATUSES.get(delivery.status, "retrying"),
        "status_code": delivery.response_status or 0,
        "latest_completed_at": when(delivery.completed_at),
    }


def present_attempt(attempt: DeliveryAttempt) -> dict[str, Any]:
    """Return an attempt as JSON: what was sent and answered, or why nothing was."""
    return {
        "id": attempt.id,
        "invocation_id": attempt.delivery_id,
        "status": attempt.status,
        "status_code": attempt.response_status or 0,
        "completed_at": when(attempt.completed_at),
        "request": {
            "headers": _headers(attempt.request_headers),
            "payload": attempt.request_body,
        },
        "response": {
            "headers": _headers(attempt.response_headers),
            "payload": attempt.reason if attempt.response_body is None else attempt.response_body,
        },
    }


def _headers(pairs: list[list[str]]) -> list[dict[str, str]]:
    return [{"key": name, "value": value} for name, value in pairs]
