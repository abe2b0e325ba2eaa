"""Notification schemes: who is told of which event in the spaces that use one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.tracker.domain import notification_schemes as schemes
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.notification_schemes import NOTIFICATION_SCHEME
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import NotificationScheme, Project
from clones.tracker.queries.holder_names import holder_names
from clones.tracker.rules.notification_events import EVENTS
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.holders import recipient_input
from clones.tracker.web.admin.inputs import checks, multiple, named
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell, spaces_using
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import speaker

HERE: Final = "notification-schemes"
AT: Final = address_of(HERE)


class NotificationSchemePages(AdminPages[NotificationScheme]):
    """The list of schemes and their forms (the vendor's ViewNotificationSchemes page)."""

    resource = NOTIFICATION_SCHEME
    here = HERE
    title = "Notification schemes"
    noun = "notification scheme"
    gone = schemes.GONE
    leaves = "A scheme can be deleted as long as no space uses it."
    has_details = True
    opens = "Notifications"
    copies = True
    said = "Who gets an email when something happens to work items."
    columns = ("Name", "Spaces")

    def list_rows(self, found: Sequence[NotificationScheme]) -> list[ListRow]:
        """Return the schemes with their spaces."""
        spaces = spaces_using("notification_scheme", found)
        return [
            ListRow(
                [
                    self.name_cell(row, ["Default"] if row.is_default else []),
                    spaces_cell(spaces[row.id]),
                ],
                self.acts(row, found, goes=not (row.is_default or spaces[row.id])),
                row,
            )
            for row in found
        ]


PAGES: Final = NotificationSchemePages()


@admin_page
def copy(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Make a scheme with the recipients of another one."""
    source = PAGES.find(key)

    def write(sent: PageForm) -> tuple[str, str]:
        rows = source.notifications.exclude(type="EmailAddress").order_by("id")
        told = [(str(event), kind, who_) for event, kind, who_ in
                rows.values_list("event", "type", "parameter")]  # fmt: skip
        made = schemes.create_notification_scheme(
            sent.text("name"), sent.text("description"), told, actor=who.rights
        )
        return f"Notification scheme “{made.name}” added", f"{AT}/{made.id}"

    inputs = named(f"Copy of {source.name}", source.description)
    sheet = FormPage(f"Copy notification scheme: {source.name}", request.path, AT, inputs, "Copy")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show who is told of each event."""
    row = PAGES.find(key)
    at = f"{AT}/{row.id}"
    told = list(row.notifications.order_by("id"))
    names = holder_names(((one.type, one.parameter) for one in told), spoken=speaker())
    by_event: dict[int, list[Link]] = {event: [] for event in EVENTS}
    for one in told:
        by_event.setdefault(one.event, []).append(Link(names[one.type, one.parameter]))
    rows = [
        ListRow(
            [Cell(name, below=about), Cell(links=by_event[event])],
            [
                Action("Add", f"{at}/notifications/add?event={event}", name),
                *(
                    [Action("Remove", f"{at}/notifications/{event}/remove", name)]
                    if by_event[event]
                    else []
                ),
            ],
        )
        for event, (name, about) in EVENTS.items()
    ]
    users = Project.objects.filter(notification_scheme=row, deleted_at=None)
    spaces = list(users.order_by("name", "id"))
    return admin_view(
        request,
        who,
        ListPage(
            row.name, HERE, [Panel(["Event", "Notifications"], rows)], row.description,
            [
                Action("Edit", f"{at}/edit"),
                *([] if row.is_default or spaces else [Action("Delete", f"{at}/delete")]),
                Action("Add notification", f"{at}/notifications/add", primary=True),
            ],
            [("Spaces", spaces_cell(spaces))], crumbs=crumbs_of(HERE), record=row,
        ),
    )  # fmt: skip


@admin_page
def tell(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Let somebody be told of one or more events."""
    row = PAGES.find(key)

    def write(sent: PageForm) -> str:
        events = sent.several("events")
        kind, _, about = sent.text("recipient").partition(":")
        if not events:
            raise Invalid(fields={"events": "Choose the events to tell of."})
        if not kind:
            raise Invalid(fields={"recipient": "Choose who is told."})
        told = [(event, kind, about or None) for event in events]
        schemes.add_notifications(row, told, actor=who.rights)
        return "Notification added" if len(told) == 1 else "Notifications added"

    pairs = [(event, name) for event, (name, _) in EVENTS.items()]
    now = request.GET.getlist("event")
    inputs = [multiple("events", "Events", pairs, now), recipient_input("recipient", "Recipient")]
    sheet = FormPage("Add notification", request.path, f"{AT}/{row.id}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def untell(request: SandboxRequest, who: Visitor, key: int, event: int) -> HttpResponse:
    """Take recipients from an event."""
    row = PAGES.find(key)
    rows = list(row.notifications.filter(event=event).order_by("id"))
    names = holder_names(((one.type, one.parameter) for one in rows), spoken=speaker())
    pairs = [(one.id, names[one.type, one.parameter]) for one in rows]
    label = EVENTS[event][0] if event in EVENTS else str(event)

    def write(sent: PageForm) -> str:
        keys = {key_of(one) for one in sent.several("notifications")}
        gone = [one for one in rows if one.id in keys]
        if not gone:
            raise Invalid(fields={"notifications": "Choose who is told no more."})
        for one in gone:
            schemes.remove_notification(one, actor=who.rights)
        return "Notification removed"

    inputs = [checks("notifications", label, pairs)]
    heading = f"Remove notifications: {label}"
    sheet = FormPage(heading, request.path, f"{AT}/{row.id}", inputs, "Remove", danger=True)
    return ask(request, who, sheet, write, here=HERE)
