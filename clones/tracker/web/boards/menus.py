"""Menus about one issue: pages, which a script shows over the page that they belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import Board
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.header import header_of
from clones.tracker.web.shell import page


@dataclass(frozen=True, slots=True)
class Zone:
    """Where in a column a card is dropped to go through a transition, if several lead there."""

    column: int
    transition: int
    status: str


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a menu: a form that sends `sent`, or a link; what `asks` opens in a dialog."""

    name: str
    address: str
    sent: Mapping[str, str] = field(default_factory=dict)
    link: bool = False
    asks: bool = False
    zone: Zone | None = None


def menu_page(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    *,
    name: str,
    entries: Sequence[MenuEntry],
    estimate: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Return the page of a menu of this name.

    `estimate` is a form below it: the address that takes it (`action`) and its `value`.
    """
    context = {**header_of(board, ""), "name": name, "entries": entries, "estimate": estimate}
    return page(
        request, who, "tracker/boards/menu.html", context,
        title=name, active=f"board-{board.id}", project=board.project,
    )  # fmt: skip
