"""What SLAs come to, derived anew from a ticket's audits and comments.

Written from the rules that warehouses apply to exports of the vendor's data, not from ours: time in
a status is laid out on a line, the part inside office hours is cut out day by day, and a target is
breached where the line reaches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]
COUNTED = {
    "agent_work_time": ("new", "open"),
    "requester_wait_time": ("new", "open", "hold"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """A public comment: when, and whether an agent wrote it."""

    at: datetime
    by_agent: bool


@dataclass(frozen=True, slots=True)
class Past:
    """What happened to a ticket: the statuses it took, and what was said in public."""

    statuses: tuple[tuple[datetime, str], ...]
    said: tuple[Said, ...]

    @classmethod
    def of(cls, audits: Sequence[Any], agents: set[int]) -> Past:
        """Read a past from a ticket's audits, as the API shows them."""
        statuses, said = [], []
        for audit in audits:
            at = datetime.fromisoformat(audit["created_at"])
            for event in audit["events"]:
                if event.get("field_name") == "status":
                    statuses.append((at, event["value"]))
                if event["type"] == "Comment" and event["public"]:
                    said.append(Said(at, event["author_id"] in agents))
        return cls(tuple(statuses), tuple(said))


@dataclass(frozen=True, slots=True)
class Office:
    """Office hours: a week of minutes since Sunday 00:00, less the holidays; None for always."""

    zone: str
    week: tuple[tuple[int, int], ...]
    holidays: tuple[date, ...]

    def open_spans(self, since: datetime, until: datetime) -> Iterator[Span]:
        """Cut the open parts out of a span, day by day."""
        zone = ZoneInfo(self.zone)
        day = since.astimezone(zone).date() - timedelta(days=1)
        while day <= until.astimezone(zone).date() + timedelta(days=1):
            if day not in self.holidays:
                base = (day.isoweekday() % 7) * 24 * 60
                for start, end in self.week:
                    if base <= start < base + 24 * 60:
                        opens = _at(day, start - base, zone)
                        shuts = _at(day, end - base, zone)
                        if max(opens, since) < min(shuts, until):
                            yield max(opens, since), min(shuts, until)
            day += timedelta(days=1)


def _at(day: date, minutes: int, zone: ZoneInfo) -> datetime:
    midnight = datetime.combine(day + timedelta(days=minutes // 1440), time(), zone)
    local = midnight + timedelta(minutes=minutes % 1440)  # on the wall's clock
    return local.astimezone(ZoneInfo("UTC"))


Breach = tuple[str, int, datetime]


def breaches(
    past: Past, targets: dict[str, int], office: Office | None, now: datetime
) -> set[Breach]:
    """Return which targets (minutes by metric) were breached: metric, instance, moment."""
    found: set[Breach] = set()
    for metric, minutes in targets.items():
        for instance, spans in _instances(metric, past, now):
            at = _reached(spans, timedelta(minutes=minutes), office)
            if at is not None and at <= now:
                name = "reply_time" if metric.endswith("reply_time") else metric
                found.add((name, instance, at))
    return found


def _instances(metric: str, past: Past, now: datetime) -> list[tuple[int, list[Span]]]:
    if metric == "first_reply_time":
        return [(1, [(past.statuses[0][0], _reply_after(past, past.statuses[0][0], now))])]
    if metric == "next_reply_time":
        return _next_replies(past, now)
    return _status_runs(past, COUNTED[metric], now)


def _reply_after(past: Past, since: datetime, now: datetime) -> datetime:
    """Return when a wait for an agent ended: at a public answer, or when the ticket was solved."""
    answers = [item.at for item in past.said if item.by_agent and item.at > since]
    solved = [at for at, status in past.statuses if status == "solved" and at > since]
    return min([*answers, *solved, now])


def _next_replies(past: Past, now: datetime) -> list[tuple[int, list[Span]]]:
    found: list[tuple[int, list[Span]]] = []
    waits_until = _reply_after(past, past.statuses[0][0], now)
    for item in past.said:
        if not item.by_agent and item.at > waits_until:
            waits_until = _reply_after(past, item.at, now)
            found.append((len(found) + 2, [(item.at, waits_until)]))
    return found


def _status_runs(past: Past, counted: Sequence[str], now: datetime) -> list[tuple[int, list[Span]]]:
    runs: list[list[Span]] = [[]]
    ends = [at for at, _ in past.statuses[1:]] + [now]
    for (since, status), until in zip(past.statuses, ends, strict=True):
        if status == "solved":
            runs.append([])
        elif status in counted:
            runs[-1].append((since, until))
    return [(number, spans) for number, spans in enumerate(runs, 1) if spans]


def _reached(spans: list[Span], target: timedelta, office: Office | None) -> datetime | None:
    left = target
    for since, until in spans:
        pieces = [(since, until)] if office is None else office.open_spans(since, until)
        for start, end in pieces:
            if end - start >= left:
                return start + left
            left -= end - start
    return None
