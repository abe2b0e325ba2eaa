"""What is wrong with a query, in the service's words.

The texts are the service's own: of its API description, of recorded answers of sites, and of what
its server is known to answer. `docs/fidelity/tracker-jql.md` names those that are not verified.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from clones.tracker.rules.jql.nodes import Span


class MessageKind(Enum):
    """What a message is about: the service treats some as warnings."""

    SYNTAX = "syntax"
    FIELD = "field"
    OPERATOR = "operator"
    OPERAND = "operand"
    VALUE = "value"
    USER = "user"
    SORT = "sort"


# What is about values that are not there: warnings where a query is looked into softly.
UNKNOWN_VALUES = frozenset({MessageKind.VALUE, MessageKind.USER})


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence about a query, as the service shows it."""

    kind: MessageKind
    text: str


class JqlError(Exception):
    """Raised when a query cannot be run. `messages` has one or more, in the order of the text."""

    def __init__(self, messages: tuple[Message, ...]) -> None:
        super().__init__("; ".join(message.text for message in messages))
        self.messages = messages

    @property
    def texts(self) -> list[str]:
        """The sentences alone."""
        return [message.text for message in self.messages]


class JqlSyntaxError(JqlError):
    """Raised when a text is no query. `line` and `column` count from 1, None for the end."""

    def __init__(self, text: str, *, at: Span | None) -> None:
        super().__init__((Message(MessageKind.SYNTAX, text),))
        self.line = at.line if at is not None else None
        self.column = at.column if at is not None else None


def at_place(sentence: str, at: Span) -> str:
    """Return a sentence with the place that it speaks of."""
    return f"{sentence} (line {at.line}, character {at.column})"


def syntax(sentence: str, at: Span | None = None) -> JqlSyntaxError:
    """Return a syntax error; without a place it is about the end of the query."""
    # The service lost an article in one family of sentences, and answers so to this day.
    head = (
        "Error in JQL Query" if "value, list or function" in sentence else "Error in the JQL Query"
    )
    text = f"{head}: {sentence}"
    return JqlSyntaxError(text if at is None else at_place(text, at), at=at)


def shown(text: str) -> str:
    """Return a piece of a query as messages show it: on one line."""
    return text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
