"""What the organization is made of as objects of their own, and queries over these.

They are few, so a query is read by the same rules as any other and carried out over their rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from operator import itemgetter
from typing import Any, Final

from clones.core.patterns import matches
from clones.core.words import any_case
from clones.crm.errors import CrmError
from clones.crm.models import CustomField, CustomObject, SObjectRow, ValidationRule
from clones.crm.queries.record_type_metadata import record_type_metadata
from clones.crm.queries.schema import org_schema
from clones.crm.queries.soql.answers import Page
from clones.crm.queries.soql.asking import calendar_of
from clones.crm.queries.soql.statements import Asker
from clones.crm.queries.tooling_automation import (
    AUTOMATION_PREFIXES,
    AUTOMATION_TABLES,
    automation_rows,
)
from clones.crm.queries.tooling_definitions import (
    DEFINITION_TABLES,
    ENTITY,
    check_filtered,
    definition_rows,
    entities_of,
)
from clones.crm.rules.schema import OrgSchema
from clones.crm.rules.schema.custom import SUFFIX
from clones.crm.rules.soql import (
    Plan,
    QueryContext,
    SchemaChild,
    SchemaField,
    SchemaObject,
    SoqlError,
    parse,
    resolve,
)
from clones.crm.rules.soql import plan as p
from clones.crm.rules.soql.plan import Chain, FieldColumn

Row = dict[str, Any]
_FROM: Final = re.compile(r"\bfrom\s+(\w+)", re.IGNORECASE | re.ASCII)
_DEFINITIONS: Final = frozenset(name.lower() for name in DEFINITION_TABLES)
_WHOLE: Final = ("FullName", "Metadata")
# The objects, and of each its fields with their types; `>` marks what is of an object.
_TABLES: Final[Mapping[str, str]] = {
    **AUTOMATION_TABLES,
    **DEFINITION_TABLES,
    "ApexClass": "Id:id Name:string Body:string Status:string NamespacePrefix:string",
    "ApexTrigger": "Id:id Name:string Body:string Status:string NamespacePrefix:string",
    "CustomField": "Id:id DeveloperName:string TableEnumOrId:string NamespacePrefix:string"
    " EntityDefinitionId:> FullName:string Metadata:complexvalue CreatedDate:datetime",
    "CustomObject": "Id:id DeveloperName:string NamespacePrefix:string ManageableState:string"
    " CreatedDate:datetime",
    "RecordType": "Id:id Name:string DeveloperName:string SobjectType:string IsActive:boolean"
    " Description:string BusinessProcessId:string FullName:string Metadata:complexvalue"
    " NamespacePrefix:string CreatedDate:datetime EntityDefinitionId:>",
    "ValidationRule": "Id:id ValidationName:string Active:boolean Description:string"
    " EntityDefinitionId:> ErrorDisplayField:string ErrorMessage:string FullName:string"
    " Metadata:complexvalue NamespacePrefix:string CreatedDate:datetime",
}
_PREFIXES: Final = {
    "CustomField": "00N",
    "CustomObject": "01I",
    "RecordType": "012",
    "ValidationRule": "03d",
    **AUTOMATION_PREFIXES,
}


def _fields(text: str) -> tuple[SchemaField, ...]:
    found = []
    for one in text.split():
        name, _, type_ = one.partition(":")
        if type_ == ">":
            found.append(
                SchemaField(
                    name,
                    name,
                    "string",
                    relationship_name=ENTITY,
                    reference_to=(ENTITY,),
                )
            )
        else:
            found.append(SchemaField(name, name, type_, aggregatable=type_ != "boolean"))
    return tuple(found)


TOOLING_FIELDS: Final = {name: _fields(text) for name, text in _TABLES.items()}


class ToolingSchema:
    """The objects of the tooling resources, as queries see them."""

    def object(self, name: str) -> SchemaObject | None:
        """Return the object with this name; None if there is none."""
        found = next((one for one in _TABLES if one.lower() == name.lower()), None)
        return None if found is None else SchemaObject(found, found, _PREFIXES.get(found))

    def fields(self, of: str) -> Sequence[SchemaField]:
        """Return the fields of an object."""
        return TOOLING_FIELDS.get(of, ())

    def field(self, of: str, name: str) -> SchemaField | None:
        """Return a field of an object by its name; None if it has no such field."""
        return next((one for one in self.fields(of) if one.name.lower() == name.lower()), None)

    def relationship(self, of: str, name: str) -> SchemaField | None:
        """Return the reference field whose relationship name this is; None if there is none."""
        wanted = name.lower()
        fields = self.fields(of)
        return next(
            (one for one in fields if (one.relationship_name or "").lower() == wanted), None
        )

    def child(self, of: str, name: str) -> SchemaChild | None:
        """Return no relationship to children: none of these objects has any."""
        _ = of, name
        return None

    def searched_objects(self) -> Sequence[str]:
        """Return no object: nothing here is searched."""
        return ()


@dataclass(frozen=True, slots=True)
class ToolingPage:
    """What a query of the tooling resources found."""

    object: str
    total: int
    records: list[Row]


def ask_tooling(text: str, *, user: str, version: float, root: str) -> ToolingPage:
    """Return what a query over these objects finds; `root` is the address of the API's version.

    Raises:
        CrmError: it is no query, names what is not there, or asks for what is not answered here.
    """
    plan = tooling_plan(text, user=user, version=version)
    rows = _found(plan)
    if plan.counts_rows:
        return ToolingPage(plan.object.name, len(rows), [])
    return ToolingPage(plan.object.name, len(rows), _shown(plan, rows, f"{root}/tooling"))


def tooling_plan(text: str, *, user: str, version: float) -> Plan:
    """Return the plan of a query over these objects.

    Raises:
        CrmError: it is no query, names what is not there, or asks for what is not answered here.
    """
    context = QueryContext(ToolingSchema(), calendar_of(user), version=version)
    try:
        plan = resolve(parse(text), context)
        check_filtered(plan.object.name, plan.where)
    except SoqlError as error:
        raise CrmError(error.message, code=error.code) from error
    if plan.groups is not None:
        raise _unsupported("GROUP BY")
    return plan


@dataclass(frozen=True, slots=True)
class DefinitionQuestion:
    """A query over what the organization is made of, asked beside those over its records."""

    text: str
    plan: Plan
    asker: Asker

    def page(self, root: str, *, start: int = 0, size: int = 2000) -> Page:
        """Return the rows from a place on; `root` is the address of the API's version."""
        rows = _found(self.plan)
        if self.plan.counts_rows:
            return Page(len(rows), [])
        return Page(len(rows), _shown(self.plan, rows[start : start + size], root))


def ask_definitions(text: str, *, user: str, version: float) -> DefinitionQuestion | None:
    """Return a query of a user (by id) that asks for definitions; None where it asks for records.

    Raises:
        CrmError: it names what is not there, or asks for what is not answered here.
    """
    if _DEFINITIONS.isdisjoint(name.lower() for name in _FROM.findall(text)):
        return None
    try:
        name = parse(text).sources[0].path.text
    except SoqlError as error:
        raise CrmError(error.message, code=error.code) from error
    if name.lower() not in {one.lower() for one in DEFINITION_TABLES}:
        return None
    plan = tooling_plan(text, user=user, version=version)
    return DefinitionQuestion(text, plan, Asker(user, org_schema(), calendar_of(user)))


def _found(plan: Plan) -> list[Row]:
    rows = [row for row in _rows(plan.object.name) if plan.where is None or _holds(plan.where, row)]
    for key in reversed(plan.order_by):
        value = _getter(key.expression)
        with_value = [row for row in rows if value(row) is not None]
        without = [row for row in rows if value(row) is None]
        keyed = [(_comparable(value(row)), row) for row in with_value]
        keyed.sort(key=itemgetter(0), reverse=key.descending)
        with_value = [row for _, row in keyed]
        rows = [*with_value, *without] if key.nulls_last else [*without, *with_value]
    rows = rows[plan.offset or 0 :]
    return rows if plan.limit is None else rows[: plan.limit]


def _shown(plan: Plan, rows: list[Row], root: str) -> list[Row]:
    columns = []
    for column in plan.columns:
        if not isinstance(column, FieldColumn):
            raise _unsupported("a function")
        columns.append(column)
    if len(rows) > 1 and any(one.keys[-1] in _WHOLE for one in columns):
        raise CrmError(
            "When retrieving results with Metadata or FullName fields, the query qualifications"
            " must specify no more than one row for retrieval. Result size:"
            f" {len(rows)}",
            code="MALFORMED_QUERY",
        )
    name, shown = plan.object.name, []
    for row in rows:
        record: Row = {"attributes": _attributes(name, row, root)}
        for column in columns:
            nest, inner = record, row
            for hop in column.chain.hops:
                inner = inner[hop.key]
                nest = nest.setdefault(
                    hop.key, {"attributes": _attributes(hop.target, inner, root)}
                )
            nest[column.chain.field.name] = inner[column.chain.field.name]
        shown.append(record)
    return shown


def _attributes(name: str, row: Row, root: str) -> dict[str, str]:
    key = row.get("DurableId") or row["Id"]
    return {"type": name, "url": f"{root}/sobjects/{name}/{key}"}


def _rows(name: str) -> Iterator[Row]:
    schema = org_schema()
    if name in DEFINITION_TABLES:
        yield from definition_rows(name, schema)
        return
    entities = entities_of(schema)
    if name == "CustomObject":
        yield from (_custom_object(row) for row in CustomObject.objects.order_by("id"))
    elif name == "CustomField":
        for row in CustomField.objects.filter(name__endswith=SUFFIX).order_by("id"):
            yield {**_custom_field(row, schema), ENTITY: entities[row.object]}
    elif name == "RecordType":
        for kept, whole, body in record_type_metadata():
            yield {**_record_type(kept, whole, body), ENTITY: entities[kept.SobjectType]}
    elif name in AUTOMATION_TABLES:
        yield from automation_rows(name)
    elif name == "ValidationRule":
        for rule in ValidationRule.objects.order_by("id"):
            yield {**_rule(rule), ENTITY: entities[rule.object]}


def _custom_object(row: CustomObject) -> Row:
    return {
        "Id": row.id,
        "DeveloperName": row.name.removesuffix(SUFFIX),
        "NamespacePrefix": None,
        "ManageableState": "unmanaged",
        "CreatedDate": row.created_at,
    }


def _custom_field(row: CustomField, schema: OrgSchema) -> Row:
    of = schema.objects[row.object]
    field = of.field(row.name)
    label = row.name if field is None else field.label
    return {
        "Id": row.id,
        "DeveloperName": row.name.removesuffix(SUFFIX),
        "TableEnumOrId": row.object,
        "NamespacePrefix": None,
        "EntityDefinitionId": row.object,
        "FullName": f"{row.object}.{row.name}",
        "Metadata": {"label": label, "type": None if field is None else field.type},
        "CreatedDate": row.created_at,
    }


def _record_type(row: SObjectRow, name: str, body: Row) -> Row:
    own = ("Name", "DeveloperName", "SobjectType", "IsActive", "Description", "BusinessProcessId")
    return {
        "Id": row.pk,
        **{one: getattr(row, one) for one in own},
        "FullName": name,
        "Metadata": {key: value for key, value in body.items() if key != "fullName"},
        "NamespacePrefix": None,
        "CreatedDate": row.CreatedDate,
        "EntityDefinitionId": row.SobjectType,
    }


def _rule(rule: ValidationRule) -> Row:
    return {
        "Id": rule.id,
        "ValidationName": rule.name,
        "Active": rule.is_active,
        "Description": rule.description,
        "EntityDefinitionId": rule.object,
        "ErrorDisplayField": rule.field,
        "ErrorMessage": rule.message,
        "FullName": f"{rule.object}.{rule.name}",
        "Metadata": {
            "active": rule.is_active,
            "description": rule.description,
            "errorConditionFormula": rule.formula,
            "errorDisplayField": rule.field,
            "errorMessage": rule.message,
        },
        "NamespacePrefix": None,
        "CreatedDate": rule.created_at,
    }


def _unsupported(what: str) -> CrmError:
    return CrmError(f"{what} is not supported by the tooling resources", code="MALFORMED_QUERY")


def _getter(expression: Any) -> Callable[[Row], Any]:
    if not isinstance(expression, Chain):
        raise _unsupported("a function")
    keys = expression.keys

    def get(row: Row) -> Any:
        found: Any = row
        for key in keys:
            found = found[key]
        return found

    return get


def _comparable(value: Any) -> Any:
    if isinstance(value, str):
        return value.lower()
    if isinstance(value, bool | datetime | date):
        return value
    return Decimal(value) if isinstance(value, int | float) else value


def _holds(node: p.PlanNode, row: Row) -> bool:
    if isinstance(node, p.PlanAll):
        return all(_holds(one, row) for one in node.nodes)
    if isinstance(node, p.PlanAny):
        return any(_holds(one, row) for one in node.nodes)
    if isinstance(node, p.PlanNot):
        return not _holds(node.node, row)
    if isinstance(node, p.Compare):
        return _compared(node, row)
    if isinstance(node, p.Like):
        return _is_like(node, row)
    if isinstance(node, p.OneOf) and not node.stretches:
        value = _comparable(_getter(node.left)(row))
        return (value in [_comparable(one) for one in node.values]) != node.negated
    raise _unsupported("This condition")


def _compared(node: p.Compare, row: Row) -> bool:
    left, right = _comparable(_getter(node.left)(row)), _comparable(node.value)
    if node.operator == "=":
        return bool(left == right)
    if node.operator == "!=":
        return bool(left != right)
    if left is None or right is None or type(left) is not type(right):
        return False
    return bool(
        {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[
            node.operator
        ]
    )


def _is_like(node: p.Like, row: Row) -> bool:
    value = _getter(node.left)(row)
    if value is None:
        return node.negated
    pattern = "".join(
        {"any": "(?s:.*)", "one": "(?s:.)"}[part] if isinstance(part, str) else any_case(part.text)
        for part in node.pattern.parts
    )
    return bool(matches(rf"^{pattern}\Z", str(value))) != node.negated
