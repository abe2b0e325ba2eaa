"""What is done with a ticket as a whole: merging, spam, deletion, from its page and from views."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

from clones.core import clock, jobs
from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.setup import rights_of
from clones.helpdesk.models import Comment, CustomRole, JobStatus, Ticket, User
from tests.helpdesk.web.conftest import Office, Shown

ROOT = Path(__file__).parents[3]
MERGE = "/agent/bulk/merge"


def drain(office: Office) -> None:
    """Run what is due."""
    with office.bound(), unit_of_work("write"):
        jobs.advance(clock.now())


def api(office: Office, path: str) -> Any:
    """Return what the API tells the agent at the page."""
    return json.loads(office.get(f"/api/v2/{path}").html)


def last_comment(office: Office, key: int) -> tuple[str, bool]:
    with office.bound(), unit_of_work("read"):
        found = Comment.objects.filter(ticket_id=key).latest("created_at", "id")
        return found.body, found.public


def merge(office: Office, source: int, target: int, **said: Any) -> Shown:
    """Open the confirmation and send it with what is given changed."""
    page = office.get(MERGE, ids=source, target=target)
    assert page.status == 200
    given: dict[str, Any] = {"ids": source, "target": target}
    for name in ("source_comment", "target_comment"):
        text = re.search(rf'name="{name}"[^>]*>(.*?)</textarea>', page.html, flags=re.DOTALL)
        assert text is not None
        given[name] = text.group(1).replace("&quot;", '"')
    return office.post(MERGE, {**given, **said})


def with_role(office: Office, **rights: Any) -> None:
    """Give the agent a role of their own."""
    with office.bound(), unit_of_work("write"), act(actor="test", label="role"):
        now = clock.now()
        role = CustomRole.objects.create(
            id=77,
            name="Narrow",
            configuration={**rights_of(admin=False), **rights},
            created_at=now,
            updated_at=now,
        )
        User.objects.filter(id=office.keys.agent).update(custom_role=role)


def test_the_ticket_page_offers_what_can_be_done_with_a_ticket(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    found = re.findall(r'data-test-id="ticket-options-menu-item-(\w+)"', page.html)
    assert found == ["merge", "spam", "delete"]
    closed = ana.get(f"/agent/tickets/{ana.keys.closed}")
    assert re.findall(r'data-test-id="ticket-options-menu-item-(\w+)"', closed.html) == ["delete"]


def test_a_merge_offers_the_requesters_open_tickets(ana: Office) -> None:
    ana.get(f"/agent/tickets/{ana.keys.broken}")
    page = ana.get(MERGE, ids=ana.keys.charged)
    assert f"Merge ticket #{ana.keys.charged}" in page.text
    theirs = page.html.partition("ticket-merge-requester-tickets")[2].partition("</form>")[0]
    assert re.findall(r'name="target" value="(\d+)"', theirs) == [str(ana.keys.broken)]
    recent = page.html.partition("ticket-merge-recent-tickets")[2].partition("</form>")[0]
    assert re.findall(r'name="target" value="(\d+)"', recent) == [str(ana.keys.broken)]


def test_a_ticket_is_merged_into_another(ana: Office) -> None:
    source, target = ana.keys.broken, ana.keys.charged
    ana.get(f"/agent/tickets/{source}")
    shown = merge(ana, source, target, target_comment_is_public="1")
    assert (shown.status, shown.location) == (302, f"/agent/tickets/{target}")
    drain(ana)
    page = ana.get(f"/agent/tickets/{target}")
    assert f"Merging into ticket #{target}" in page.text
    assert f'header-tab" data-entity-id="{source}"' not in page.html
    told = api(ana, f"tickets/{source}.json")["ticket"]
    assert (told["status"], "closed_by_merge" in told["tags"]) == ("closed", True)
    assert f'header-tab" data-entity-id="{target}"' in page.html
    body, public = last_comment(ana, source)
    assert body.startswith(f"This request was closed and merged into request #{target}")
    assert public is False
    body, public = last_comment(ana, target)
    assert f"Request #{source} " in body
    assert public is True


def test_comments_of_a_merge_are_as_they_were_written(ana: Office) -> None:
    source, target = ana.keys.broken, ana.keys.charged
    said = {"target_comment": "Together now.", "source_comment": ""}
    before = last_comment(ana, source)
    merge(ana, source, target, **said)
    drain(ana)
    assert last_comment(ana, target)[0] == "Together now."
    assert last_comment(ana, source) == before
    audit = api(ana, f"tickets/{target}/audits.json")["audits"][-1]
    assert audit["author_id"] == ana.keys.agent


def test_unverified_a_merge_on_a_page_comes_by_the_web(ana: Office) -> None:
    merge(ana, ana.keys.broken, ana.keys.charged)
    drain(ana)
    for key in (ana.keys.broken, ana.keys.charged):
        via = api(ana, f"tickets/{key}/audits.json")["audits"][-1]["via"]
        assert (via["channel"], via["source"]["rel"]) == ("web", "merge")


def test_a_merges_switches_make_its_comments_public(ana: Office) -> None:
    source, target = ana.keys.charged, ana.keys.broken
    merge(ana, source, target, source_comment_is_public="1", source_comment="To you.")
    drain(ana)
    assert last_comment(ana, source) == ("To you.", True)
    assert last_comment(ana, target)[1] is False


def test_what_cannot_be_merged_is_refused_where_it_was_asked(ana: Office) -> None:
    charged, closed = ana.keys.charged, ana.keys.closed
    for asked, said in (
        ("999", "there is no ticket 999"),
        ("x", "there is no ticket x"),
        (f"#{closed}", f"Target: ticket {closed} is closed"),
        (str(charged), f"Source: ticket {charged} is the target"),
    ):
        page = ana.get(MERGE, ids=charged, target=asked)
        assert page.status == 422
        assert said in page.text
        assert page.html.count(f'name="target" value="{asked}"') >= 1
        assert ana.post(MERGE, {"ids": charged, "target": asked}).status == 422
    with ana.bound(), unit_of_work("read"):
        assert not JobStatus.objects.exists()


def test_a_closed_ticket_is_no_source(ana: Office) -> None:
    page = ana.get(MERGE, ids=ana.keys.closed, target=ana.keys.charged)
    assert page.status == 422
    assert f"Source: ticket {ana.keys.closed} is closed" in page.text


def test_selected_tickets_are_merged_into_one_of_them(ana: Office) -> None:
    keys = [ana.keys.charged, ana.keys.broken]
    page = ana.get(MERGE, ids=keys, target=ana.keys.charged)
    assert f"Comment for ticket #{ana.keys.broken}" in page.text
    ana.post(MERGE, {"ids": keys, "target": ana.keys.charged, "target_comment": "One."})
    drain(ana)
    assert ana.ticket(ana.keys.broken).status == "closed"
    assert ana.ticket(ana.keys.charged).status != "closed"


def test_who_may_not_merge_is_not_offered_it(ana: Office) -> None:
    with_role(ana, ticket_merge=False)
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    assert "ticket-options-menu-item-merge" not in page.html
    assert ana.get(MERGE, ids=ana.keys.charged).status == 403
    sent = ana.post(MERGE, {"ids": ana.keys.charged, "target": ana.keys.broken})
    assert sent.status == 403
    with ana.bound(), unit_of_work("read"):
        assert not JobStatus.objects.exists()


def test_a_merge_in_a_dialog_moves_the_whole_page(ana: Office) -> None:
    answer = ana.client.post(
        MERGE,
        {"authenticity_token": ana.token, "ids": ana.keys.broken, "target": ana.keys.charged},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 204
    assert answer.headers["HX-Redirect"] == f"/agent/tickets/{ana.keys.charged}"


def test_unverified_what_is_proposed_to_be_said_about_a_merge(ana: Office) -> None:
    page = ana.get(MERGE, ids=ana.keys.charged, target=ana.keys.broken)
    text = page.text
    assert f"Request #{ana.keys.charged} “" not in text
    assert f'Request #{ana.keys.charged} "Charged twice for June" was closed and merged' in text
    assert f"Last comment in request #{ana.keys.charged}: Looks like the retry" in text
    assert "Requester can see this comment" in text
    assert "Confirm and Merge" in text
    assert not re.search(r'comment_is_public"[^>]* checked', page.html)


# Spam and deletion


def test_spam_asks_first_and_suspends_the_requester(ana: Office) -> None:
    page = ana.get("/agent/bulk/tickets", ids=ana.keys.charged, spam="1")
    assert "Mark 1 ticket(s) as spam" in page.text
    assert ana.changes() == []
    shown = ana.post("/agent/bulk/tickets", {"ids": ana.keys.charged, "spam": "1"})
    assert shown.status == 302
    assert "1 ticket(s) marked as spam" in ana.get("/agent/dashboard").text
    assert ana.ticket(ana.keys.charged).deleted_at is not None
    told = api(ana, f"users/{ana.keys.customer}.json")["user"]
    assert told["suspended"] is True
    deleted = api(ana, "deleted_tickets.json")["deleted_tickets"]
    assert [item["id"] for item in deleted] == [ana.keys.charged]


def test_spam_of_agents_is_refused_in_words(ana: Office) -> None:
    with ana.bound(), unit_of_work("write"), act(actor="test", label="requester"):
        Ticket.objects.filter(id=ana.keys.charged).update(requester_id=ana.keys.colleague)
    shown = ana.post("/agent/bulk/tickets", {"ids": ana.keys.charged, "spam": "1"})
    assert f"Ticket #{ana.keys.charged}: Requester: is an agent" in shown.text
    assert ana.ticket(ana.keys.charged).deleted_at is None


def test_one_ticket_is_deleted_from_its_page(ana: Office) -> None:
    page = ana.get("/agent/bulk/tickets", ids=ana.keys.charged, delete="1")
    assert "Delete 1 ticket(s)" in page.text
    ana.post("/agent/bulk/tickets", {"ids": ana.keys.charged, "delete": "1"})
    assert ana.get(f"/agent/tickets/{ana.keys.charged}").status == 404
    deleted = api(ana, "deleted_tickets.json")["deleted_tickets"]
    assert [item["id"] for item in deleted] == [ana.keys.charged]


def test_the_bulk_bar_merges_and_marks_spam(ana: Office) -> None:
    page = ana.get(ana.get("/agent/filters").location)
    assert 'formaction="/agent/bulk/merge"' in page.html
    assert 'name="spam" value="1"' in page.html
    with_role(ana, ticket_merge=False)
    assert 'formaction="/agent/bulk/merge"' not in ana.get(ana.get("/agent/filters").location).html


def test_each_guess_on_the_desks_page_has_a_test() -> None:
    page = ROOT / "docs" / "fidelity" / "helpdesk-ticket-desk.md"
    guesses = page.read_text(encoding="utf-8").partition("## What nobody recorded")[2]
    named = re.findall(r"`tests/helpdesk/web/(test_\w+)\.py::(test_unverified_\w+)`", guesses)
    assert len(named) == guesses.count("\n| ") - 1
    for module, name in named:
        assert callable(getattr(importlib.import_module(f"tests.helpdesk.web.{module}"), name))
