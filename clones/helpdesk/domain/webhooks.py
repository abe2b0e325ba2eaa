"""Writing webhooks: what they may hold, and their secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.core.webhooks.headers import is_value
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.models import User, Webhook
from clones.helpdesk.rules import webhooks as rules

MANDATORY = ("name", "status", "endpoint", "http_method", "request_format")
CHOICES = {
    "status": Webhook.STATUSES,
    "http_method": Webhook.METHODS,
    "request_format": Webhook.FORMATS,
}
# What a request has that is tried without saying more than where it goes.
UNNAMED = {"name": "Test", "status": "active", "http_method": "POST", "request_format": "json"}
COPIED = (
    "name",
    "description",
    "status",
    "endpoint",
    "http_method",
    "request_format",
    "subscriptions",
    "authentication",
    "custom_headers",
)


@logged("create")
def create_webhook(
    *, actor: User, changes: Mapping[str, Any], template: Webhook | None = None
) -> Webhook:
    """Create a webhook, or a copy of one, with the changes made to it.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _admins_only(actor)
    now = clock.now()
    webhook = Webhook(
        id=ids.next_ulid(Webhook),
        created_at=now,
        created_by=actor.id,
        updated_at=now,
        updated_by=actor.id,
    )
    blank = dict.fromkeys((*MANDATORY, "subscriptions"))
    before = {name: getattr(template, name) for name in COPIED} if template is not None else blank
    _set_webhook(webhook, {**before, **changes})
    webhook.save(force_insert=True)
    return webhook


@logged("update")
def update_webhook(webhook: Webhook, *, actor: User, changes: Mapping[str, Any]) -> Webhook:
    """Change a webhook; what is not named stays.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _admins_only(actor)
    kept = {name: getattr(webhook, name) for name in COPIED}
    way = rules.CONDITIONAL in webhook.subscriptions
    _set_webhook(webhook, {**kept, **changes})
    if webhook.subscriptions and way != (rules.CONDITIONAL in webhook.subscriptions):
        raise RecordInvalid.of(
            "subscriptions", "Subscriptions: the connection method cannot be changed"
        )
    webhook.updated_at = clock.now()
    webhook.updated_by = actor.id
    webhook.save()
    return webhook


def replace_webhook(webhook: Webhook, *, actor: User, changes: Mapping[str, Any]) -> Webhook:
    """Change a webhook to what is given: mandatory values must be.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    return update_webhook(webhook, actor=actor, changes={**dict.fromkeys(MANDATORY), **changes})


@logged("destroy")
def delete_webhook(webhook: Webhook, *, actor: User) -> None:
    """Remove a webhook. What it still owes is not sent any more.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    webhook.delete()


@logged("update")
def reset_signing_secret(webhook: Webhook, *, actor: User) -> Webhook:
    """Give a webhook another signing secret.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    webhook.signing_revision += 1
    webhook.save()
    return webhook


def webhook_to_try(template: Webhook | None, changes: Mapping[str, Any]) -> Webhook:
    """Return a webhook that is not kept: one of the account's with changes, or one of them alone.

    Raises:
        RecordInvalid: a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    tried = Webhook(id=ids.next_ulid(Webhook), created_at=clock.now(), updated_at=clock.now())
    if template is not None:
        tried.id, tried.signing_revision = template.id, template.signing_revision
        before = {name: getattr(template, name) for name in COPIED}
    else:
        before = {**dict.fromkeys(COPIED), **UNNAMED}
    _set_webhook(tried, {**before, **changes})
    return tried


def _set_webhook(webhook: Webhook, values: Mapping[str, Any]) -> None:
    name = (plain_text("name", values["name"], 255) or "").strip()
    if not name:
        raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    webhook.name = name
    for attribute, words in CHOICES.items():
        value = values[attribute]
        if attribute == "http_method" and isinstance(value, str):
            value = value.upper()
        if value not in words:
            label = attribute.replace("_", " ").capitalize()
            raise RecordInvalid.of(
                attribute, f"{label}: must be one of {', '.join(words)}", "InvalidValue"
            )
        setattr(webhook, attribute, value)
    webhook.endpoint = checked_endpoint(values["endpoint"])
    webhook.description = plain_text("description", values.get("description"), 65_535)
    webhook.subscriptions = _subscriptions(values["subscriptions"])
    if webhook.subscriptions and rules.CONDITIONAL not in webhook.subscriptions:
        _check_event_webhook(webhook)
    webhook.authentication = checked_authentication(values.get("authentication"))
    webhook.custom_headers = checked_headers(values.get("custom_headers"))


def checked_endpoint(value: Any) -> str:
    """Return an endpoint.

    Raises:
        RecordInvalid: it is none.
        InvalidAttribute: it is no text.
    """
    endpoint = (plain_text("endpoint", value, 2048) or "").strip()
    problem = rules.endpoint_problem(endpoint) if endpoint else "cannot be blank"
    if problem is not None:
        raise RecordInvalid.of("endpoint", f"Endpoint: {problem}", "InvalidValue")
    return endpoint


def checked_authentication(value: Any) -> dict[str, Any] | None:
    """Return an authentication as kept, None if there is none.

    Raises:
        RecordInvalid: it is of no known type, or something is missing.
    """
    if value is None or value == {}:
        return None
    kind = value.get("type")
    names = rules.AUTHENTICATIONS.get(kind)
    if names is None:
        raise RecordInvalid.of(
            "authentication",
            f"Authentication: type must be one of {', '.join(rules.AUTHENTICATIONS)}",
            "InvalidValue",
        )
    if value.get("add_position", "header") != "header":
        raise RecordInvalid.of(
            "authentication", "Authentication: add_position must be header", "InvalidValue"
        )
    data = value.get("data") if isinstance(value.get("data"), Mapping) else {}
    kept = {name: data.get(name) for name in names}
    for name, text in kept.items():
        if not isinstance(text, str) or not text or not is_value(text):
            raise RecordInvalid.of(
                "authentication", f"Authentication: data.{name} is invalid", "InvalidValue"
            )
    if kind == "api_key" and not rules.is_free_header(str(kept["name"])):
        raise RecordInvalid.of(
            "authentication", "Authentication: data.name is not a valid header", "InvalidValue"
        )
    return {"type": kind, "data": kept, "add_position": "header"}


def checked_headers(value: Any) -> dict[str, str] | None:
    """Return custom headers as kept, None if there are none.

    Raises:
        RecordInvalid: there are too many, or one is not possible.
    """
    if not value:
        return None
    if len(value) > rules.CUSTOM_HEADERS:
        raise RecordInvalid.of(
            "custom_headers", f"Custom headers: at most {rules.CUSTOM_HEADERS}", "InvalidValue"
        )
    for name, text in value.items():
        if not rules.is_free_header(name) or not is_value(text):
            raise RecordInvalid.of(
                "custom_headers", f"Custom headers: {name} is invalid", "InvalidValue"
            )
    return dict(value)


def _subscriptions(value: Any) -> list[str]:
    found = list(dict.fromkeys(value or []))
    unknown = [name for name in found if name != rules.CONDITIONAL and name not in rules.EVENTS]
    if unknown:
        raise RecordInvalid.of(
            "subscriptions", f"Subscriptions: {unknown[0]} is not supported", "InvalidValue"
        )
    if rules.CONDITIONAL in found and len(found) > 1:
        raise RecordInvalid.of(
            "subscriptions",
            f"Subscriptions: {rules.CONDITIONAL} stands alone",
            "InvalidValue",
        )
    return found


def _check_event_webhook(webhook: Webhook) -> None:
    if webhook.http_method != "POST":
        raise RecordInvalid.of(
            "http_method", "Http method: must be POST for event subscriptions", "InvalidValue"
        )
    if webhook.request_format != "json":
        raise RecordInvalid.of(
            "request_format", "Request format: must be json for event subscriptions", "InvalidValue"
        )


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep webhooks")


WEBHOOK: Final = Resource(
    Webhook, "webhook", create=create_webhook, update=update_webhook, delete=delete_webhook
)
