"""Problems with their incidents, SLAs, and the cards of tickets in views."""

from __future__ import annotations

import json
import re
from datetime import timedelta

from clones.core import clock, ids
from clones.core.journal import act
from clones.core.models import Sighting
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import SlaClock, SlaPolicy, Ticket, View
from clones.helpdesk.web.sla_badges import distance
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.desk import PRESENT


def path_of(key: int) -> str:
    return f"/agent/tickets/{key}"


def make_problem(office: Office, key: int) -> None:
    with office.bound(), unit_of_work("write"), act(actor="test", label="problem"):
        Ticket.objects.filter(id=key).update(type="problem")


# Problems


def test_problems_are_offered_by_subject_and_by_number(ana: Office) -> None:
    key = ana.keys.charged
    assert ana.get("/agent/suggestions/problems", q="charged").html == ""
    make_problem(ana, key)
    for text in ("charged", str(key), f"#{key}"):
        found = ana.get("/agent/suggestions/problems", q=text).html
        assert re.findall(r'data-value="(\d+)"', found) == [str(key)]
    assert ana.get("/agent/suggestions/problems", q="").html == ""
    assert ana.get("/agent/suggestions/problems", q="laser").html == ""
    with ana.bound(), unit_of_work("write"), act(actor="test", label="solve"):
        Ticket.objects.filter(id=key).update(status="solved")
    assert ana.get("/agent/suggestions/problems", q=str(key)).html == ""


def test_an_incident_is_linked_to_its_problem(ana: Office) -> None:
    problem, incident = ana.keys.charged, ana.keys.broken
    make_problem(ana, problem)
    ana.send_ticket(incident, type="incident", problem_id=str(problem))
    told = json.loads(ana.get("/api/v2/problems.json").html)["tickets"]
    assert [item["id"] for item in told] == [problem]
    told = json.loads(ana.get(f"/api/v2/tickets/{problem}/incidents.json").html)["tickets"]
    assert [item["id"] for item in told] == [incident]
    page = ana.get(path_of(incident))
    link = re.search(r'<a class="linked" href="([^"]*)"[^>]*>([^<]*)<', page.html)
    assert link is not None
    assert link.groups() == (path_of(problem), f"#{problem} Charged twice for June")
    page = ana.get(path_of(problem))
    assert "Incidents (1)" in page.text
    assert re.search(rf'href="{path_of(incident)}" data-test-id="ticket-incidents-item"', page.html)
    assert "Incidents (" not in ana.get(path_of(incident)).text


def test_the_linked_problem_is_shown_before_it_is_saved(ana: Office) -> None:
    make_problem(ana, ana.keys.charged)
    form = ana.get(path_of(ana.keys.broken)).fields()
    form |= {"type": "incident", "problem_id": str(ana.keys.charged)}
    page = ana.post(f"/agent/previews/tickets/{ana.keys.broken}", form)
    assert f"#{ana.keys.charged} Charged twice for June" in page.text
    assert [change["table"] for change in ana.changes()] == ["helpdesk_ticket"]


# SLAs


def clocks(office: Office, key: int, *, minutes: int, state: str = "active") -> None:
    """Set one clock of a ticket that reaches its target in so many minutes."""
    with office.bound(), unit_of_work("write"), act(actor="test", label="clock"):
        now = clock.now()
        SlaClock.objects.create(
            id=ids.next_stamp(SlaClock),
            ticket_id=key,
            metric="agent_work_time",
            instance=1,
            state=state,
            target_minutes=60,
            started_at=now,
            running_since=now,
            breach_at=PRESENT + timedelta(minutes=minutes) if state == "active" else None,
        )


def badge(office: Office, path: str) -> str | None:
    found = re.search(r'data-test-id="sla-badge">.*?</span>([^<]*)<', office.get(path).html)
    return found.group(1) if found else None


def test_a_ticket_shows_how_far_off_its_next_breach_is(ana: Office) -> None:
    key = ana.keys.charged
    assert badge(ana, path_of(key)) is None
    clocks(ana, key, minutes=125)
    assert "sla--active" in ana.get(path_of(key)).html
    assert badge(ana, path_of(key)) == "2h"
    assert "Agent work time: due June 16, 2026 16:05" in ana.get(path_of(key)).text
    with ana.bound(), unit_of_work("write"):
        clock.set_time(PRESENT + timedelta(minutes=140))
    page = ana.get(path_of(key))
    assert "sla--breached" in page.html
    assert badge(ana, path_of(key)) == "-15m"


def test_a_clock_that_stands_still_says_so(ana: Office) -> None:
    clocks(ana, ana.keys.charged, minutes=0, state="paused")
    assert badge(ana, path_of(ana.keys.charged)) == "Paused"
    clocks(ana, ana.keys.broken, minutes=0, state="fulfilled")
    assert badge(ana, path_of(ana.keys.broken)) is None


def test_a_policy_of_the_desk_sets_the_badge(ana: Office) -> None:
    metrics = [
        {"priority": "high", "metric": "first_reply_time", "target": 600, "business_hours": False}
    ]
    with ana.bound(), unit_of_work("write"), act(actor="test", label="policy"):
        SlaPolicy.objects.create(
            id=5,
            title="All",
            filter={"all": [], "any": []},
            policy_metrics=metrics,
            created_at=clock.now(),
            updated_at=clock.now(),
        )
    ana.send_ticket(ana.keys.charged, priority="high")
    assert badge(ana, path_of(ana.keys.charged)) == "4h"  # it came five hours ago
    told = json.loads(ana.get(f"/api/v2/tickets/{ana.keys.charged}.json", include="slas").html)
    assert told["ticket"]["slas"]["policy_metrics"][0]["metric"] == "first_reply_time"


def test_unverified_distances_are_in_the_largest_unit() -> None:
    for minutes, text in ((0, "Now"), (1, "1m"), (-15, "-15m"), (119, "1h"), (-2880, "-2d")):
        assert distance(PRESENT + timedelta(minutes=minutes), PRESENT) == text


def test_a_view_shows_and_sorts_by_the_next_breach(ana: Office) -> None:
    with ana.bound(), unit_of_work("write"), act(actor="test", label="view"):
        view = View.objects.get(title="All unsolved tickets")
        output = {"columns": ["subject", "sla_next_breach_at"], "sort_by": "id"}
        View.objects.filter(id=view.id).update(output=output)
        Ticket.objects.filter(id=ana.keys.closed).update(status="open")
    clocks(ana, ana.keys.broken, minutes=30)
    clocks(ana, ana.keys.charged, minutes=90)
    path = f"/agent/filters/{view.id}"
    page = ana.get(path, sort="sla_next_breach_at.asc")
    assert "Next SLA breach" in page.text
    rows = [int(key) for key in re.findall(r'<tr[^>]*data-ticket-id="(\d+)"', page.html)]
    # Tickets without a target come last, whichever way it is sorted.
    assert rows == [ana.keys.broken, ana.keys.charged, ana.keys.closed]
    page = ana.get(path, sort="sla_next_breach_at.desc")
    rows = [int(key) for key in re.findall(r'<tr[^>]*data-ticket-id="(\d+)"', page.html)]
    assert rows == [ana.keys.charged, ana.keys.broken, ana.keys.closed]
    assert re.findall(r'data-test-id="sla-badge">.*?</span>([^<]*)<', page.html) == ["1h", "29m"]
    columns = json.loads(ana.get(f"/api/v2/views/{view.id}.json").html)["view"]["execution"][
        "columns"
    ]
    assert columns[1]["title"] == "Next SLA breach"


# Cards


def test_a_card_shows_a_ticket_in_brief(ana: Office) -> None:
    server().registry.set_episode(ana.row.id, "ep-test", None)
    card = ana.get(f"/agent/cards/tickets/{ana.keys.charged}")
    assert card.status == 200
    assert "<html" not in card.html
    for words in (f"#{ana.keys.charged}", "Charged twice for June", "Mara Voss", "(internal)"):
        assert words in card.html
    assert "Looks like the retry of the card terminal." in card.html
    with ana.bound(), unit_of_work("read"):
        shown = Sighting.objects.order_by("id").last()
        assert shown is not None
        assert ["helpdesk_ticket", str(ana.keys.charged), "list"] in shown.shown
    page = ana.get("/agent/filters")
    page = ana.get(page.location)
    assert 'data-preview="/agent/cards/tickets/' in page.html
    assert ana.get("/agent/cards/tickets/999").status == 404
