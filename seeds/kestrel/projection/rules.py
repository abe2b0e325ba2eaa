"""The helpdesk's rules: triggers, automations, macros, views, SLAs, opening hours.

They are data (`seeds/kestrel/rules.json`); `@group:key` stands for a group's identifier.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from clones.helpdesk import models as helpdesk
from clones.helpdesk.rules.schedules import Hours
from seeds.bulk import BulkWriter, Identifiers
from seeds.kestrel.catalogue import FOUNDED
from seeds.kestrel.projection.desk import DeskIds

SOURCE = Path(__file__).parents[1] / "rules.json"
COLUMNS = ["subject", "requester", "created", "priority", "assignee"]
WEEK = (1, 2, 3, 4, 5)
HOLIDAYS = (
    ("Christmas", "2025-12-24", "2025-12-28"),
    ("New Year", "2025-12-31", "2026-01-01"),
    ("Easter", "2026-04-03", "2026-04-06"),
    ("Spring bank holiday", "2026-05-25", "2026-05-25"),
)

ZONE = "Europe/London"
INTERVALS = [{"start_time": day * 1440 + 480, "end_time": day * 1440 + 1080} for day in WEEK]
CLOSED = [{"name": name, "start_date": start, "end_date": end} for name, start, end in HOLIDAYS]


def desk_hours() -> Hours:
    """Return when the desk is open."""
    return Hours.parse(ZONE, INTERVALS, CLOSED)


class Rules:
    """Writes the rules and keeps the rows of those that act on tickets.

    `triggers` are the active ones in the order in which they run, `policies` stand in order of
    position, `automations` by title.
    """

    def __init__(self, writer: BulkWriter, ids: Identifiers, desk: DeskIds) -> None:
        self.writer, self.ids, self.desk = writer, ids, desk
        self.macros: dict[str, int] = {}
        self.triggers: list[dict[str, Any]] = []
        self.automations: dict[str, dict[str, Any]] = {}
        self.policies: list[dict[str, Any]] = []
        self._count = 0

    def write(self) -> None:
        """Write every rule of the data file."""
        data = json.loads(SOURCE.read_text(encoding="utf-8"))
        self._schedule()
        categories = []
        for position, name in enumerate(data["categories"]):
            at = self._moment()
            categories.append(self.ids.stamp(helpdesk.TriggerCategory, at))
            self.writer.add(
                helpdesk.TriggerCategory,
                {"id": categories[-1], "name": name, "position": position, **_dated(at)},
            )
        placed: list[tuple[int, dict[str, Any]]] = []
        for position, item in enumerate(data["triggers"]):
            category = item["category"]
            row = self._rule(helpdesk.Trigger, item, position, category_id=categories[category])
            placed.append((category, row))
        placed.sort(key=lambda pair: pair[0])
        self.triggers = [row for _, row in placed if row["active"]]
        for position, item in enumerate(data["automations"]):
            self.automations[item["title"]] = self._rule(helpdesk.Automation, item, position)
        for position, item in enumerate(data["macros"]):
            self._macro(item, position)
        for position, item in enumerate(data["views"]):
            self._view(item, position)
        for position, item in enumerate(data["slas"]):
            self._sla(item, position)

    def _moment(self) -> datetime:
        self._count += 1
        return FOUNDED + timedelta(days=11 * self._count, minutes=17 * self._count)

    def _value(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("@group:"):
            return str(self.desk.groups[value.removeprefix("@group:")])
        return value

    def _conditions(self, item: dict[str, Any]) -> dict[str, Any]:
        return {
            key: [
                {"field": f, "operator": o, "value": self._value(v)}
                for f, o, v in item.get(key, [])
            ]
            for key in ("all", "any")
        }

    def _actions(self, item: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"field": name, "value": self._value(value)} for name, value in item["actions"]]

    def _rule(self, model: Any, item: dict[str, Any], position: int, **more: Any) -> dict[str, Any]:
        at = self._moment()
        row = {
            "id": self.ids.stamp(model, at),
            "title": item["title"],
            "active": item.get("active", True),
            "position": position,
            "default": item.get("default", False),
            "conditions": self._conditions(item),
            "actions": self._actions(item),
            **more,
            **_dated(at),
        }
        self.writer.add(model, row)
        return row

    def _restriction(self, item: dict[str, Any]) -> dict[str, Any] | None:
        if "restriction" not in item:
            return None
        group = self.desk.groups[item["restriction"]]
        return {"type": "Group", "id": group, "ids": [group]}

    def _macro(self, item: dict[str, Any], position: int) -> None:
        at = self._moment()
        self.macros[item["title"]] = self.ids.stamp(helpdesk.Macro, at)
        self.writer.add(
            helpdesk.Macro,
            {
                "id": self.macros[item["title"]],
                "title": item["title"],
                "active": item.get("active", True),
                "position": position,
                "default": item.get("default", False),
                "actions": self._actions(item),
                "restriction": self._restriction(item),
                **_dated(at),
            },
        )

    def _view(self, item: dict[str, Any], position: int) -> None:
        at = self._moment()
        output = {
            "columns": COLUMNS,
            "group_by": item.get("group_by"),
            "group_order": "asc",
            "sort_by": "created",
            "sort_order": "desc",
        }
        self.writer.add(
            helpdesk.View,
            {
                "id": self.ids.stamp(helpdesk.View, at),
                "title": item["title"],
                "raw_title": item["title"],
                "active": item.get("active", True),
                "position": position,
                "default": item.get("default", False),
                "conditions": self._conditions(item),
                "output": output,
                "restriction": self._restriction(item),
                **_dated(at),
            },
        )

    def _sla(self, item: dict[str, Any], position: int) -> None:
        at = self._moment()
        metrics = [
            {"priority": priority, "metric": metric, "target": target, "business_hours": True}
            for metric in ("first_reply_time", "requester_wait_time")
            for priority, target in item[metric].items()
        ]
        row = {
            "id": self.ids.stamp(helpdesk.SlaPolicy, at),
            "title": item["title"],
            "description": item.get("description", ""),
            "position": position,
            "filter": self._conditions(item),
            "policy_metrics": metrics,
            **_dated(at),
        }
        self.writer.add(helpdesk.SlaPolicy, row)
        self.policies.append(row)

    def _schedule(self) -> None:
        at = self._moment()
        self.writer.add(
            helpdesk.Schedule,
            {
                "id": self.ids.stamp(helpdesk.Schedule, at),
                "name": "Desk hours",
                "time_zone": ZONE,
                "intervals": INTERVALS,
                "holidays": CLOSED,
                "default": True,
                **_dated(at),
            },
        )


def _dated(at: datetime) -> dict[str, datetime]:
    return {"created_at": at, "updated_at": at}
