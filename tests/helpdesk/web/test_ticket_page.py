"""The ticket page: what it shows, and what its form does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clones.core.journal import act
from clones.core.models import Sighting
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import (
    Attachment,
    Audit,
    AuditEvent,
    Comment,
    Draft,
    Ticket,
    TicketForm,
    User,
)
from tests.helpdesk.web.conftest import Office


def comments(office: Office, key: int) -> list[tuple[str, bool]]:
    with office.bound(), unit_of_work("read"):
        rows = Comment.objects.filter(ticket_id=key).order_by("created_at", "id")
        return list(rows.values_list("body", "public"))


def events(office: Office, key: int) -> list[tuple[str, str | None]]:
    """Return the events of a ticket's last audit: type, and the field changed."""
    with office.bound(), unit_of_work("read"):
        audit = Audit.objects.filter(ticket_id=key).order_by("-created_at", "-id").first()
        rows = AuditEvent.objects.filter(audit=audit).order_by("position")
        return [(row.type, row.body.get("field_name")) for row in rows]


def solvable(office: Office) -> dict[str, Any]:
    """Return what the charged ticket needs before it can be solved."""
    keys = office.keys
    return {
        "assignee": f"{keys.billing}:{keys.agent}",
        f"custom_fields_{keys.product}": "area_billing",
    }


# What it shows


def test_it_shows_the_ticket_and_its_conversation(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    assert page.status == 200
    assert page.field("subject") == "Charged twice for June"
    assert page.field("requester") == "Mara Voss <mara@acme.example>"
    assert "my card was charged twice on 14 June: 129.00 EUR each time." in page.text
    assert "Looks like the retry of the card terminal." in page.text
    assert page.html.count('data-test-id="omni-log-comment-item"') == 2
    assert '<time data-test-id="timestamp-relative" datetime="2026-06-16T09:00:0' in page.html
    assert "Today 09:00" in page.text
    assert "Acme Works" in page.text
    assert "Prefers to be written to." in page.text


@pytest.mark.parametrize(
    ("wanted", "said", "unsaid"),
    [("public", "129.00 EUR", "card terminal"), ("internal", "card terminal", "129.00 EUR")],
)
def test_the_conversation_can_be_filtered(ana: Office, wanted: str, said: str, unsaid: str) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.charged}", show=wanted)
    assert said in page.text
    assert unsaid not in page.text


def test_events_are_shown_when_asked_for(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    assert "Group Billing (was -)" not in ana.get(path).text
    told = ana.get(path, events="1").text
    assert "Group Billing (was -)" in told
    assert "Tags billing (was vip)" in told
    assert "Email notification to Mara Voss by rule" in told


def test_hostile_comments_are_harmless(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.broken}")
    log = page.html.partition('data-test-id="omni-log-container"')[2].partition("</section>")[0]
    assert "Laser head &lt;b&gt;smells&lt;/b&gt;" in page.html
    assert "It smells &amp; smokes." in log
    assert "<b>bold</b>" in log
    for trace in (
        "<script",
        "onclick",
        "javascript:",
        "evil.example",
        "<img",
        'class="badge">bold',
    ):
        assert trace not in log, trace


def test_stored_html_is_cleaned_when_it_is_shown(ana: Office) -> None:
    hostile = '<p onmouseover="x()">hi</p><script>x()</script><form action="/x"><input></form>'
    with ana.bound(), unit_of_work("write"), act(actor="test", label="plant"):
        Comment.objects.filter(ticket_id=ana.keys.charged).update(html_body=hostile)
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    log = page.html.partition('data-test-id="omni-log-container"')[2].partition("</section>")[0]
    assert "<p>hi</p>" in log
    assert not re.search(r"onmouseover|<script|<form|<input", log.partition("composer")[0])


def test_attachments_are_downloads(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.broken}")
    found = re.search(
        r'<a href="(http://[^"]*/attachments/token/[^"]*)" download>smoke.html', page.html
    )
    assert found is not None
    answer = ana.browser().get(found.group(1).partition(".localhost:8800")[2])
    assert answer.status_code == 200
    assert answer.content == b"<b>smoke</b>"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_app_panel_is_billings_own_page(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    found = re.search(r'<iframe[^>]*src="([^"]*)" title="Billing"', page.html)
    assert found is not None
    assert found.group(1).startswith(f"http://billing.{ana.row.id}.localhost:8800/panel?")
    assert "email=mara%40acme.example" in found.group(1)


def test_a_published_helpdesk_names_the_published_billing(ana: Office) -> None:
    server().registry.set_origin(9701, ana.row.id, "helpdesk")
    server().registry.set_origin(9702, ana.row.id, "billing")
    published = Office(ana.row, ana.keys)
    published.client = Client(headers={"host": "127.0.0.1:9701"})
    published.client.cookies = ana.client.cookies
    page = published.get(f"/agent/tickets/{ana.keys.charged}")
    assert 'src="http://127.0.0.1:9702/panel?' in page.html
    assert "frame-src http://127.0.0.1:9702" in page.headers["Content-Security-Policy"]


def test_what_a_page_shows_is_noted(ana: Office) -> None:
    server().registry.set_episode(ana.row.id, "ep-test", None)
    ana.get(f"/agent/tickets/{ana.keys.charged}")
    with ana.bound(), unit_of_work("read"):
        shown = Sighting.objects.order_by("id").last()
        assert shown is not None
        seen = {tuple(entry) for entry in shown.shown}
    assert ("helpdesk_ticket", str(ana.keys.charged), "detail") in seen
    assert ("helpdesk_user", str(ana.keys.customer), "detail") in seen
    assert sum(1 for entry in seen if entry[0] == "helpdesk_comment") == 2


def test_open_tickets_have_tabs(ana: Office) -> None:
    ana.get(f"/agent/tickets/{ana.keys.charged}")
    page = ana.get(f"/agent/tickets/{ana.keys.broken}")
    tabs = re.findall(
        r'data-test-id="header-tab" data-entity-id="(\d+)"( aria-current="page")?', page.html
    )
    assert tabs == [(str(ana.keys.charged), ""), (str(ana.keys.broken), ' aria-current="page"')]
    shown = ana.get(f"/agent/tickets/{ana.keys.broken}/close")
    assert shown.location == f"/agent/tickets/{ana.keys.charged}"
    page = ana.get(shown.location)
    assert re.findall(r'data-entity-id="(\d+)"', page.html) == [str(ana.keys.charged)]


# What its form does


def test_an_untouched_form_changes_nothing(ana: Office) -> None:
    shown = ana.send_ticket(ana.keys.broken)
    assert shown.status == 302
    assert "has not been changed" in ana.get(shown.location).text
    assert ana.changes() == []


def test_a_public_reply(ana: Office) -> None:
    text = "Hello Mara,\n\nwe are looking into it.\nAna"
    shown = ana.send_ticket(ana.keys.charged, comment=text.replace("\n", "\r\n"), submit_as="open")
    assert shown.location == f"/agent/tickets/{ana.keys.charged}"
    page = ana.get(shown.location)
    assert f"Ticket #{ana.keys.charged} has been updated" in page.text
    assert "has been updated" not in ana.get(shown.location).text
    assert comments(ana, ana.keys.charged)[-1] == (text, True)
    assert ana.ticket(ana.keys.charged).status == "open"
    with ana.bound(), unit_of_work("read"):
        said = Comment.objects.filter(ticket_id=ana.keys.charged).latest("id")
        assert said.author_id == ana.keys.agent
        assert said.via["channel"] == "web"


def test_an_internal_note_stays_internal(ana: Office) -> None:
    ana.send_ticket(ana.keys.charged, comment="Check the ledger.", channel="internal")
    assert comments(ana, ana.keys.charged)[-1] == ("Check the ledger.", False)
    assert ana.ticket(ana.keys.charged).status == "new"


def test_a_light_agent_writes_internal_notes_only(ana: Office) -> None:
    with ana.bound(), unit_of_work("write"), act(actor="test", label="light"):
        User.objects.filter(id=ana.keys.agent).update(only_private_comments=True)
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    assert 'data-test-id="omnichannel-channel-menu-item-public"' not in page.html
    ana.send_ticket(ana.keys.charged, comment="Hm.", channel="public")
    assert comments(ana, ana.keys.charged)[-1] == ("Hm.", False)


def test_formatted_text_is_kept_and_cleaned(ana: Office) -> None:
    html = "<p>It is <b>done</b><script>x()</script></p><ul><li>one</li></ul>"
    ana.send_ticket(ana.keys.charged, comment="It is done\none", comment_html=html)
    with ana.bound(), unit_of_work("read"):
        said = Comment.objects.filter(ticket_id=ana.keys.charged).latest("id")
        assert "<b>done</b>" in said.html_body
        assert "script" not in said.html_body
        assert said.body == "It is done\n\none"


def test_solving_needs_what_the_form_requires(ana: Office) -> None:
    text = "Refunded."
    shown = ana.send_ticket(ana.keys.charged, comment=text, submit_as="solved")
    assert shown.status == 422
    assert "“Assignee” needed" in shown.text
    assert "“Product area” needed" in shown.text
    assert shown.html.count('aria-invalid="true"') == 2
    assert shown.fields()["comment"] == text
    assert 'name="submit_as" value="solved" data-test-id="submit_button-button"' in shown.html
    assert ana.changes() == []
    data = {**shown.fields(), **solvable(ana), "submit_as": "solved"}
    assert ana.post(f"/agent/tickets/{ana.keys.charged}", data).status == 302
    ticket = ana.ticket(ana.keys.charged)
    assert ticket.status == "solved"
    assert ticket.assignee_id == ana.keys.agent
    assert ticket.custom_fields == {str(ana.keys.product): "area_billing"}
    assert comments(ana, ana.keys.charged)[-1] == (text, True)


@pytest.mark.parametrize(
    ("key", "label"), [("open", "Open"), ("pending", "Pending"), ("hold", "On-hold")]
)
def test_submit_as(ana: Office, key: str, label: str) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.broken}")
    assert f'name="submit_as" value="{key}"' in page.html
    assert f"Submit as {label}" in page.text
    ana.send_ticket(ana.keys.broken, submit_as=key)
    assert ana.ticket(ana.keys.broken).status == key


def test_properties_are_set_by_the_form(ana: Office) -> None:
    keys = ana.keys
    shown = ana.send_ticket(
        keys.charged,
        subject="Charged twice",
        type="question",
        priority="high",
        tags="billing Refund, june",
        assignee=f"{keys.billing}:{keys.colleague}",
        email_ccs="New Person <new@acme.example>",
        followers="ben@kestrel.example",
        **{f"custom_fields_{keys.serial}": "KL-7"},
    )
    assert shown.status == 302
    ticket = ana.ticket(keys.charged)
    assert (ticket.subject, ticket.type, ticket.priority) == ("Charged twice", "question", "high")
    assert ticket.tags == ["billing", "june", "refund"]
    assert (ticket.group_id, ticket.assignee_id) == (keys.billing, keys.colleague)
    assert ticket.custom_fields == {str(keys.serial): "KL-7"}
    assert ticket.follower_ids == [keys.colleague]
    [copied] = ticket.email_cc_ids
    assert ana.user(copied).email == "new@acme.example"
    changed = {name for kind, name in events(ana, keys.charged) if kind == "Change"}
    assert changed >= {"subject", "type", "priority", "tags", "assignee_id", str(keys.serial)}
    assert "requester_id" not in changed
    assert "group_id" not in changed


def test_values_are_taken_back(ana: Office) -> None:
    ana.send_ticket(ana.keys.broken, assignee="", priority="", type="")
    ticket = ana.ticket(ana.keys.broken)
    assert (ticket.assignee_id, ticket.group_id, ticket.priority, ticket.type) == (None,) * 4


def test_only_what_was_changed_is_sent_on(ana: Office) -> None:
    """Somebody else's change to another field survives a form that was opened before it."""
    path = f"/agent/tickets/{ana.keys.charged}"
    opened = ana.get(path).fields()
    other = Office(ana.row, ana.keys).sign_in("ben@kestrel.example")
    other.send_ticket(ana.keys.charged, priority="urgent", comment="Raised.", channel="internal")
    shown = ana.post(path, {**opened, "type": "question", "comment": "Mine.", "submit_as": ""})
    assert shown.status == 409
    assert "was changed by someone else" in shown.text
    assert ana.ticket(ana.keys.charged).type is None
    fields = shown.fields()
    assert (fields["priority"], fields["type"], fields["comment"]) == (
        "urgent",
        "question",
        "Mine.",
    )
    assert "Raised." in shown.text
    assert ana.post(path, {**fields, "submit_as": ""}).status == 302
    ticket = ana.ticket(ana.keys.charged)
    assert (ticket.priority, ticket.type) == ("urgent", "question")


def test_lists_take_in_both_sides_of_a_conflict(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    ana.send_ticket(ana.keys.charged, tags="billing old gone", email_ccs="one@acme.example")
    opened = ana.get(path).fields()
    other = Office(ana.row, ana.keys).sign_in("ben@kestrel.example")
    other.send_ticket(ana.keys.charged, tags="billing old theirs", email_ccs="two@acme.example")
    mine = {"tags": "billing gone mine", "email_ccs": "one@acme.example, three@acme.example"}
    shown = ana.post(path, {**opened, **mine, "submit_as": ""})
    assert shown.status == 409
    assert shown.fields()["tags"].split() == ["billing", "theirs", "mine"]
    assert shown.fields()["email_ccs"] == "two@acme.example, three@acme.example"
    assert ana.post(path, {**shown.fields(), "submit_as": ""}).status == 302
    assert ana.ticket(ana.keys.charged).tags == ["billing", "mine", "theirs"]


def test_files_go_with_the_comment(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    files = [
        SimpleUploadedFile("proof.txt", b"paid twice", "text/plain"),
        SimpleUploadedFile("page.html", b"<b>x</b>", "text/html"),
    ]
    fields = {**ana.get(path).fields(), "comment": "See here.", "attachments": files}
    assert ana.post(path, {**fields, "submit_as": ""}).status == 302
    page = ana.get(path)
    assert "proof.txt" in page.text
    assert "page.html" in page.text
    assert "10 B" in page.text
    with ana.bound(), unit_of_work("read"):
        said = Comment.objects.filter(ticket_id=ana.keys.charged).latest("id")
        assert Attachment.objects.filter(comment=said).count() == 2


def test_an_empty_file_is_refused(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    empty = SimpleUploadedFile("empty.txt", b"", "text/plain")
    fields = {**ana.get(path).fields(), "comment": "See here.", "attachments": [empty]}
    shown = ana.post(path, {**fields, "submit_as": ""})
    assert shown.status == 422
    assert "cannot be empty" in shown.text
    assert "attach them again" in shown.text
    assert ana.changes() == []


def test_a_closed_ticket_cannot_be_changed(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.closed}")
    assert "This ticket is closed" in page.text
    assert 'data-test-id="submit_button-button"' not in page.html
    data = {**page.fields(), "comment": "Still here?", "channel": "public", "submit_as": "open"}
    shown = ana.post(f"/agent/tickets/{ana.keys.closed}", data)
    assert shown.status == 422
    assert "closed prevents ticket update" in shown.text
    assert ana.changes() == []


@pytest.mark.parametrize("after", ["stay", "close", "next"])
def test_what_comes_after_submitting(ana: Office, after: str) -> None:
    ana.get(f"/agent/tickets/{ana.keys.charged}")
    shown = ana.send_ticket(ana.keys.charged, comment="Hm.", channel="internal", after=after)
    expected = {
        "stay": f"/agent/tickets/{ana.keys.charged}",
        "close": "/agent/filters",
        "next": f"/agent/tickets/{ana.keys.broken}",
    }
    assert shown.location == expected[after]
    tabs = re.findall(r'data-entity-id="(\d+)"', ana.get("/agent/dashboard").html)
    assert (str(ana.keys.charged) in tabs) == (after == "stay")


def test_agents_see_only_the_tickets_they_may(ana: Office) -> None:
    with ana.bound(), unit_of_work("write"), act(actor="test", label="restrict"):
        User.objects.filter(id=ana.keys.agent).update(ticket_restriction="assigned")
    assert ana.get(f"/agent/tickets/{ana.keys.charged}").status == 404
    assert ana.get(f"/agent/tickets/{ana.keys.broken}").status == 200
    assert ana.post(f"/agent/tickets/{ana.keys.charged}", {"comment": "x"}).status == 404


# Controls of the form


def test_a_macro_goes_onto_the_form_and_nowhere_else(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    fields = {**ana.get(path).fields(), "comment": "First.", "tags": "billing mine"}
    shown = ana.post(
        f"/agent/previews/tickets/{ana.keys.charged}", {**fields, "macro_id": str(ana.keys.macro)}
    )
    assert shown.status == 200
    assert ana.changes() == []
    filled = shown.fields()
    assert filled["comment"] == "First.\n\nHello Mara Voss, sorry."
    assert (filled["priority"], filled["tags"]) == ("high", "billing mine refund")
    assert "Submit as Pending" in shown.text.partition("Stay on ticket")[2][:200]
    assert ana.post(path, {**filled, "submit_as": "pending"}).status == 302
    ticket = ana.ticket(ana.keys.charged)
    assert (ticket.status, ticket.priority) == ("pending", "high")
    assert ticket.tags == ["billing", "mine", "refund"]
    assert ("AgentMacroReference", None) in events(ana, ana.keys.charged)


def test_an_unknown_macro_is_refused_on_the_form(ana: Office) -> None:
    fields = ana.get(f"/agent/tickets/{ana.keys.charged}").fields()
    shown = ana.post(f"/agent/previews/tickets/{ana.keys.charged}", {**fields, "macro_id": "1"})
    assert shown.status == 200
    assert 'role="alert"' in shown.html


def test_take_it_and_channels_work_without_scripts(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    mine = f"{ana.keys.billing}:{ana.keys.agent}"
    assert f'name="take_it" value="{mine}"' in page.html
    preview = f"/agent/previews/tickets/{ana.keys.charged}"
    shown = ana.post(preview, {**page.fields(), "take_it": mine})
    assert shown.fields()["assignee"] == mine
    assert 'name="take_it"' not in shown.html
    shown = ana.post(preview, {**shown.fields(), "set_channel": "internal"})
    assert shown.fields()["channel"] == "internal"
    assert shown.fields()["assignee"] == mine
    assert "composer--internal" in shown.html
    assert ana.changes() == []


def test_type_brings_its_own_fields(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    assert 'data-only-for="incident"' in page.html
    assert 'data-only-for="task"' in page.html
    shown = ana.send_ticket(ana.keys.charged, type="task", due_at="2026-06-20", problem_id="77")
    assert shown.status == 302
    ticket = ana.ticket(ana.keys.charged)
    assert ticket.due_at is not None
    assert ticket.due_at.date().isoformat() == "2026-06-20"
    assert ticket.problem_id is None


def test_conditional_fields_follow_their_parent(ana: Office) -> None:
    keys = ana.keys
    rule = {
        "parent_field_id": keys.product,
        "value": "area_laser",
        "child_fields": [{"id": keys.serial, "is_required": False}],
    }
    with ana.bound(), unit_of_work("write"), act(actor="test", label="condition"):
        TicketForm.objects.update(agent_conditions=[rule])
    serial = f'name="custom_fields_{keys.serial}"'
    page = ana.get(f"/agent/tickets/{keys.charged}")
    assert serial not in page.html
    data = {**page.fields(), f"custom_fields_{keys.product}": "area_laser"}
    assert serial in ana.post(f"/agent/previews/tickets/{keys.charged}", data).html


def test_values_that_are_no_choice_any_more_stay(ana: Office) -> None:
    keys = ana.keys
    with ana.bound(), unit_of_work("write"), act(actor="test", label="leave"):
        Ticket.objects.filter(id=keys.charged).update(
            custom_fields={str(keys.product): "area_gone"}, assignee_id=keys.customer
        )
    fields = ana.get(f"/agent/tickets/{keys.charged}").fields()
    assert fields[f"custom_fields_{keys.product}"] == "area_gone"
    assert fields["assignee"] == f"{keys.billing}:{keys.customer}"


# Drafts


def test_a_draft_waits_for_its_writer_only(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    draft = {**ana.get(path).fields(), "comment": "Half a", "channel": "internal"}
    assert ana.post(f"/agent/drafts/tickets/{ana.keys.charged}", draft).status == 204
    page = ana.get(path)
    assert page.fields()["comment"] == "Half a"
    assert page.fields()["channel"] == "internal"
    assert "Draft" in page.text
    other = Office(ana.row, ana.keys).sign_in("ben@kestrel.example")
    assert other.get(path).fields()["comment"] == ""
    assert ana.changes() == []


def test_a_draft_is_gone_once_sent_and_does_not_come_back(ana: Office) -> None:
    path, keep = (f"/agent/{kind}/{ana.keys.charged}" for kind in ("tickets", "drafts/tickets"))
    draft = {**ana.get(path).fields(), "comment": "Done."}
    ana.post(keep, draft)
    ana.post(path, {**draft, "submit_as": ""})
    assert ana.get(path).fields()["comment"] == ""
    ana.post(keep, draft)
    with ana.bound(), unit_of_work("read"):
        assert not Draft.objects.exists()


def test_an_emptied_draft_is_dropped(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    fields = ana.get(path).fields()
    for text in ("Something", " "):
        ana.post(f"/agent/drafts/tickets/{ana.keys.charged}", {**fields, "comment": text})
    with ana.bound(), unit_of_work("read"):
        assert not Draft.objects.exists()


@pytest.mark.parametrize("stamp", ["", "yesterday", "2026-99-99T00:00:00Z", "2026-06-16T09:00:00"])
def test_a_draft_without_a_time_is_not_kept(ana: Office, stamp: str) -> None:
    fields = ana.get(f"/agent/tickets/{ana.keys.charged}").fields()
    data = {**fields, "comment": "x", "stamp": stamp}
    assert ana.post(f"/agent/drafts/tickets/{ana.keys.charged}", data).status == 204
    with ana.bound(), unit_of_work("read"):
        assert not Draft.objects.exists()


def test_people_are_taken_off_a_ticket(ana: Office) -> None:
    keys = ana.keys
    copied = {"email_ccs": "one@acme.example, two@acme.example", "followers": "ben@kestrel.example"}
    ana.send_ticket(keys.charged, **copied)
    assert len(ana.ticket(keys.charged).email_cc_ids) == 2
    ana.send_ticket(keys.charged, email_ccs="two@acme.example", followers="")
    ticket = ana.ticket(keys.charged)
    assert [ana.user(key).email for key in ticket.email_cc_ids] == ["two@acme.example"]
    assert ticket.follower_ids == []


@pytest.mark.parametrize(
    ("kind", "name", "value"), [("task", "due_at", "soon"), ("incident", "problem_id", "many")]
)
def test_values_of_no_use_are_refused_where_they_stand(
    ana: Office, kind: str, name: str, value: str
) -> None:
    shown = ana.send_ticket(ana.keys.charged, type=kind, **{name: value})
    assert shown.status == 422
    assert f'id="{name}-error"' in shown.html
    assert ana.changes() == []


def test_another_requester_is_chosen(ana: Office) -> None:
    ana.send_ticket(ana.keys.charged, requester="Nils Holm <nils@acme.example>")
    requester = ana.ticket(ana.keys.charged).requester
    assert (requester.name, requester.email) == ("Nils Holm", "nils@acme.example")
    shown = ana.send_ticket(ana.keys.charged, requester="nobody in particular")
    assert shown.status == 422
    assert 'id="requester-error"' in shown.html
