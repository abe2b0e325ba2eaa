"""What service desks add to issues: SLAs, approvals, and how a request came."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.tracker.models import Approval, Approver, Calendar, Request, SlaCycle, User
from clones.tracker.queries.jql.asking import LOOKUPS, PredicateContext, Unasked, issues_of, within
from clones.tracker.queries.jql.relations import same_text
from clones.tracker.queries.jql.visibility import NOTHING
from clones.tracker.rules.desk.calendars import AllTime, WorkingTime
from clones.tracker.rules.jql import JqlError, Message, MessageKind
from clones.tracker.rules.jql.dates import Stretch
from clones.tracker.rules.jql.plan import Call, OneOf, Ordered, Ordering, Test
from clones.tracker.rules.jql.site import ResolvedField

_DURATION: Final = re.compile(r"-?(?:\s*[0-9]{1,6}[wdhm])+")
_PART: Final = re.compile(r"([0-9]+)([wdhm])")
_LENGTHS: Final = {"w": 604_800_000, "d": 86_400_000, "h": 3_600_000, "m": 60_000}
_REACH: Final = timedelta(days=3650)
_OTHER: Final[dict[Ordering, Ordering]] = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class SlaClock:
    """An SLA of a desk for requests: its cycles are asked, most often the last of them."""

    def __init__(self, number: int) -> None:
        self.number = number

    def _cycles(self) -> QuerySet[SlaCycle]:
        return SlaCycle.objects.filter(metric__field=self.number)

    def _last(self) -> QuerySet[SlaCycle]:
        later = SlaCycle.objects.filter(
            issue=OuterRef("issue"), metric=OuterRef("metric"), id__gt=OuterRef("id")
        )
        return self._cycles().filter(~Exists(later))

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that the SLA was ever given."""
        return issues_of(self._cycles())

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the SLA stands as a function says."""
        if isinstance(test, OneOf):
            calls = [item for item in test.items if isinstance(item, Call)]
            found = (issues_of(self._rows(call, "=", field, asking)) for call in calls)
            return reduce(or_, found, NOTHING)
        if isinstance(test, Ordered) and isinstance(test.item, Call):
            return issues_of(self._rows(test.item, test.operator, field, asking))
        raise Unasked(field, test)

    def _rows(
        self, call: Call, operator: Ordering, field: ResolvedField, asking: PredicateContext
    ) -> QuerySet[SlaCycle]:
        now, running = asking.sight.viewer.now, Q(stopped_at=None, paused_at=None)
        missed = Q(breached=True) | (running & Q(breach_at__lte=now))
        match call.function:
            case "breached":
                return self._last().filter(missed)
            case "everBreached":
                return self._cycles().filter(missed)
            case "completed":
                return self._cycles().filter(stopped_at__isnull=False)
            case "paused":
                return self._last().filter(stopped_at=None, paused_at__isnull=False)
            case "running":
                return self._last().filter(running)
            case "withinCalendarHours":
                return self._last().filter(_open(self._calendars(), now), stopped_at=None)
            case "remaining" | "elapsed":
                return self._timed(call, operator, now)
        raise Unasked(field, OneOf((call,)))

    def _calendars(self) -> list[Calendar]:
        used = self._cycles().exclude(calendar=None).values("calendar")
        return list(Calendar.objects.filter(pk__in=used).order_by("id"))

    def _timed(self, call: Call, operator: Ordering, now: datetime) -> QuerySet[SlaCycle]:
        """Return the last cycles whose time left, or spent, compares so with a duration.

        A running cycle's follows from when it is missed: counted by its calendar, that is as far
        away as there is time left. What stands still says how much was spent.
        """
        length = _milliseconds(call)
        remaining = call.function == "remaining"
        rows = self._last().exclude(goal=None)
        goals = rows.order_by("goal", "calendar").values_list("goal", "calendar").distinct()
        times = {calendar.id: _times(calendar) for calendar in self._calendars()}
        found = NOTHING
        for goal, calendar in goals:
            # What is left and what was spent are together the goal.
            left = length if remaining else int(goal or 0) - length
            compared = operator if remaining else _OTHER[operator]
            same = Q(goal=goal, calendar=calendar)
            moment = _away(times.get(calendar, AllTime()), now, left)
            standing = Q(paused_at__isnull=False) | Q(stopped_at__isnull=False)
            spent = Q(**{f"elapsed__{LOOKUPS[_OTHER[compared]]}": int(goal or 0) - left})
            found |= same & ((~standing & _breaks(compared, moment)) | (standing & spent))
        return rows.filter(found)


def _breaks(operator: Ordering, moment: datetime | None) -> Q:
    """Return the condition that a cycle is missed before, at or after a moment; None: never."""
    if moment is None:
        return Q(breach_at__isnull=False) if operator in {"<", "<="} else NOTHING
    if operator == "=":
        return Q(breach_at__gte=moment, breach_at__lt=moment + timedelta(minutes=1))
    return Q(**{f"breach_at__{LOOKUPS[operator]}": moment})


def _milliseconds(call: Call) -> int:
    text = call.arguments[0][0].strip() if call.arguments else "0m"
    if not _DURATION.fullmatch(text):
        message = (
            f"Duration for function '{call.function}' should have the format (+/-)n(yMwdm), "
            "e.g -1M for 1 month earlier."
        )
        raise JqlError((Message(MessageKind.OPERAND, message),))
    length = sum(int(count) * _LENGTHS[unit] for count, unit in _PART.findall(text))
    return -length if text.startswith("-") else length


def _times(calendar: Calendar) -> WorkingTime | AllTime:
    return WorkingTime.parse(calendar.time_zone, calendar.hours, calendar.holidays)


def _open(calendars: Iterable[Calendar], now: datetime) -> Q:
    working = [calendar.id for calendar in calendars if _times(calendar).is_open(now)]
    return Q(calendar=None) | Q(calendar__in=working)


def _away(times: WorkingTime | AllTime, now: datetime, milliseconds: int) -> datetime | None:
    """Return the moment that is so much working time from now, None if it is never reached."""
    if milliseconds >= 0:
        return times.add(now, milliseconds)
    return times.subtract(now, -milliseconds) or now - _REACH


class Approvals:
    """The decisions that a request waits or waited for."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there are some."""
        return issues_of(Approval.objects.all())

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that a decision stands as a function says."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        calls = [item for item in test.items if isinstance(item, Call)]
        found = (issues_of(_APPROVALS[call.function](call, asking)) for call in calls)
        return reduce(or_, found, NOTHING)


def _approval(condition: Q) -> Callable[[Call, PredicateContext], QuerySet[Approval]]:
    return lambda call, asking: Approval.objects.filter(condition)


def _of_approvers(
    people: Callable[[Call, PredicateContext], QuerySet[User] | list[int]], *, pending: bool
) -> Callable[[Call, PredicateContext], QuerySet[Approval]]:
    def find(call: Call, asking: PredicateContext) -> QuerySet[Approval]:
        asked = Approver.objects.filter(user__in=people(call, asking))
        if pending:
            asked = asked.filter(decision=None, approval__decision=None)
        return Approval.objects.filter(pk__in=asked.values("approval"))

    return find


def _me(call: Call, asking: PredicateContext) -> list[int]:
    return [] if asking.sight.user is None else [asking.sight.user.id]


def _named(call: Call, asking: PredicateContext) -> QuerySet[User]:
    return User.objects.filter(_called(text for (text,) in call.arguments))


def _called(texts: Iterator[str]) -> Q:
    found = NOTHING
    for text in texts:
        found |= Q(account_id=text) | Q(email__iexact=text) | Q(display_name__iexact=text)
    return found


_APPROVALS: Final[dict[str, Callable[[Call, PredicateContext], QuerySet[Approval]]]] = {
    "approved": _approval(Q(decision="approved")),
    "approver": _of_approvers(_named, pending=False),
    "myApproval": _of_approvers(_me, pending=False),
    "myPending": _of_approvers(_me, pending=True),
    "myPendingApproval": _of_approvers(_me, pending=True),
    "pending": _approval(Q(decision=None)),
    "pendingBy": _of_approvers(_named, pending=True),
}


class Channel:
    """How a request came: by the portal, by mail, by the API, or made in the tracker."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that an issue is a request."""
        return issues_of(Request.objects.all())

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it came in one of some ways."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        return issues_of(Request.objects.filter(same_text("channel", test.items)))


class LastActivity:
    """When a request was last changed."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that an issue is a request."""
        return Channel().present(field, asking)

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the time lies in a stretch."""
        if isinstance(test, OneOf):
            return NOTHING
        if not isinstance(test, Stretch):
            raise Unasked(field, test)
        return self.present(field, asking) & within("updated", test)


@dataclass(frozen=True)
class Unset:
    """A field that the product has and nothing here fills."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition of no issue."""
        return NOTHING

    def meets(self, field: ResolvedField, test: Any, asking: PredicateContext) -> Q:
        """Return the condition of no issue."""
        return NOTHING
