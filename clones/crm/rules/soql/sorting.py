"""Keys of ORDER BY: what may be sorted by, and where records without a value come."""

from __future__ import annotations

from typing import Final

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.errors import malformed
from clones.crm.rules.soql.expressions import expression
from clones.crm.rules.soql.paths import PathScope
from clones.crm.rules.soql.plan import Chain, SortKey
from clones.crm.rules.soql.printing import print_operand

# The vendor's page says that nulls come first, whatever the direction.
NULLS_LAST: Final = False


def sort_key(item: n.OrderItem, scope: PathScope) -> SortKey:
    """Return what a key of ORDER BY means.

    Raises:
        SoqlError: there is no such field, or it may not be sorted by.
    """
    found = expression(item.key, scope, "ORDER BY")
    if isinstance(found, Chain) and (not found.field.sortable or found.type == "multipicklist"):
        raise malformed(
            f"field '{print_operand(item.key)}' can not be sorted in a query call", item.key.span
        )
    last = NULLS_LAST if item.nulls is None else item.nulls == "LAST"
    # Of a reference, nulls stay on top whatever is asked.
    return SortKey(found, item.descending, last and found.type != "reference")
