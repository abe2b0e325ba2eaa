"""Records as UI resources show them: what is asked of each, read by one query for an object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from clones.core.operations import Call
from clones.crm.api.operations import root, version_of
from clones.crm.api.presenters.describes import MASTER_TYPE, has_record_types
from clones.crm.api.ui.presenting import present_type
from clones.crm.api.ui.shown import etag_of, milliseconds, ui_value
from clones.crm.errors import CrmError
from clones.crm.queries.manners import Manner, display_value, manner_of
from clones.crm.queries.record_types import record_types_of
from clones.crm.queries.soql.asking import ask
from clones.crm.rules.layouts import Layout, layout_of
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.shown_values import ADDRESS_PARTS

# What is read of every record beside what is asked for.
_SYSTEM: Final = (
    "Id",
    "LastModifiedById",
    "LastModifiedDate",
    "RecordTypeId",
    "SystemModstamp",
)
_DEEPEST: Final = 5
FULL, COMPACT = "Full", "Compact"
LAYOUT_TYPES: Final = (FULL, COMPACT)
MODES: Final = ("Create", "Edit", "View")
_WHEN: Final = {"CreatedById": "CreatedDate", "LastModifiedById": "LastModifiedDate"}


@dataclass(slots=True)
class Wanted:
    """What is shown of a record: fields, and what is shown of its parents."""

    of: SObject
    is_polymorphic: bool = False
    fields: dict[str, Field] = field(default_factory=dict)
    parents: dict[str, Wanted] = field(default_factory=dict)

    def add(self, path: str) -> bool:
        """Want what a path leads to; tell whether it leads anywhere."""
        names = path.split(".")
        if len(names) > _DEEPEST + 1:
            return False
        return self.add_names(names)

    def add_names(self, names: Sequence[str]) -> bool:
        """Want what names lead to, one after another; tell whether they lead anywhere."""
        if len(names) == 1:
            return self._add_field(names[0])
        reference = self.of.reference(names[0])
        if reference is None or reference.relationship is None:
            return False
        parent = self._parent(reference)
        if not parent.add_names(names[1:]):
            return False
        parent.add_name()
        self.parents[reference.relationship] = parent
        return True

    def _add_field(self, name: str) -> bool:
        found = self.of.field(name)
        if found is None or (self.is_polymorphic and found.name not in ("Id", "Name")):
            return False
        if found.type == "address":
            stem = found.name.removesuffix("Address")
            for part in ADDRESS_PARTS.values():
                one = self.of.field(f"{stem}{part}")
                if one is not None:
                    self.fields[one.name] = one
        else:
            self.fields[found.name] = found
        return True

    def add_name(self) -> None:
        """Want what stands for the record among people, and its id."""
        self._add_field("Id")
        if self.of.name_field is not None:
            self._add_field("Name" if self.is_polymorphic else self.of.name_field.name)

    def _parent(self, reference: Field) -> Wanted:
        known = self.parents.get(str(reference.relationship))
        if known is not None:
            return known
        targets = reference.reference_to
        name = "User" if "User" in targets else targets[0]
        return Wanted(self.of.schema.objects[name], is_polymorphic=len(targets) > 1)

    def add_item(self, name: str) -> None:
        """Want a field as a layout shows it: with the name of what it refers to."""
        found = self.of.field(name)
        if found is None:
            return
        self._add_field(name)
        if found.type == "reference" and found.relationship:
            parent = self._parent(found)
            parent.add_name()
            self.parents[found.relationship] = parent
        if name in _WHEN:
            self._add_field(_WHEN[name])

    def selected(self, prefix: str = "") -> Iterator[str]:
        """Yield the paths that a query selects."""
        own = ("Id",) if self.is_polymorphic else _SYSTEM
        for name in own:
            if self.of.field(name) is not None:
                yield f"{prefix}{name}"
        for name in self.fields:
            if name not in own:
                yield f"{prefix}{name}"
        for name, parent in self.parents.items():
            yield from parent.selected(f"{prefix}{name}.")


def layout_fields(layout: Layout, layout_type: str, *, editing: bool = False) -> Iterator[str]:
    """Yield the fields that a layout of a type shows, or lets edit."""
    names: Iterable[str] = layout.highlights
    if layout_type == FULL:
        names = (name for section in layout.sections for name in section.fields)
    for name in names:
        found = layout.object.field(name)
        if found is None:
            continue
        if not editing or found.createable or found.updateable or found.type == "address":
            yield name


@dataclass(slots=True)
class UiReader:
    """Reads records for one call."""

    call: Call
    manner: Manner | None = None
    shows_dates: bool = True
    has_weak_tags: bool = True
    types: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Learn how the caller writes."""
        if self.shows_dates and self.manner is None:
            self.manner = manner_of(self.call.actor.subject)

    def read(self, wanted: Wanted, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return records by their ids; what is not there, or deleted, is left out."""
        if not ids:
            return {}
        among = ", ".join(f"'{id}'" for id in ids)
        rows = self.ask(wanted, f"WHERE Id IN ({among})", size=len(ids))
        return {str(row["id"]): row for row in rows}

    def ask(self, wanted: Wanted, rest: str, *, size: int, start: int = 0) -> list[dict[str, Any]]:
        """Return the records that the rest of a query finds."""
        text = f"SELECT {', '.join(wanted.selected())} FROM {wanted.of.name} {rest}"  # noqa: S608 - SOQL of names of the schema
        question = ask(text, user=self.call.actor.subject, version=version_of(self.call))
        rows = question.page(root(self.call), start=start, size=size).records
        return [self.present(wanted, row) for row in rows]

    def present(self, wanted: Wanted, row: dict[str, Any]) -> dict[str, Any]:
        """Return a record of a query as UI resources show it."""
        id = str(row["Id"])
        of = wanted.of.schema.of_id(id) or wanted.of
        fields = {
            name: {
                "displayValue": display_value(one, row.get(name), self.manner),
                "value": ui_value(row.get(name)),
            }
            for name, one in wanted.fields.items()
        }
        for name, parent in wanted.parents.items():
            fields[name] = self._parent(parent, row.get(name))
        body = {
            "apiName": of.name,
            "childRelationships": {},
            "fields": dict(sorted(fields.items())),
            "id": id,
            "lastModifiedById": row.get("LastModifiedById"),
            "lastModifiedDate": ui_value(row.get("LastModifiedDate")),
            "recordTypeId": row.get("RecordTypeId") or (MASTER_TYPE if _is_typed(of) else None),
            "recordTypeInfo": self._type(of, row.get("RecordTypeId")),
            "systemModstamp": ui_value(row.get("SystemModstamp")),
        }
        tags: dict[str, Any] = {"eTag": etag_of(body)}
        if self.has_weak_tags:
            tags["weakEtag"] = milliseconds(row.get("SystemModstamp"))
        return dict(sorted({**body, **tags}.items()))

    def _type(self, of: SObject, id: str | None) -> dict[str, Any] | None:
        """Return the type of a record; None of those that have the one which all have."""
        if id is None:
            return None
        if id not in self.types:
            self.types |= {one.id: present_type(one) for one in record_types_of(of)}
        return self.types.get(id)

    def _parent(self, wanted: Wanted, row: dict[str, Any] | None) -> dict[str, Any]:
        if row is None:
            return {"displayValue": None, "value": None}
        name = "Name" if wanted.is_polymorphic or wanted.of.name_field is None else None
        shown = row.get(name or str(wanted.of.name_field and wanted.of.name_field.name))
        return {"displayValue": shown, "value": self.present(wanted, row)}


def _is_typed(of: SObject) -> bool:
    return has_record_types(of) and of.name != "User"


def wanted_of(
    of: SObject,
    *,
    fields: Sequence[str] = (),
    optional: Sequence[str] = (),
    layout_types: Sequence[str] = (),
    modes: Sequence[str] = ("View",),
) -> Wanted:
    """Return what is shown of an object's records; fields are named with their object.

    Raises:
        CrmError: a field that has to be there is not.
    """
    found = Wanted(of)
    for text in fields:
        path = _own_path(of, text)
        if path is None or not found.add(path):
            raise CrmError(
                f"No such column '{text.partition('.')[2] or text}' on entity '{of.name}'. If you"
                " are attempting to use a custom field, be sure to append the '__c' after the"
                " custom field name. Please reference your WSDL or the describe call for the"
                " appropriate names.",
                code="INVALID_FIELD",
            )
    for text in optional:
        path = _own_path(of, text)
        if path is not None:
            found.add(path)
    layout = layout_of(of)
    for kind in layout_types:
        for mode in modes:
            for name in layout_fields(layout, kind, editing=mode != "View"):
                found.add_item(name)
    return found


def _own_path(of: SObject, text: str) -> str | None:
    """Return the path behind the name of the object; None if it is of another object."""
    name, _, path = text.partition(".")
    return path if path and name.lower() == of.name.lower() else None
