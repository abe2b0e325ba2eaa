"""Webhooks: those that admins keep, and those that apps register for thirty days.

owe_event(webhook, name, body, values) -> None      write what is owed; it is sent after commit
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from clones.core import clock
from clones.core.digits import is_digits
from clones.core.models import Delivery
from clones.core.resources import Resource
from clones.core.webhooks import deliverers, outbox
from clones.core.webhooks.messages import Header, Outcome, compact
from clones.core.webhooks.signatures import hmac_sha256_hex
from clones.tracker.domain import audit
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.filters import check_query
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Webhook
from clones.tracker.queries.hot import ENABLED_WEBHOOKS, WEBHOOK
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.jql import JqlError
from clones.tracker.rules.webhook_events import (
    ADMIN,
    DYNAMIC,
    address,
    address_problem,
    filter_problems,
    minutes_after,
)

CATEGORY: Final = "webhooks"
APPS_ONLY: Final = "Only Connect and OAuth 2.0 apps can use this operation."
ADMINS_ONLY: Final = "You are not authorized to perform this action."
LIFETIME: Final = timedelta(days=30)
LIMIT: Final = 100  # webhooks of one app
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WebhookSpec:
    """What an app's webhook is to be told of: events, of issues that a query finds.

    `field_ids` and `property_keys` say of which changes; None: of all.
    """

    events: Sequence[str]
    jql: str
    field_ids: Sequence[str] | None = None
    property_keys: Sequence[str] | None = None


def listening() -> Sequence[Webhook]:
    """Return the webhooks that are told of events now, by id."""
    return ENABLED_WEBHOOKS.all(clock.now())


def require_app(actor: Rights) -> None:
    """Hold somebody to being an app.

    Raises:
        Forbidden: they are a person.
    """
    if actor.user is None or actor.user.account_type != "app":
        raise Forbidden(APPS_ONLY)


def register_webhooks(
    url: str, wanted: Sequence[WebhookSpec], *, actor: Rights
) -> list[tuple[Webhook | None, list[str]]]:
    """Register an app's webhooks; return each, or what is wrong with it.

    Raises:
        Forbidden: the actor is no app.
        Invalid: the address is none.
    """
    require_app(actor)
    problem = address_problem(url)
    if problem is not None:
        raise Invalid(problem)
    count = Webhook.objects.filter(owner=actor.user, dynamic=True).count()
    found: list[tuple[Webhook | None, list[str]]] = []
    for one in wanted:
        wrong = [f"The event {name} is unsupported" for name in one.events if name not in DYNAMIC]
        wrong += filter_problems(one.jql) or ([] if one.events else ["No events are given"])
        if not wrong and count >= LIMIT:
            wrong = [f"The maximum number of {LIMIT} webhooks for the app is reached"]
        if wrong:
            found.append((None, wrong))
            continue
        count += 1
        found.append((_insert_dynamic(url, one, actor), []))
    return found


def refresh_webhooks(ids: Iterable[int], *, actor: Rights) -> datetime:
    """Keep an app's webhooks for another thirty days; return until when.

    Raises:
        Forbidden: the actor is no app.
    """
    require_app(actor)
    until = clock.now() + LIFETIME
    rows = Webhook.objects.filter(owner=actor.user, dynamic=True, id__in=list(ids))
    rows.update(expires=until, updated=clock.now())
    return until


def delete_webhooks(ids: Iterable[int], *, actor: Rights) -> None:
    """Remove an app's webhooks; what is none of its own is passed over.

    Raises:
        Forbidden: the actor is no app.
    """
    require_app(actor)
    Webhook.objects.filter(owner=actor.user, dynamic=True, id__in=list(ids)).delete()


def create_webhook(values: Mapping[str, Any], *, actor: Rights) -> Webhook:
    """Make an admin's webhook.

    Args:
        values: name, url, events, jql, exclude_body, enabled, description, secret.
        actor: who makes it.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: name or address are missing or wrong, or an event or the query is.
    """
    _admins_only(actor)
    now = clock.now()
    webhook = Webhook(id=next_id(Webhook), owner=actor.user, created=now)
    _set(
        webhook, {"name": "", "url": "", "events": [], "jql": "", "enabled": True, **values}, actor
    )
    webhook.save(force_insert=True)
    _record("Webhook created", webhook, actor)
    return webhook


def update_webhook(webhook: Webhook, values: Mapping[str, Any], *, actor: Rights) -> Webhook:
    """Change an admin's webhook; what is not named stays, the secret too.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: as for `create_webhook`.
    """
    _admins_only(actor)
    assert actor.user is not None  # noqa: S101 - admins are somebody
    _set(webhook, values, actor)
    webhook.owner = actor.user
    webhook.save()
    _record("Webhook updated", webhook, actor)
    return webhook


def delete_webhook(webhook: Webhook, *, actor: Rights) -> None:
    """Remove an admin's webhook. What it still owes is not sent any more.

    Raises:
        Forbidden: the actor is no admin.
    """
    _admins_only(actor)
    _record("Webhook deleted", webhook, actor)
    webhook.delete()


def find_webhook(id: str) -> Webhook:
    """Return an admin's webhook.

    Raises:
        NotFound: there is none.
    """
    is_id = is_digits(id)
    found = Webhook.objects.filter(id=int(id), dynamic=False).first() if is_id else None
    if found is None:
        raise NotFound(f"The webhook with id '{id}' does not exist.")
    return found


def owe_event(webhook: Webhook, name: str, body: Json, values: Mapping[str, str]) -> None:
    """Owe an event to a webhook; `values` fill the variables of its address."""
    excluded = bool(webhook.scope.get("exclude_body"))
    text = "" if excluded else compact(body)
    outbox.owe(
        clone="tracker",
        webhook=str(webhook.id),
        event=name,
        method="POST",
        url=address(webhook.url, values),
        headers=[["Content-Type", "application/json; charset=UTF-8"]] if text else [],
        body=text,
    )


def _insert_dynamic(url: str, wanted: WebhookSpec, actor: Rights) -> Webhook:
    now = clock.now()
    scope: Json = {}
    if wanted.field_ids is not None:
        scope["field_ids"] = list(wanted.field_ids)
    if wanted.property_keys is not None:
        scope["property_keys"] = list(wanted.property_keys)
    made = Webhook(
        id=next_id(Webhook),
        url=url,
        events=list(dict.fromkeys(wanted.events)),
        jql=wanted.jql,
        scope=scope,
        dynamic=True,
        owner=actor.user,
        created=now,
        updated=now,
        expires=now + LIFETIME,
    )
    made.save(force_insert=True)
    return made


def _set(webhook: Webhook, values: Mapping[str, Any], actor: Rights) -> None:
    for name in ("name", "url", "events", "jql", "enabled", "secret"):
        if name in values:
            setattr(webhook, name, values[name])
    webhook.name = webhook.name.strip()
    if not webhook.name or len(webhook.name) > 255:
        raise Invalid("The name of the webhook must be specified.")
    problem = address_problem(webhook.url)
    if problem is not None:
        raise Invalid(problem)
    unknown = sorted(set(webhook.events) - ADMIN)
    if unknown:
        raise Invalid(f"The event {unknown[0]} is not supported.")
    try:
        check_query(webhook.jql, actor)
    except JqlError as error:
        raise Invalid(*error.texts) from error
    scope = dict(webhook.scope)
    scope |= {name: values[name] for name in ("exclude_body", "description") if name in values}
    webhook.scope = scope
    webhook.updated = clock.now()


def _admins_only(actor: Rights) -> None:
    if not actor.is_admin:
        raise Forbidden(ADMINS_ONLY)


def _record(summary: str, webhook: Webhook, actor: Rights) -> None:
    audit.record(summary, CATEGORY, actor=actor, object=("WEBHOOK", str(webhook.id), webhook.name))


def _headers(delivery: Delivery, sandbox: str, moment: datetime) -> tuple[Header, ...] | None:
    """Return identifiers and signature of a delivery; None if its webhook is gone."""
    if not is_digits(delivery.webhook):  # a rule's web request: its own headers are all it has
        return (Header("User-Agent", "Automation for Jira App"),)
    webhook = WEBHOOK.first(int(delivery.webhook))
    if webhook is None:
        return None
    found = [
        Header("User-Agent", "Atlassian Webhook HTTP Client"),
        Header("X-Atlassian-Webhook-Identifier", delivery.id),
        Header("X-Atlassian-Webhook-Flow", "Primary"),
    ]
    if delivery.attempts:
        found.append(Header("X-Atlassian-Webhook-Retry", str(delivery.attempts)))
    if webhook.secret:
        signature = hmac_sha256_hex(webhook.secret, delivery.body.encode())
        found.append(Header("X-Hub-Signature", f"sha256={signature}"))
    return tuple(found)


def _again_after(number: int, outcome: Outcome) -> timedelta | None:
    minutes = minutes_after(number, outcome.status)
    return None if minutes is None else timedelta(minutes=minutes)


deliverers.register("tracker", deliverers.Deliverer(_headers, _again_after))
ADMIN_WEBHOOK: Final = Resource(
    Webhook,
    "webhook",
    among=lambda: Webhook.objects.filter(dynamic=False).select_related("owner"),
    create=create_webhook,
    update=update_webhook,
    delete=delete_webhook,
)
