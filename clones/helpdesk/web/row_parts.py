"""The HTML of a ticket in a table, put together of parts that are rendered once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from clones.core.parts import TemplateFragment, slot
from clones.helpdesk.web.labels import status_badge
from clones.helpdesk.web.sla_badges import SlaBadge
from clones.helpdesk.web.times import ShownTime

ROW, CELL = "helpdesk/_ticket_row.html", "helpdesk/_ticket_cell.html"
# A number that stands in an address for a ticket's.
STAND_IN = 8_765_432_198_765
_ROWS = {
    selectable: TemplateFragment(ROW, ("id", "badge", "cells"), selectable=selectable)
    for selectable in (False, True)
}
_SUBJECTS = {
    (selectable, viewed): TemplateFragment(
        CELL,
        ("test_id", "url", "text", *(("preview",) * selectable), *(("viewers",) * viewed)),
        kind="subject",
        selectable=selectable,
        viewed=viewed,
    )
    for selectable in (False, True)
    for viewed in (False, True)
}
_NUMBER = TemplateFragment(CELL, ("test_id", "url", "text"), kind="nice_id")
_TEXT = TemplateFragment(CELL, ("test_id", "text"), kind="text")
_TIME = TemplateFragment(
    CELL, ("test_id", "iso", "full", "short"), kind="time",
    time={name: slot(name) for name in ("iso", "full", "short")},
)  # fmt: skip
_SLA = TemplateFragment(
    CELL, ("test_id", "key", "title", "left"), kind="sla",
    sla={"key": slot("key"), "title": slot("title"), "text": slot("left")},
)  # fmt: skip
_NOTHING = TemplateFragment(CELL, ("test_id",), kind="nothing")


class RowParts:
    """A ticket's row in the making; `viewers` are those who have it before them, in words."""

    def __init__(self, key: int, viewers: str, *, selectable: bool) -> None:
        self._key = key
        self._viewers = viewers
        self._selectable = selectable

    def joined(self, status: str, cells: Sequence[SafeString]) -> SafeString:
        """Return the whole row."""
        inside = SafeString("".join(cells))
        return _ROWS[self._selectable].fill(id=self._key, badge=_badge(status), cells=inside)

    def text(self, test_id: str, column: str, text: str) -> SafeString:
        """Return a cell of text; subjects and numbers lead to the ticket."""
        if column == "subject":
            return _SUBJECTS[self._selectable, bool(self._viewers)].fill(
                test_id=test_id,
                url=_address("helpdesk:ticket", self._key),
                preview=_address("helpdesk:ticket_card", self._key),
                text=text,
                viewers=self._viewers,
            )
        if column == "nice_id":
            url = _address("helpdesk:ticket", self._key)
            return _NUMBER.fill(test_id=test_id, url=url, text=text)
        return _TEXT.fill(test_id=test_id, text=text)

    def time(self, test_id: str, time: ShownTime) -> SafeString:
        """Return a cell with a moment."""
        return _TIME.fill(test_id=test_id, iso=time.iso, full=time.full, short=time.short)

    def sla(self, test_id: str, badge: SlaBadge | None) -> SafeString:
        """Return a cell that says how far off the next breach is."""
        if badge is None:
            return _NOTHING.fill(test_id=test_id)
        return _SLA.fill(test_id=test_id, key=badge.key, title=badge.title, left=badge.text)


@cache
def _badge(status: str) -> SafeString:
    return render_to_string("helpdesk/_badge.html", {"badge": status_badge(status)})


def _address(name: str, key: int) -> str:
    before, after = _around(name)
    return f"{before}{key}{after}"


@cache
def _around(name: str) -> tuple[str, str]:
    """Return what stands before and after a ticket's number in the address of a page."""
    before, _, after = reverse(name, args=[STAND_IN]).partition(str(STAND_IN))
    return before, after
