"""The desk's register of the large machines that stand with firms, as a custom object.

It takes no chance of its own: which machines there are is the story's.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from clones.core.ids import ulid_text
from clones.helpdesk import models as helpdesk
from clones.helpdesk.rules.custom_objects import PROPERTIES
from seeds.bulk import BulkWriter, Identifiers
from seeds.kestrel.catalogue import MACHINES, PRESENT
from seeds.kestrel.projection.desk import DeskIds
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.story.model import Unit
from seeds.kestrel.story.whole import Story

KEY = "machine"
OPENED = datetime(2023, 9, 4, 8, 30, tzinfo=UTC)
ENTERED = timedelta(days=3)  # from the purchase until the desk has the machine
SMALLEST = 1_000_000  # cents of a euro: machines from this price on are registered
REGISTERED = tuple(machine for machine in MACHINES if machine.price >= SMALLEST)
# Key, type, title, description.
FIELDS = (
    ("model", "dropdown", "Model", "What the plate says."),
    ("purchase_date", "date", "Purchase date", "The day of the invoice."),
    ("owner_organization", "lookup", "Owner", "The organization that bought it."),
    ("firmware", "text", "Firmware", "As last reported by the machine."),
)


class Machines:
    """Writes the object, its fields and a record for each large machine that a firm bought."""

    def __init__(
        self,
        writer: BulkWriter,
        ids: Identifiers,
        story: Story,
        *,
        desk: DeskIds,
        customers: Customers,
    ) -> None:
        self.writer, self.ids, self.story = writer, ids, story
        self.organizations = customers.organizations
        admins = [agent for agent in story.staff if agent.role == "admin"]
        self.admin = desk.agents[min(admins, key=lambda agent: agent.since).index]
        self.object = ulid_text(OPENED, f"{ids.seed}|{KEY}")

    def write(self) -> None:
        """Write everything."""
        self.writer.add(
            helpdesk.CustomObject,
            {
                "id": self.object,
                "key": KEY,
                "title": "Machine",
                "title_pluralized": "Machines",
                "description": "Large machines at companies, for repairs and spare parts.",
                **self._by(OPENED),
            },
        )
        name = {"properties": dict(PROPERTIES)}
        self._field(0, helpdesk.CustomObjectField.NAME, "text", "Serial number", **name)
        self._field(1, helpdesk.CustomObjectField.EXTERNAL_ID, "text", "External ID")
        for position, (key, kind, title, description) in enumerate(FIELDS, start=2):
            own: dict[str, Any] = {"description": description}
            if kind == "dropdown":
                own["options"] = _models()
            if kind == "lookup":
                own["relationship_target_type"] = "zen:organization"
            self._field(position, key, kind, title, **own)
        written: set[str] = set()
        for unit in self.story.units:
            firm = self.story.people[unit.owner].firm
            if unit.machine in REGISTERED and firm is not None and unit.serial not in written:
                written.add(unit.serial)
                self._record(unit, self.organizations[firm.index])

    def _field(self, position: int, key: str, kind: str, title: str, **own: Any) -> None:
        at = OPENED + timedelta(minutes=position)
        self.writer.add(
            helpdesk.CustomObjectField,
            {
                "id": self.ids.stamp(helpdesk.CustomObjectField, at),
                "custom_object_id": self.object,
                "key": key,
                "type": kind,
                "title": title,
                "description": title,
                "position": position,
                "created_at": at,
                "updated_at": at,
                **own,
            },
        )

    def _record(self, unit: Unit, organization: int) -> None:
        at = min(max(unit.bought + ENTERED, OPENED + timedelta(hours=2)), PRESENT)
        values = {
            "model": _tag(unit),
            "purchase_date": f"{unit.bought:%Y-%m-%d}",
            "owner_organization": str(organization),
            "firmware": unit.firmware,
        }
        self.writer.add(
            helpdesk.CustomObjectRecord,
            {
                "id": ulid_text(at, f"{self.ids.seed}|{KEY}|{unit.serial}"),
                "custom_object_id": self.object,
                "name": unit.serial,
                "custom_object_fields": values,
                **self._by(at),
            },
        )

    def _by(self, at: datetime) -> dict[str, Any]:
        return {
            "created_by": self.admin,
            "updated_by": self.admin,
            "created_at": at,
            "updated_at": at,
        }


def _tag(unit: Unit) -> str:
    return f"machine_{unit.machine.code.lower()}"


def _models() -> list[dict[str, Any]]:
    pairs = [(f"machine_{machine.code.lower()}", machine.name) for machine in REGISTERED]
    return [
        {"id": number, "name": name, "value": value, "default": False}
        for number, (value, name) in enumerate(pairs, start=4_300_000_000_001)
    ]
