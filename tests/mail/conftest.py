"""Mailboxes beside a desk: Ana and Ben work there, Rosa and Tom are customers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clones.core.accounts import account_cards
from clones.core.models import Message
from clones.core.rfc5322 import take_in
from clones.core.tenancy import unit_of_work
from clones.mail.domain.mailboxes import Role, open_mailbox
from snapshots.manifest import Manifest
from tests.conftest import bind
from tests.helpdesk.conftest import Desk, desk_image
from tests.helpdesk.web.conftest import Shown
from tests.sandbox_pool import SandboxPool

__all__ = ["desk_image"]

SUPPORT = "support@kestrel.example"
PEOPLE: dict[str, tuple[str, Role]] = {
    "ana@desk.example": ("Ana Costa", "employee"),
    "ben@desk.example": ("Ben Ode", "employee"),
    "rosa@acme.example": ("Rosa Diaz", "customer"),
    "tom@acme.example": ("Tom Berg", "customer"),
}


@dataclass
class Box:
    """A mailbox, open in a browser."""

    client: Client
    address: str
    password: str
    token: str = field(default="", init=False)

    def sign_in(self) -> Box:
        """Sign in and keep the token of the session's forms."""
        sent = {"email": self.address, "password": self.password}
        answer = self.client.post("/signin", sent)
        assert answer.status_code == 302, answer.content
        self.token = self.get("/folders/inbox").field("token")
        return self

    def get(self, path: str, **query: Any) -> Shown:
        """Open a page."""
        return _shown(self.client.get(path, query or None))

    def post(self, path: str, data: dict[str, Any] | None = None, **headers: str) -> Shown:
        """Send a form with the session's token."""
        sent = {"token": self.token, **(data or {})}
        return _shown(self.client.post(path, sent, headers=headers))

    def send(self, to: str, subject: str = "", text: str = "", **more: Any) -> int:
        """Write a message and return its number; `files` maps names to bytes."""
        files = [
            SimpleUploadedFile(name, data, content_type="text/plain")
            for name, data in more.pop("files", {}).items()
        ]
        typed = {"to": to, "cc": "", "subject": subject, "text": text, "files": files, **more}
        answer = self.post("/compose", typed)
        assert answer.status == 302, answer.text
        return int(answer.location.removeprefix("/messages/").removesuffix("?sent=1"))

    def answer(self, key: int, text: str, way: str = "reply", **more: Any) -> int:
        """Answer a message as the form begins it, with `text` above what it quotes."""
        form = self.get("/compose", way=way, about=key)
        assert form.status == 200
        quoted = form.html.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
        typed = {name: form.field(name) for name in ("cc", "subject", "way", "about")}
        return self.send(form.field("to"), text=f"{text}{_unescaped(quoted)}", **(typed | more))

    def rows(self, folder: str = "inbox") -> list[str]:
        """Return the subjects of a folder's first page."""
        html = self.get(f"/folders/{folder}").html
        found = html.split('data-test-id="mail-row-subject">')[1:]
        return [_unescaped(part.partition("</a>")[0]) for part in found]

    def newest(self, folder: str = "inbox") -> int:
        """Return the number of a folder's first message."""
        html = self.get(f"/folders/{folder}").html
        return int(html.partition('href="/messages/')[2].partition('"')[0])


@dataclass
class PostOffice:
    """A desk with mailboxes around it."""

    desk: Desk
    passwords: dict[str, str]
    boxes: dict[str, Box] = field(default_factory=dict)

    def browser(self) -> Client:
        """Return a browser that is not signed in."""
        return Client(headers={"host": f"mail.{self.desk.row.id}.localhost:8800"})

    def box(self, name: str) -> Box:
        """Return somebody's mailbox, signed in."""
        if name not in self.boxes:
            [address] = [one for one in self.passwords if one.startswith(f"{name}@")]
            self.boxes[name] = Box(self.browser(), address, self.passwords[address]).sign_in()
        return self.boxes[name]

    def messages(self, **which: Any) -> list[Message]:
        """Return messages as they are kept, oldest first."""
        with self.desk.bound(), unit_of_work("read"):
            return list(Message.objects.filter(**which).order_by("id"))

    def ticket(self, key: int) -> Any:
        """Return a ticket as the desk's API has it."""
        return self.desk.get(f"tickets/{key}.json")["ticket"]

    def comments(self, key: int) -> list[Any]:
        """Return a ticket's comments as the desk's API has them, with the pictures in them."""
        path = f"tickets/{key}/comments.json?include_inline_images=true"
        found: list[Any] = self.desk.get(path)["comments"]
        return found

    def tickets(self) -> list[int]:
        """Return the numbers of all tickets."""
        return [item["id"] for item in self.desk.get("tickets.json")["tickets"]]

    def held(self) -> list[Any]:
        """Return the mail that is held back."""
        found: list[Any] = self.desk.get("suspended_tickets.json")["suspended_tickets"]
        return found


def _unescaped(text: str) -> str:
    for code, letter in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'")):
        text = text.replace(code, letter)
    return text.replace("&amp;", "&")


def _shown(response: Any) -> Shown:
    html = response.content.decode("utf-8", "replace")
    return Shown(response.status_code, html, response.headers.get("Location", ""), response.headers)


@pytest.fixture
def post_office(sandbox_pool: SandboxPool, desk_image: Manifest) -> Iterator[PostOffice]:
    """A desk and four mailboxes."""
    with sandbox_pool.borrow(desk_image) as row:
        desk = Desk(row)
        with desk.writing():
            for address, (name, role) in PEOPLE.items():
                open_mailbox(address, name, role=role, listed=True)
        with bind(row), unit_of_work("read"):
            cards = [card for card in account_cards(row) if card.clone == "mail"]
        yield PostOffice(desk, {card.login: card.secrets["password"] for card in cards})


@pytest.fixture
def deliver(post_office: PostOffice) -> Any:
    """Take in a message as a server passes it on, and return what became of it."""

    def taken(data: bytes) -> str:
        with post_office.desk.writing():
            key = take_in(data).id
        assert [run.error for run in post_office.desk.drain() if run.error] == []
        [message] = post_office.messages(id=key)
        return message.about or ""

    return taken
