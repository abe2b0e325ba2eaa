"""General configuration, the look of the site, and the announcement that its pages bear."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.core.web.posted import posted_text
from clones.tracker.domain import site_settings
from clones.tracker.domain.site_settings import PROPERTIES
from clones.tracker.domain.site_switches import SWITCHES, is_on, set_switch
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import area, check, line, select
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import Words, said, words

AT: Final = address_of("general")
LOOK_AT: Final = address_of("look")
BANNER_AT: Final = address_of("banner")
TITLE: Final = "jira.title"
SHOWN: Final = (
    "voting_enabled",
    "watching_enabled",
    "issue_linking_enabled",
    "unassigned_issues_allowed",
    "attachments_enabled",
    "parallel_sprints",
    site_settings.CHOSEN,
)
NAMES: Final = {
    "issue_linking_enabled": "Work item linking",
    "unassigned_issues_allowed": "Unassigned work items",
}
LOOK: Final = tuple(key for key in PROPERTIES if key.startswith("jira.lf."))
ISO: Final = "jira.date.time.picker.use.iso8061"
VISIBLE: Final = (("public", "Public: everybody"), ("private", "Private: people who signed in"))


@admin_page
def show(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show what the site is called, what is turned on, and its advanced settings."""
    states = {key: is_on(key) for key in SHOWN}
    used = words()
    options = Panel(
        ["Option", "Status"],
        [
            ListRow(
                [
                    Cell(_name(key, used)),
                    Cell("On" if on else "Off", lozenge="done" if on else "new"),
                ],
                [_switch(key, used, on=on)],
            )
            for key, on in states.items()
        ],
        "Options",
    )
    advanced = Panel(
        ["Setting", "Value"],
        [
            ListRow(
                [Cell(one.name, below=one.key), Cell(site_settings.property_value(one.key))],
                [Action("Edit", f"{AT}/properties/{one.key}", one.name)],
            )
            for one in PROPERTIES.values()
            if one.advanced
        ],
        "Advanced settings",
    )
    facts = [("Title", Cell(site_settings.property_value(TITLE)))]
    return admin_view(
        request,
        who,
        ListPage(
            "General configuration", "general", [options, advanced], facts=facts,
            acts=[Action("Edit title", f"{AT}/properties/{TITLE}", primary=True)],
        ),
    )  # fmt: skip


def _name(key: str, used: Words) -> str:
    return said(NAMES.get(key, SWITCHES[key].name), used)


def _switch(key: str, used: Words, *, on: bool) -> Action:
    label, value = ("Turn off", "") if on else ("Turn on", "1")
    return Action(
        label, f"{AT}/switch", _name(key, used), post=True, sends={"key": key, "on": value}
    )


@admin_form
def switch(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Turn something on or off."""
    key, on = posted_text(request, "key", strip=False), bool(posted_text(request, "on"))

    def write() -> str:
        set_switch(key, on=on, actor=who.rights)
        return f"{_name(key, words())} is {'on' if on else 'off'}"

    return act(request, who, write, back=AT, here="general")


def _property_input(key: str) -> Input:
    """Return the input of an application property, as it is."""
    found, now = PROPERTIES[key], site_settings.property_value(key)
    if found.allowed:
        return select("value", found.name, [(one, one) for one in found.allowed], now)
    if found.kind == "boolean":
        return select("value", found.name, [("true", "Yes"), ("false", "No")], now)
    return line("value", found.name, now, hint=f"By default: {found.default}")


@admin_page
def edit_property(request: SandboxRequest, who: Visitor, key: str) -> HttpResponse:
    """Set an application property."""
    site_settings.property_value(key)  # there may be none of this key
    is_look = key in LOOK or key == ISO
    here = "look" if is_look else "general"

    def write(sent: PageForm) -> str:
        site_settings.set_property_value(key, sent.text("value"), actor=who.rights)
        return f"“{PROPERTIES[key].name}” updated"

    sheet = FormPage(
        f"Edit {PROPERTIES[key].name[:1].lower()}{PROPERTIES[key].name[1:]}",
        request.path,
        LOOK_AT if is_look else AT,
        [_property_input(key)],
    )
    return ask(request, who, sheet, write, here=here)


@admin_page
def look(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show how dates and times are written (the vendor's LookAndFeel page)."""
    rows = [
        ListRow(
            [Cell(PROPERTIES[key].name, below=key), Cell(site_settings.property_value(key))],
            [Action("Edit", f"{AT}/properties/{key}", PROPERTIES[key].name)],
        )
        for key in (*LOOK, ISO)
    ]
    panel = Panel(["Format", "Value"], rows, "Date and time formats")
    said = "How the site's interfaces write dates and times."
    return admin_view(request, who, ListPage("Look and feel", "look", [panel], said))


@admin_page
def show_banner(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the announcement."""
    now = site_settings.banner()
    on = bool(now["isEnabled"])
    facts = [
        ("Status", Cell("On" if on else "Off", lozenge="done" if on else "new")),
        ("Announcement", Cell(now["message"] or "None")),
        ("Visibility", Cell(dict(VISIBLE).get(now["visibility"], now["visibility"]))),
        ("Can be dismissed", Cell("Yes" if now["isDismissible"] else "No")),
    ]
    return admin_view(
        request,
        who,
        ListPage(
            "Announcement banner", "banner", facts=facts,
            acts=[Action("Edit banner", f"{BANNER_AT}/edit", primary=True)],
            said="A text at the top of every page.",
        ),
    )  # fmt: skip


@admin_page
def edit_banner(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Change the announcement."""
    now = site_settings.banner()

    def write(sent: PageForm) -> str:
        values = {
            "message": sent.text("message"),
            "isEnabled": sent.ticked("isEnabled"),
            "isDismissible": sent.ticked("isDismissible"),
            "visibility": sent.text("visibility"),
        }
        site_settings.set_banner(values, actor=who.rights)
        return "Announcement banner updated"

    inputs = [
        check("isEnabled", "Show the announcement", on=bool(now["isEnabled"])),
        area("message", "Announcement", now["message"], hint="HTML may be used."),
        select("visibility", "Visibility", VISIBLE, now["visibility"]),
        check("isDismissible", "People can dismiss it", on=bool(now["isDismissible"])),
    ]
    sheet = FormPage("Edit announcement banner", request.path, BANNER_AT, inputs)
    return ask(request, who, sheet, write, here="banner")
