"""Mail as all clones read it: its headers, what in it is new, and what becomes of its arrival."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clones.core import clock, jobs, post
from clones.core.arrivals import Take, addressees, files_of, known_messages, register_receiver
from clones.core.journal import journal
from clones.core.mail_headers import answered, answering, first_of_thread, folded, message_ids
from clones.core.models import Message
from clones.core.quoting import new_part
from clones.core.tenancy import SandboxRow, unit_of_work
from tests.conftest import bind

DESK = "desk@yard.example"
LINE = "## answer above ##"


def test_names_of_headers_are_folded_and_values_are_texts() -> None:
    assert folded({"In-Reply-To": "<a@x>", "X-Count": 7}) == {
        "in-reply-to": "<a@x>",
        "x-count": "7",
    }


def test_the_nearest_message_is_named_first() -> None:
    headers = {"in-reply-to": "<c@x> (of Monday)", "references": "<a@x>\t<b@x> <c@x>"}
    assert answered(headers) == ["<c@x>", "<b@x>", "<a@x>"]
    assert answered({"references": "<a@x> a@x <> <b x>"}) == ["<a@x>"]
    assert (answered({}), message_ids("none")) == ([], [])


def test_a_thread_began_with_the_first_reference() -> None:
    assert first_of_thread({"in-reply-to": "<b@x>", "references": "<a@x> <b@x>"}) == "<a@x>"
    assert first_of_thread({"in-reply-to": "<b@x>", "references": "(none)"}) == "<b@x>"
    assert first_of_thread({"subject": "<b@x>"}) is None


def test_an_answer_names_the_first_message_of_its_thread_and_the_latest() -> None:
    names = [f"<{number}@x>" for number in range(6)]
    assert answering("<5@x>", names, most=3) == {
        "In-Reply-To": "<5@x>",
        "References": "<0@x> <4@x> <5@x>",
    }
    assert answering("<2@x>", names[:3], most=3)["References"] == "<0@x> <1@x> <2@x>"
    assert answering("<0@x>", names[:1], most=3)["References"] == "<0@x>"


@pytest.mark.parametrize(
    ("text", "html", "new"),
    [
        ("New\n\n> Old", None, ("New", None)),
        ("New\n\n> Old", "New<blockquote type=cite>Old", ("New", "New")),
        ("", "New<blockquote type=cite>Old", ("", "New")),
        # No mark in the HTML: the text shows where the history begins, or the HTML as text does.
        ("New\n\n> Old", "<p>New</p><p>&gt; Old</p>", ("New", None)),
        ("", "<p>New</p><p>&gt; Old</p>", ("New", None)),
        ("All new", "<p>All <b>new</b></p>", ("All new", "<p>All <b>new</b></p>")),
        ("New\n" + LINE + "\nOld", "New" + LINE + "Old", ("New", "New")),
    ],
)
def test_what_is_new_is_found_in_text_or_html(
    text: str, html: str | None, new: tuple[str, str | None]
) -> None:
    assert new_part(text, html, LINE) == new


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Callable[[Take], None]:
    """Open a door at `DESK` for a clone of its own."""
    monkeypatch.setattr(jobs, "_kinds", {})
    monkeypatch.setattr(post, "_receivers", {})
    return lambda take: register_receiver("yard", takes=DESK.__eq__, take=take)


def sent(about: str | None = None, **values: Any) -> Message:
    """Write a message to the desk, from a person."""
    given: dict[str, Any] = {"sender": "Ana <ana@x.example>", "recipients": [f"Desk <{DESK}>"]}
    draft = post.Draft(**{**given, "subject": "Hello", "text": "Hi", **values})
    return post.post(draft, clone="mail", about=about)


def test_a_message_is_taken_once_and_is_about_what_it_became(
    empty_sandbox: SandboxRow, door: Callable[[Take], None]
) -> None:
    taken = []

    def take(message: Message) -> str:
        taken.append(message.id)
        return "yard.case:7"

    door(take)
    with bind(empty_sandbox):
        with unit_of_work("write"):
            message = sent()
            sent(recipients=["other@x.example"])
        with unit_of_work("write"):
            jobs.advance(clock.now())
        with unit_of_work("read"):
            assert taken == [message.id]
            assert Message.objects.get(id=message.id).about == "yard.case:7"
            wrote = [
                act
                for row in journal().rows(0)
                if row.table.name == "core_message"
                and row.act is not None
                and (act := journal().act(row.act)) is not None
                and act.actor == "yard.mail"
            ]
            assert [act.label for act in wrote] == ["mail from Ana <ana@x.example>"]


def test_what_is_passed_over_stays_about_what_it_was(
    empty_sandbox: SandboxRow, door: Callable[[Take], None]
) -> None:
    door(lambda message: None)
    with bind(empty_sandbox), unit_of_work("write"):
        message = sent(about="other.order:3")
        gone = sent()
        Message.objects.filter(id=gone.id).delete()
        assert [run.error for run in jobs.drain()] == [None, None]
        assert Message.objects.get(id=message.id).about == "other.order:3"


@pytest.mark.usefixtures("writing")
def test_addressees_are_bare_and_files_have_their_bytes() -> None:
    picture = post.File("lens.png", "image/png", b"glass", cid="p1")
    message = sent(cc=["Ben <BEN@x.example>", "nobody"], files=[picture])
    assert addressees(message) == [DESK, "ben@x.example"]
    (file,) = files_of(message)
    assert (file, file.inline) == (picture, True)


@pytest.mark.usefixtures("writing")
def test_known_messages_are_those_of_the_kinds_in_the_order_in_which_they_were_sent() -> None:
    first = sent(about="yard.case:1", message_id="<1@x>")
    sent(about="yard.case:2", message_id="<2@x>")
    sent(about="yard.note:3", message_id="<3@x>")
    sent(about="yard.order:4", message_id="<4@x>")
    sent(message_id="<5@x>")
    names = ["<5@x>", "<4@x>", "<3@x>", "<2@x>", "<1@x>", "<unknown@x>"]
    assert list(known_messages(names, "yard.case:", "yard.note:").items()) == [
        ("<1@x>", "yard.case:1"),
        ("<2@x>", "yard.case:2"),
        ("<3@x>", "yard.note:3"),
    ]
    sent(about="yard.case:9", message_id=first.message_id)
    assert list(known_messages(names, "yard.case:")) == ["<2@x>", "<1@x>"]
    assert known_messages(names, "yard.case:")["<1@x>"] == "yard.case:9"
    assert known_messages([], "yard.case:") == {}
