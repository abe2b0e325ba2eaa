"""Who may do what with the records of custom objects.

Admins may do everything, and so may agents whose role says nothing of objects. A role of the
account's own, and the system's for light agents, name what they may do of each object, under
`custom_objects`: {key: {"scopes": ["read", ...]}}.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.models import CustomObject, User
from clones.helpdesk.queries.custom_objects import objects
from clones.helpdesk.queries.hot import LISTED_OBJECTS
from clones.helpdesk.rules.custom_objects import SCOPES

RIGHT = "custom_objects"


def scopes_of(user: User, key: str) -> frozenset[str]:
    """Return what a user may do with the records of the object of a key."""
    if not user.is_agent:
        return frozenset()
    role = user.custom_role if user.role != "admin" else None
    if role is None:
        return frozenset(SCOPES)
    named = role.configuration.get(RIGHT)
    if named is None:
        light = role.configuration.get("light_agent") is True
        return frozenset({"read"}) if light else frozenset(SCOPES)
    return frozenset(named.get(key, {}).get("scopes", ()))


def check_scope(user: User, found: CustomObject, scope: str) -> None:
    """Refuse who may not do something with an object's records.

    Raises:
        AccessDenied: the user may not.
    """
    if scope not in scopes_of(user, found.key):
        raise AccessDenied(f"{user.name} may not {scope} records of {found.key}")


def admins_only(actor: User) -> None:
    """Refuse who may not define objects.

    Raises:
        AccessDenied: the actor is no admin.
    """
    if actor.role != "admin":
        raise AccessDenied("only admins define custom objects")


def listed_objects(user: User) -> QuerySet[CustomObject]:
    """Return the objects that the page of records offers: those whose records a user may see."""
    listed = objects().filter(include_in_list_view=True)
    if user.role == "admin":
        return listed
    known = listed.values_list("key", flat=True)
    return listed.filter(key__in=[key for key in known if "read" in scopes_of(user, key)])


def has_listed_objects(user: User) -> bool:
    """Tell whether the page of records offers a user any object."""
    keys = LISTED_OBJECTS.all()
    return (
        bool(keys) if user.role == "admin" else any("read" in scopes_of(user, key) for key in keys)
    )


def checked_scopes(given: Any) -> dict[str, dict[str, list[str]]]:
    """Return what a role says of objects: by key, what may be done with their records.

    Raises:
        RecordInvalid: it says something else, or allows to write what cannot be read.
    """
    if not isinstance(given, dict):
        raise _wrong()
    found: dict[str, dict[str, list[str]]] = {}
    for key, item in given.items():
        scopes = item.get("scopes") if isinstance(item, dict) else None
        if not isinstance(scopes, list) or any(scope not in SCOPES for scope in scopes):
            raise _wrong()
        if scopes and "read" not in scopes:
            raise _wrong()
        found[str(key)] = {"scopes": [scope for scope in SCOPES if scope in scopes]}
    return found


def _wrong() -> RecordInvalid:
    text = f"Configuration: {RIGHT} has an invalid value"
    return RecordInvalid.of("configuration", text, "InvalidValue")
