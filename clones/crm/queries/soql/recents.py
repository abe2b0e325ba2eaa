"""What a user saw last, as rows that a query asks for: RecentlyViewed."""

from __future__ import annotations

from typing import Any, Final

from clones.crm.models import RecentItem, model_of
from clones.crm.queries.access.sharing import condition_on
from clones.crm.queries.soql.fragments import Sql, joined, quoted
from clones.crm.rules.access.sharing import Level
from clones.crm.rules.schema import Field, OrgSchema, SObject

RECENTS: Final = "RecentlyViewed"
# What is told of the users among them alone.
_OF_USERS: Final = frozenset({"Alias", "IsActive", "ProfileId", "UserRoleId"})
_NOTHING: Final = {"boolean": "FALSE", "datetime": "CAST(NULL AS timestamptz)"}


def rows_of_recents(user: str, schema: OrgSchema) -> Sql:
    """Return what stands after FROM: the records that a user (by id) saw, of all objects."""
    seen = RecentItem.objects.filter(user=user).order_by("object")
    names = sorted(set(seen.values_list("object", flat=True)))
    recents = schema.whole.objects[RECENTS]
    parts = [
        _selected(recents, of, user)
        for name in names
        if (of := schema.find(name)) is not None and of.name_field is not None
    ]
    if not parts:
        columns = [Sql(f"{_nothing(one)} AS {quoted(one.name)}") for one in recents.stored]
        parts = [Sql("SELECT {} WHERE 1 = 0").format(joined(columns, ", "))]
    return Sql("({})").format(joined(parts, " UNION ALL "))


def _selected(recents: SObject, of: SObject, user: str) -> Sql:
    columns = [Sql(f"{{}} AS {quoted(one.name)}").format(_value(one, of)) for one in recents.stored]
    conditions = [Sql('r."user" = %s', (user,)), Sql('r."object" = %s', (of.name,))]
    if of.field("IsDeleted") is not None:
        conditions.append(Sql('NOT t0."IsDeleted"'))
    seen = condition_on(of, Level.READ, "t0")
    conditions += [] if seen is None else [seen]
    own, items = quoted(model_of(of)._meta.db_table), quoted(RecentItem._meta.db_table)
    source = Sql(f'{items} r JOIN {own} t0 ON t0."Id" = r."record"')
    return Sql("SELECT {} FROM {} WHERE {}").format(
        joined(columns, ", "), source, joined(conditions, " AND ")
    )


def _value(field: Field, of: SObject) -> Sql:
    if field.name == "LastViewedDate":
        return Sql('r."viewed_at"')
    if field.name == "Type":
        return Sql("CAST(%s AS text)", (of.name,))
    name = field.name
    if name in ("Name", "NameOrAlias") and of.name_field is not None:
        name = of.name_field.name
    own: Any = of.field(name)
    if own is None or own.slot is not None or own.formula is not None or own.type != field.type:
        found = own if name != field.name else None
        if found is None:
            return Sql(_nothing(field))
    if field.name in _OF_USERS and of.name != "User":
        return Sql(_nothing(field))
    return Sql(f"t0.{quoted(name)}")


def _nothing(field: Field) -> str:
    return _NOTHING.get(field.type, "CAST(NULL AS text)")
