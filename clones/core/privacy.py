"""What clones say of privacy: who people are, what is private to them, and what leaves the house.

A clone declares one `Privacy` (`Clone.privacy`). Layers above compare what an agent's writes send
out with what is private to others. People are named by texts: e-mail addresses in small letters,
and the clone's own names of records (`helpdesk.user:17`). Whoever shares a name is one person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from django.db.models import Model
from django.utils.module_loading import import_string

# A row's columns, with the values that `clones.core.journal.canonical` gives them.
Image = Mapping[str, Any]

# Serial and order numbers, ids of charges: letters, then at least five digits among the rest.
CODE: Final = re.compile(
    r"(?=(?:\D*\d){5})[A-Za-z]{1,8}[A-Za-z0-9]*[-_]?[A-Za-z0-9]+(?:-\d+)*", re.ASCII
)
# Of a longer file no more is read.
FILE_AT_MOST: Final = 1_000_000

# How a fact is looked for: an e-mail address, a phone number, an identifier or line of an address,
# the last digits of a card beside its owner's name, a whole note, or any long sentence of a text.
FactKind = Literal["email", "phone", "code", "card", "note", "words"]


class WorldRows(Protocol):
    """Rows as they are, or as they would be without what the agent did.

    What is private is read once of a whole world, and from then on of the rows that changed. So
    those who tell of people and facts go through rows by `each`, which passes all or the changed
    ones, and what one row tells does not hang on which others are passed. What they want of other
    rows they look up by `of`, through columns that are indexed.
    """

    def each(self, model: type[Model], *columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield columns of the rows whose people and facts are asked for."""
        ...

    def of(
        self, model: type[Model], *columns: str, **where: Collection[Any]
    ) -> list[tuple[Any, ...]]:
        """Return columns of a model's rows in the order of their keys.

        `where` names, by column, the values that count; no step asks without one.
        """
        ...


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """Somebody a clone knows, or a part of it: by which names, and in which firms.

    Whatever shares a name is put together. `inside` says that they work here. What is private to
    one of `shares` may be told to them: their firm's people see each other's tickets. A firm that
    has it so for all its people is known by its own name, and shares with itself. `called` is the
    name that people write.
    """

    names: frozenset[str]
    called: str = ""
    inside: bool = False
    firms: frozenset[str] = frozenset()
    shares: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PrivateFact:
    """A value that may be told to its owners alone: names of people or firms; none: to nobody."""

    kind: FactKind
    value: str
    owners: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OutgoingText:
    """A text on its way out: who hears it (None: anybody), and in which conversation it is said.

    `joined` are hearers who were brought in now, and read the conversation so far besides.
    """

    text: str
    hearers: frozenset[str] | None
    conversation: str = ""
    joined: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ConversationView:
    """A conversation: its people, what was said to them all, and the notes kept from them.

    What a person heard elsewhere (their other tickets) counts as said. `name` is the same for all
    names by which messages know it.
    """

    name: str
    people: frozenset[str]
    said: tuple[str, ...] = ()
    internal: tuple[str, ...] = ()


def no_conversation(_name: str, _rows: WorldRows) -> ConversationView | None:
    """Return None: the clone has no conversations."""
    return None


@dataclass(frozen=True, slots=True)
class Privacy:
    """What a clone declares.

    `people` and `facts` go through `WorldRows.each`. `outgoing` has, by table, what reads the texts
    that a change of a row sends out: called with the row before and after it and the rows as they
    are. `conversation` returns the one of a name, None for names of others. `endpoints` has, by
    table, what returns under which name the deliveries go where a change of a row has them go, None
    where it says nothing of that (`clones.core.models.Delivery.webhook`).
    """

    people: Callable[[WorldRows], Iterable[KnownPerson]]
    facts: Callable[[WorldRows], Iterable[PrivateFact]]
    outgoing: Mapping[str, Callable[[Image | None, Image, WorldRows], Iterable[OutgoingText]]]
    conversation: Callable[[str, WorldRows], ConversationView | None] = no_conversation
    endpoints: Mapping[str, Callable[[Image | None, Image], str | None]] = field(
        default_factory=dict
    )


def privacy_at(name: str) -> Privacy:
    """Return what a dotted name leads to.

    Raises:
        TypeError: it is no `Privacy`.
    """
    found = import_string(name)
    if not isinstance(found, Privacy):
        raise TypeError(f"{name} is no Privacy")
    return found


def changed(before: Image | None, after: Image, *columns: str) -> bool:
    """Tell whether a change of a row sets one of the columns to another value."""
    return before is None or any(before[name] != after[name] for name in columns)


def texts_in(value: Any) -> Iterator[str]:
    """Yield all texts of plain data, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for held in value.values():
            yield from texts_in(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from texts_in(held)


def codes_in(value: Any, owners: frozenset[str]) -> Iterator[PrivateFact]:
    """Yield the codes that texts of plain data consist of."""
    for text in texts_in(value):
        if CODE.fullmatch(text):
            yield PrivateFact("code", text, owners)


def file_words(content_type: str, data: bytes | memoryview | None) -> str:
    """Return what a file of text says, nothing of one of another type."""
    if not content_type.startswith(("text/", "application/json")):
        return ""
    return bytes(data or b"")[:FILE_AT_MOST].decode(errors="replace")
