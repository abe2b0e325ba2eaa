"""The HTML of cards and of rows of backlogs, put together of parts that are rendered once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clones.core.parts import Part
from clones.tracker.models import Status, User
from clones.tracker.web.boards.works import Above, Shown, Work
from clones.tracker.web.parts.pictures import priority_picture, type_picture
from clones.tracker.web.shell import hue, initials

_PLACES: Final = ("key", "summary", "type", "tags", "ends", "address", "query")
_CARD: Final = Part("tracker/boards/_card.html", _PLACES)
_ROW: Final = Part("tracker/boards/_row.html", (*_PLACES, "hints"))
NOTHING: Final = SafeString("")


def card(work: Work, shown: Shown, address: str, query: str) -> SafeString:
    """Return an issue's card; `address` is the board's, `query` what its links carry on."""
    return _CARD.fill(
        key=work.key,
        summary=work.summary,
        type=type_picture(shown.types[work.type]),
        tags=_tags(work, shown, with_parent=True),
        ends=SafeString("".join(_ends(work, shown))),
        address=address,
        query=query,
    )


def row(work: Work, shown: Shown, address: str, query: str) -> SafeString:
    """Return an issue's row in a backlog."""
    status = _status(shown.statuses[work.status])
    return _ROW.fill(
        key=work.key,
        summary=work.summary,
        type=type_picture(shown.types[work.type]),
        tags=_tags(work, shown, with_parent=False),
        ends=SafeString("".join([status, *_ends(work, shown)])),
        hints=" done" if shown.statuses[work.status].category == "done" else "",
        address=address,
        query=query,
    )


def _tags(work: Work, shown: Shown, *, with_parent: bool) -> SafeString:
    found: list[SafeString] = []
    if work.id in shown.flagged:
        found.append(_flag())
    parent = shown.parent_of(work)
    if with_parent and parent is not None:
        found.append(format_html('<span class="tag" title="Parent">{}</span>', parent.key))
    epic = shown.epic_of(work)
    if epic is not None:
        found.append(epic_tag(epic))
    return SafeString("".join(found))


def _ends(work: Work, shown: Shown) -> Iterable[SafeString]:
    estimate = shown.estimate(work)
    if estimate:
        yield _estimate(estimate)
    priority = shown.priorities.get(work.priority or 0)
    if priority is not None:
        yield priority_picture(priority)
    user = shown.assignees.get(work.assignee or 0)
    yield _nobody() if user is None else _avatar(user)


@lru_cache(maxsize=4096)
def _estimate(text: str) -> SafeString:
    return format_html(
        '<span class="points" data-testid="platform-card.common.ui.estimate" title="Estimate">'
        "<span class='aside'>Estimate: </span>{}</span>",
        text,
    )


@lru_cache(maxsize=4096)
def _flag() -> SafeString:
    return format_html(
        '<span class="flagged"><svg class="icon" width="16" height="16" role="img"'
        ' aria-label="Flagged"><use href="{}#flag-filled"></use></svg></span>',
        static("vendor/atlaskit-icons-38.0.2/sprite.svg"),
    )


def epic_tag(epic: Above) -> SafeString:
    """Return the coloured name of an epic."""
    color = epic.color.removeprefix("color_")
    color = color if color.isdecimal() else "1"
    return format_html(
        '<span class="epic epic--{}" title="Epic {}">{}</span>', color, epic.key, epic.name
    )


def _avatar(user: User) -> SafeString:
    name = user.display_name
    return _avatar_of(name, initials(name), hue(user.id))


@lru_cache(maxsize=4096)
def _avatar_of(name: str, letters: str, colour: int) -> SafeString:
    return format_html(
        '<span class="avatar avatar--{}" role="img" aria-label="Assignee: {}" title="Assignee:'
        ' {}">{}</span>',
        colour,
        name,
        name,
        letters,
    )


@lru_cache(maxsize=4096)
def _nobody() -> SafeString:
    return format_html(
        '<span class="avatar avatar--none" role="img" aria-label="{0}" title="{0}"></span>',
        "Unassigned",
    )


def _status(status: Status) -> SafeString:
    return _status_of(status.name, status.category)


@lru_cache(maxsize=4096)
def _status_of(name: str, category: str) -> SafeString:
    return format_html('<span class="lozenge lozenge--{}">{}</span>', category, name)
