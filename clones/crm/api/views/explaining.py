"""How a query would be run."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call
from clones.crm.api.operations import root, version_of
from clones.crm.errors import NotFound
from clones.crm.models import rows_of
from clones.crm.queries.listing import find_view
from clones.crm.queries.schema import org_schema
from clones.crm.queries.soql.asking import ask
from clones.crm.rules.record_ids import read_id

_LIST_VIEW: Final = "00B"


def explained(call: Call, asked: str) -> dict[str, Any]:
    """Return the ways in which a query, or that of a list view (by id), could be run.

    Raises:
        NotFound: there is no such list view.
        CrmError: the query is none.
    """
    text, user = _text(call, asked), call.actor.subject
    question = ask(text, user=user, version=version_of(call))
    of = org_schema().objects[question.plan.object.name]
    total = rows_of(of).count()
    found = question.page(root(call), size=1).total
    is_filtered = question.plan.where is not None
    notes = []
    if not is_filtered:
        notes.append(
            {
                "description": "Not considering filter for optimization because unindexed",
                "fields": ["IsDeleted"],
                "tableEnumOrId": of.name,
            }
        )
    return {
        "plans": [
            {
                "cardinality": found,
                "fields": [],
                "leadingOperationType": "TableScan" if is_filtered else "Other",
                "notes": notes,
                "relativeCost": round(found / total, 3) if total else 0.0,
                "sobjectCardinality": total,
                "sobjectType": of.name,
            }
        ],
        "sourceQuery": text,
    }


def _text(call: Call, asked: str) -> str:
    whole = read_id(asked.strip())
    if whole is None or whole[:3] != _LIST_VIEW:
        return asked
    name = rows_of("ListView").filter(Id=whole).values_list("SobjectType", flat=True).first()
    of = None if name is None else org_schema().find(name)
    if of is None:
        raise NotFound
    return find_view(of, whole, user=call.actor.subject).query()
