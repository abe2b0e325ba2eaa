"""Webhooks that admins keep: an API that the vendor describes in prose only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.api.presenters.context import Show
from clones.tracker.domain import webhooks
from clones.tracker.models import Webhook

Json = dict[str, Any]
PATH: Final = "/rest/webhooks/1.0/webhook"
FILTER: Final = "issue-related-events-section"
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class WebhookWrite(Body):
    """What a webhook is called, where it goes and what it is told of."""

    name: str | None = None
    description: str | None = None
    url: str | None = None
    events: list[str] | None = None
    filters: dict[str, str] | None = Field(None, description=f"a query under {FILTER}")
    excludeBody: bool | None = None
    enabled: bool | None = None
    secret: str | None = None


@operation("webhooks.getAll", "GET", PATH, summary="List the site's webhooks.", access="admin")
def list_webhooks(call: Call) -> list[Json]:
    """List all webhooks that admins keep."""
    view = show(call)
    rows = Webhook.objects.filter(dynamic=False).select_related("owner").order_by("id")
    return [_present(webhook, view) for webhook in rows]


@operation(
    "webhooks.create",
    "POST",
    PATH,
    summary="Make a webhook.",
    body=WebhookWrite,
    access="admin",
    status=201,
)
def create_webhook(call: Call) -> Json:
    """Make a webhook."""
    return _present(webhooks.create_webhook(_values(call.body), actor=actor(call)), show(call))


@operation("webhooks.get", "GET", PATH + "/{id}", summary="Show a webhook.", access="admin")
def show_webhook(call: Call) -> Json:
    """Show a webhook."""
    return _present(webhooks.find_webhook(call.path["id"]), show(call))


@operation(
    "webhooks.update",
    "PUT",
    PATH + "/{id}",
    summary="Change a webhook.",
    body=WebhookWrite,
    access="admin",
)
def update_webhook(call: Call) -> Json:
    """Change a webhook; what is not named stays."""
    webhook = webhooks.find_webhook(call.path["id"])
    return _present(
        webhooks.update_webhook(webhook, _values(call.body), actor=actor(call)), show(call)
    )


@operation(
    "webhooks.delete",
    "DELETE",
    PATH + "/{id}",
    summary="Remove a webhook.",
    access="admin",
    status=204,
)
def delete_webhook(call: Call) -> None:
    """Remove a webhook."""
    webhooks.delete_webhook(webhooks.find_webhook(call.path["id"]), actor=actor(call))


def _values(body: WebhookWrite) -> Json:
    given = body.model_dump(exclude_none=True)
    found: Json = {
        name: given[name]
        for name in ("name", "url", "events", "enabled", "secret", "description")
        if name in given
    }
    if "excludeBody" in given:
        found["exclude_body"] = given["excludeBody"]
    if "filters" in given:
        found["jql"] = given["filters"].get(FILTER, "")
    return found


def _present(webhook: Webhook, show: Show) -> Json:
    updated = (webhook.updated - EPOCH) // timedelta(milliseconds=1)
    return {
        "name": webhook.name,
        "description": webhook.scope.get("description", ""),
        "url": webhook.url,
        "excludeBody": bool(webhook.scope.get("exclude_body")),
        "filters": {FILTER: webhook.jql} if webhook.jql else {},
        "events": webhook.events,
        "enabled": webhook.enabled,
        "self": show.at(f"{PATH}/{webhook.id}"),
        "lastUpdatedUser": webhook.owner.account_id,
        "lastUpdatedDisplayName": webhook.owner.display_name,
        "lastUpdated": updated,
        "isSigned": bool(webhook.secret),
    }
