"""Objects of the CRM, read from the files in `objects/`, and how they see one another."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from clones.core.strict_json import read_json
from clones.crm.errors import NotFound
from clones.crm.rules.schema.fields import Child, Field, read_field

FILES: Final = Path(__file__).with_name("objects")
# Types of custom fields whose words are searched.
_WITH_WORDS: Final = frozenset({"string", "textarea", "email", "phone", "url"})
# What an object can do where its file says nothing else.
_ABILITIES: Final[dict[str, bool]] = {
    "activateable": False,
    "compactLayoutable": False,
    "createable": True,
    "deepCloneable": False,
    "deletable": True,
    "feedEnabled": False,
    "layoutable": True,
    "mergeable": False,
    "mruEnabled": False,
    "queryable": True,
    "replicateable": True,
    "retrieveable": True,
    "searchLayoutable": False,
    "searchable": True,
    "triggerable": True,
    "undeletable": True,
    "updateable": True,
}
# What a file says beside abilities.
_OWN: Final = frozenset(
    {"name", "label", "labelPlural", "keyPrefix", "fields", "scopes", "searched", "storedAs"}
)


@dataclass(frozen=True)
class ChildRelationship:
    """The records of an object that refer to a parent by one of their fields."""

    child: SObject
    field: Field
    seen: Child


@dataclass(eq=False)
class SObject:
    """One object: `abilities` has what it can do, under the describe's names.

    `searched` names the fields whose words a search looks through: some of any that is searchable.
    `stored_as` is the object whose table has its records, None where it has its own. It belongs to
    one `schema`, that of an organization.
    """

    name: str
    label: str
    plural: str
    prefix: str
    fields: tuple[Field, ...]
    abilities: Mapping[str, bool]
    scopes: Mapping[str, str]
    searched: tuple[str, ...] = ()
    is_custom: bool = False
    stored_as: str | None = None
    schema: OrgSchema = dataclasses.field(init=False, repr=False)

    def field(self, name: str) -> Field | None:
        """Return the field of a name, in whatever case it is written; None if there is none."""
        return self._by_name.get(name.lower())

    def reference(self, relationship: str) -> Field | None:
        """Return the field that a relationship to a parent goes by; None if there is none."""
        return self._by_relationship.get(relationship.lower())

    def is_beside(self, name: str) -> bool:
        """Tell whether the values of a field lie beside the record: those of custom fields."""
        found = self.field(name)
        return found is not None and found.slot is not None

    @property
    def has_records(self) -> bool:
        """Whether it has records of its own: some are lists of what others have."""
        return self.abilities["queryable"]

    @property
    def whole(self) -> SObject:
        """The object with all its fields, whatever of them this schema shows."""
        return self.schema.whole.objects[self.name]

    @cached_property
    def name_field(self) -> Field | None:
        """The field that stands for the record among people; None if it has none."""
        return next((one for one in self.fields if one.nameField), None)

    @cached_property
    def stored(self) -> tuple[Field, ...]:
        """The fields that have a column."""
        return tuple(one for one in self.fields if one.is_stored)

    @cached_property
    def _by_name(self) -> Mapping[str, Field]:
        return {one.name.lower(): one for one in self.fields}

    @cached_property
    def _by_relationship(self) -> Mapping[str, Field]:
        return {one.relationship.lower(): one for one in self.fields if one.relationship}


class _OpenObjects(dict[str, SObject]):
    """The objects of a part of a schema: what it does not show is no resource that there is."""

    def __missing__(self, name: str) -> SObject:
        raise NotFound


class OrgSchema:
    """The objects of an organization, each in this schema alone.

    `whole` is the schema with all there is, of which this one may show a part.
    """

    def __init__(self, objects: Iterable[SObject], whole: OrgSchema | None = None) -> None:
        self.whole: OrgSchema = whole or self
        kept = dict if whole is None else _OpenObjects
        self.objects: Mapping[str, SObject] = kept({one.name: one for one in objects})
        for one in self.objects.values():
            one.schema = self
        self._by_name = {name.lower(): one for name, one in self.objects.items()}
        self._by_prefix = {one.prefix: one for one in self.objects.values() if one.prefix}

    def __iter__(self) -> Iterator[SObject]:
        """Go over the objects by their names."""
        return iter(self.objects.values())

    def find(self, name: str) -> SObject | None:
        """Return the object of a name, in whatever case it is written; None if there is none."""
        return self._by_name.get(name.lower())

    def of_id(self, id: str) -> SObject | None:
        """Return the object that an id's first three characters name; None if there is none."""
        return self._by_prefix.get(id[:3])

    def children(self, parent: SObject) -> tuple[ChildRelationship, ...]:
        """Return what refers to records of an object, by the names of child and field."""
        return self._children.get(parent.name, ())

    def child(self, parent: SObject, relationship: str) -> ChildRelationship | None:
        """Return a relationship to children by its name; None if there is none."""
        wanted = relationship.lower()
        for one in self.children(parent):
            if one.seen.name is not None and one.seen.name.lower() == wanted:
                return one
        return None

    @cached_property
    def _children(self) -> Mapping[str, tuple[ChildRelationship, ...]]:
        found: dict[str, list[ChildRelationship]] = {}
        for child in self:
            for field in child.fields:
                for target, seen in (field.children or {}).items():
                    found.setdefault(target, []).append(ChildRelationship(child, field, seen))
        return {
            name: tuple(sorted(rows, key=lambda row: (row.child.name, row.field.name)))
            for name, rows in found.items()
        }


@cache
def standard_schema() -> OrgSchema:
    """Return the objects that every organization has, read once per process."""
    paths = sorted(FILES.glob("*.json"))
    return OrgSchema(read_object(read_json(path.read_bytes())) for path in paths)


def extended_schema(objects: Iterable[SObject], fields: Mapping[str, Sequence[Field]]) -> OrgSchema:
    """Return the standard objects and others, with further fields by the names of their objects."""
    objects = tuple(objects)
    found = []
    for one in (*_opened_to([each.name for each in objects]), *objects):
        more = tuple(fields.get(one.name, ()))
        words = tuple(field.name for field in more if field.type in _WITH_WORDS)
        searched = (*one.searched, *words) if one.searched else ()
        found.append(dataclasses.replace(one, fields=(*one.fields, *more), searched=searched))
    return OrgSchema(found)


# References that lead to records of custom objects as to those of many others, and how each of
# these sees what refers to it.
_OPEN: Final[Mapping[tuple[str, str], Child]] = {
    ("ActivityHistory", "WhatId"): Child("ActivityHistories", cascades=True),
    ("Attachment", "ParentId"): Child("Attachments", cascades=True),
    ("ContentDocumentLink", "LinkedEntityId"): Child("ContentDocumentLinks", cascades=True),
    ("ContentVersion", "FirstPublishLocationId"): Child(None),
    ("DuplicateRecordItem", "RecordId"): Child("DuplicateRecordItems", cascades=True),
    ("Event", "WhatId"): Child("Events", cascades=True),
    ("Note", "ParentId"): Child("Notes", cascades=True),
    ("OpenActivity", "WhatId"): Child("OpenActivities", cascades=True),
    ("ProcessInstance", "TargetObjectId"): Child("ProcessInstances", cascades=True),
    ("ProcessInstanceHistory", "TargetObjectId"): Child("ProcessSteps", cascades=True),
    ("Task", "WhatId"): Child("Tasks", cascades=True),
    ("TopicAssignment", "EntityId"): Child("TopicAssignments", cascades=True),
}


def _opened_to(names: Sequence[str]) -> Iterator[SObject]:
    """Yield the standard objects, with references that lead to further objects too."""
    for one in standard_schema():
        fields = tuple(_opened(one.name, field, names) for field in one.fields)
        yield dataclasses.replace(one, fields=fields) if names else one


def _opened(of: str, field: Field, names: Sequence[str]) -> Field:
    seen = _OPEN.get((of, field.name))
    if seen is None or not names:
        return field
    return dataclasses.replace(
        field,
        reference_to=tuple(sorted({*field.reference_to, *names})),
        children={**(field.children or {}), **dict.fromkeys(names, seen)},
    )


def read_object(given: Mapping[str, Any]) -> SObject:
    """Return the object that a file in `objects/` describes.

    Raises:
        ValueError: it names an ability or a flag that no describe has, or is searchable and says
            nowhere by what.
    """
    own = {key: value for key, value in given.items() if key not in _OWN}
    unknown = own.keys() - _ABILITIES.keys()
    if unknown:
        raise ValueError(f"{given['name']}: no such ability: {', '.join(sorted(unknown))}")
    if own.get("searchable", True) != bool(given.get("searched")):
        raise ValueError(f"{given['name']}: what is searchable says in which fields, nothing else")
    return SObject(
        name=given["name"],
        label=given["label"],
        plural=given["labelPlural"],
        prefix=given["keyPrefix"],
        fields=tuple(read_field(line) for line in given["fields"]),
        abilities={**_ABILITIES, **own},
        scopes=given.get("scopes", {"everything": f"All {given['labelPlural'].lower()}"}),
        searched=tuple(given.get("searched", ())),
        stored_as=given.get("storedAs"),
    )
