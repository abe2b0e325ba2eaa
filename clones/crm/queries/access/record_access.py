"""How far records are open to a user, as rows that a query asks for: UserRecordAccess.

There is no table of them: a query names a user and records, and each gets a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from clones.crm.queries.access.sharing import open_ids, shared_with
from clones.crm.queries.access.viewing import Viewer
from clones.crm.queries.soql.fragments import Sql, joined, quoted
from clones.crm.rules.access.objects import DELETE, EDIT, READ
from clones.crm.rules.access.sharing import TRANSFER, TRANSFERS, Level
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import OrgSchema, SObject
from clones.crm.rules.soql.errors import malformed
from clones.crm.rules.soql.plan import Chain, Compare, OneOf, Plan, PlanAll, PlanNode

ACCESS: Final = "UserRecordAccess"
MOST: Final = 200  # records that one query asks about
_LEVELS: Final = ("Read", "Edit", "Delete", "Transfer", "All")


def rows_of_access(plan: Plan, schema: OrgSchema) -> Sql:
    """Return the rows that a query of UserRecordAccess chooses from, as a table.

    Raises:
        SoqlError: it does not say which user and which records it asks about.
    """
    users = named_ids(plan.where, "UserId")
    ids = named_ids(plan.where, "RecordId")
    if len(users) != 1 or not ids or len(ids) > MOST:
        raise malformed(
            "UserRecordAccess is queried with a filter on one UserId, and on RecordId with at most"
            f" {MOST} values"
        )
    return _table(list(access_of(users[0], ids, schema.whole)))


def access_of(user: str, ids: list[str], schema: OrgSchema) -> Iterator[dict[str, Any]]:
    """Yield how far records are open to a user (ids), in the order of their ids."""
    asking = Viewer(user)
    kinds: dict[str, list[str]] = {}
    for id in sorted(set(ids)):
        kinds.setdefault(id[:3], []).append(id)
    for some in kinds.values():
        of = schema.of_id(some[0])
        opened = {} if of is None else _opened(asking, of, some)
        for id in some:
            best = [name for name in _LEVELS if id in opened.get(name, ())]
            yield {
                "Id": id,
                "UserId": user,
                "RecordId": id,
                **{f"Has{name}Access": name in best for name in _LEVELS},
                "MaxAccessLevel": best[-1] if best else "None",
            }


def _opened(asking: Viewer, of: SObject, ids: list[str]) -> dict[str, set[str]]:
    """Return those of some records that are open so far, by the vendor's words."""
    grants = asking.rights.grants(of)
    none: set[str] = set()
    found = {
        level: open_ids(asking, of, ids, level) for level in (Level.READ, Level.EDIT, Level.ALL)
    }
    edits = found[Level.EDIT] if EDIT in grants else none
    transfers = found[Level.ALL] if EDIT in grants else none
    is_given = shared_with(asking).model(of) == TRANSFER
    if is_given or asking.rights.system & TRANSFERS.get(of.name, frozenset()):
        transfers = edits
    return {
        "Read": found[Level.READ] if READ in grants else none,
        "Edit": edits,
        "Delete": found[Level.ALL] if DELETE in grants else none,
        "Transfer": transfers,
        "All": found[Level.ALL] if EDIT in grants else none,
    }


def named_ids(node: PlanNode | None, field: str) -> list[str]:
    """Return the ids that a condition wants a field to be one of."""
    if isinstance(node, PlanAll):
        return next((found for one in node.nodes if (found := named_ids(one, field))), [])
    values: tuple[Any, ...] = ()
    if isinstance(node, Compare) and node.operator == "=" and _is(node.left, field):
        values = (node.value,)
    elif isinstance(node, OneOf) and not node.negated and _is(node.left, field):
        values = node.values
    return [id for one in values if isinstance(one, str) and (id := read_id(one)) is not None]


def _is(left: Any, field: str) -> bool:
    return isinstance(left, Chain) and not left.hops and left.field.name == field


def _table(rows: list[dict[str, Any]]) -> Sql:
    """Return rows as what stands after FROM."""
    selects = []
    for row in rows:
        columns = [
            Sql(f"{str(value).upper()} AS {quoted(name)}")
            if isinstance(value, bool)
            else Sql(f"CAST(%s AS varchar(18)) AS {quoted(name)}", (value,))
            for name, value in row.items()
        ]
        selects.append(Sql("SELECT {}").format(joined(columns, ", ")))
    return Sql("({})").format(joined(selects, " UNION ALL "))
