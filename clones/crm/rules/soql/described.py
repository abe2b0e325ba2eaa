"""The columns of a plan as `columns=true` of the query resource describes them."""

from __future__ import annotations

from typing import Any, Final

from clones.crm.rules.soql.plan import (
    Chain,
    ChildColumn,
    Expression,
    FieldColumn,
    Plan,
    PlanColumn,
    TypeOfColumn,
    ValueColumn,
)
from clones.crm.rules.soql.schema import SchemaField
from clones.crm.rules.soql.values import NUMBERS

_JAVA: Final = {
    "boolean": "Boolean", "date": "Date", "datetime": "Datetime", "time": "Time", "id": "Id",
    "reference": "Id", "int": "Integer", "long": "Long", "double": "Double", "currency": "Decimal",
    "percent": "Decimal", "base64": "Blob", "address": "Address", "location": "Location",
}  # fmt: skip


def columns_of(plan: Plan) -> dict[str, Any]:
    """Return what the query resource answers for `columns=true`.

    Parents and children are columns with `joinColumns`, those of children with `aggregate` true;
    so are functions, without `joinColumns`.
    """
    shown = _columns(plan.columns)
    return {
        "columnMetadata": shown,
        "entityName": plan.object.name,
        "groupBy": plan.groups is not None and bool(plan.groups.keys),
        "idSelected": any(
            isinstance(column, FieldColumn) and column.keys == ("Id",) for column in plan.columns
        ),
        "keyPrefix": plan.object.key_prefix,
    }


def _columns(columns: tuple[PlanColumn, ...]) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []
    for column in columns:
        match column:
            case FieldColumn(chain, keys):
                _put(shown, chain, keys, _plain(chain.field, keys[-1]))
            case ValueColumn(expression, keys, text):
                _put(shown, _chain(expression), keys, _of_function(expression, keys[-1], text))
            case ChildColumn(relationship, plan):
                shown.append(
                    _entry(
                        relationship.name,
                        aggregate=True,
                        joins=_columns(plan.columns),
                        foreign_key=relationship.field,
                    )
                )
            case TypeOfColumn(path, _, _):
                shown.append(_entry(path[-1].key, foreign_key=path[-1].field.name))
    return shown


def _put(
    shown: list[dict[str, Any]], chain: Chain | None, keys: tuple[str, ...], entry: dict[str, Any]
) -> None:
    """Add a column below those of the parents that its path names."""
    level = shown
    for position, key in enumerate(keys[:-1]):
        found = next(
            (
                e
                for e in level
                if e["columnName"] == key and e["joinColumns"] and not e["aggregate"]
            ),
            None,
        )
        if found is None:
            hop = chain.hops[position] if chain is not None else None
            found = _entry(key, foreign_key=hop.field.name if hop is not None else None)
            level.append(found)
        level = found["joinColumns"]
    level.append(entry)


def _chain(expression: Expression) -> Chain | None:
    inner = getattr(expression, "argument", None)
    return inner if isinstance(inner, Chain) else None


def _plain(field: SchemaField, name: str) -> dict[str, Any]:
    return _entry(name, type_=field.type, field=field)


def _of_function(expression: Expression, name: str, text: str) -> dict[str, Any]:
    return _entry(name, aggregate=True, type_=expression.type, display=text)


def _entry(
    name: str,
    *,
    aggregate: bool = False,
    joins: list[dict[str, Any]] | None = None,
    type_: str = "",
    field: SchemaField | None = None,
    display: str | None = None,
    foreign_key: str | None = None,
) -> dict[str, Any]:
    number = type_ in NUMBERS
    return {
        "aggregate": aggregate,
        "apexType": _JAVA.get(type_, "String" if type_ else None),
        "booleanType": type_ == "boolean",
        "columnName": name,
        "custom": field is not None and field.custom,
        "displayName": display or name,
        "foreignKeyName": foreign_key,
        "insertable": field is not None and field.createable,
        "joinColumns": joins if joins is not None else [],
        "numberType": number,
        "textType": bool(type_) and not number and type_ != "boolean",
        "updatable": field is not None and field.updateable,
    }
