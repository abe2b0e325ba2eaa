"""The form of a webhook. Secrets of its authentication are never shown: left empty, they stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.core.web.inputs import PageForm
from clones.core.web.row_tables import Row, RowTable, TableRow
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.models import Webhook
from clones.helpdesk.rules import webhooks as rules
from clones.helpdesk.web.admin.inputs import (
    AdminInput,
    area,
    check,
    checks,
    depending,
    line,
    select,
)
from clones.helpdesk.web.admin.pages import FormSection

PREFIX = "header"
# By the domain's name for what is wrong with headers: the table that says it.
INPUTS = {"custom_headers": PREFIX}
TEXTS = ("name", "description", "endpoint", "http_method", "request_format")
CONNECTIONS = {
    "conditional": "Trigger or automation",
    "events": "Subscribed events",
    "none": "Not connected yet",
}
EVENTS = {
    name: name.removeprefix("zen:event-type:").replace(".", " ").capitalize()
    for name in rules.EVENTS
}
FORMATS = {"json": "JSON", "xml": "XML", "form_encoded": "Form encoded"}
AUTHENTICATIONS = {
    "": "None",
    "api_key": "API key",
    "basic_auth": "Basic authentication",
    "bearer_token": "Bearer token",
}
# The inputs of each authentication's values; those in SECRET are not shown again.
AUTH_INPUTS = {
    "username": "User name",
    "password": "Password",
    "token": "Token",
    "name": "Header name of the API key",
    "value": "API key",
}
SECRET = frozenset({"password", "token", "value"})


def connection_label(subscriptions: list[str]) -> str:
    """Return what connects a webhook with the desk."""
    return CONNECTIONS[_connection(subscriptions)]


def _connection(subscriptions: list[str]) -> str:
    if not subscriptions:
        return "none"
    return "conditional" if rules.CONDITIONAL in subscriptions else "events"


def changes_of(sent: PageForm, found: Webhook | None) -> dict[str, Any]:
    """Return the changes that a form means, under the domain's names.

    Raises:
        RecordInvalid: something was filled in that counts for nothing beside what is chosen.
    """
    _refuse_idle(sent, found)
    texts = {name: sent.text(name).strip() for name in TEXTS}
    subscriptions = {"conditional": [rules.CONDITIONAL], "events": sent.several("events")}
    headers = {row["name"]: row["value"] for row in sent.rows(PREFIX) if row["name"]}
    return {
        **texts,
        "description": texts["description"] or None,
        "status": "active" if sent.ticked("active") else "inactive",
        "subscriptions": subscriptions.get(sent.text("connection"), []),
        "authentication": _authentication(sent, found),
        "custom_headers": headers,
    }


def _refuse_idle(sent: PageForm, found: Webhook | None) -> None:
    """Refuse what scripts hide: it counts for nothing, and nobody would be told."""
    kept = set(found.subscriptions) if found is not None else set()
    if sent.text("connection") != "events" and set(sent.several("events")) - kept:
        raise RecordInvalid.of("subscriptions", f'Events: choose "{CONNECTIONS["events"]}"')
    data = ((found.authentication if found is not None else None) or {}).get("data", {})
    wanted = rules.AUTHENTICATIONS.get(sent.text("auth_type"), ())
    for name, label in AUTH_INPUTS.items():
        typed = sent.text(f"auth_{name}")
        if name not in wanted and typed and typed != data.get(name):
            raise RecordInvalid.of(
                "authentication", f"{label}: is of another authentication than is chosen"
            )


def _authentication(sent: PageForm, found: Webhook | None) -> dict[str, Any] | None:
    kind = sent.text("auth_type")
    if not kind:
        return None
    kept = (found.authentication if found is not None else None) or {}
    before = kept.get("data", {}) if kept.get("type") == kind else {}
    names = rules.AUTHENTICATIONS.get(kind, ())
    data = {name: sent.text(f"auth_{name}") or before.get(name, "") for name in names}
    return {"type": kind, "data": data}


def parts(found: Webhook | None) -> tuple[FormSection, ...]:
    """Return the parts of the form of a webhook, or of a new one."""
    shown = found or Webhook(
        http_method="POST",
        request_format="json",
        status="active",
        subscriptions=[rules.CONDITIONAL],
    )
    events = [name for name in shown.subscriptions if name != rules.CONDITIONAL]
    methods = [(name, name) for name in Webhook.METHODS]
    general = (
        line("name", "Name", shown.name, required=True),
        area("description", "Description", shown.description),
        line("endpoint", "Endpoint URL", shown.endpoint, required=True),
        select("http_method", "Request method", shown.http_method, methods),
        select("request_format", "Request format", shown.request_format, FORMATS.items()),
        check("active", "Active", on=shown.status == "active"),
    )
    connection = (
        select("connection", "Connect to", _connection(shown.subscriptions), CONNECTIONS.items()),
        depending(checks("events", "Events", events, EVENTS.items()), "connection=events"),
    )
    headers = shown.custom_headers or {}
    return (
        FormSection("General", general),
        FormSection("Connection", connection, about="subscriptions"),
        FormSection("Authentication", _authentication_inputs(shown), about="authentication"),
        FormSection("Custom headers", table=_headers(headers)),
    )


def _authentication_inputs(shown: Webhook) -> tuple[AdminInput, ...]:
    kept = shown.authentication or {}
    data = kept.get("data", {})
    return (
        select("auth_type", "Authentication", kept.get("type", ""), AUTHENTICATIONS.items()),
        *(
            depending(
                line(
                    f"auth_{name}",
                    AUTH_INPUTS[name],
                    "" if name in SECRET else data.get(name, ""),
                    placeholder="Left empty, it stays" if kept and name in SECRET else "",
                ),
                f"auth_type={kind}",
            )
            for kind, names in rules.AUTHENTICATIONS.items()
            for name in names
        ),
    )


def _headers(headers: Mapping[str, str]) -> RowTable:
    def header(place: int, row: Row) -> TableRow:
        return TableRow(
            (
                line("name", f"Header name {place}", row["name"]),
                line("value", f"Header value {place}", row["value"]),
            )
        )

    return RowTable(
        PREFIX,
        "Custom headers",
        ("Name", "Value"),
        ("name", "value"),
        header,
        [{"name": name, "value": text} for name, text in headers.items()],
        "Add header",
    )
