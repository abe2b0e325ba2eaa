"""Webhooks that apps register. People keep theirs under `/rest/webhooks/1.0`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pydantic import Field

from clones.core import clock
from clones.core.models import Delivery
from clones.core.operations import Call, Reply
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.paging import number_of, page_bean
from clones.tracker.domain import webhooks
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.webhooks import WebhookSpec, require_app
from clones.tracker.models import Webhook

Json = dict[str, Any]
PATH: Final = "/rest/api/3/webhook"
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
KEPT: Final = timedelta(hours=72)  # how long a failure is told of


class WebhookWrite(Body):
    """A webhook of an app: its events, JQL filter and fields."""

    events: list[str]
    jqlFilter: str
    fieldIdsFilter: list[str] | None = None
    issuePropertyKeysFilter: list[str] | None = None


class Registration(Body):
    """The webhooks of an app to register, and the address that they go to."""

    url: str
    webhooks: list[WebhookWrite]


class WebhookIds(Body):
    """The ids of webhooks to delete or to refresh."""

    webhookIds: list[int]


class FailedQuery(Query):
    """Time and paging of failed webhooks: those after it, in milliseconds since 1970."""

    maxResults: str | None = None
    after: int | None = Field(None, ge=0, le=10**14)


@operation(
    "getDynamicWebhooksForApp", "GET", PATH, summary="List the webhooks of the app that calls."
)
def list_webhooks(call: Call) -> Json:
    """List an app's own webhooks."""
    rights = actor(call)
    require_app(rights)
    rows = Webhook.objects.filter(owner=rights.user, dynamic=True).order_by("id")
    return page_bean(
        call, rows, lambda found: [_present(webhook) for webhook in found], max_results=100
    )


@operation(
    "registerDynamicWebhooks",
    "POST",
    PATH,
    summary="Register webhooks of the app that calls.",
    body=Registration,
)
def register_webhooks(call: Call) -> Json:
    """Register webhooks; those with mistakes are told of, and the others registered."""
    if not call.body.webhooks:
        raise Invalid("No webhooks are given.")
    wanted = [
        WebhookSpec(one.events, one.jqlFilter, one.fieldIdsFilter, one.issuePropertyKeysFilter)
        for one in call.body.webhooks
    ]
    found = webhooks.register_webhooks(call.body.url, wanted, actor=actor(call))
    return {
        "webhookRegistrationResult": [
            {"errors": wrong} if webhook is None else {"createdWebhookId": webhook.id}
            for webhook, wrong in found
        ]
    }


@operation(
    "deleteWebhookById",
    "DELETE",
    PATH,
    summary="Remove webhooks of the app that calls.",
    body=WebhookIds,
    status=202,
)
def delete_webhooks(call: Call) -> Reply:
    """Remove webhooks."""
    webhooks.delete_webhooks(call.body.webhookIds, actor=actor(call))
    return Reply(None, 202)


@operation(
    "refreshWebhooks",
    "PUT",
    PATH + "/refresh",
    summary="Keep webhooks of the app that calls for another thirty days.",
    body=WebhookIds,
)
def refresh_webhooks(call: Call) -> Json:
    """Put off the end of webhooks."""
    until = webhooks.refresh_webhooks(call.body.webhookIds, actor=actor(call))
    return {"expirationDate": _milliseconds(until)}


@operation(
    "getFailedWebhooks",
    "GET",
    PATH + "/failed",
    summary="List what could not be delivered to the app that calls, of the last three days.",
    query=FailedQuery,
)
def list_failed(call: Call) -> Json:
    """List deliveries that failed for good, the first failed first."""
    rights = actor(call)
    require_app(rights)
    most = min(number_of(call, "maxResults", 100, least=1), 100)
    own = Webhook.objects.filter(owner=rights.user, dynamic=True).values_list("id", flat=True)
    rows = Delivery.objects.filter(
        clone="tracker",
        webhook__in=[str(id) for id in own],
        status=Delivery.FAILED,
        completed_at__gt=clock.now() - KEPT,
    )
    if call.query.after is not None:
        rows = rows.filter(completed_at__gt=EPOCH + timedelta(milliseconds=call.query.after))
    found = list(rows.order_by("completed_at", "id")[:most])
    values = [
        {"id": row.id, "body": row.body, "url": row.url, "failureTime": _milliseconds(ended)}
        for row in found
        if (ended := row.completed_at) is not None
    ]
    answer: Json = {"values": values, "maxResults": most}
    if values:
        last = values[-1]["failureTime"]
        answer["next"] = show(call).url(f"webhook/failed?failedAfter={last}&maxResults={most}")
    return answer


def _present(webhook: Webhook) -> Json:
    found: Json = {
        "id": webhook.id,
        "jqlFilter": webhook.jql,
        "events": webhook.events,
        "url": webhook.url,
    }
    if "field_ids" in webhook.scope:
        found["fieldIdsFilter"] = webhook.scope["field_ids"]
    if "property_keys" in webhook.scope:
        found["issuePropertyKeysFilter"] = webhook.scope["property_keys"]
    if webhook.expires is not None:
        found["expirationDate"] = _milliseconds(webhook.expires)
    return found


def _milliseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)
