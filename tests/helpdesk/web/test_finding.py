"""The search page: tabs, filters that write the query, sorting."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Ticket
from clones.helpdesk.web.search_filters import SearchFilters
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.test_lists import fill, rows

PATH = "/agent/search/1"


def query_after(office: Office, text: str, **filters: str) -> str:
    """Return the query that a search leads to when filters are set beside it."""
    shown = office.get(PATH, q=text, filter="1", type="ticket", **filters)
    assert shown.status == 302
    return parse_qs(urlsplit(shown.location).query).get("q", [""])[0]


def test_unverified_filters_write_themselves_into_the_query(ana: Office) -> None:
    found = query_after(
        ana,
        "smells",
        status="unsolved",
        assignee="Ana Lima <ana@kestrel.example>",
        created_from="2026-06-01",
        created_to="2026-06-30",
    )
    assert found == (
        "smells status<solved assignee:ana@kestrel.example created>=2026-06-01 created<=2026-06-30"
    )
    page = ana.get(PATH, q=found, type="ticket")
    assert rows(page) == [ana.keys.broken]
    assert page.field("assignee") == "ana@kestrel.example"
    assert page.field("created_from") == "2026-06-01"
    assert '<option value="unsolved" selected>' in page.html


def test_filters_replace_what_they_say_and_leave_the_rest(ana: Office) -> None:
    typed = 'status:open -status:closed priority:high "two words" tags:billing'
    assert query_after(ana, typed, status="pending", tags="june vip") == (
        '-status:closed priority:high "two words" status:pending tags:"june vip"'
    )
    assert query_after(ana, typed) == '-status:closed priority:high "two words"'
    assert query_after(ana, "status:open status:new x") == "status:open status:new x"
    assert query_after(ana, "created:2026-06-14") == "created:2026-06-14"


def test_several_tags_mean_all_of_them(ana: Office) -> None:
    with ana.bound(), unit_of_work("write"), act(actor="test", label="tags"):
        Ticket.objects.filter(id=ana.keys.charged).update(tags=["billing", "june"])
        Ticket.objects.filter(id=ana.keys.broken).update(tags=["june"])
    found = query_after(ana, "", tags="june billing")
    assert rows(ana.get(PATH, q=found)) == [ana.keys.charged]
    assert SearchFilters.of(found).tags == "billing june"


def test_kinds_have_tabs_with_counts(ana: Office) -> None:
    page = ana.get(PATH, q="acme*")
    assert "Tickets (0)" in page.text
    assert "Organizations (1)" in page.text
    assert "search-filters" not in page.html
    assert "Mara Voss" in ana.get(PATH, q="mara", type="user").text


def test_results_are_sorted_by_their_headings(ana: Office) -> None:
    more = fill(ana, 2)
    with ana.bound(), unit_of_work("write"), act(actor="test", label="rank"):
        Ticket.objects.filter(id=more[0]).update(priority="urgent")
    page = ana.get(PATH, q="question", type="ticket", sort="priority.desc")
    assert rows(page) == [more[0], more[1]]
    assert 'aria-sort="descending"' in page.html
    # Sorting keeps the query.
    assert '<input type="hidden" name="q" value="question">' in page.html
    assert rows(ana.get(PATH, q="question", sort="nice_id.asc")) == more


def test_results_come_in_pages_that_keep_the_query(ana: Office) -> None:
    fill(ana, 31)
    page = ana.get(PATH, q="question", type="ticket")
    assert "31 results" in page.text
    assert 'href="?q=question&amp;type=ticket&amp;page=2"' in page.html.replace(
        "?type=ticket&amp;q=question&amp;page=2", "?q=question&amp;type=ticket&amp;page=2"
    )
    assert len(rows(ana.get(PATH, q="question", page="2"))) == 1


@pytest.mark.parametrize("text", ["created>tomorrowish", "x" * 5000])
def test_a_bad_query_is_refused_in_words(ana: Office, text: str) -> None:
    page = ana.get(PATH, q=text)
    assert page.status == 422
    assert "Invalid search:" in page.text
    assert ana.get(PATH, q="x" * 5000, filter="1", status="open").status == 422
