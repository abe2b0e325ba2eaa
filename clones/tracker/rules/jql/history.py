"""Comparisons with what a field was, as nodes of a plan."""

from __future__ import annotations

from typing import Final

from clones.tracker.rules.jql import dates, values
from clones.tracker.rules.jql.catalogue import system_fields
from clones.tracker.rules.jql.dates import Stretch
from clones.tracker.rules.jql.errors import MessageKind
from clones.tracker.rules.jql.matching import Tell, Trying
from clones.tracker.rules.jql.nodes import (
    Comparison,
    Operand,
    Predicate,
    Temporal,
    singles,
)
from clones.tracker.rules.jql.plan import Changed, Item, Match, Node, Not, Side, Was
from clones.tracker.rules.jql.site import ResolvedField, SiteView

_DATED: Final = frozenset({"before", "after", "on", "during"})
_PEOPLE: Final = system_fields()["assignee"]
EVER: Final = Stretch(None, None)


def remembered(
    comparison: Comparison, field: ResolvedField, site: SiteView, tell: Tell
) -> Node | None:
    """Return the node of `was`, `was in` or `changed` and their denials.

    Args:
        comparison: one whose operator takes its operand and predicates: see `usage`.
        field: the field that it names.
        site: what the viewer sees.
        tell: called with each thing that is wrong; None is returned then.
    """
    tries = Trying(tell)
    during = EVER
    by: list[tuple[Item, ...]] = []
    sides: dict[Temporal, Side] = {}
    for predicate in comparison.predicates:
        with tries:
            if predicate.operator in _DATED:
                during = during.within(_stretch(predicate, site))
            elif predicate.operator == "by":
                by.append(_people(field, predicate.operand, site, tries))
            else:
                sides[predicate.operator] = _side(field, predicate.operand, site, tries)
    test: Was | Changed
    if comparison.operator == "changed":
        test = Changed(sides.get("from"), sides.get("to"), tuple(by), during)
    else:
        side = _side(field, comparison.operand, site, tries)
        test = Was(side.items, side.blank, tuple(by), during)
    if tries.failed:
        return None
    node = Match(field, test)
    return Not(node) if comparison.operator in {"was not", "was not in"} else node


def _side(field: ResolvedField, operand: Operand | None, site: SiteView, tries: Trying) -> Side:
    items: list[Item] = []
    blank = False
    for single in singles(operand):
        with tries:
            if values.is_blank(field, single):
                blank = True
            else:
                items += values.items(field, single, site)  # type: ignore[arg-type] # EMPTY is blank
    return Side(tuple(items), blank)


def _people(
    field: ResolvedField, operand: Operand, site: SiteView, tries: Trying
) -> tuple[Item, ...]:
    people = ResolvedField(field.key, "by", _PEOPLE.type)
    return _side(people, operand, site, tries).items


def _stretch(predicate: Predicate, site: SiteView) -> Stretch:
    name, operand = predicate.operator, predicate.operand
    parts = list(singles(operand))
    if name == "during":
        if len(parts) != 2:
            text = "The DURING predicate must be supplied with exactly 2 date values."
            raise values.error(text, MessageKind.OPERAND)
    elif len(parts) != 1:
        text = f"The {name.upper()} predicate must be supplied with only 1 date value."
        raise values.error(text, MessageKind.OPERAND)
    moments = [values.predicate_moment(name, part, site) for part in parts]
    first, last = moments[0], moments[-1]
    if first is None or last is None:
        # A moment that never was: nothing happened then.
        return Stretch(site.viewer.now, site.viewer.now)
    if name == "on":
        return dates.whole_day(first, site.viewer)
    if name == "during":
        return dates.stretch(">=", first).within(dates.stretch("<=", last))
    return dates.stretch("<" if name == "before" else ">", first)
