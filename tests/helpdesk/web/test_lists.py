"""Views, bulk edit, home, search, customers and organizations."""

from __future__ import annotations

import re
from typing import Any

import pytest

from clones.core.journal import act
from clones.core.models import Sighting
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Comment, Ticket, User, View
from tests.helpdesk.web.conftest import Office, Shown
from tests.helpdesk.web.desk import write_many


def rows(page: Shown) -> list[int]:
    """Return the tickets of a page's table, in order."""
    return [int(key) for key in re.findall(r'<tr[^>]*data-ticket-id="(\d+)"', page.html)]


def view_path(office: Office, title: str) -> str:
    with office.bound(), unit_of_work("read"):
        return f"/agent/filters/{View.objects.get(title=title).id}"


def fill(office: Office, count: int) -> list[int]:
    """Write more tickets of the customer."""
    with office.bound(), unit_of_work("write"), act(actor="test", label="many"):
        return write_many(User.objects.get(id=office.keys.customer), count)


# Views


def test_the_first_view_opens(ana: Office) -> None:
    assert ana.get("/agent/filters").location == view_path(ana, "Your unsolved tickets")


def test_a_view_shows_its_tickets_in_groups(ana: Office) -> None:
    page = ana.get(view_path(ana, "All unsolved tickets"))
    assert page.status == 200
    assert rows(page) == [ana.keys.charged, ana.keys.broken]
    assert "2 tickets" in page.text
    assert "1-2 of 2" in page.text
    headings = re.findall(r'tables.group_row"><th[^>]*>([^<]*)<', page.html)
    assert headings == ["-", "Ana Lima"]
    for column in ("Subject", "Requester", "Requested", "Type", "Priority"):
        assert column in page.text
    assert 'data-cy-test-id="status-badge-state" title="New"' in page.html


def test_texts_in_rows_are_texts(ana: Office) -> None:
    subject = 'A "{quoted}" <b>laser</b> & {{ ticket }} {}'
    with ana.bound(), unit_of_work("write"), act(actor="test", label="subject"):
        Ticket.objects.filter(id=ana.keys.broken).update(subject=subject)
    shown = "A &quot;{quoted}&quot; &lt;b&gt;laser&lt;/b&gt; &amp; {{ ticket }} {}"
    page = ana.get(view_path(ana, "All unsolved tickets"))
    address = f"/agent/tickets/{ana.keys.broken}"
    card = f"/agent/cards/tickets/{ana.keys.broken}"
    assert f'<a href="{address}" data-preview="{card}">{shown}</a>' in page.html
    assert f'<a href="{address}">{shown}</a>' in ana.get("/agent/search/1?q=laser").html


def test_the_list_of_views_counts(ana: Office) -> None:
    page = ana.get(view_path(ana, "All unsolved tickets"))
    lines = dict(re.findall(r'row_title">([^<]*)</span> <span[^>]*row_count">(\d+)<', page.html))
    assert lines["Your unsolved tickets"] == "1"
    assert lines["All unsolved tickets"] == "2"
    assert lines["Pending tickets"] == "0"
    assert "Current tasks" not in lines


def test_a_view_has_thirty_rows_a_page(ana: Office) -> None:
    fill(ana, 35)
    path = view_path(ana, "Unassigned tickets")
    first, second = ana.get(path), ana.get(path, page="2")
    assert (len(rows(first)), len(rows(second))) == (30, 6)
    assert not set(rows(first)) & set(rows(second))
    assert rows(first)[0] > rows(first)[-1] > rows(second)[0]
    assert "Page 1 of 2" in first.text
    assert "31-36 of 36" in second.text
    assert re.search(r'href="\?page=2"[^>]*generic-table-pagination-next', first.html)
    assert re.search(r'href="\?page=1"[^>]*generic-table-pagination-first', second.html)
    assert not re.search(r'href="[^"]*"[^>]*generic-table-pagination-next', second.html)


@pytest.mark.parametrize("page", ["0", "-1", "x", "99999999999", "77"])
def test_pages_that_do_not_exist_show_one_that_does(ana: Office, page: str) -> None:
    shown = ana.get(view_path(ana, "Unassigned tickets"), page=page)
    assert shown.status == 200
    assert rows(shown) == [ana.keys.charged]


def test_a_view_is_sorted_by_its_headings(ana: Office) -> None:
    more = fill(ana, 2)
    with ana.bound(), unit_of_work("write"), act(actor="test", label="rank"):
        Ticket.objects.filter(id=more[0]).update(priority="urgent")
        Ticket.objects.filter(id=more[1]).update(priority="low")
    path = view_path(ana, "Unassigned tickets")
    page = ana.get(path, sort="priority.desc")
    assert rows(page) == [more[0], more[1], ana.keys.charged]
    assert rows(ana.get(path, sort="priority.asc")) == [ana.keys.charged, more[1], more[0]]
    assert 'aria-sort="descending"' in page.html
    assert 'value="priority.asc" data-garden-id="tables.sortable"' in page.html
    unknown = ana.get(path, sort="password.desc")
    assert rows(unknown) == [more[1], more[0], ana.keys.charged]


def test_a_view_of_others_is_not_found(ana: Office) -> None:
    path = view_path(ana, "Pending tickets")
    with ana.bound(), unit_of_work("write"), act(actor="test", label="restrict"):
        rule = {"type": "User", "id": ana.keys.colleague}
        View.objects.filter(title="Pending tickets").update(restriction=rule)
    assert ana.get(path).status == 404
    assert "Pending tickets" not in ana.get(view_path(ana, "Unassigned tickets")).text


def test_a_views_rows_are_noted(ana: Office) -> None:
    server().registry.set_episode(ana.row.id, "ep-test", None)
    ana.get(view_path(ana, "Unassigned tickets"))
    with ana.bound(), unit_of_work("read"):
        shown = Sighting.objects.order_by("id").last()
        assert shown is not None
        tickets = [entry for entry in shown.shown if entry[0] == "helpdesk_ticket"]
    assert tickets == [["helpdesk_ticket", str(ana.keys.charged), "list"]]


# Bulk edit


def bulk(office: Office, keys: list[int], **changes: Any) -> Shown:
    return office.post("/agent/bulk/tickets", {"ids": keys, "submit_as": "keep", **changes})


def test_several_tickets_are_edited_at_once(ana: Office) -> None:
    keys = [ana.keys.charged, ana.keys.broken]
    page = ana.get("/agent/bulk/tickets", ids=keys)
    assert page.status == 200
    assert "Edit 2 ticket(s)" in page.text
    shown = bulk(
        ana,
        keys,
        priority="low",
        type="keep",
        assignee=f"{ana.keys.billing}:{ana.keys.agent}",
        add_tags="wave2 june",
        remove_tags="billing",
        comment="We are on it.",
        channel="public",
        submit_as="pending",
    )
    assert shown.status == 302
    assert "2 ticket(s) updated" in ana.get("/agent/dashboard").text
    for key in keys:
        ticket = ana.ticket(key)
        assert (ticket.priority, ticket.status) == ("low", "pending")
        assert (ticket.group_id, ticket.assignee_id) == (ana.keys.billing, ana.keys.agent)
        own = ["vip"] if key == ana.keys.broken else []
        assert ticket.tags == ["june", *own, "wave2"]
    assert ana.ticket(ana.keys.broken).type == "incident"
    with ana.bound(), unit_of_work("read"):
        assert Comment.objects.filter(body="We are on it.", public=True).count() == 2


def test_a_bulk_edit_without_changes_changes_nothing(ana: Office) -> None:
    assert bulk(ana, [ana.keys.charged, ana.keys.broken]).status == 302
    assert ana.changes() == []


def test_one_refused_ticket_does_not_stop_the_others(ana: Office) -> None:
    keys = [ana.keys.closed, ana.keys.broken]
    shown = bulk(ana, keys, priority="low")
    assert shown.status == 200
    assert f"Ticket #{ana.keys.closed}: Status: closed prevents ticket update" in shown.text
    assert ana.ticket(ana.keys.broken).priority == "low"
    assert ana.ticket(ana.keys.closed).priority is None


def test_solving_in_bulk_needs_required_fields(ana: Office) -> None:
    shown = bulk(ana, [ana.keys.broken], submit_as="solved", comment="Done.", channel="public")
    assert shown.status == 200
    assert "“Product area” needed" in shown.text
    assert ana.changes() == []


def test_deleting_asks_first(ana: Office) -> None:
    keys = [ana.keys.charged, ana.keys.broken]
    page = ana.get("/agent/bulk/tickets", ids=keys, delete="1")
    assert "Delete 2 ticket(s)" in page.text
    assert ana.changes() == []
    assert bulk(ana, keys, delete="1").status == 302
    assert ana.ticket(ana.keys.charged).deleted_at is not None
    assert ana.get(f"/agent/tickets/{ana.keys.charged}").status == 404


def test_a_bulk_edit_needs_the_token(ana: Office) -> None:
    answer = ana.client.post(
        "/agent/bulk/tickets", {"ids": [ana.keys.broken], "priority": "low", "submit_as": "keep"}
    )
    assert answer.status_code == 403
    assert ana.changes() == []


def test_an_empty_selection_leads_back(ana: Office) -> None:
    assert ana.get("/agent/bulk/tickets").location == "/agent/filters"


# Home, search, people


def test_home_shows_what_waits(ana: Office) -> None:
    page = ana.get("/agent/dashboard")
    assert "Assigned to you 1 ticket" in page.text
    assert "Unassigned in your groups 1 ticket" in page.text
    assert rows(page) == [ana.keys.broken, ana.keys.charged]


def test_search_by_words_and_by_keys(ana: Office) -> None:
    page = ana.get("/agent/search/1", q='"charged twice"')
    assert rows(page) == [ana.keys.charged]
    assert "1 result" in page.text
    assert rows(ana.get("/agent/search/1", q="status<solved priority:urgent")) == [ana.keys.broken]
    people = ana.get("/agent/search/1", q="mara", type="user")
    assert "mara@acme.example" in people.text
    assert "Users (1)" in people.text
    firms = ana.get("/agent/search/1", q="type:organization acme")
    assert "Acme Works" in firms.text


def test_a_search_that_finds_nothing_says_so(ana: Office) -> None:
    page = ana.get("/agent/search/1", q="status:open zebra")
    assert page.status == 200
    assert "0 results" in page.text
    assert ana.get("/agent/search/1").status == 200


def test_what_was_searched_for_is_shown_as_text(ana: Office) -> None:
    page = ana.get("/agent/search/1", q='"><script>x()</script>')
    assert "<script>x()" not in page.html


def test_customers_are_listed_and_found(ana: Office) -> None:
    page = ana.get("/agent/customers")
    assert "Mara Voss" in page.text
    assert "Acme Works" in page.text
    assert "Ben Okafor" not in page.text
    assert "Nobody here" in ana.get("/agent/customers", q="zebra").text


def test_a_users_page_shows_their_tickets(ana: Office) -> None:
    path = f"/agent/users/{ana.keys.customer}/requested_tickets"
    page = ana.get(path)
    assert "Requested tickets (3)" in page.text
    assert "Primary email mara@acme.example" in page.text
    assert set(rows(page)) == {ana.keys.charged, ana.keys.broken, ana.keys.closed}
    mine = ana.get(f"/agent/users/{ana.keys.agent}/requested_tickets", list="assigned")
    assert set(rows(mine)) == {ana.keys.broken, ana.keys.closed}


def test_an_organizations_page_shows_people_and_tickets(ana: Office) -> None:
    firm = ana.user(ana.keys.customer).organization_id
    page = ana.get(f"/agent/organizations/{firm}")
    assert "Acme Works" in page.text
    assert "acme.example" in page.text
    assert "Mara Voss" in page.text
    assert len(rows(page)) == 3
    assert "Acme Works" in ana.get("/agent/organizations", q="acme").text


def test_suggestions_are_options(ana: Office) -> None:
    page = ana.get("/agent/suggestions/people", q="mar")
    assert page.html.startswith(
        '<li role="option" data-value="Mara Voss &lt;mara@acme.example&gt;"'
    )
    assert f'data-key="{ana.keys.customer}"' in page.html
    assert ana.get("/agent/suggestions/agents", q="mar").html == ""
    assert "Ben Okafor" in ana.get("/agent/suggestions/agents", q="ben").text
    assert ana.get("/agent/suggestions/tags", q="bil").html.count('role="option"') == 1
    assert ana.get("/agent/suggestions/people").html == ""
