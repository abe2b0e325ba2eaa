"""Properties of anything that has them: the four answers, for whichever resource they lie under.

Views see to it that the caller may see or change the thing, and hand over what its kind is, its id
and where its properties lie:

    keys_of("issue", "10001", show.url("issue/10001/properties"))
    value_of("issue", "10001", key)
    keep("issue", "10001", key, call.body)        # an operation with raw_body=True
    drop("issue", "10001", key)
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from clones.core.operations import Reply
from clones.tracker.domain.properties import (
    delete_property,
    get_property,
    list_keys,
    read_value,
    set_property,
)

Json = dict[str, Any]


def keys_of(kind: str, entity: str, address: str) -> Json:
    """Return the keys of a thing's properties, with their addresses below `address`."""
    keys = list_keys(kind, entity)
    return {"keys": [{"self": f"{address}/{quote(key, safe='')}", "key": key} for key in keys]}


def value_of(kind: str, entity: str, key: str) -> Json:
    """Return a property.

    Raises:
        NotFound: there is none under this key.
    """
    return {"key": key, "value": get_property(kind, entity, key)}


def keep(kind: str, entity: str, key: str, body: bytes) -> Reply:
    """Set a property to the value that a body holds; answer 201 if it is new, 200 if it is not.

    Raises:
        Invalid: the body is no JSON, or more than a property may hold.
    """
    return Reply(None, 201 if set_property(kind, entity, key, read_value(body)) else 200)


def drop(kind: str, entity: str, key: str) -> Reply:
    """Delete a property.

    Raises:
        NotFound: there is none under this key.
    """
    delete_property(kind, entity, key)
    return Reply(None, 204)
