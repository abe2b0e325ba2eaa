"""Webhooks that admins keep: where they go, what they are told of, of which work items."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.core.web.posted import posted_text, posted_texts
from clones.tracker.domain import webhooks
from clones.tracker.models import Webhook
from clones.tracker.rules.webhook_events import ADMIN
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import area, check, grouped, line
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.parts.times import when
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import said, words

HERE: Final = "webhooks"
AT: Final = address_of(HERE)
# Things that events are about, in the order in which the vendor's form lists them.
GROUPS: Final = (
    ("Work item", ("jira:issue_",)),
    ("Comment", ("comment_",)),
    ("Worklog", ("worklog_",)),
    ("Attachment", ("attachment_",)),
    ("Work item link", ("issuelink_",)),
    ("Work item property", ("issue_property_",)),
    ("Space", ("project_",)),
    ("Version", ("jira:version_",)),
    ("Sprint", ("sprint_",)),
    ("Board", ("board_",)),
    ("User", ("user_",)),
    ("Work type", ("issuetype_",)),
    ("Filter", ("filter_",)),
    ("Feature status", ("option_",)),
)


def _events() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the events by what they are about: their keys, and what happened."""
    used = words()
    return [
        (
            said(label, used),
            [
                (event, event.removeprefix(prefixes[0]).replace("_", " "))
                for event in sorted(ADMIN)
                if event.startswith(prefixes)
            ],
        )
        for label, prefixes in GROUPS
    ]


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List the webhooks that admins keep (the vendor's `/plugins/servlet/webhooks`)."""
    rows = Webhook.objects.filter(dynamic=False).select_related("owner").order_by("name", "id")
    panel = Panel(
        ["Name", "URL", "Events", "Last updated", "Status"],
        [
            ListRow(
                [
                    Cell(row.name, below=str(row.scope.get("description", ""))),
                    Cell(row.url, below=row.jql),
                    Cell(", ".join(row.events) or "None"),
                    Cell(when(row.updated, who.rights.zone), below=row.owner.display_name),
                    Cell("Enabled" if row.enabled else "Disabled",
                         lozenge="done" if row.enabled else "new"),
                ],
                [
                    Action("Edit", f"{AT}/{row.id}", row.name),
                    Action("Disable" if row.enabled else "Enable", f"{AT}/{row.id}/switch",
                           row.name,
                        post=True, sends={"on": "" if row.enabled else "1"}),
                    Action("Delete", f"{AT}/{row.id}/delete", row.name),
                ],
                row,
            )
            for row in rows
        ],
        empty="There are no webhooks.",
    )  # fmt: skip
    return admin_view(
        request,
        who,
        ListPage(
            "WebHooks", HERE, [panel], "Addresses that are told of what happens on the site.",
            [Action("Create a WebHook", f"{AT}/create", primary=True)],
        ),
    )  # fmt: skip


def _inputs(row: Webhook | None = None) -> list[Input]:
    now = Webhook(name="", url="", events=[], jql="", scope={}) if row is None else row
    events = grouped("events", "Events", _events())
    chosen = [
        type(one)(one.value, one.label, one.value in now.events, one.group)
        for one in events.choices
    ]
    return [
        line("name", "Name", now.name, required=True),
        check("enabled", "Enabled", on=now.enabled),
        line("url", "URL", now.url, required=True, hint="${issue.key} is filled in, for example."),
        line("secret", "Secret", hint="Signs what is sent. Without one, the secret stays."),
        area("description", "Description", str(now.scope.get("description", ""))),
        area("jql", "JQL", now.jql, hint="Of which work items; without a query, of all."),
        Input("events", "Events", "multiple", choices=chosen),
        check("exclude_body", "Exclude body", on=bool(now.scope.get("exclude_body"))),
    ]


def _values(request: SandboxRequest) -> dict[str, Any]:
    secret = posted_text(request, "secret")
    return {
        "name": posted_text(request, "name"),
        "url": posted_text(request, "url"),
        "enabled": bool(posted_text(request, "enabled")),
        "description": posted_text(request, "description"),
        "jql": posted_text(request, "jql"),
        "events": posted_texts(request, "events"),
        "exclude_body": bool(posted_text(request, "exclude_body")),
        **({"secret": secret} if secret else {}),
    }


@admin_page
def create(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a webhook."""

    def write(sent: PageForm) -> str:
        made = webhooks.create_webhook(_values(request), actor=who.rights)
        return f"WebHook “{made.name}” created"

    sheet = FormPage("Create a WebHook", request.path, AT, _inputs(), "Create")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a webhook."""
    found = webhooks.find_webhook(str(key))

    def write(sent: PageForm) -> str:
        webhooks.update_webhook(found, _values(request), actor=who.rights)
        return f"WebHook “{found.name}” updated"

    sheet = FormPage("Edit WebHook", request.path, AT, _inputs(found))
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def switch(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Enable a webhook, or disable it."""
    found = webhooks.find_webhook(str(key))
    on = bool(posted_text(request, "on"))

    def write() -> str:
        webhooks.update_webhook(found, {"enabled": on}, actor=who.rights)
        return f"WebHook “{found.name}” {'enabled' if on else 'disabled'}"

    return act(request, who, write, back=AT, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a webhook; what it still owes is not sent any more."""
    found = webhooks.find_webhook(str(key))

    def write(sent: PageForm) -> str:
        name = found.name
        webhooks.delete_webhook(found, actor=who.rights)
        return f"WebHook “{name}” deleted"

    sheet = FormPage(
        f"Delete WebHook: {found.name}", request.path, AT, button="Delete",
        said="What it has not been told yet is not sent any more.", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
