"""What a careful agent understands of a request for a board's set-up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from episodes.families.t02.request import TURN, clauses

BOARD: Final = re.compile(r'board "([^"]+)"')
COLUMN: Final = re.compile(
    r'column "([^"]+)" with (no status|(?:\[[^\]]+\](?: and )?)+)'
    r"(?:, at least (\d+))?(?:, at most (\d+))?\."
)
STATUS: Final = re.compile(r"\[([^\]]+)\]")
QUICK: Final = re.compile(r'filter "([^"]+)": work items (.*?)\.(?= |$)')
LANES: Final = (
    ("none", re.compile(r"[Nn]o swimlanes|Swimlanes: none")),
    ("assignee", re.compile(r"(?:by|for each) assignee\.")),
    ("parent", re.compile(r"(?:by|for each) epic\.")),
    ("project", re.compile(r"(?:by|for each) space\.")),
)


class NotUnderstood(ValueError):
    """Raised when a request lacks what a board needs."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is wanted; limits as texts, "" for none."""

    name: str
    statuses: tuple[str, ...]
    minimum: str
    maximum: str


@dataclass(frozen=True, slots=True)
class Quick:
    """A quick filter that is wanted, and the query that it comes to."""

    name: str
    jql: str


@dataclass(frozen=True, slots=True)
class Request:
    """A board's set-up that is asked for."""

    board: str
    columns: tuple[Column, ...]
    quick: tuple[Quick, ...]
    lanes: str


def read_request(text: str) -> Request:
    """Return what a request asks for.

    Raises:
        NotUnderstood: it lacks a board, columns or swimlanes.
    """
    flat = " ".join(text.split())
    board = BOARD.search(flat)
    lanes = next((name for name, way in LANES if way.search(flat)), None)
    columns = tuple(
        Column(found[1], tuple(STATUS.findall(found[2])), found[3] or "", found[4] or "")
        for found in COLUMN.finditer(flat)
    )
    if board is None or lanes is None or not columns:
        raise NotUnderstood("a board needs a name, columns and swimlanes")
    quick = tuple(Quick(found[1], _jql(found[2])) for found in QUICK.finditer(flat))
    return Request(board[1], columns, quick, lanes)


def _jql(text: str) -> str:
    before, _, after = text.partition(TURN)
    every = clauses("all", before)
    some = clauses("any", after) if after else ()
    return " AND ".join([*every, f"({' OR '.join(some)})"] if some else every)
