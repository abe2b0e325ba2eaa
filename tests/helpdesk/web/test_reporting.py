"""The reporting page and the home page: numbers that agree with the tickets."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from clones.core import clock
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.satisfaction import rate_ticket
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import CustomRole, SlaClock, Ticket, User
from clones.helpdesk.queries import reporting
from tests.helpdesk.web.conftest import Office, Shown
from tests.helpdesk.web.test_lists import fill
from tests.helpdesk.web.test_user_page import wrote

PATH = "/agent/reporting"


def numbers(page: Shown) -> dict[str, str]:
    """Return the numbers at the head of the page by their names."""
    return dict(re.findall(r'data-test-id="report-([a-z-]+)"><b>([^<]*)</b>', page.html))


def lines(page: Shown, what: str) -> dict[str, list[str]]:
    """Return the rows of the table of that name."""
    table = page.html.partition(
        f'<table class="c-table" data-garden-id="tables.table" aria-label="{what}">'
    )[2].partition("</table>")[0]
    found = {}
    for head, rest in re.findall(r'scope="row">([^<]*)</th>(.*?)</tr>', table):
        found[head] = re.findall(r">([^<]*)</td>", rest)
    return found


def answer(office: Office, **changes: Any) -> None:
    """Let Ana answer the charged ticket, solved unless told otherwise."""

    def work() -> None:
        ana = User.objects.get(id=office.keys.agent)
        ticket = Ticket.objects.get(id=office.keys.charged)
        given = {
            "assignee_id": ana.id,
            "group_id": office.keys.billing,
            "custom_fields": {str(office.keys.product): "area_billing"},
            "status": "solved",
            **changes,
        }
        said = NewComment("Refunded.")
        update_ticket(ticket, actor=ana, changes=given, comment=said, via=Via("web"))

    wrote(office, work)


def test_unverified_the_report_counts_what_happened(ana: Office) -> None:
    answer(ana)

    def rate() -> None:
        mara = User.objects.get(id=ana.keys.customer)
        rate_ticket(
            Ticket.objects.get(id=ana.keys.charged), actor=mara, score="good", via=Via("web")
        )

    wrote(ana, rate)
    page = ana.get(PATH)
    found = numbers(page)
    assert found["created"] == "3"
    assert found["solved"] == "2"
    assert found["backlog"] == "1"
    assert found["satisfaction"] == "100%"
    # Five hours for the charged one, at once for the invoice: the median lies between.
    assert found["first-reply"] == "2h 30m"
    by_group = lines(page, "By group")
    assert by_group["Billing"][:3] == ["1", "1", "0"]
    assert by_group["Billing"][3:] == ["5h 0m", "100%"]
    assert lines(page, "By channel")["Mail"][:3] == ["3", "2", "1"]
    created = lines(page, "Created and solved tickets")
    assert len(created) == 30
    assert list(created.values())[-1] == ["2", "1"]
    backlog = list(lines(page, "Backlog of unsolved tickets").values())
    assert backlog[-1] == ["1"]
    assert page.html.count('<svg class="chart"') == 4


def test_days_and_groups_narrow_the_report(ana: Office) -> None:
    week = ana.get(PATH, days="7")
    assert numbers(week)["created"] == "2"
    assert len(lines(week, "Created and solved tickets")) == 7
    quarter = ana.get(PATH, days="90")
    assert len(lines(quarter, "Created and solved tickets")) == 13
    billing = ana.get(PATH, group=str(ana.keys.billing))
    assert numbers(billing)["created"] == "1"
    assert list(lines(billing, "By group")) == ["Billing"]
    assert numbers(ana.get(PATH, days="9999", group="x"))["created"] == "3"


def test_a_report_of_nothing_is_a_page(ana: Office) -> None:
    wrote(ana, lambda: Ticket.objects.update(deleted_at=clock.now()))
    page = ana.get(PATH)
    assert page.status == 200
    assert numbers(page)["first-reply"] == "-"
    assert "No tickets in this time." in page.text


def test_reports_read_as_often_however_much_there_is(ana: Office) -> None:
    def count() -> int:
        with ana.bound(), unit_of_work("read"):
            tickets = Ticket.objects.filter(deleted_at=None)
            since = clock.now() - timedelta(days=30)
            with CaptureQueriesContext(connection) as seen:
                reporting.tickets_that_came(tickets, since)
                reporting.tickets_that_went(tickets, since)
                reporting.ratings_given(tickets, since)
                reporting.unsolved_now(tickets)
                reporting.unsolved_at(tickets, since)
            return len(seen)

    before = count()
    fill(ana, 20)
    assert count() == before == 5


def test_a_role_without_reports_has_no_page_of_them(ana: Office) -> None:
    assert 'data-test-id="reporting_icon"' in ana.get("/agent/dashboard").html

    def close() -> None:
        role = CustomRole.objects.filter(name="Agent").get()
        role.configuration = {**role.configuration, "report_access": "none"}
        role.save()
        User.objects.filter(id=ana.keys.agent).update(custom_role=role)

    wrote(ana, close)
    assert ana.get(PATH).status == 403
    assert 'data-test-id="reporting_icon"' not in ana.get("/agent/dashboard").html


# Home


def test_home_tells_the_news(ana: Office) -> None:
    def write() -> None:
        mara = User.objects.get(id=ana.keys.customer)
        ticket = Ticket.objects.get(id=ana.keys.broken)
        said = NewComment("It still smells.")
        update_ticket(ticket, actor=mara, changes={}, comment=said, via=Via("email"))

    assert "No updates in the last thirty days." in ana.get("/agent/dashboard").text
    wrote(ana, write)
    page = ana.get("/agent/dashboard")
    assert f"Mara Voss commented on ticket #{ana.keys.broken}: It still smells." in page.text


def test_home_shows_the_next_breaches(ana: Office) -> None:
    assert "Tickets requiring your attention" not in ana.get("/agent/dashboard").text

    def start() -> None:
        now = clock.now()
        for key, ticket, minutes in ((1, ana.keys.broken, 90), (2, ana.keys.charged, -15)):
            SlaClock.objects.create(
                id=key,
                ticket_id=ticket,
                metric="requester_wait_time",
                instance=1,
                state="active",
                target_minutes=60,
                started_at=now,
                running_since=now,
                breach_at=now + timedelta(minutes=minutes, seconds=30),
            )

    wrote(ana, start)
    page = ana.get("/agent/dashboard")
    attention = page.html.partition('data-test-id="home-attention"')[2].partition("</section>")[0]
    words = re.sub(r"<[^>]*>", " ", attention)
    assert "Requester wait" in words
    assert words.index("-14m") < words.index("1h 30m")


def test_unverified_home_has_the_agents_statistics(ana: Office) -> None:
    answer(ana)

    def rate() -> None:
        mara = User.objects.get(id=ana.keys.customer)
        rate_ticket(
            Ticket.objects.get(id=ana.keys.charged), actor=mara, score="bad", via=Via("web")
        )

    wrote(ana, rate)
    text = ana.get("/agent/dashboard").text
    assert "Open tickets (current) 1 You 1 Groups" in text
    assert "0 Good 1 Bad 1 Solved" in text
    assert "Satisfaction statistics (60 days) 0% You 0% Everyone" in text


def test_nobodys_pages_change_a_thing(ana: Office) -> None:
    ana.get("/agent/dashboard")
    ana.get(PATH)
    assert ana.changes() == []
