"""What the lists and schemes of admins share: names, ids, order, and the record of acts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet

from clones.core.digits import is_digits
from clones.tracker.domain import audit
from clones.tracker.domain.errors import Invalid, NotFound, TrackerError
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.ordering import FIRST, LAST, Place, moved

Row = TypeVar("Row", bound=Model)
MANY: Final = 1000
BOTH: Final = "'after' and 'position' were provided. Only 'after' or 'position' can be specified."
NEITHER: Final = "Either 'after' or 'position' has to be provided."


def checked_name(
    name: str | None, others: QuerySet[Any], *, taken: TrackerError, limit: int = 255
) -> str:
    """Return a name without blanks around it.

    Args:
        name: as it was sent.
        others: the rows among which it must be the only one, in any case.
        taken: what is raised when it is not.
        limit: how many characters it may have.

    Raises:
        Invalid: it is empty or too long.
        TrackerError: `taken`.
    """
    text = (name or "").strip()
    if not text:
        raise Invalid("The name has to be provided.")
    if len(text) > limit:
        raise Invalid(f"The length of the name must not exceed {limit} characters.")
    if others.filter(name__iexact=text).exists():
        raise taken
    return text


def checked_text(text: str | None, *, limit: int = 255) -> str:
    """Return a description, none being empty.

    Raises:
        Invalid: it is too long.
    """
    if text is not None and len(text) > limit:
        raise Invalid(f"The length of the description must not exceed {limit} characters.")
    return text or ""


def key_of(text: str | int | None) -> int:
    """Return the number that an id of a body is, 0 (which no row has) where it is none."""
    digits = "" if text is None else str(text)
    return int(digits) if is_digits(digits) else 0


def checked_ids(texts: Sequence[str | int], name: str, *, limit: int = MANY) -> list[int]:
    """Return the ids of a body's list.

    Raises:
        Invalid: there is none, one is there twice, or there are more than `limit`.
    """
    if not texts:
        raise Invalid(f"The {name} have to be provided.")
    if len(texts) > limit:
        raise Invalid(f"The {name} must contain no more than {limit:,} items.")
    found = [key_of(text) for text in texts]
    if len(set(map(str, texts))) < len(texts):
        raise Invalid(f"The {name} must not contain duplicates.")
    return found


def rows_of(
    rows: QuerySet[Row], ids: Sequence[int], missing: str, *, sent: Sequence[str | int] = ()
) -> list[Row]:
    """Return the rows with these ids, in their order.

    Raises:
        NotFound: some are missing; `missing` begins the sentence that names them.
    """
    found = rows.in_bulk(ids)
    gone = [str(text) for id, text in zip(ids, sent or ids, strict=True) if id not in found]
    if gone:
        raise NotFound(f"{missing} {', '.join(gone)}")
    return [found[id] for id in ids]


def one_of(rows: QuerySet[Row], id: str | int | None, message: str) -> Row:
    """Return the row with an id.

    Raises:
        NotFound: there is none; with this message.
    """
    found = rows.filter(pk=key_of(id)).first()
    if found is None:
        raise NotFound(message)
    return found


def new_order(
    order: Sequence[int], ids: Sequence[int], *, after: str | None, position: str | None
) -> list[int]:
    """Return the order of a list some of whose ids are moved, as a body asks for it.

    Raises:
        Invalid: neither `after` nor `position` says where to, or both do, or it makes no sense.
    """
    if after is not None and position is not None:
        raise Invalid(BOTH)
    if after is None and position is None:
        raise Invalid(NEITHER)
    if after is None:
        return moved(order, ids, place=_place(position))
    anchor = key_of(after)
    if anchor in ids:
        raise Invalid("The 'after' ID must not be among the IDs that are moved.")
    if anchor not in order:
        raise NotFound(f"The 'after' ID {after} was not found.")
    return moved(order, ids, after=anchor)


def _place(position: str | None) -> Place:
    if position == FIRST:
        return "First"
    if position == LAST:
        return "Last"
    raise Invalid(f"The position '{position}' is invalid. Use '{FIRST}' or '{LAST}'.")


def next_position(rows: QuerySet[Any]) -> int:
    """Return the position behind all rows of a list."""
    last = rows.order_by("-position").values_list("position", flat=True).first()
    return 0 if last is None else last + 1


def set_positions(rows: Collection[Any], order: Sequence[int]) -> None:
    """Give rows, all of one model, the positions that they have in an order of their ids."""
    places = {id: position for position, id in enumerate(order)}
    changed = []
    for row in rows:
        if row.position != places[row.pk]:
            row.position = places[row.pk]
            changed.append(row)
    if changed:
        type(changed[0])._default_manager.bulk_update(changed, ["position"])


def note_act(
    summary: str,
    category: str,
    row: Model,
    *,
    actor: Rights,
    kind: str = "SCHEME",
    changes: Sequence[tuple[str, str | None, str | None]] = (),
) -> None:
    """Record an admin's act on a thing that has a name."""
    name = str(getattr(row, "name", row.pk))
    audit.record(summary, category, actor=actor, object=(kind, str(row.pk), name), changes=changes)
