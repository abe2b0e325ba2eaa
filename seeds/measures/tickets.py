"""Measures of tickets: arrivals, times, paths, mix."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from clones.helpdesk.models import (
    AuditEvent,
    Comment,
    SatisfactionRating,
    SlaClock,
    Ticket,
    TicketField,
    User,
)
from seeds.kestrel.story.arrivals import local_hour, local_weekday
from seeds.measures.statistics import (
    cramers_v,
    dispersion,
    fit_normals,
    gini,
    ks_distance,
    quantile,
    zipf_slope,
)

PATH_FIELDS = ("status", "assignee_id", "group_id")


@dataclass(slots=True)
class TicketCourse:
    """One ticket as its audits and comments tell it."""

    id: int
    created: datetime
    row: dict[str, Any]
    changes: list[tuple[datetime, str, Any, Any]] = field(default_factory=list)
    comments: list[tuple[datetime, str, bool]] = field(default_factory=list)

    @property
    def solved(self) -> datetime | None:
        """When the ticket was solved for the last time."""
        found = [
            at for at, name, value, _ in self.changes if name == "status" and value == "solved"
        ]
        if not found and self.row["status"] in ("solved", "closed"):
            return self.created
        return found[-1] if found else None

    @property
    def hours(self) -> float | None:
        """Hours from creation to the last solve."""
        return None if self.solved is None else (self.solved - self.created).total_seconds() / 3600

    @property
    def transfers(self) -> int:
        """How often the ticket went from one assignee to another."""
        return sum(
            1
            for _, name, value, before in self.changes
            if name == "assignee_id" and value and before
        )

    @property
    def reopened(self) -> bool:
        """Whether a solved ticket was taken up again."""
        return any(
            name == "status" and before == "solved" and value not in ("solved", "closed")
            for _, name, value, before in self.changes
        )

    @property
    def waited(self) -> bool:
        """Whether the ticket was ever pending."""
        return any(name == "status" and value == "pending" for _, name, value, _ in self.changes)

    @property
    def replies(self) -> list[datetime]:
        """When agents answered in public, the creation aside."""
        return [
            at
            for at, role, public in self.comments
            if role != "end-user" and public and at > self.created
        ]


class StoreFacts:
    """Everything that the measures need of a store, read once."""

    def __init__(self) -> None:
        people = User.objects.values_list("id", "role", "iana_time_zone")
        self.zones = {key: zone for key, _, zone in people}
        self.roles = {key: role for key, role, _ in people}
        columns = (
            "status",
            "requester_id",
            "assignee_id",
            "group_id",
            "priority",
            "type",
            "tags",
            "custom_fields",
            "via",
            "problem_id",
            "satisfaction_score",
            "subject",
        )
        self.courses = {
            row["id"]: TicketCourse(row["id"], row["created_at"], row)
            for row in Ticket.objects.order_by("id").values("id", "created_at", *columns)
        }
        self._read_changes()
        authors = Comment.objects.order_by("created_at", "id").values_list(
            "ticket_id", "created_at", "author_id", "public"
        )
        for ticket, at, author, public in authors:
            self.courses[ticket].comments.append((at, self.roles[author], public))
        self.category = str(
            TicketField.objects.filter(title="Category").values_list("id", flat=True).get()
        )

    def _read_changes(self) -> None:
        events = AuditEvent.objects.filter(type="Change").order_by(
            "audit__created_at", "audit_id", "position"
        )
        for ticket, at, body in events.values_list(
            "audit__ticket_id", "audit__created_at", "body"
        ).iterator():
            if body["field_name"] in PATH_FIELDS:
                self.courses[ticket].changes.append(
                    (at, body["field_name"], body["value"], body["previous_value"])
                )

    @property
    def customers(self) -> list[TicketCourse]:
        """The tickets that customers asked for."""
        return [
            course
            for course in self.courses.values()
            if self.roles[course.row["requester_id"]] == "end-user"
        ]

    # Arrivals

    def weekend_share(self) -> float:
        """Property 1: tickets on Saturday and Sunday."""
        days = [
            local_weekday(course.created, self.zones[course.row["requester_id"]])
            for course in self.customers
        ]
        return sum(1 for day in days if day > 4) / len(days)

    def monday_over_friday(self) -> float:
        """Property 2: the mean Monday over the mean Friday."""
        counts = self._daily()
        mondays = [count for day, count in counts.items() if day.weekday() == 0]
        fridays = [count for day, count in counts.items() if day.weekday() == 4]
        return (sum(mondays) / len(mondays)) / (sum(fridays) / len(fridays))

    def office_share(self) -> float:
        """Property 3: created between 8 and 18 h on the requester's clock."""
        hours = [
            local_hour(course.created, self.zones[course.row["requester_id"]])
            for course in self.customers
        ]
        return sum(1 for hour in hours if 8 <= hour < 18) / len(hours)

    def day_dispersion(self) -> float:
        """Property 4: variance over mean of weekday counts."""
        return dispersion([count for day, count in self._daily().items() if day.weekday() < 5])

    def _daily(self) -> dict[datetime, int]:
        days = Counter(
            course.created.replace(hour=0, minute=0, second=0, microsecond=0)
            for course in self.customers
        )
        first, last = min(days), max(days)
        return {
            first + timedelta(days=n): days.get(first + timedelta(days=n), 0)
            for n in range((last - first).days)
        }

    def peak(self, hours: int, without: frozenset[int] = frozenset()) -> float:
        """Property 5: the busiest stretch of office hours over its weekday's mean.

        `hours` is the length of a stretch: one hour in a world of 20,000 tickets a year; worlds
        with fewer tickets an hour need longer ones to have something to count.
        """
        counts: Counter[tuple[datetime, int]] = Counter()
        for course in self.customers:
            at = course.created
            if at.weekday() < 5 and 8 <= at.hour < 18 and course.id not in without:
                counts[
                    at.replace(hour=0, minute=0, second=0, microsecond=0), (at.hour - 8) // hours
                ] += 1
        days = Counter(day.weekday() for day in self._daily())
        totals: Counter[tuple[int, int]] = Counter()
        for (day, slot), count in counts.items():
            totals[day.weekday(), slot] += count
        means = {key: total / days[key[0]] for key, total in totals.items()}
        return max(
            count / means[day.weekday(), slot]
            for (day, slot), count in counts.items()
            if means[day.weekday(), slot] >= 4
        )

    def midnight_share(self) -> float:
        """Property 6: created at exactly midnight."""
        return sum(
            1
            for c in self.customers
            if (c.created.hour, c.created.minute, c.created.second) == (0, 0, 0)
        ) / len(self.customers)

    # Times

    def durations(self) -> list[float]:
        """Hours to resolution of the solved tickets."""
        return [
            max(course.hours, 1 / 120)
            for course in self.customers
            if course.hours is not None and "closed_by_merge" not in course.row["tags"]
        ]

    def resolution_body(self) -> tuple[float, float]:
        """Property 7: the median in hours, and p90 over it."""
        found = self.durations()
        return quantile(found, 0.5), quantile(found, 0.9) / quantile(found, 0.5)

    def resolution_shape(self) -> tuple[float, float]:
        """Property 8: distance to two log-normals, and to one."""
        logs = [math.log(value) for value in self.durations()]
        return ks_distance(logs, fit_normals(logs, 2)), ks_distance(logs, fit_normals(logs, 1))

    def quick_share(self) -> float:
        """Property 9: resolved within 15 minutes."""
        found = self.durations()
        return sum(1 for value in found if value < 0.25) / len(found)

    def long_share(self) -> float:
        """Property 10: resolved after 30 days."""
        found = self.durations()
        return sum(1 for value in found if value > 720) / len(found)

    # Paths

    def transfer_shares(self) -> tuple[float, float]:
        """Property 11: never handed on; handed on three times or more."""
        found = [course.transfers for course in self.customers]
        return sum(1 for n in found if n == 0) / len(found), sum(1 for n in found if n > 2) / len(
            found
        )

    def breaches(self) -> list[tuple[TicketCourse, bool]]:
        """Return the closed tickets that had an SLA, and whether they broke it."""
        broken: dict[int, bool] = {}
        for ticket, broke in SlaClock.objects.values_list("ticket_id", "breached"):
            broken[ticket] = broken.get(ticket, False) or broke
        return [
            (course, broken[course.id])
            for course in self.customers
            if course.id in broken
            and course.row["status"] == "closed"
            and "closed_by_merge" not in course.row["tags"]
        ]

    def breach_shares(self) -> tuple[float, float, float]:
        """Properties 13 and 12: breached of all, of never handed on, of handed on 3+ times."""
        found = self.breaches()
        if not found:
            return 0.0, 0.0, 0.0
        parts = (
            found,
            [x for x in found if x[0].transfers == 0],
            [x for x in found if x[0].transfers > 2],
        )
        shares = [sum(1 for _, broke in part if broke) / max(len(part), 1) for part in parts]
        return shares[0], shares[1], shares[2]

    def reopened_share(self) -> float:
        """Property 14: solved tickets that were opened again."""
        solved = [course for course in self.customers if course.solved is not None]
        return sum(1 for course in solved if course.reopened) / len(solved)

    def waited_share(self) -> float:
        """Property 15: ever waiting for the customer."""
        return sum(1 for course in self.customers if course.waited) / len(self.customers)

    def one_touch_share(self) -> float:
        """Property 16: solved with one public answer."""
        solved = [c for c in self.customers if c.solved is not None and c.replies]
        return sum(1 for course in solved if len(course.replies) == 1) / len(solved)

    def satisfaction(self) -> tuple[float, float]:
        """Property 17: answered of asked, and good of answered."""
        scores = Counter(course.row["satisfaction_score"] for course in self.customers)
        answered = scores["good"] + scores["bad"]
        return answered / (answered + scores["offered"]), scores["good"] / max(answered, 1)

    # Mix

    def requester_gini(self) -> tuple[float, float]:
        """Property 18: concentration of requesters, and the share of the busiest one."""
        counts = Counter(course.row["requester_id"] for course in self.customers)
        return gini(counts.values()), max(counts.values()) / sum(counts.values())

    def categories(self) -> Counter[str]:
        """Return tickets by category, blanks left out."""
        found = Counter(course.row["custom_fields"].get(self.category) for course in self.customers)
        found.pop(None, None)
        return found

    def category_slope(self) -> float:
        """Property 19: the Zipf slope of categories."""
        return zipf_slope(self.categories().values())

    def agent_gini(self) -> float:
        """Property 20: concentration of solves on agents."""
        agents = [key for key, role in self.roles.items() if role != "end-user"]
        solves = Counter(c.row["assignee_id"] for c in self.customers if c.solved is not None)
        return gini([solves.get(key, 0) for key in agents])

    def dependence(self) -> tuple[float, float]:
        """Property 21: Cramer's V of category and group, and of group and assignee."""
        pairs = [
            (c.row["custom_fields"].get(self.category), c.row["group_id"]) for c in self.customers
        ]
        assigned = [
            (c.row["group_id"], c.row["assignee_id"])
            for c in self.customers
            if c.row["assignee_id"]
        ]
        return cramers_v([pair for pair in pairs if all(pair)]), cramers_v(assigned)

    def default_priority(self) -> float:
        """Property 22: the share of the most frequent priority among those set."""
        found = Counter(course.row["priority"] for course in self.customers)
        found.pop(None, None)
        return max(found.values()) / sum(found.values())

    def tags(self) -> Counter[str]:
        """Return the tags that agents and rules set, those of fields left out."""
        values = {
            option["value"]
            for options in TicketField.objects.values_list("options", flat=True)
            for option in options
        }
        return Counter(
            tag
            for course in self.courses.values()
            for tag in course.row["tags"]
            if tag not in values
        )

    def singleton_tags(self) -> float:
        """Property 29: tags used once or twice."""
        found = self.tags()
        return sum(1 for count in found.values() if count < 3) / len(found)

    def ratings(self) -> int:
        """Return how many rating rows there are."""
        return SatisfactionRating.objects.count()
