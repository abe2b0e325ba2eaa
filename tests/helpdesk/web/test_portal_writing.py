"""What end users do in the portal: ask, answer, solve, take up again, rate, keep a profile."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clones.core import clock, sightings
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.notifications import placeholder_values
from clones.helpdesk.models import (
    Attachment,
    Comment,
    Organization,
    SatisfactionRating,
    SuspendedTicket,
    Ticket,
    TicketField,
    TicketForm,
    User,
)
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.test_portal_reading import member, writing
from tests.helpdesk.web.visitors import HOME, MARA, NEW, Visitor, add_customer


@pytest.fixture
def mara(office: Office) -> Visitor:
    """Mara, the customer, at the portal."""
    return Visitor(office, MARA)


def last(office: Office) -> Ticket:
    """Return the ticket that was made last, with what it refers to."""
    with office.bound(), unit_of_work("read"):
        return Ticket.objects.select_related("requester", "ticket_form").latest("id")


def comments_of(office: Office, key: int) -> list[Comment]:
    """Return what was said on a ticket, with its files."""
    with office.bound(), unit_of_work("read"):
        rows = Comment.objects.filter(ticket_id=key).select_related("author")
        return list(rows.prefetch_related("attachments").order_by("id"))


def set_ticket(office: Office, key: int, **values: Any) -> None:
    writing(office, lambda: Ticket.objects.filter(id=key).update(**values))


def portal_fields(office: Office) -> None:
    """Let end users fill in both of the desk's own fields; the product decides on the serial."""
    keys = office.keys

    def change() -> None:
        TicketField.objects.filter(id__in=[keys.product, keys.serial]).update(
            visible_in_portal=True, editable_in_portal=True
        )
        TicketField.objects.filter(id=keys.product).update(
            required_in_portal=True, title_in_portal="What it is about"
        )
        child = {"id": keys.serial, "is_required": True}
        condition = {
            "parent_field_id": keys.product,
            "value": "area_laser",
            "child_fields": [child],
        }
        TicketForm.objects.update(end_user_conditions=[condition])

    writing(office, change)


def test_a_request_is_submitted_and_shown(office: Office, mara: Visitor) -> None:
    files = [SimpleUploadedFile("log.txt", b"line one", "text/plain")]
    ccs = "colleague@acme.example, other@acme.example"
    shown = mara.submit(
        subject="Beam is off",
        description="By 2 mm.\nSince today.",
        email_ccs=ccs,
        attachments=files,
    )
    ticket = last(office)
    assert (shown.status, shown.location) == (302, f"{HOME}/{ticket.id}")
    assert ticket.subject == "Beam is off"
    assert ticket.description == "By 2 mm.\nSince today."
    assert ticket.requester_id == office.keys.customer
    assert (ticket.status, ticket.via["channel"]) == ("new", "web")
    [comment] = comments_of(office, ticket.id)
    assert [file.file_name for file in comment.attachments.all()] == ["log.txt"]
    page = mara.get(shown.location)
    assert "Your request was successfully submitted" in page.text
    assert "log.txt" in page.text
    assert "successfully" not in mara.get(shown.location).text
    with office.bound(), unit_of_work("read"):
        copied = User.objects.filter(id__in=ticket.email_cc_ids).values_list("email", flat=True)
        assert set(copied) == {"colleague@acme.example", "other@acme.example"}
    _, body = mara.api(f"requests/{ticket.id}.json")
    assert (body["request"]["subject"], body["request"]["via"]["channel"]) == ("Beam is off", "web")


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        ({"subject": " ", "description": "x"}, "Subject: cannot be blank"),
        ({"subject": "x", "description": " \n "}, "Description: cannot be blank"),
        ({"subject": "x", "description": "y", "email_ccs": "nobody"}, "nobody is not properly"),
    ],
)
def test_unverified_words_of_what_is_missing(
    office: Office, mara: Visitor, sent: dict[str, str], complaint: str
) -> None:
    """Each is said beside its field, and nothing that was typed is lost."""
    shown = mara.submit(**sent)
    assert shown.status == 422
    assert complaint in shown.text
    assert 'aria-invalid="true"' in shown.html
    kept = shown.fields("new-request")
    assert {name: kept[name].strip() for name in sent} == {
        name: value.strip() for name, value in sent.items()
    }
    assert office.changes() == []


def test_files_of_a_refused_form_are_asked_for_again(office: Office, mara: Visitor) -> None:
    files = [SimpleUploadedFile("log.txt", b"line one", "text/plain")]
    shown = mara.submit(subject="", description="x", attachments=files)
    assert "attach them again" in shown.text
    empty = [SimpleUploadedFile("log.txt", b"", "text/plain")]
    shown = mara.submit(subject="x", description="x", attachments=empty)
    assert (shown.status, "Attachment: cannot be empty" in shown.text) == (422, True)
    assert office.changes() == []


def test_fields_follow_what_the_portal_may_show(office: Office, mara: Visitor) -> None:
    name, serial = (f"custom_fields_{key}" for key in (office.keys.product, office.keys.serial))
    hidden = mara.get(NEW)
    assert name not in hidden.html
    portal_fields(office)
    blank = mara.get(NEW)
    assert "What it is about" in blank.text
    assert serial not in blank.html
    previewed = mara.post(
        "/hc/en-us/previews/requests/new",
        **{**blank.fields("new-request"), "subject": "Kept", name: "area_laser"},
    )
    assert previewed.fields("new-request")["subject"] == "Kept"
    assert previewed.fields("new-request")[name] == "area_laser"
    assert serial in previewed.html
    missing = mara.submit(subject="Beam", description="Off")
    assert "What it is about: cannot be blank" in missing.text
    sent = {**previewed.fields("new-request"), "description": "Off", serial: ""}
    assert "Serial number: cannot be blank" in mara.post(NEW, **sent).text
    assert office.changed("helpdesk_comment") == []
    assert mara.post(NEW, **{**sent, serial: "SN-7"}).status == 302
    ticket = last(office)
    values = {str(office.keys.product): "area_laser", str(office.keys.serial): "SN-7"}
    assert ticket.custom_fields == values
    assert "area_laser" in ticket.tags
    assert "Serial number SN-7" in mara.get(f"{HOME}/{ticket.id}").text
    # A value of a field that conditions hide is left out, and so is one that is not the portal's.
    sent = {**sent, name: "area_billing", serial: "SN-8", "priority": "urgent"}
    assert mara.post(NEW, **sent).status == 302
    assert last(office).custom_fields == {str(office.keys.product): "area_billing"}
    assert last(office).priority is None


def test_a_form_is_chosen_first_where_there_are_several(office: Office, mara: Visitor) -> None:
    def more() -> tuple[str, str]:
        form = TicketForm.objects.get()
        hidden = TicketForm.objects.get()
        form.id, form.default, form.position = form.id + 1, False, 2
        form.name, form.display_name = "Internal name", "Something is broken"
        form.save(force_insert=True)
        hidden.id, hidden.default, hidden.end_user_visible = hidden.id + 2, False, False
        hidden.name = hidden.display_name = "For agents"
        hidden.save(force_insert=True)
        return str(form.id), str(hidden.id)

    broken, hidden = writing(office, more)
    page = mara.get(NEW)
    assert "Please choose your issue below" in page.text
    assert "Something is broken" in page.text
    assert "For agents" not in page.text
    assert "request-field-subject" not in page.html
    assert mara.post(NEW, subject="x", description="y").status == 422
    forged = mara.post(NEW, subject="x", description="y", ticket_form_id=hidden)
    assert forged.status == 422
    assert mara.submit(form=broken, subject="x", description="y").status == 302
    assert str(last(office).ticket_form_id) == broken


def test_unverified_strangers_submit_with_name_and_address(office: Office) -> None:
    stranger = Visitor(office, None)
    page = stranger.get(NEW)
    assert "Your email address" in page.text
    assert "request_collaborators" not in page.html
    sent = {"subject": "Price?", "description": "Of the small one.", "name": "Nora New"}
    wrong = stranger.submit(**sent, requester="nora at else")
    assert (wrong.status, "not properly formatted" in wrong.text) == (422, True)
    assert office.changes() == []
    files = [SimpleUploadedFile("plan.txt", b"plan", "text/plain")]
    done = stranger.submit(**sent, requester="Nora@else.example", attachments=files)
    assert (done.status, done.location) == (302, NEW)
    assert "Your request was successfully submitted" in stranger.get(NEW).text
    ticket = last(office)
    assert (ticket.requester.name, ticket.requester.email) == ("Nora New", "nora@else.example")
    assert not ticket.requester.verified
    assert ticket.via["channel"] == "web"
    [comment] = comments_of(office, ticket.id)
    assert [file.file_name for file in comment.attachments.all()] == ["plan.txt"]
    # Who wrote as a stranger before may do so again.
    assert stranger.submit(**sent, requester="nora@else.example").status == 302
    assert last(office).requester_id == ticket.requester_id


@pytest.mark.parametrize("email", [MARA, "ana@kestrel.example"])
def test_unverified_nobody_speaks_for_those_who_can_sign_in(office: Office, email: str) -> None:
    """What a stranger sends in their name is held back, as the vendor's cause of it says."""
    files = [SimpleUploadedFile("plan.txt", b"plan", "text/plain")]
    done = Visitor(office, None).submit(
        subject="Refund me", description="To my new card.", attachments=files, requester=email
    )
    assert (done.status, done.location) == (302, NEW)
    assert office.changed("helpdesk_ticket") == []
    with office.bound(), unit_of_work("read"):
        [held] = SuspendedTicket.objects.all()
        assert (held.author_email, held.subject) == (email, "Refund me")
        assert held.cause == "Submitted by registered user while logged out"
        assert held.via["channel"] == "web"
        assert Attachment.objects.get(id__in=held.attachment_ids).file_name == "plan.txt"


def test_a_form_of_another_site_is_refused(office: Office, mara: Visitor) -> None:
    sent = {"subject": "x", "description": "y", "requester": "nora@else.example"}
    stranger = Visitor(office, None)
    answer = stranger.client.post(NEW, sent, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    for path in (NEW, f"{HOME}/{office.keys.broken}", f"{HOME}/{office.keys.broken}/satisfaction"):
        assert mara.client.post(path, {"body": "x", **sent}).status_code == 403
    assert office.changes() == []


def test_the_suspended_cannot_submit(office: Office, mara: Visitor) -> None:
    writing(office, lambda: User.objects.filter(id=office.keys.customer).update(suspended=True))
    before = len(office.changed("helpdesk_ticket"))
    sent = mara.post(f"{HOME}/{office.keys.broken}", body="Hello?")
    assert sent.location.startswith("/access/unauthenticated")
    assert mara.get(HOME).status == 302
    form = {"email": MARA, "password": office.passwords[MARA]}
    answer = mara.client.post("/auth/v2/login/signin", form)
    assert (answer.status_code, "cannot sign in" in answer.content.decode()) == (401, True)
    done = Visitor(office, None).submit(subject="x", description="y", requester=MARA)
    assert done.status == 302
    assert len(office.changed("helpdesk_ticket")) == before
    with office.bound(), unit_of_work("read"):
        assert SuspendedTicket.objects.get().cause == "Detected as spam"


def test_an_answer_is_public_and_reopens(office: Office, mara: Visitor) -> None:
    key = office.keys.broken
    set_ticket(office, key, status="solved")
    assert "is opened again" in mara.get(f"{HOME}/{key}").text
    files = [SimpleUploadedFile("photo.txt", b"photo", "text/plain")]
    shown = mara.post(
        f"{HOME}/{key}", body="It smells again.", email_ccs="boss@acme.example", attachments=files
    )
    assert shown.location == f"{HOME}/{key}"
    assert "Your comment was successfully submitted" in mara.get(shown.location).text
    comment = comments_of(office, key)[-1]
    assert (comment.body, comment.public, comment.author.email) == ("It smells again.", True, MARA)
    assert [file.file_name for file in comment.attachments.all()] == ["photo.txt"]
    assert comment.via["channel"] == "web"
    assert office.ticket(key).status == "open"
    assert "boss" in mara.get(f"{HOME}/{key}").text
    _, body = mara.api(f"requests/{key}/comments.json")
    assert body["comments"][-1]["body"] == "It smells again."


def test_an_empty_answer_is_refused_and_a_wrong_one_is_kept(office: Office, mara: Visitor) -> None:
    key = office.keys.broken
    empty = mara.post(f"{HOME}/{key}", body=" ")
    assert (empty.status, "Comment: cannot be blank" in empty.text) == (422, True)
    wrong = mara.post(f"{HOME}/{key}", body="Half a thought", email_ccs="nobody")
    assert (wrong.status, "not properly formatted" in wrong.text) == (422, True)
    assert wrong.fields("reply")["body"] == "Half a thought"
    assert wrong.fields("reply")["email_ccs"] == "nobody"
    assert office.changes() == []


def test_a_requester_calls_it_solved(office: Office, mara: Visitor) -> None:
    key = office.keys.broken
    assert "Mark as solved" in mara.get(f"{HOME}/{key}").text
    shown = mara.post(f"{HOME}/{key}", body="", mark_as_solved="1")
    assert "marked as solved" in mara.get(shown.location).text
    assert office.ticket(key).status == "solved"
    assert "Mark as solved" not in mara.get(f"{HOME}/{key}").text
    assert mara.api(f"requests/{key}.json")[1]["request"]["status"] == "solved"


@pytest.mark.parametrize("values", [{"assignee_id": None}, {"type": "problem"}])
def test_not_every_request_can_be_called_solved(
    office: Office, mara: Visitor, values: dict[str, Any]
) -> None:
    key = office.keys.broken
    set_ticket(office, key, **values)
    assert "Mark as solved" not in mara.get(f"{HOME}/{key}").text
    assert not mara.api(f"requests/{key}.json")[1]["request"]["can_be_solved_by_me"]
    mara.post(f"{HOME}/{key}", body="Done", mark_as_solved="1")
    assert office.ticket(key).status == "open"


def test_a_closed_request_is_taken_up_by_another(office: Office, mara: Visitor) -> None:
    key = office.keys.closed
    page = mara.get(f"{HOME}/{key}")
    assert "create a follow-up" in page.text
    assert 'id="reply"' not in page.html
    assert mara.post(f"{HOME}/{key}", body="But").location == f"{NEW}?followup_id={key}"
    form = mara.get(NEW, followup_id=key)
    assert "follow-up to your previous request" in form.text
    fields = form.fields("new-request")
    assert fields["subject"] == "Re: Where is my invoice?"
    done = mara.post(NEW, **{**fields, "description": "And the one of June?"})
    made = last(office)
    assert done.location == f"{HOME}/{made.id}"
    assert made.via_followup_source_id == key
    assert made.via["channel"] == "closed_ticket"
    assert made.custom_fields == {str(office.keys.product): "area_billing"}
    assert f"#{key} Where is my invoice?" in mara.get(f"{HOME}/{made.id}").text
    assert f"#{made.id} Re: Where is" in mara.get(f"{HOME}/{key}").text


@pytest.mark.parametrize("wanted", ["charged", "999999", "x", "-1"])
def test_nothing_else_is_taken_up(office: Office, mara: Visitor, wanted: str) -> None:
    key = str(getattr(office.keys, wanted, wanted))
    assert mara.get(NEW, followup_id=key).status == 404
    assert mara.post(NEW, subject="x", description="y", followup_id=key).status == 404
    assert Visitor(office, None).get(NEW, followup_id=office.keys.closed).status == 404
    assert office.changes() == []


@pytest.mark.parametrize("comments", [False, True])
def test_unverified_members_write_where_their_organization_lets_them(
    office: Office, comments: bool
) -> None:
    def share() -> None:
        Organization.objects.filter(name="Acme Works").update(
            shared_tickets=True, shared_comments=comments
        )

    writing(office, share)
    mo, key = member(office), office.keys.broken
    page = mo.get(f"{HOME}/{key}")
    assert ('id="reply"' in page.html) is comments
    assert "Mark as solved" not in page.text
    before = len(comments_of(office, key))
    sent = mo.post(f"{HOME}/{key}", body="We have the same.", mark_as_solved="1")
    assert sent.status == (302 if comments else 403)
    body = {"request": {"comment": {"body": "Here too."}}}
    assert mo.api(f"requests/{key}.json", "PUT", body)[0] == (200 if comments else 403)
    assert len(comments_of(office, key)) == before + 2 * comments
    assert office.ticket(key).status == "open"


def test_unverified_the_survey_is_answered_until_the_request_is_closed(
    office: Office, mara: Visitor
) -> None:
    key = office.keys.broken
    path = f"{HOME}/{key}/satisfaction"
    set_ticket(office, key, status="solved")
    assert "rate the help" not in mara.get(f"{HOME}/{key}").text
    assert mara.post(path, score="good").status == 404
    set_ticket(office, key, satisfaction_score="offered")
    assert "How would you rate the help you received?" in mara.get(f"{HOME}/{key}").text
    for sent in ({}, {"score": "great"}, {"score": "bad", "reason_code": "77"}):
        assert mara.post(path, **sent).status == 422
    done = mara.post(path, score="bad", reason_code="5", rating_comment="Three days!")
    assert "Thank you for your feedback" in mara.get(done.location).text
    with office.bound(), unit_of_work("read"):
        rating = SatisfactionRating.objects.get(ticket_id=key)
        assert (rating.score, rating.comment, rating.reason_code) == ("bad", "Three days!", 5)
        assert rating.reason == "The issue took too long to resolve"
    assert office.ticket(key).satisfaction_score == "bad"
    assert "Three days!" in mara.get(f"{HOME}/{key}").text
    mara.post(path, score="good", reason_code="5", rating_comment="")
    with office.bound(), unit_of_work("read"):
        rating = SatisfactionRating.objects.get(ticket_id=key)
        assert (rating.score, rating.comment, rating.reason_code) == ("good", None, None)
    set_ticket(office, key, status="closed")
    assert "You rated: Good" in mara.get(f"{HOME}/{key}").text
    assert mara.post(path, score="bad").status == 404


def test_only_the_requester_is_asked(office: Office) -> None:
    key = office.keys.broken
    set_ticket(office, key, status="solved", satisfaction_score="offered")
    writing(office, lambda: Organization.objects.update(shared_tickets=True, shared_comments=True))
    mo = member(office)
    assert mo.get(f"{HOME}/{key}").status == 200
    assert "rate the help" not in mo.get(f"{HOME}/{key}").text
    assert mo.post(f"{HOME}/{key}/satisfaction", score="bad").status == 404
    assert mo.get(f"{HOME}/{key}/satisfaction").location == f"{HOME}/{key}#satisfaction"
    assert add_customer(office, "Otto Outside").get(f"{HOME}/{key}/satisfaction").status == 404
    assert office.ticket(key).satisfaction_score == "offered"


def test_unverified_links_of_surveys_lead_to_the_rating(office: Office, mara: Visitor) -> None:
    key = office.keys.broken
    set_ticket(office, key, status="solved", satisfaction_score="offered")
    with office.bound(), unit_of_work("read"):
        names = {"satisfaction.negative_rating_url", "satisfaction.rating_section"}
        texts = placeholder_values(Ticket.objects.get(id=key), actor=None, wanted=names)
    link = texts["satisfaction.negative_rating_url"]
    assert link in texts["satisfaction.rating_section"]
    assert Visitor(office, None).get(link).location.startswith("/access/unauthenticated")
    shown = mara.get(link)
    assert shown.location == f"{HOME}/{key}?score=bad#satisfaction"
    assert 'value="bad" required checked' in mara.get(f"{HOME}/{key}", score="bad").html


def test_a_profile_is_kept(office: Office, mara: Visitor) -> None:
    path = f"/hc/en-us/profiles/{office.keys.customer}"
    page = mara.get(path)
    assert "Acme Works" in page.text
    assert mara.post(path, name="", phone="", locale="en-US").status == 422
    assert mara.post(path, name="Mara", phone="", locale="tlh").status == 422
    sent = {"name": "Mara Voss-Lind", "phone": "+49 30 1234", "locale": "en-US", "role": "admin"}
    assert mara.post(path, **sent).location == path
    user = office.user(office.keys.customer)
    assert (user.name, user.phone, user.role) == ("Mara Voss-Lind", "+49 30 1234", "end-user")
    assert mara.api("users/me.json")[1]["user"]["name"] == "Mara Voss-Lind"
    assert "Your profile has been updated" in mara.get(path).text
    for other in (office.keys.agent, 1):
        assert mara.get(f"/hc/en-us/profiles/{other}").status == 404
        assert mara.get(f"/hc/en-us/profiles/{other}/password").status == 404
        assert mara.post(f"/hc/en-us/profiles/{other}", **sent).status == 404


def test_a_language_is_chosen_of_those_the_account_has(office: Office, mara: Visitor) -> None:
    path = f"/hc/en-us/profiles/{office.keys.customer}"
    writing(office, lambda: User.objects.filter(id=office.keys.colleague).update(locale="de"))
    assert "Deutsch" in mara.get(path).text
    mara.post(path, name="Mara Voss", phone="", locale="de")
    assert office.user(office.keys.customer).locale == "de"


def test_a_password_is_changed(office: Office, mara: Visitor) -> None:
    path = f"/hc/en-us/profiles/{office.keys.customer}/password"
    good = {
        "previous_password": mara.password,
        "password": "tulips 9",
        "password_again": "tulips 9",
    }
    for wrong in (
        {"previous_password": "guess"},
        {"password_again": "tulips"},
        {"password": "x", "password_again": "x"},
    ):
        assert mara.post(path, **{**good, **wrong}).status == 422
    assert mara.post(path, **good).location == f"/hc/en-us/profiles/{office.keys.customer}"
    assert "Your password has been changed" in mara.get(f"{path}").text
    form = {"email": MARA, "password": "tulips 9", "return_to": HOME}
    fresh = office.browser()
    assert fresh.post("/auth/v2/login/signin", form).status_code == 302
    assert (
        fresh.post("/auth/v2/login/signin", {**form, "password": mara.password}).status_code == 401
    )


def test_signing_out_leads_to_the_portal(office: Office, mara: Visitor) -> None:
    assert mara.post("/access/logout").location == NEW
    assert mara.get(HOME).status == 302
    assert "Sign in" in mara.get(NEW).text


def test_looking_and_choosing_do_not_move_the_clock(office: Office, mara: Visitor) -> None:
    with office.bound(), unit_of_work("read"):
        before = clock.now()
    mara.get(NEW)
    fields = mara.get(NEW).fields("new-request")
    assert mara.post("/hc/en-us/previews/requests/new", **fields).status == 200
    with office.bound(), unit_of_work("read"):
        assert clock.now() == before


def test_what_is_read_is_noted(office: Office, mara: Visitor) -> None:
    noted: list[tuple[str, str, str]] = []
    original = sightings.note

    def note(record: Any, kind: Any) -> None:
        noted.append((record._meta.db_table, str(record.pk), kind))
        original(record, kind)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sightings, "note", note)
        mara.get(HOME)
        mara.get(f"{HOME}/{office.keys.charged}")
    assert ("helpdesk_ticket", str(office.keys.broken), "list") in noted
    assert ("helpdesk_ticket", str(office.keys.charged), "detail") in noted
    assert any(table == "helpdesk_comment" for table, _, _ in noted)
