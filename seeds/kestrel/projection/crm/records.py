"""Rows of the CRM's objects: ids, and who made them and when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clones.crm.models import MatchKey, model_of
from clones.crm.rules.matching import STANDARD_RULES
from clones.crm.rules.record_ids import POD, long_id
from seeds.bulk import BulkWriter, Identifiers


class CrmWriter:
    """Writes records of the CRM."""

    def __init__(self, writer: BulkWriter, ids: Identifiers) -> None:
        self.writer, self.ids = writer, ids
        self.firms: dict[str, str | None] = {}  # names of accounts by their ids

    def new_id(self, of: str, *, skip: int = 0) -> str:
        """Return the id of a new record; `skip` leaves a gap before it."""
        model = model_of(of)
        return long_id(self.ids.keyed(model.sobject.prefix + POD, model, skip=skip))

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
        """Write a record that somebody (by id) made, and return its id."""
        model = model_of(of)
        key = id or self.new_id(of)
        last = changed or at
        stamps = {
            "Id": key,
            "CreatedDate": at,
            "CreatedById": by,
            "LastModifiedDate": last,
            "LastModifiedById": changed_by or by,
            "SystemModstamp": last,
        }
        known = {name: value for name, value in stamps.items() if model.sobject.field(name)}
        self.writer.add(model, {**known, **values})
        self._add_keys(of, key, values)
        return key

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
