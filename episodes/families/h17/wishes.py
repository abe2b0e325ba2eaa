"""What a colleague wants to see: conditions as neutral data, and which tickets meet them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Final

UNSET: Final = ""
STATUSES: Final = ("new", "open", "pending", "hold", "solved")
TYPES: Final = ("question", "incident", "problem", "task")
PRIORITIES: Final = ("low", "normal", "high", "urgent")
UNDERSTOOD: Final = {
    "unsolved": ("new", "open", "pending", "hold"),
    "unclosed": STATUSES,
    "open": ("open",),
    "pending": ("pending",),
    "hold": ("hold",),
}
DRAWS: Final = 4000

# A condition: {"side": all or any, "field", "test": one_of, none_of, tagged or untagged, "values"}.
# A row: status, priority, type, group and assignee as text ("" where there is none), tags, and the
# values of custom fields by the field's id.
Condition = Mapping[str, Any]
Row = Mapping[str, Any]


def holds(condition: Condition, row: Row) -> bool:
    """Tell whether a ticket meets one condition."""
    values, test = condition["values"], condition["test"]
    if test in ("tagged", "untagged"):
        return any(tag in values for tag in row["tags"]) is (test == "tagged")
    found = row["fields"].get(condition["field"], row.get(condition["field"], UNSET))
    return (found in values) is (test == "one_of")


def belongs(conditions: Iterable[Condition], row: Row) -> bool:
    """Tell whether a ticket meets all that must hold, and one of those of which one must."""
    every = [holds(each, row) for each in conditions if each["side"] == "all"]
    some = [holds(each, row) for each in conditions if each["side"] == "any"]
    return all(every) and (not some or any(some))


def skill(pairs: Iterable[tuple[bool, bool]]) -> float:
    """Return J = TPR + TNR - 1 of (should be in, is in); a side without tickets counts as right."""
    found = list(pairs)
    inside = [is_in for should, is_in in found if should]
    outside = [not is_in for should, is_in in found if not should]
    rates = [sum(side) / len(side) if side else 1.0 for side in (inside, outside)]
    return rates[0] + rates[1] - 1.0


class Drawer:
    """Draws tickets around a wish: near its edges rather than far from it."""

    def __init__(
        self,
        conditions: Iterable[Condition],
        *,
        groups: list[str],
        assignees: list[str],
        options: Mapping[str, list[str]],
        tags: list[str],
    ) -> None:
        self._conditions = list(conditions)
        self._domains: dict[str, list[str]] = {
            "status": list(STATUSES),
            "priority": [*PRIORITIES, UNSET],
            "type": [*TYPES, UNSET],
            "group": [*groups, UNSET],
            "assignee": [*assignees, UNSET],
        }
        self._options = options
        self._tags = tags

    def around(self, chance: Random, count: int) -> list[dict[str, Any]]:
        """Return rows on each side of each edge, as many inside as outside, in random order.

        For each condition that must hold there is one that fails by it alone, for each of the
        others one that is in by it alone, and one that has none of them.
        """
        edges: dict[tuple[bool, ...], dict[str, Any]] = {}
        wanted = set(self._edges())
        plain: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
        most = count + len(wanted)
        for _ in range(DRAWS):
            row = self._row(chance)
            verdicts = tuple(holds(each, row) for each in self._conditions)
            if verdicts in wanted and verdicts not in edges:
                edges[verdicts] = row
            else:
                plain[belongs(self._conditions, row)].append(row)
            if len(edges) == len(wanted) and min(len(side) for side in plain.values()) >= most:
                break
        found = list(edges.values())
        inside = sum(belongs(self._conditions, row) for row in found)
        found += plain[True][: max(count - count // 2 - inside, 0)]
        found += plain[False][: max(count - len(found), 0)]
        chance.shuffle(found)
        return found

    def _edges(self) -> list[tuple[bool, ...]]:
        """Return the verdicts of all conditions in turn that lie at an edge."""
        sides = [each["side"] for each in self._conditions]
        every = tuple(side == "all" for side in sides)
        some = [place for place, side in enumerate(sides) if side == "any"]
        found = []
        for place, side in enumerate(sides):
            base = list(every)
            if some:
                base[some[0]] = True
            if side == "all":
                base[place] = False
            else:
                for other in some:
                    base[other] = other == place
            found.append(tuple(base))
        if some:
            found.append(every)
        return found

    def _row(self, chance: Random) -> dict[str, Any]:
        """Return a ticket, each of whose fields is as wished for more often than not."""
        row: dict[str, Any] = {
            name: self._value(chance, name, domain) for name, domain in self._domains.items()
        }
        if row["status"] == "new" and row["assignee"]:
            row["status"] = "open"  # as the product has it: what somebody has is not new
        if row["status"] == "solved" and not row["assignee"]:
            row["status"] = "pending"  # nor is anything solved by nobody
        row["fields"] = {
            name: self._value(chance, name, domain) for name, domain in self._options.items()
        }
        row["tags"] = [tag for tag in self._tags if chance.random() < 0.35]
        return row

    def _value(self, chance: Random, name: str, domain: list[str]) -> str:
        for each in self._conditions:
            if each["field"] != name or chance.random() < (0.25 if each["side"] == "all" else 0.6):
                continue
            wanted = each["test"] == "one_of"
            return chance.choice([value for value in domain if (value in each["values"]) == wanted])
        return chance.choice(domain)
