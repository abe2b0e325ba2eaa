"""What a mail says by its form: encoded IDs, threads, new and quoted, public and private."""

from __future__ import annotations

import dataclasses
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clones.core import quoting
from clones.helpdesk.rules.mail.privacy import Answer, verdict_of
from clones.helpdesk.rules.mail.quoting import DELIMITER
from clones.helpdesk.rules.mail.template import html_mail, text_mail
from clones.helpdesk.rules.mail.threads import Match, match_of
from clones.helpdesk.rules.mail.tokens import (
    encoded_id,
    split_address,
    ticket_of,
    tokens_in,
    with_token,
)

KEY = "kestrel|1"
OWN = frozenset({"support@kestrel.example"})
split_text = partial(quoting.split_text, delimiter=DELIMITER)
split_html = partial(quoting.split_html, delimiter=DELIMITER)
REST = "> It does not start.\n> Rosa"


@given(st.integers(1, 10**9))
def test_an_encoded_id_names_its_ticket_and_only_under_its_key(number: int) -> None:
    token = encoded_id(number, KEY)
    assert tokens_in(f"see [{token}] there") == [token]
    assert ticket_of(token, KEY) == number
    assert ticket_of(token.lower(), KEY) == number
    assert ticket_of(token, "other") != number


@pytest.mark.parametrize(
    "token", ["", "-", "1G7EOR-0Q2J", "1G7EOR", "1G7EOR-0Q2J-1", "ÄG7EOR-0Q2J"]
)
def test_what_is_no_encoded_id_names_nothing(token: str) -> None:
    assert ticket_of(token, KEY) is None


def test_addresses_carry_encoded_ids() -> None:
    token = encoded_id(17, KEY)
    address = with_token("support@kestrel.example", token)
    assert address == f"support+id{token}@kestrel.example"
    assert split_address(address) == ("support@kestrel.example", token)
    assert split_address(address.lower()) == ("support@kestrel.example", token)
    assert split_address("Support+sales@kestrel.example")[1] is None


def match(headers: dict[str, str] | None = None, body: str = "", *recipients: str) -> Match | None:
    return match_of(
        headers=headers or {},
        recipients=recipients or ("support@kestrel.example",),
        body=body,
        key=KEY,
        own=OWN,
        ticket_of_message=lambda names: next((int(n[2:-3]) for n in names if n[1] == "t"), None),
    )


TOKEN = encoded_id(17, KEY)
ADDRESS = with_token("support@kestrel.example", TOKEN)


@pytest.mark.parametrize(
    ("headers", "body", "recipients", "expected"),
    [
        ({"in-reply-to": "<t5@x>"}, "", (), Match(5, "header")),
        ({"references": "<t4@x> <t5@x> <u@x>"}, "", (), Match(5, "header")),
        ({"in-reply-to": "<u@x>"}, f"> [{TOKEN}]", (), Match(17, "body")),
        ({}, f"[{TOKEN}]", (), Match(17, "body")),
        ({}, TOKEN, (), None),
        ({}, "", (ADDRESS,), Match(17, "address")),
        ({}, "", ("ben@x.example", ADDRESS.lower()), Match(17, "address")),
        ({}, "", (with_token("support@else.example", TOKEN),), None),
        ({"subject": "[Kestrel] Re: #17"}, "about ticket #17", (), None),
        ({}, "[1G7EOR-0Q2J]", (), None),
    ],
)
def test_a_mail_belongs_to_the_ticket_that_its_signs_name(
    headers: dict[str, str], body: str, recipients: tuple[str, ...], expected: Match | None
) -> None:
    assert match(headers, body, *recipients) == expected


def test_unverified_order_of_signs() -> None:
    assert match({"in-reply-to": "<t5@x>"}, f"[{TOKEN}]", ADDRESS) == Match(5, "header")
    other = encoded_id(18, KEY)
    assert match({}, f"[{other}]", ADDRESS) == Match(18, "body")


HEADINGS = [
    "On Tue, 16 Jun 2026 at 14:00, Kestrel <support@kestrel.example> wrote:",
    "On Tue, 16 Jun 2026 at 14:00, Kestrel <\nsupport@kestrel.example> wrote:",
    "Am Di., 16. Juni 2026 um 14:00 Uhr schrieb Kestrel <support@kestrel.example>:",
    "Am 16.06.2026 um 14:00 schrieb Kestrel:",
    "Le mar. 16 juin 2026 à 14:00, Kestrel <support@kestrel.example> a écrit :",
    "El mar, 16 jun 2026 a las 14:00, Kestrel (<support@kestrel.example>) escribió:",
    "Il giorno mar 16 giu 2026 alle ore 14:00 Kestrel ha scritto:",
    "Em ter., 16 de jun. de 2026 às 14:00, Kestrel escreveu:",
    "Op di 16 jun 2026 om 14:00 schreef Kestrel <support@kestrel.example>:",
    '16.06.2026, 14:00, "Kestrel" <support@kestrel.example>:',
]


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("below", [REST, "It does not start.\nRosa"])
def test_what_follows_a_heading_is_quoted(heading: str, below: str) -> None:
    text = f"Any news?\n\nTom\n\n{heading}\n{below}"
    parts = split_text(text)
    assert parts.new == "Any news?\n\nTom"
    assert parts.quoted == f"{heading}\n{below}"


@pytest.mark.parametrize(
    "history",
    [
        "-----Original Message-----\nFrom: Kestrel\nSent: Tuesday\n\nYour request",
        "-----Ursprüngliche Nachricht-----\nVon: Kestrel\n\nIhre Anfrage",
        "From: Kestrel <support@kestrel.example>\nSent: Tuesday\nTo: Tom\n\nYour request",
        "________________________________\nFrom: Kestrel\nSent: Tuesday\n\nYour request",
        "Von: Kestrel\nGesendet: Dienstag, 16. Juni\n\nIhre Anfrage",
        "De : Kestrel\nEnvoyé : mardi 16 juin\n\nVotre demande",
        "De: Kestrel\nEnviado el: martes 16\n\nSu consulta",
        REST,
    ],
)
def test_histories_without_a_heading_are_quoted_too(history: str) -> None:
    parts = split_text(f"Any news?\n\n{history}")
    assert (parts.new, bool(parts.quoted)) == ("Any news?", True)


def test_what_stands_above_the_delimiter_is_new() -> None:
    notice = text_mail("Your request (17) has been received.", brand="Kestrel", token=TOKEN)
    quoted = "\n".join(f"> {line}" for line in notice.split("\n"))
    for heading in HEADINGS:
        assert split_text(f"Any news?\n\n{heading}\n{quoted}").new == "Any news?"
    assert split_text(f"Any news?\n\n{notice}").new == "Any news?"
    assert tokens_in(split_text(f"Any news?\n\n{quoted}").quoted) == [TOKEN]


@pytest.mark.parametrize(
    "text",
    [
        "From: 5 to 7 of them fail.\nWhat now?",
        "It did work.\nOn Monday I wrote:\nit fails.",
        "The log says:\n> error 5\nWhat is that?",
        f"Hello\n\n{HEADINGS[0]}\n> Does it start?\nNo.\n> Is it on?\nYes.",
        f"{HEADINGS[0]}\n{REST}",
        f"{DELIMITER}\nbelow",
        "Plain words.",
    ],
)
def test_nothing_is_cut_where_no_history_follows_or_nothing_would_be_left(text: str) -> None:
    assert (split_text(text).new, split_text(text).quoted) == (text, "")


@pytest.mark.parametrize(
    "mark",
    [
        '<div class="gmail_quote gmail_quote_container">',
        '<blockquote type="cite">',
        "<div id='divRplyFwdMsg'>",
        '<div class="yahoo_quoted">',
        f"<div>{DELIMITER}</div>",
    ],
)
def test_quoted_html_is_cut_at_its_mark(mark: str) -> None:
    parts = split_html(f"<p>Any <b>news</b>?</p>{mark}<p>Your request</p>")
    assert parts.new.startswith("<p>Any <b>news</b>?</p>")
    assert "Your request" not in parts.new
    assert "Your request" in parts.quoted
    assert split_html(f"{mark}<p>Your request</p>").quoted == ""


def test_the_html_of_a_mail_says_what_its_text_says() -> None:
    html = html_mail("a < b\n\nsecond", brand="Kestrel & Co", token=TOKEN)
    assert "a &lt; b</p>" in html
    assert "Kestrel &amp; Co." in html
    assert f"[{TOKEN}]" in html
    assert split_html(f"<p>Any news?</p>{html}").quoted.startswith(DELIMITER)


NOBODY = Answer(
    is_agent=False,
    is_known=True,
    is_requester=False,
    is_assignee=False,
    is_follower=False,
    is_cc=False,
    edits=False,
    by_encoded_id=False,
    names_requester=False,
    names_others=False,
)
AGENT = dataclasses.replace(NOBODY, is_agent=True, edits=True)
COPIED = dataclasses.replace(NOBODY, is_cc=True, edits=True)


@pytest.mark.parametrize(
    ("answer", "changes", "expected"),
    [
        (NOBODY, {"is_requester": True, "edits": True}, "public"),
        (NOBODY, {}, "other_user_update"),
        (NOBODY, {"is_known": False}, "unknown_user_update"),
        (NOBODY, {"by_encoded_id": True}, "private"),
        (NOBODY, {"by_encoded_id": True, "is_known": False}, "private"),
        (COPIED, {"names_requester": True, "names_others": True}, "public"),
        (COPIED, {"names_others": True}, "private"),
        (AGENT, {"edits": False}, "other_user_update"),
        (AGENT, {"edits": False, "by_encoded_id": True}, "private"),
        (AGENT, {"edits": False, "by_encoded_id": True, "is_assignee": True}, "public"),
        (AGENT, {"is_assignee": True}, "public"),
    ],
)
def test_who_writes_decides_who_may_read(
    answer: Answer, changes: dict[str, bool], expected: str
) -> None:
    assert verdict_of(dataclasses.replace(answer, **changes)) == expected


@pytest.mark.parametrize(
    ("answer", "changes", "expected"),
    [
        (COPIED, {}, "public"),  # as with the vendor's setting for it turned on
        (AGENT, {}, "public"),
        (AGENT, {"is_follower": True}, "private"),
        (AGENT, {"is_follower": True, "names_requester": True}, "public"),
        (AGENT, {"is_cc": True}, "private"),
        (AGENT, {"is_follower": True, "is_assignee": True}, "public"),
    ],
)
def test_unverified_who_may_read_what_agents_and_copied_people_mail(
    answer: Answer, changes: dict[str, bool], expected: str
) -> None:
    assert verdict_of(dataclasses.replace(answer, **changes)) == expected
