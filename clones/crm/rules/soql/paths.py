"""From typed paths to chains: which field of which parent is meant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.dates import Calendar
from clones.crm.rules.soql.errors import (
    malformed,
    no_column,
    no_object,
    no_relationship,
    not_queryable,
)
from clones.crm.rules.soql.plan import Chain, Hop
from clones.crm.rules.soql.schema import SchemaField, SchemaObject, SchemaView

DEEPEST_PATH: Final = 5  # parents in a row
MOST_PARENTS: Final = 55  # parent relationships in one query
# What the parents of a polymorphic reference have in common, where the schema has no `Name`.
NAME_OBJECT: Final = "Name"
_OF_NAME: Final = {
    described.name.lower(): described
    for described in (
        SchemaField("Id", "Name ID", "id"),
        SchemaField("Name", "Name", "string"),
        SchemaField("FirstName", "First Name", "string"),
        SchemaField("LastName", "Last Name", "string"),
        SchemaField("Type", "Type", "picklist"),
        SchemaField("Alias", "Alias", "string"),
        SchemaField("Email", "Email", "email"),
        SchemaField("IsActive", "Active", "boolean"),
        SchemaField("Phone", "Phone", "phone"),
        SchemaField("Title", "Title", "string"),
        SchemaField("Username", "Username", "string"),
        SchemaField("LastReferencedDate", "Last Referenced Date", "datetime"),
        SchemaField("LastViewedDate", "Last Viewed Date", "datetime"),
        SchemaField(
            "ProfileId",
            "Profile ID",
            "reference",
            relationship_name="Profile",
            reference_to=("Profile",),
        ),
        SchemaField(
            "RecordTypeId",
            "Record Type ID",
            "reference",
            relationship_name="RecordType",
            reference_to=("RecordType",),
        ),
        SchemaField(
            "UserRoleId",
            "Role ID",
            "reference",
            relationship_name="UserRole",
            reference_to=("UserRole",),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class QueryContext:
    """Against what, when and for whom a query is read.

    `version` is that of the API; `multi_currency` whether the org has several currencies.
    """

    schema: SchemaView
    calendar: Calendar
    version: float = 67.0
    multi_currency: bool = False


@dataclass(slots=True)
class ParentCount:
    """The parent relationships that a query uses, each counted once."""

    used: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, *key: str, at: n.TextSpan) -> None:
        """Count one.

        Raises:
            SoqlError: there are more than a query may use.
        """
        self.used.add(key)
        if len(self.used) > MOST_PARENTS:
            raise malformed(
                f"The maximum number of parent relationships in a query is {MOST_PARENTS}", at
            )


@dataclass(frozen=True, slots=True)
class PathScope:
    """The object whose records are asked for, and the aliases by which paths may begin."""

    context: QueryContext
    root: SchemaObject
    aliases: dict[str, tuple[Hop, ...]] = field(default_factory=dict)
    parents: ParentCount = field(default_factory=ParentCount)

    def chain(self, path: n.FieldPath) -> Chain:
        """Return the field that a path leads to.

        Raises:
            SoqlError: there is no such relationship or field, or the path is too long.
        """
        hops, names = self._begun(path.names)
        found = self.hops(n.FieldPath(names[:-1], path.span), hops)
        target = found[-1].target if found else self.root.name
        described = self.field(target, names[-1])
        if described is None:
            raise no_column(names[-1], target, path.span)
        return Chain(self.root.name, found, described)

    def parent(self, path: n.FieldPath) -> tuple[Hop, ...]:
        """Return the steps to a parent that a path of relationships alone leads to.

        Raises:
            SoqlError: there is no such relationship, or the path is too long.
        """
        hops, names = self._begun(path.names)
        return self.hops(n.FieldPath(names, path.span), hops)

    def hops(self, path: n.FieldPath, begun: tuple[Hop, ...]) -> tuple[Hop, ...]:
        """Return the steps of a path of relationships, after those that are made already."""
        steps = list(begun)
        for name in path.names:
            source = steps[-1].target if steps else self.root.name
            described = self._relationship(source, name)
            if described is None or not described.reference_to:
                raise no_relationship(name, path.span)
            target = NAME_OBJECT if described.polymorphic else described.reference_to[0]
            if self.context.schema.object(target) is None and target != NAME_OBJECT:
                raise no_relationship(name, path.span)
            steps.append(Hop(source, described, target))
            self.parents.add(self.root.name, *(step.key for step in steps), at=path.span)
        if len(steps) > DEEPEST_PATH:
            raise malformed(
                f"field path '{path.text}' has more than {DEEPEST_PATH} levels of relationships",
                path.span,
            )
        return tuple(steps)

    def field(self, object_name: str, name: str) -> SchemaField | None:
        """Return a field of an object; `Name` has its own where the schema has none."""
        schema = self.context.schema
        if object_name == NAME_OBJECT and schema.object(NAME_OBJECT) is None:
            return _OF_NAME.get(name.lower())
        return schema.field(object_name, name)

    def _relationship(self, object_name: str, name: str) -> SchemaField | None:
        schema = self.context.schema
        if object_name == NAME_OBJECT and schema.object(NAME_OBJECT) is None:
            wanted = name.lower()
            return next(
                (f for f in _OF_NAME.values() if (f.relationship_name or "").lower() == wanted),
                None,
            )
        return schema.relationship(object_name, name)

    def _begun(self, names: tuple[str, ...]) -> tuple[tuple[Hop, ...], tuple[str, ...]]:
        """Return the steps that the first name stands for, if it is an alias, and the others."""
        first = names[0].lower()
        if len(names) == 1:
            return (), names
        if first in self.aliases:
            return self.aliases[first], names[1:]
        is_object = first == self.root.name.lower()
        if is_object and self._relationship(self.root.name, names[0]) is None:
            return (), names[1:]
        return (), names


def object_scope(context: QueryContext, sources: tuple[n.Source, ...]) -> PathScope:
    """Return the scope of a FROM clause that names an object, and maybe parents by aliases.

    Raises:
        SoqlError: there is no such object, or no such parent.
    """
    main, *others = sources
    found = context.schema.object(main.path.text)
    if found is None:
        raise no_object(main.path.text, main.path.span)
    if not found.queryable:
        raise not_queryable(found.name)
    scope = PathScope(context, found)
    if main.alias is not None:
        scope.aliases[main.alias.lower()] = ()
    for source in others:
        if source.alias is None or len(source.path.names) == 1:
            raise no_object(source.path.text, source.path.span)
        scope.aliases[source.alias.lower()] = scope.parent(source.path)
    return scope
