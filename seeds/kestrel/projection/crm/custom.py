"""What the organization defined itself: fields of standard objects, and objects of its own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from clones.core import ids
from clones.crm.models import CustomField, CustomObject, CustomRecord
from clones.crm.rules.record_ids import POD, long_id
from clones.crm.rules.schema.custom import KINDS, PATH_SUFFIX, SUFFIX, custom_field
from seeds.kestrel.catalogue import COUNTRIES, FOUNDED, MACHINES, PARTS, PRESENT
from seeds.kestrel.projection.crm.organization import CENTS, Office
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.story.trade import RATES

FILE = Path(__file__).with_name("custom.toml")
PRICES, BADGES = "Price_List_Line__c", "Fair_Contact_Import__c"
DEFINED = FOUNDED + timedelta(days=40)
# The quarter that kept price lists begin with, and until when they reach.
FIRST_YEAR, LAST_QUARTER = 2023, date(2026, 4, 1)
BADGE_ROWS = 6


class Customized:
    """Writes the definitions, and the records of the objects that were defined."""

    def __init__(self, writer: CrmWriter, office: Office) -> None:
        self.writer, self.office = writer, office
        self._free: dict[tuple[str, str], int] = {}
        self._prefixes: dict[str, str] = {}

    def write(self) -> None:
        """Write the definitions."""
        given = tomllib.loads(FILE.read_text(encoding="utf-8"))
        for place, one in enumerate(given["objects"]):
            self._define_object(one, place)
        for one in given["fields"]:
            self._define_field(one["of"], one)

    def _define_object(self, given: dict[str, Any], place: int) -> None:
        writer, name = self.writer, given["name"] + SUFFIX
        prefix = ids.base62_text(ids.BASE62.index("a") * 62 * 62 + place, 3)
        self._prefixes[name] = prefix
        writer.writer.add(
            CustomObject,
            {
                "id": long_id(writer.ids.keyed(f"01I{POD}", CustomObject)),
                "name": name,
                "prefix": prefix,
                "definition": {
                    "label": given["label"],
                    "plural": given["plural"],
                    "nameLabel": given.get("name_label", ""),
                },
                "created_at": DEFINED,
                "updated_at": DEFINED,
            },
        )
        for one in given["fields"]:
            self._define_field(name, one)

    def _define_field(self, of: str, given: dict[str, Any]) -> None:
        kind, name = given["kind"], given["name"] + SUFFIX
        letter = KINDS[kind][1]
        letter = "x" if given.get("external") and letter == "t" else letter
        number = self._free[of, letter] = self._free.get((of, letter), 0) + 1
        slot = f"{letter}{number:02d}"
        definition = _definition(given, name, kind)
        custom_field(slot, definition)  # what cannot be read is not written
        self.writer.slots[of, name] = slot
        writer = self.writer
        writer.writer.add(
            CustomField,
            {
                "id": long_id(writer.ids.keyed(f"00N{POD}", CustomField)),
                "object": of,
                "name": name,
                "slot": slot,
                "definition": definition,
                "created_at": DEFINED,
                "updated_at": DEFINED,
            },
        )

    def write_records(self) -> None:
        """Write the price lists of past quarters, and what a trial import left."""
        admin = self.office.users[0]
        for number, line in enumerate(self._lines(), start=1):
            day = line["Valid_From__c"]
            at = max(FOUNDED.replace(year=day.year, month=day.month, day=day.day), DEFINED)
            self._record(PRICES, f"PL-{number:05d}", line, by=admin, at=at - timedelta(days=9))
        at = DEFINED + timedelta(days=400)
        for number in range(BADGE_ROWS):
            badge = {"Badge__c": f"LSE-{4410 + number // 2 * 17}"}
            self._record(BADGES, f"Row {number + 1}", badge, by=admin, at=at)

    def _record(self, of: str, name: str, values: dict[str, Any], *, by: str, at: Any) -> None:
        writer = self.writer
        key = long_id(writer.ids.keyed(self._prefixes[of] + POD, CustomRecord))
        writer.writer.add(
            CustomRecord,
            {
                "Id": key,
                "Object": of,
                "Name": name,
                "OwnerId": by,
                "CreatedDate": at,
                "CreatedById": by,
                "LastModifiedDate": at,
                "LastModifiedById": by,
                "SystemModstamp": at,
            },
        )
        writer.give(of, key, values)

    def _lines(self) -> Iterator[dict[str, Any]]:
        """Yield what each product cost in each country in each quarter: prices never changed."""
        sold = [(one.code, one.price, one.last_year) for one in MACHINES]
        sold += [(code, price, PRESENT.year) for code, _, price in PARTS]
        for start, end in _quarters():
            for country in COUNTRIES:
                for code, price, last in sold:
                    if last >= start.year:
                        yield {
                            "Product__c": self.office.products[code],
                            "Country__c": country.code,
                            "Currency__c": country.currency.upper(),
                            "Price__c": int(price * RATES[country.currency] // CENTS),
                            "Valid_From__c": start,
                            "Valid_To__c": end,
                            "Source_Key__c": f"{code}-{country.code}-{start:%Y%m}",
                        }


def _quarters() -> Iterator[tuple[date, date]]:
    year, month = FIRST_YEAR, 1
    while date(year, month, 1) <= LAST_QUARTER:
        start = date(year, month, 1)
        year, month = (year, month + 3) if month < 10 else (year + 1, 1)
        yield start, date(year, month, 1) - timedelta(days=1)


def _definition(given: dict[str, Any], name: str, kind: str) -> dict[str, Any]:
    """Return what is kept of a field, as `clones.crm.domain.customizing` keeps it."""
    type_ = KINDS[kind][0]
    found: dict[str, Any] = {"name": name, "type": type_, "label": given["label"]}
    if type_ == "boolean":
        found |= {"createable": True, "updateable": True, "permissionable": True}
        found["defaultValue"] = False
    if given.get("external"):
        found |= {"externalId": True, "idLookup": True}
    if "length" in given:
        found["length"] = given["length"]
    if type_ == "double":
        found |= {"precision": given.get("precision", 18), "scale": given.get("scale", 0)}
    elif type_ == "picklist":
        values = [
            {"value": one, "label": one, "active": True, "defaultValue": False}
            for one in given["values"]
        ]
        found |= {"values": values, "restrictedPicklist": False}
    elif type_ == "reference":
        found |= {
            "referenceTo": [given["to"]],
            "relationshipName": name.removesuffix(SUFFIX) + PATH_SUFFIX,
            "children": {given["to"]: [given["children"] + PATH_SUFFIX, False, False]},
        }
    return found
