"""When each record came to be, and what was last done about it: known before rows are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.sales.model import Sales


@dataclass(slots=True)
class Timeline:
    """Moments by the story's indexes.

    A firm or a person is known from the first deal with them on, if that was before they first
    bought or wrote. `last` is the day of the last activity, by the kind of record and its index.
    """

    firms: dict[int, datetime] = field(default_factory=dict)
    people: dict[int, datetime] = field(default_factory=dict)
    last: dict[tuple[str, int], date] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    overdue: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, sales: Sales) -> Timeline:
        """Return the timeline of a sales story."""
        found = cls(
            {key: firm.since for key, firm in sales.market.firms.items()},
            {key: person.since for key, person in sales.market.people.items()},
        )
        for deal in sales.deals:
            firm = deal.firm.index
            found.firms[firm] = min(found.firms[firm], deal.created)
            for person, _ in deal.contacts:
                found.people[person.index] = min(found.people[person.index], deal.created)
        # Somebody is known no sooner than the firm.
        for person in sales.market.people.values():
            if person.firm is not None:
                first = found.firms[person.firm.index]
                found.people[person.index] = max(found.people[person.index], first)
        found._look_back(sales)
        return found

    def _look_back(self, sales: Sales) -> None:
        for touch in sales.touches:
            day = touch.due
            is_past = touch.done is not None and day is not None
            if touch.deal is not None:
                if is_past:
                    self._note("deal", touch.deal, day)
                    self._note("firm", sales.deals[touch.deal].firm.index, day)
                elif day is not None:
                    self.open.add(touch.deal)
                    if touch.starts is None and day < PRESENT.date():
                        self.overdue.add(touch.deal)
            elif touch.lead is not None and is_past:
                self._note("lead", touch.lead, day)
            elif touch.firm is not None and is_past:
                self._note("firm", touch.firm, day)
            if touch.person is not None and is_past:
                self._note("person", touch.person.index, day)

    def _note(self, kind: str, index: int, day: date | None) -> None:
        known = self.last.get((kind, index))
        if day is not None and (known is None or day > known):
            self.last[kind, index] = day
