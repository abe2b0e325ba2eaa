"""Rows of the CRM's objects: ids, who made them and when, and values of custom fields."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clones.core.models.state import IdSequence
from clones.crm.models import CustomValues, MatchKey, SObjectRow, model_of
from clones.crm.rules.matching import STANDARD_RULES
from clones.crm.rules.record_ids import POD, long_id
from clones.crm.rules.shown_values import kept_value
from clones.crm.rules.tracked_fields import history_of
from seeds.bulk import BulkWriter, Identifiers

STAMPS = (
    "Id",
    "CreatedDate",
    "CreatedById",
    "LastModifiedDate",
    "LastModifiedById",
    "SystemModstamp",
)


class CrmWriter:
    """Writes records of the CRM; `slots` say where the values of custom fields lie."""

    def __init__(self, writer: BulkWriter, ids: Identifiers) -> None:
        self.writer, self.ids = writer, ids
        self.firms: dict[str, str | None] = {}  # names of accounts by their ids
        self._histories: dict[str, tuple[str, str] | None] = {}
        self.slots: dict[tuple[str, str], str] = {}
        self._kept: dict[str, tuple[type[SObjectRow], str, tuple[bool, ...]]] = {}

    def _known(self, of: str) -> tuple[type[SObjectRow], str, tuple[bool, ...]]:
        """Return the table of an object, how its ids begin, and which of the stamps it has."""
        found = self._kept.get(of)
        if found is None:
            model = model_of(of)
            has = tuple(model.sobject.field(name) is not None for name in STAMPS)
            found = self._kept[of] = (model, model.sobject.prefix + POD, has)
        return found

    def new_id(self, of: str, *, skip: int = 0) -> str:
        """Return the id of a new record; `skip` leaves a gap before it."""
        model, prefix, _ = self._known(of)
        return long_id(self.ids.keyed(prefix, model, skip=skip))

    def add(
        self,
        of: str,
        values: Mapping[str, Any],
        *,
        by: str,
        at: datetime,
        changed: datetime | None = None,
        changed_by: str | None = None,
        id: str | None = None,
    ) -> str:
        """Write a record that somebody (by id) made, and return its id.

        What the object has no field for is left out.
        """
        model, _, has = self._known(of)
        key = id or self.new_id(of)
        last = changed or at
        stamps = (key, at, by, last, changed_by or by, last)
        row = {name: value for name, value, known in zip(STAMPS, stamps, has, strict=True) if known}
        row.update(values)
        self.writer.add(model, row)
        self._add_keys(of, key, values)
        if self._history(of) is not None:
            self.note(of, key, "created", "Text", by=by, at=at)
        return key

    def _history(self, of: str) -> tuple[str, str] | None:
        """Return the object that keeps changes of another, and how it refers to it, if any does."""
        if of not in self._histories:
            found = history_of(self._known(of)[0].sobject)
            self._histories[of] = None if found is None else (found[0].name, found[1])
        return self._histories[of]

    def note(
        self,
        of: str,
        key: str,
        field: str,
        kind: str,
        *,
        by: str,
        at: datetime,
        old: Any = None,
        new: Any = None,
    ) -> None:
        """Write that somebody changed a field of a record, whose values are of a kind."""
        history = self._history(of)
        if history is not None:
            row = {
                history[1]: key,
                "Field": field,
                "DataType": kind,
                "OldValue": kept_value(old),
                "NewValue": kept_value(new),
            }
            self.add(history[0], row, by=by, at=at)

    def _add_keys(self, of: str, key: str, values: Mapping[str, Any]) -> None:
        """Write what a record is found by as a duplicate."""
        if of == "Account":
            self.firms[key] = values["Name"]
        texts = {**values, "Account.Name": self.firms.get(values.get("AccountId") or "")}
        for rule in STANDARD_RULES.values():
            for place, one in enumerate(rule.keys(texts) if rule.object == of else ()):
                id = f"{key}{rule.name}{place}"
                row = {"id": id, "rule": rule.name, "key": one, "record": key}
                self.writer.add(MatchKey, row)

    def has(self, of: str, name: str) -> bool:
        """Tell whether an object has a field."""
        return self._known(of)[0].sobject.field(name) is not None

    def give(self, of: str, id: str, values: Mapping[str, Any]) -> None:
        """Write the values of a record's custom fields; a record without any has no row."""
        kept = {self.slots[of, name]: value for name, value in values.items() if value is not None}
        if kept:
            self.writer.add(CustomValues, {"Id": id, **kept})

    def count(self, of: str, last: int) -> None:
        """Have the numbers of new records of an object go on behind the last one."""
        self.writer.add(IdSequence, {"name": f"crm.{of.lower()}.number", "last": last})
