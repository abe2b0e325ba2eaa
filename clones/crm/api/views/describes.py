"""What objects there are, and what each is like."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.crm.api.conditions import shown_if_redescribed
from clones.crm.api.operations import root, versioned
from clones.crm.api.presenters.describes import present_global, present_object
from clones.crm.api.views.recent import recent_rows
from clones.crm.errors import NotFound
from clones.crm.queries.schema import org_schema
from clones.crm.rules.schema import SObject

_RECENT = 5


def named_object(call: Call) -> SObject:
    """Return the object that an address names.

    Raises:
        NotFound: there is none of that name.
    """
    found = org_schema().find(call.path["object"])
    if found is None:
        raise NotFound
    return found


@versioned("GetSObjects", "GET", "/sobjects", summary="List the objects.")
def list_objects(call: Call) -> Reply:
    """Answer with every object, by name."""

    def listed() -> dict[str, Any]:
        return {
            "encoding": "UTF-8",
            "maxBatchSize": 200,
            "sobjects": [present_global(of, root(call)) for of in org_schema()],
        }

    return shown_if_redescribed(call, listed)


@versioned("GetSObject", "GET", "/sobjects/{object}", summary="Show an object in short.")
def show_object(call: Call) -> dict[str, Any]:
    """Answer with the object and the records of it that the caller saw last."""
    of = named_object(call)
    recent = recent_rows(call, of=of.name, most=_RECENT)
    return {"objectDescribe": present_global(of, root(call)), "recentItems": recent}


@versioned(
    "GetSObjectDescribe", "GET", "/sobjects/{object}/describe", summary="Describe an object."
)
def describe_object(call: Call) -> Reply:
    """Answer with the object, its fields and its relationships."""
    of = named_object(call)
    site = call.request.build_absolute_uri("/").rstrip("/")
    return shown_if_redescribed(call, lambda: present_object(of, root(call), site))
