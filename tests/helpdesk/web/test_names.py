"""Test ids, roles and names by which people's scripts find things: those of the product are here.

The lists are what public scripts and extensions of the product look for, page by page.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.business_rules import create_view
from clones.helpdesk.domain.ticket_forms import create_form
from clones.helpdesk.models import User
from clones.helpdesk.web.urls import urlpatterns
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.desk import write_many
from tests.helpdesk.web.test_browser import Seat, play_at

pytestmark = pytest.mark.browser

LEAST = 0.95
FRAME = (
    "test:header-tablist",
    "test:header-tab",
    "test:header-tab-title",
    "test:header-tab-subtitle",
    "test:header-toolbar-add-menu-button",
    "test:header-toolbar-add-menu-new-ticket",
    "test:views_icon",
    'role=link[name="Home"]',
    'role=link[name="Views"]',
    'role=link[name="Customers"]',
    'role=link[name="Organizations"]',
    '[data-test-id="header-tab"][data-entity-id]',
    '[data-test-id="header-tab"][aria-current="page"]',
)
SIGN_IN = ("label=Email", "label=Password", 'role=button[name="Sign in"]')
VIEW = (
    "test:views_views-list_general-views-container",
    'a[data-test-id^="views_views-list_item-view-"]',
    "test:views_views-list_row_title",
    "test:views_views-list_header-refresh",
    "test:views_views-header",
    "test:views_views-header-counter",
    "test:views_views-header-page-amount",
    'table[data-garden-id="tables.table"]',
    '[data-garden-id="tables.row"]',
    '[data-garden-id="tables.group_row"]',
    '[data-garden-id="tables.header_cell"]',
    'button[data-garden-id="tables.sortable"], a[data-garden-id="tables.sortable"]',
    "test:generic-table",
    "test:generic-table-row",
    "test:generic-table-cells-id",
    "test:ticket-table-cells-subject",
    "test:table_container",
    "test:table_main",
    "test:table_header",
    "test:generic-table-pagination-first",
    "test:generic-table-pagination-next",
    '[data-cy-test-id="status-badge-state"]',
)
TICKET = (
    "test:ticket-system-field-requester-select",
    "test:ticket-system-field-requester-menu",
    "test:assignee-field",
    "test:assignee-field-take-it-button",
    'role=combobox[name="Followers"]',
    "test:ticket-form-field-dropdown-button",
    "test:ticket-fields-tags",
    "test:ticket-fields-type-select",
    "test:ticket-fields-priority-select",
    '[data-garden-id="dropdowns.combobox.value"]',
    '[data-test-id^="ticket-form-field-dropdown-field-"]',
    "test:ticket-fields-multiline-field",
    "test:omni-header-subject",
    "test:tabs-nav-item-organizations",
    "test:tabs-section-nav-item-ticket",
    "test:omni-log-container",
    'article[data-test-id="omni-log-comment-item"]',
    "test:omni-log-item-sender",
    "test:omni-log-comment-user-link",
    "test:omni-log-item-via",
    "test:omni-log-item-message",
    "test:omni-log-message-content",
    'time[data-test-id="timestamp-relative"][datetime]',
    "test:omnichannel-channel-switcher-button",
    '[role=textbox][contenteditable][data-test-id="omnicomposer-rich-text-ckeditor"]',
    "test:omnichannel-composer-toolbar",
    "test:ticket-composer-toolbar-link-button",
    "test:link-modal-link-input",
    "test:link-modal-text-input",
    "test:link-modal-add-button",
    "test:ticket-footer-macro-menu-autocomplete-input",
    "test:ticket-fields-status-view",
    "test:submit_button-button",
    "test:submit_button-menu-button",
    '[role=menuitem]:has-text("Submit as Open")',
    '[role=menuitem]:has-text("Submit as Pending")',
    '[role=menuitem]:has-text("Submit as On-hold")',
    '[role=menuitem]:has-text("Submit as Solved")',
    '[data-ticket-id="{charged}"]',
)
PAGES = {
    "the frame": ("/agent/tickets/{charged}", FRAME),
    "a view": ("/agent/filters/{view}", VIEW),
    "a ticket": ("/agent/tickets/{charged}", TICKET),
}


def present(seat: Seat, name: str, keys: dict[str, int]) -> bool:
    """Tell whether a page has what a script of the product looks for."""
    page = seat.page
    if name.startswith("label="):
        return page.get_by_label(name.removeprefix("label=")).count() > 0
    if name.startswith("test:"):
        name = f'[data-test-id="{name.removeprefix("test:")}"]'
    return page.locator(name.replace("{charged}", str(keys["charged"]))).count() > 0


def test_addresses_have_names_of_their_own() -> None:
    names = [item.name for item in urlpatterns if getattr(item, "name", None)]
    assert len(names) > 200
    assert [name for name, times in Counter(names).items() if times > 1] == []


def furnish(office: Office) -> int:
    """Write what a desk has that shows every name; return a view of more than a page."""
    with office.bound(), unit_of_work("write"), act(actor="test", label="furnish"):
        write_many(User.objects.get(id=office.keys.customer), 35)
        owner = User.objects.get(role="admin")
        create_form(actor=owner, changes={"name": "Returns"})
        columns = ["nice_id", "subject", "requester", "created"]
        changes = {
            "title": "By number",
            "all": [{"field": "status", "operator": "less_than", "value": "solved"}],
            "output": {"columns": columns, "group_by": "status", "sort_by": "nice_id"},
        }
        return create_view(actor=owner, changes=changes).id


def test_what_scripts_look_for_is_there(office: Office, port: str) -> None:
    keys = {**asdict(office.keys), "view": furnish(office)}

    def play(seat: Seat) -> dict[str, list[str]]:
        missing = {}
        seat.page.goto(seat.origin + "/agent/filters")
        missing["sign in"] = [name for name in SIGN_IN if not present(seat, name, keys)]
        page = seat.sign_in(f"/agent/tickets/{office.keys.charged}")
        for title, (path, names) in PAGES.items():
            page.goto(seat.origin + path.format(**keys))
            if title == "a ticket":
                page.locator('[data-test-id="ticket-composer-toolbar-link-button"]').click()
            missing[title] = [name for name in names if not present(seat, name, keys)]
        return missing

    found = play_at(office, port, play)
    sizes = {"sign in": len(SIGN_IN), **{title: len(names) for title, (_, names) in PAGES.items()}}
    for title, missing in found.items():
        print(f"{title:12} {sizes[title] - len(missing):3} of {sizes[title]:3}  {missing}")
    shares = {title: 1 - len(missing) / sizes[title] for title, missing in found.items()}
    assert all(share >= LEAST for share in shares.values()), found
