"""The objects of the tooling resources: which there are, what each is like, queries over them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.errors import CrmError
from clones.crm.queries.tooling import TOOLING_FIELDS, ask_tooling
from clones.crm.rules.shown_values import moment_text


class ToolingQuery(Query):
    """The query."""

    q: str | None = None


@versioned(
    "GetToolingQuery",
    "GET",
    "/tooling/query",
    summary="Query what the organization is made of.",
    query=ToolingQuery,
)
def run_tooling_query(call: Call) -> dict[str, Any]:
    """Answer with all that the query finds."""
    if not call.query.q:
        raise CrmError("A query string has to be specified", code="MALFORMED_QUERY")
    user = call.actor.subject
    found = ask_tooling(call.query.q, user=user, version=version_of(call), root=root(call))
    return {
        "size": len(found.records) or found.total,
        "totalSize": found.total,
        "done": True,
        "queryLocator": None,
        "entityTypeName": found.object,
        "records": [_plain(one) for one in found.records],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return moment_text(value) if isinstance(value, datetime) else value


def _in_short(name: str, call: Call) -> dict[str, Any]:
    own = f"{root(call)}/tooling/sobjects/{name}"
    return {
        "createable": name in ("CustomField", "ValidationRule"),
        "custom": False,
        "label": name,
        "labelPlural": f"{name}s",
        "name": name,
        "queryable": True,
        "urls": {"describe": f"{own}/describe", "rowTemplate": f"{own}/{{ID}}", "sobject": own},
    }


@versioned("GetToolingObjects", "GET", "/tooling/sobjects", summary="List the tooling objects.")
def show_tooling_objects(call: Call) -> dict[str, Any]:
    """Answer with each object in short."""
    shown = [_in_short(name, call) for name in sorted(TOOLING_FIELDS)]
    return {"encoding": "UTF-8", "maxBatchSize": 200, "sobjects": shown}


def _describing(name: str) -> Callable[[Call], dict[str, Any]]:
    def describe(call: Call) -> dict[str, Any]:
        """Answer with the object and its fields."""
        return {
            **_in_short(name, call),
            "fields": [
                {
                    "filterable": one.filterable,
                    "label": one.label,
                    "name": one.name,
                    "referenceTo": list(one.reference_to),
                    "relationshipName": one.relationship_name,
                    "sortable": one.sortable,
                    "type": one.type,
                }
                for one in TOOLING_FIELDS[name]
            ],
        }

    return describe


for object_ in TOOLING_FIELDS:
    versioned(
        f"GetToolingDescribe{object_}",
        "GET",
        f"/tooling/sobjects/{object_}/describe",
        summary="Describe a tooling object.",
    )(_describing(object_))
