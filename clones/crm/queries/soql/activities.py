"""Tasks and events in one list: what is still to be done, and what was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clones.crm.models import model_of
from clones.crm.queries.access.record_access import named_ids
from clones.crm.queries.access.sharing import condition_on
from clones.crm.queries.access.viewing import Viewer
from clones.crm.queries.soql.fragments import Sql, joined, parameter, quoted
from clones.crm.rules.access.sharing import Level
from clones.crm.rules.schema import Field, OrgSchema, SObject
from clones.crm.rules.soql.dates import Calendar
from clones.crm.rules.soql.errors import malformed
from clones.crm.rules.soql.plan import Chain, Plan

OPEN: Final = "OpenActivity"
HISTORY: Final = "ActivityHistory"
ACTIVITIES: Final = (OPEN, HISTORY)
# Activities that a list has at most for those who do not see all data.
MOST: Final = 500
_LISTS: Final = {OPEN: "OpenActivities", HISTORY: "ActivityHistories"}
# How the list is sorted for those who do not see all data: the field, and whether it descends.
_ORDERS: Final = {
    OPEN: (("ActivityDate", False), ("LastModifiedDate", True)),
    HISTORY: (("ActivityDate", True), ("LastModifiedDate", True)),
}
# What tasks and events call a field otherwise.
_OTHERWISE: Final[Mapping[str, Mapping[str, str]]] = {
    "Task": {"ActivitySubtype": "TaskSubtype"},
    "Event": {"ActivitySubtype": "EventSubtype"},
}
_NOTHING: Final = {
    "boolean": "FALSE",
    "int": "CAST(NULL AS bigint)",
    "date": "CAST(NULL AS date)",
    "datetime": "CAST(NULL AS timestamptz)",
}


def rows_of_activities(name: str, schema: OrgSchema, calendar: Calendar) -> Sql:
    """Return what stands after FROM for one of `ACTIVITIES`: tasks, and events beside them.

    A task is done when it is closed, an event when it has ended. Those that the user at hand may
    not see are left out.
    """
    whole = schema.whole
    of = whole.objects[name]
    tasks = _selected(of, whole.objects["Task"], _of_task(name))
    events = _selected(of, whole.objects["Event"], _of_event(name, calendar))
    return Sql("({} UNION ALL {})").format(tasks, events)


def _of_task(name: str) -> Sql:
    closed = _column("IsClosed")
    return closed if name == HISTORY else Sql("NOT {}").format(closed)


def _of_event(name: str, calendar: Calendar) -> Sql:
    now = calendar.now.astimezone(calendar.zone)
    by_day = Sql('(t0."IsAllDayEvent" AND COALESCE({}, {}) {} %s)', (parameter(now.date()),))
    by_end = Sql('(NOT t0."IsAllDayEvent" AND COALESCE({}, {}) {} %s)', (parameter(calendar.now),))
    side = Sql("<" if name == HISTORY else ">=")
    day = by_day.format(_column("EndDate"), _column("ActivityDate"), side)
    end = by_end.format(_column("EndDateTime"), _column("ActivityDateTime"), side)
    return Sql("({} OR {})").format(day, end)


def _selected(of: SObject, source: SObject, condition: Sql) -> Sql:
    columns = [Sql(f"{{}} AS {quoted(one.name)}").format(_value(one, source)) for one in of.stored]
    seen = condition_on(source, Level.READ, "t0")
    found = condition if seen is None else Sql("{} AND {}").format(condition, seen)
    table = Sql(quoted(model_of(source)._meta.db_table))
    return Sql("SELECT {} FROM {} t0 WHERE {}").format(joined(columns, ", "), table, found)


def _value(field: Field, source: SObject) -> Sql:
    """Return the column of tasks or events that a field shows, or what stands for none."""
    if field.name == "IsTask":
        return Sql("TRUE" if source.name == "Task" else "FALSE")
    name = _OTHERWISE[source.name].get(field.name, field.name)
    if source.field(name) is None:
        return Sql(_NOTHING.get(field.type, "CAST(NULL AS text)"))
    return _column(name)


def _column(name: str) -> Sql:
    return Sql(f"t0.{quoted(name)}")


def check_asking_for_activities(outer: Plan, plan: Plan, asking: Viewer | None) -> None:
    """See that a user may ask for a list of activities so.

    Whoever does not see all data asks for those of one record, all of them, in their order.

    Raises:
        SoqlError: the user may not.
    """
    if asking is None or asking.rights.sees_all_data:
        return
    name = plan.object.name
    if len(set(named_ids(outer.where, "Id"))) != 1:
        raise _restricted(name, "you can only query this relationship of one record at a time")
    if plan.where is not None:
        raise _restricted(name, "you may not use a filter")
    order = [
        (key.expression.field.name, key.descending)
        for key in plan.order_by
        if isinstance(key.expression, Chain) and not key.expression.hops
    ]
    if tuple(order) != _ORDERS[name]:
        wanted = ", ".join(f"{one} {'desc' if down else 'asc'}" for one, down in _ORDERS[name])
        raise _restricted(name, f"you must use a specific sort order: {wanted}")
    if plan.limit is None or plan.limit > MOST:
        raise _restricted(name, f"you must specify a limit of {MOST} or fewer")


def _restricted(name: str, what: str) -> Exception:
    return malformed(
        f"There is an implementation restriction on {_LISTS[name]}. When you query this"
        " relationship, security evaluation is implemented for users who don't have administrator"
        f" permissions, and {what}"
    )
