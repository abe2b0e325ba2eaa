"""What mail says of privacy (`clones.core.privacy`): every message to somebody outside goes out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from clones.core.addresses import addresses_in
from clones.core.models import Account, Message
from clones.core.post import file_data, is_received
from clones.core.privacy import (
    ConversationView,
    Image,
    KnownPerson,
    OutgoingText,
    Privacy,
    PrivateFact,
    WorldRows,
    file_words,
)
from clones.mail.models import Mailbox

CLONE: Final = "mail"
EMPLOYEE: Final = "employee"
THREAD: Final = "mail.thread:"


def people(rows: WorldRows) -> Iterator[KnownPerson]:
    """Yield whose mailboxes are here; employees are of the house, customers are not."""
    for login, role, clone in rows.each(Account, "login", "role", "clone"):
        if clone == CLONE:
            yield KnownPerson(frozenset({login.lower()}), inside=role == EMPLOYEE)
    for address, called in rows.each(Mailbox, "address", "name"):
        yield KnownPerson(frozenset({address.lower()}), called)


def facts(_rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield nothing: what a mail tells of people is theirs, and other clones know it."""
    yield from ()


def conversation(name: str, rows: WorldRows) -> ConversationView | None:
    """Return a thread of mail: whoever wrote or got a part of it, None for names of others."""
    if not name.startswith(THREAD):
        return None
    thread = name.removeprefix(THREAD)
    people, said = set[str](), list[str]()
    columns = ("sender", "recipients", "cc", "subject", "text", "html")
    for sender, recipients, copied, *texts in rows.of(Message, *columns, thread=[thread]):
        people |= set(addresses_in([sender, *recipients, *copied]))
        said += filter(None, texts)
    return ConversationView(name, frozenset(people), tuple(said))


def _message(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    """Yield a message with its files; the house's own addresses hear nothing by it."""
    hearers = set(addresses_in([*after["recipients"], *after["cc"]]))
    hearers = {address for address in hearers if not is_received(address)}
    if not hearers:
        return
    texts = [after["subject"], after["text"], after["html"] or ""]
    for file in after["files"]:
        texts += [file["name"], file_words(file["content_type"], file_data(file))]
    about = after["about"] or f"{THREAD}{after['thread']}"
    yield OutgoingText("\n".join(texts), frozenset(hearers), about)


PRIVACY: Final = Privacy(people, facts, {"core_message": _message}, conversation)
