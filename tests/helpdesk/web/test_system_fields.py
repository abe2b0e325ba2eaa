"""System fields on the pages of tickets: every one that the catalogue puts into the pane."""

from __future__ import annotations

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Ticket
from clones.helpdesk.rules.system_fields import PANE, SystemField
from tests.helpdesk.web.conftest import Office

in_pane = pytest.mark.parametrize("item", PANE, ids=[item.name for item in PANE])


def held(office: Office, key: int, item: SystemField) -> str:
    with office.bound(), unit_of_work("read"):
        value = getattr(Ticket.objects.get(id=key), item.name)
    return value.date().isoformat() if item.kind == "moment" and value else value or ""


def values_of(item: SystemField) -> list[str]:
    """Return a value that a field can hold, and nothing."""
    some = {"choice": [*item.choices][-1:], "moment": ["2026-07-01"]}.get(item.kind, ["something"])
    return [*some, ""]


@in_pane
def test_a_tickets_page_shows_and_changes_a_field(ana: Office, item: SystemField) -> None:
    assert item.input is not None
    key = ana.keys.charged
    for value in values_of(item):
        shown = ana.send_ticket(key, **{item.name: value})
        assert shown.status == 302, shown.text
        assert held(ana, key, item) == value
        page = ana.get(f"/agent/tickets/{key}", events="1")
        assert f'data-test-id="{item.input.test_id}"' in page.html
        assert page.fields()[item.name] == value
    assert f"{item.title} - (was" in page.text


@in_pane
def test_a_new_ticket_has_a_field(ana: Office, item: SystemField) -> None:
    path, [value, _] = "/agent/tickets/new/1", values_of(item)
    given = {**ana.get(path).fields(), "requester": "mara@acme.example", "subject": "New"}
    ana.post(path, {**given, "comment": "Hello.", "submit_as": "open", item.name: value})
    with ana.bound(), unit_of_work("read"):
        key = Ticket.objects.latest("id").id
    assert held(ana, key, item) == value


@in_pane
def test_several_tickets_are_given_a_field_at_once(ana: Office, item: SystemField) -> None:
    assert item.input is not None
    keys, [value, _] = [ana.keys.charged, ana.keys.broken], values_of(item)
    page = ana.get("/agent/bulk/tickets", ids=keys)
    assert (f'name="{item.name}"' in page.html) == item.input.bulk_editable
    before = held(ana, keys[0], item)
    ana.post("/agent/bulk/tickets", {"ids": keys, "submit_as": "keep", item.name: "keep"})
    assert held(ana, keys[0], item) == before
    ana.post("/agent/bulk/tickets", {"ids": keys, "submit_as": "keep", item.name: value})
    if item.input.bulk_editable:
        assert [held(ana, key, item) for key in keys] == [value, value]
