"""Comparisons of a field's present value, as nodes of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Self, cast

from clones.tracker.rules.jql import dates, values
from clones.tracker.rules.jql.errors import JqlError, Message, MessageKind
from clones.tracker.rules.jql.nodes import Comparison, Empty, Function, Operator, Value, singles
from clones.tracker.rules.jql.plan import (
    All,
    Amount,
    Any,
    Blank,
    Item,
    Like,
    Match,
    Node,
    OneOf,
    Ordered,
    Ordering,
    Test,
)
from clones.tracker.rules.jql.site import ResolvedField, SiteView
from clones.tracker.rules.jql.texts import parse_text
from clones.tracker.rules.jql.words import whole_number

_NEGATED: Final[frozenset[Operator]] = frozenset({"!=", "not in", "!~", "is not"})
_ORDER: Final[frozenset[Operator]] = frozenset({"<", "<=", ">", ">="})
_NUMBERS: Final = frozenset({"number", "duration"})

Tell = Callable[[Message], None]


class Trying:
    """Collect what is wrong with several operands instead of stopping at the first."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self.failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, JqlError):
            return False
        for message in error.messages:
            self._tell(message)
            # Somebody unknown is nobody: the query is run all the same.
            self.failed = self.failed or message.kind is not MessageKind.USER
        return True


def compared(
    comparison: Comparison, field: ResolvedField, site: SiteView, tell: Tell
) -> Node | None:
    """Return the node of a comparison that looks at present values only.

    Args:
        comparison: one whose operator takes its operand: see `usage`.
        field: the field that it names.
        site: what the viewer sees.
        tell: called with each thing that is wrong; None is returned then.
    """
    operator = comparison.operator
    operands = list(singles(comparison.operand))
    tries = Trying(tell)
    tests: list[Test] = []
    things: list[Item] = []
    for single in operands:
        with tries:
            if operator in {"~", "!~"} and not isinstance(single, Empty):
                tests.append(_like(field, single, site))
            elif values.is_blank(field, single):
                tests.append(Blank())
            elif operator in _ORDER:
                tests.append(_ordered(field, operator, cast("Value | Function", single), site))
            else:
                found = _equal(field, cast("Value | Function", single), site)
                things += found if isinstance(found, tuple) else ()
                tests += [] if isinstance(found, tuple) else [found]
    if tries.failed:
        return None
    if things or not tests:
        tests.insert(0, OneOf(tuple(things)))
    return _joined(field, tests, negated=operator in _NEGATED)


def _joined(field: ResolvedField, tests: Iterable[Test], *, negated: bool) -> Node:
    nodes = tuple(Match(field, test, negated) for test in tests)
    if len(nodes) == 1:
        return nodes[0]
    return All(nodes) if negated else Any(nodes)


def _equal(
    field: ResolvedField, single: Value | Function, site: SiteView
) -> Test | tuple[Item, ...]:
    kind = field.type.kind
    if kind in {"date", "datetime"}:
        return _time(field, "=", single, site)
    if kind in _NUMBERS:
        return Amount("=", values.amount(field, single, site))
    if kind == "property" and isinstance(single, Value) and single.number:
        return Amount("=", values.amount(field, single, site))
    return values.items(field, single, site)


def _time(
    field: ResolvedField, operator: Operator, single: Value | Function, site: SiteView
) -> Test:
    moment = values.moment(field, single, site)
    if moment is None:
        return OneOf(())
    if field.type.kind == "date":
        return dates.days(operator, moment, site.viewer)
    return dates.stretch(operator, moment)


def _ordered(
    field: ResolvedField, operator: Operator, single: Value | Function, site: SiteView
) -> Test:
    kind, ordering = field.type.kind, cast("Ordering", operator)
    if kind in {"date", "datetime"}:
        return _time(field, operator, single, site)
    if kind == "property":
        return _ordered_property(field, ordering, single, site)
    if kind in _NUMBERS:
        return Amount(ordering, values.amount(field, single, site))
    found = values.items(field, single, site)
    # Of things with one name the first counts: a comparison needs one.
    return Ordered(ordering, found[0]) if found else OneOf(())


def _ordered_property(
    field: ResolvedField, ordering: Ordering, single: Value | Function, site: SiteView
) -> Test:
    # What a property holds is known from what it is compared with.
    if isinstance(single, Value) and whole_number(single.text) is not None:
        return Amount(ordering, values.amount(field, single, site))
    moment = values.moment(field, single, site)
    return OneOf(()) if moment is None else dates.stretch(ordering, moment)


def _like(field: ResolvedField, single: Value | Function, site: SiteView) -> Test:
    if isinstance(single, Function):
        raise values.no_answer(field, single, site)
    if not single.text.strip():
        text = f"The field '{field.typed}' does not support searching for an empty string."
        raise values.error(text)
    query = parse_text(single.text)
    if query is None:
        raise values.error(f"Unable to parse the text '{single.text}' for field '{field.typed}'.")
    return Like(query)
