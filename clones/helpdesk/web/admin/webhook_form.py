"""The form of a webhook. Secrets of its authentication are never shown: left empty, they stay."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from clones.helpdesk.models import Webhook
from clones.helpdesk.rules import webhooks as rules
from clones.helpdesk.web.admin import forms, row_tables
from clones.helpdesk.web.admin.pages import FormSection
from clones.helpdesk.web.admin.row_tables import Row, RowTable, RowView
from clones.helpdesk.web.properties import FormErrors

PREFIX = "header"
BLANK: Row = {"name": "", "value": ""}
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


def values_of(found: Webhook | None) -> dict[str, Any]:
    """Return what the form shows of a webhook, or of a new one."""
    shown = found or Webhook(http_method="POST", request_format="json", status="active")
    subscriptions = shown.subscriptions if found is not None else [rules.CONDITIONAL]
    kept = shown.authentication or {}
    data = {
        name: "" if name in SECRET else kept.get("data", {}).get(name, "") for name in AUTH_INPUTS
    }
    return {
        **{name: getattr(shown, name) for name in TEXTS},
        "active": shown.status == "active",
        "connection": _connection(subscriptions),
        "events": [name for name in subscriptions if name != rules.CONDITIONAL],
        "auth_type": kept.get("type", ""),
        "auth": data,
        "headers": [
            {"name": name, "value": text} for name, text in (shown.custom_headers or {}).items()
        ],
    }


def sent(post: QueryDict) -> dict[str, Any]:
    """Return what a form sent, after what one of its rows' buttons asked for."""
    rows = row_tables.sent_rows(post, PREFIX, ("name", "value"))
    return {
        **{name: post.get(name, "").strip() for name in TEXTS},
        "active": post.get("active") == "true",
        "connection": post.get("connection", ""),
        "events": post.getlist("events"),
        "auth_type": post.get("auth_type", ""),
        "auth": {name: post.get(f"auth_{name}", "") for name in AUTH_INPUTS},
        "headers": row_tables.edited_rows(post, PREFIX, rows, BLANK),
    }


def changes_of(values: dict[str, Any], found: Webhook | None) -> dict[str, Any]:
    """Return the changes that a form means, under the domain's names."""
    subscriptions = {"conditional": [rules.CONDITIONAL], "events": values["events"]}
    return {
        **{name: values[name] for name in TEXTS},
        "description": values["description"] or None,
        "status": "active" if values["active"] else "inactive",
        "subscriptions": subscriptions.get(values["connection"], []),
        "authentication": _authentication(values, found),
        "custom_headers": {row["name"]: row["value"] for row in values["headers"] if row["name"]},
    }


def _authentication(values: dict[str, Any], found: Webhook | None) -> dict[str, Any] | None:
    kind = values["auth_type"]
    if not kind:
        return None
    kept = (found.authentication if found is not None else None) or {}
    before = kept.get("data", {}) if kept.get("type") == kind else {}
    names = rules.AUTHENTICATIONS.get(kind, ())
    data = {name: values["auth"][name] or before.get(name, "") for name in names}
    return {"type": kind, "data": data}


def parts(
    values: dict[str, Any], found: Webhook | None, complaints: FormErrors | None
) -> tuple[FormSection, ...]:
    """Return the parts of the form."""

    def choice(name: str, label: str, options: Any, *, many: bool = False) -> Any:
        return forms.select(name, label, values[name], options, many=many, complaints=complaints)

    def text(name: str, label: str, *, kind: str = "text", required: bool = False) -> Any:
        return forms.field(
            name, label, values[name], kind=kind, required=required, complaints=complaints
        )

    general = (
        text("name", "Name", required=True),
        text("description", "Description", kind="textarea"),
        text("endpoint", "Endpoint URL", required=True),
        choice("http_method", "Request method", [(name, name) for name in Webhook.METHODS]),
        choice("request_format", "Request format", FORMATS.items()),
        text("active", "Active", kind="checkbox"),
    )
    connection = (
        choice("connection", "Connect to", CONNECTIONS.items()),
        choice("events", "Events", EVENTS.items(), many=True),
    )
    held = (found.authentication if found is not None else None) or {}
    keeps = "Left empty, it stays" if held else ""
    authentication = (
        choice("auth_type", "Authentication", AUTHENTICATIONS.items()),
        *(
            forms.field(
                f"auth_{name}",
                label,
                values["auth"][name],
                placeholder=keeps if name in SECRET else "",
            )
            for name, label in AUTH_INPUTS.items()
        ),
    )
    return (
        FormSection("General", general),
        FormSection(
            "Connection",
            connection,
            note="" if complaints is None else complaints.by_input.get("subscriptions", ""),
        ),
        FormSection(
            "Authentication",
            authentication,
            note="" if complaints is None else complaints.by_input.get("authentication", ""),
        ),
        FormSection("Custom headers", table=_headers(values["headers"], complaints)),
    )


def _headers(rows: list[Row], complaints: FormErrors | None) -> RowTable:
    views = []
    for index, row in enumerate(rows):
        fields = tuple(
            forms.field(
                row_tables.input_name(PREFIX, index, name), f"{label} {index + 1}", row[name]
            )
            for name, label in (("name", "Header name"), ("value", "Header value"))
        )
        views.append(RowView("", (), fields))
    return RowTable(
        PREFIX,
        "Custom headers",
        ("Name", "Value"),
        tuple(views),
        "Add header",
        error=complaints.by_input.get("custom_headers", "") if complaints else "",
    )
