"""The HTML of cards and of rows of backlogs, put together of parts that are rendered once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clones.core.digits import is_digits
from clones.core.parts import TemplateFragment
from clones.tracker.models import Status, User
from clones.tracker.web.boards.issue_cards import Above, CardExtras, CardIssue
from clones.tracker.web.parts.pictures import priority_picture, type_picture
from clones.tracker.web.shell import hue, initials

_PLACES: Final = ("key", "summary", "type", "tags", "ends", "address", "query")
_CARD: Final = TemplateFragment("tracker/boards/_card.html", (*_PLACES, "stripe"))
_ROW: Final = TemplateFragment("tracker/boards/_row.html", (*_PLACES, "hints"))
_PART: Final = TemplateFragment("tracker/boards/_row_part.html", ("key", "summary", "type", "ends"))
_ESTIMATED: Final = TemplateFragment(
    "tracker/boards/_row_estimate.html", ("key", "value", "address", "query", "token", "back")
)
NOTHING: Final = SafeString("")


def card(work: CardIssue, shown: CardExtras, address: str, query: str) -> SafeString:
    """Return an issue's card; `address` is the board's, `query` what its links carry on."""
    return _CARD.fill(
        key=work.key,
        summary=work.summary,
        type=type_picture(shown.types[work.type]),
        tags=_tags(work, shown, with_parent=True),
        ends=SafeString("".join(_ends(work, shown))),
        stripe=_stripe(work, shown),
        address=address,
        query=query,
    )


@dataclass(frozen=True, slots=True)
class Estimating:
    """How rows let estimates be changed.

    `spaces` are those whose issues the viewer may edit, `key` that of the issue in whose row the
    form stands, `typed` what was refused in it; `link` leads from a key to the form.
    """

    spaces: frozenset[int]
    key: str
    typed: str | None
    link: Callable[[str], str]
    token: str


def row(
    work: CardIssue,
    shown: CardExtras,
    address: str,
    query: str,
    estimating: Estimating | None = None,
) -> SafeString:
    """Return an issue's row in a backlog."""
    status = _status(shown.statuses[work.status])
    ends = _ends(work, shown)
    if estimating is not None and work.project in estimating.spaces:
        own = _estimate_of(work, shown, address, query, estimating)
        ends = (own, *_ends(work, shown, estimated=False))
    return _ROW.fill(
        key=work.key,
        summary=work.summary,
        type=type_picture(shown.types[work.type]),
        tags=_tags(work, shown, with_parent=False),
        ends=SafeString("".join([status, *ends])),
        hints=(" done" if shown.statuses[work.status].category == "done" else "")
        + _stripe(work, shown),
        address=address,
        query=query,
    )


def row_of_part(work: CardIssue, shown: CardExtras) -> SafeString:
    """Return the row of a sub-task, below that of what it is a part of."""
    status = _status(shown.statuses[work.status])
    return _PART.fill(
        key=work.key,
        summary=work.summary,
        type=type_picture(shown.types[work.type]),
        ends=SafeString("".join([status, *_ends(work, shown)])),
    )


def _estimate_of(
    work: CardIssue, shown: CardExtras, address: str, query: str, estimating: Estimating
) -> SafeString:
    """Return an issue's estimate as what opens its form, or that form."""
    text = shown.estimate(work)
    if work.key != estimating.key:
        return format_html(
            '<a class="points" role="button" href="{}" draggable="false" data-part'
            ' aria-label="Estimate of {}: {}" title="Estimate"'
            ' data-testid="platform-card.common.ui.estimate">{}</a>',
            estimating.link(work.key),
            work.key,
            text or "none",
            text or "-",
        )
    return _ESTIMATED.fill(
        key=work.key,
        value=text if estimating.typed is None else estimating.typed,
        address=address,
        query=query,
        token=estimating.token,
        back=estimating.link(work.key).partition("?")[0] + query,
    )


def _tags(work: CardIssue, shown: CardExtras, *, with_parent: bool) -> SafeString:
    found: list[SafeString] = []
    if work.id in shown.flagged:
        found.append(_flag())
    parent = shown.parent_of(work)
    if with_parent and parent is not None:
        found.append(format_html('<span class="tag" title="Parent">{}</span>', parent.key))
    epic = shown.epic_of(work)
    if epic is not None:
        found.append(epic_tag(epic))
    found += [_further(name, value) for name, value in shown.looks.further.get(work.id, ())]
    return SafeString("".join(found))


def _stripe(work: CardIssue, shown: CardExtras) -> str:
    """Return the class of an issue's colour, with the space before it, "" for none."""
    colour = shown.looks.colour(work)
    return f" stripe--{colour}" if colour else ""


def _further(name: str, value: str) -> SafeString:
    return format_html(
        '<span class="tag" title="{0}: {1}"><span class="aside">{0}: </span>{1}</span>',
        name,
        value,
    )


def _ends(work: CardIssue, shown: CardExtras, *, estimated: bool = True) -> Iterable[SafeString]:
    estimate = shown.estimate(work) if estimated else ""
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
    color = color if is_digits(color) else "1"
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
