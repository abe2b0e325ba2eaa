"""Webhooks that admins keep: an API that the vendor describes in prose only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.tracker.api.operations import Body
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.resources import register_resource
from clones.tracker.domain import webhooks
from clones.tracker.models import Webhook

Json = dict[str, Any]
PATH: Final = "/rest/webhooks/1.0/webhook"
FILTER: Final = "issue-related-events-section"
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class WebhookWrite(Body):
    """A webhook of the site: its name, address, events and filters."""

    name: str | None = None
    description: str | None = None
    url: str | None = None
    events: list[str] | None = None
    filters: dict[str, str] | None = Field(None, description=f"a query under {FILTER}")
    excludeBody: bool | None = None
    enabled: bool | None = None
    secret: str | None = None


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
    return {"values": found}


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


register_resource(
    resources.ResourceApi(
        resource=webhooks.ADMIN_WEBHOOK,
        path=PATH,
        one="/{id}",
        find=webhooks.find_webhook,
        present=_present,
        body=WebhookWrite,
        values=_values,
        reads="admin",
    ),
    resources.lists("webhooks.getAll", "List the site's webhooks."),
    resources.creates("webhooks.create", "Make a webhook."),
    resources.shows("webhooks.get", "Show a webhook."),
    resources.updates("webhooks.update", "Change a webhook."),
    resources.deletes("webhooks.delete", "Remove a webhook."),
    module=__name__,
)
