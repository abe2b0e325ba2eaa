"""The organization itself: its record, its profiles, the values that its settings list, its users.

The world's builder and tests begin with `found_organization`; what is in it has no creator but its
first user.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.core import clock
from clones.crm.domain.new_ids import new_id
from clones.crm.models import ListViewDefinition, SObjectRow, model_of, rows_of
from clones.crm.rules.access.profiles import ADMINISTRATOR
from clones.crm.rules.listing import standard_views
from clones.crm.rules.organization import (
    organization_row,
    permission_rows,
    settings_rows,
    user_row,
)
from clones.crm.rules.schema import standard_schema


def found_organization(name: str, *, admin: str, last_name: str, first_name: str) -> SObjectRow:
    """Make an organization with its settings, and return its first user, who administers it.

    `admin` is the user's address, which is the name to sign in with, too.
    """
    user_id = _new_id("User")
    now = clock.now().replace(microsecond=0)
    _keep("Organization", organization_row(name), by=user_id, now=now)
    profiles = {}
    for object_, values in settings_rows():
        kept = _setting(object_, values, by=user_id, now=now)
        if object_ == "Profile":
            profiles[values["Name"]] = kept
    for values, granted in permission_rows(profiles):
        kept = _setting("PermissionSet", values, by=user_id, now=now)
        for each in granted:
            _setting("ObjectPermissions", {"ParentId": kept, **each}, by=user_id, now=now)
    book = {"Name": "Standard Price Book", "IsActive": True, "IsStandard": True}
    _keep("Pricebook2", {"Id": _new_id("Pricebook2"), **book}, by=user_id, now=now)
    for view, definition in standard_views():
        kept = _setting("ListView", view, by=user_id, now=now)
        ListViewDefinition(id=kept, definition=definition).save(force_insert=True)
    return open_user(
        {"FirstName": first_name, "LastName": last_name, "Email": admin, "Username": admin},
        profile=profiles[ADMINISTRATOR],
        by=user_id,
        id=user_id,
    )


def open_user(
    values: dict[str, Any], *, profile: str, by: str, id: str | None = None
) -> SObjectRow:
    """Make a user of a profile (its id), and return the row."""
    now = clock.now().replace(microsecond=0)
    row = {"Id": id or _new_id("User"), **user_row(values, profile=profile)}
    return _keep("User", row, by=by, now=now)


def profile_named(name: str) -> str:
    """Return the id of the profile of a name.

    Raises:
        KeyError: there is none.
    """
    found = rows_of("Profile").filter(Name=name).values_list("Id", flat=True).first()
    if found is None:
        raise KeyError(name)
    return str(found)


def _new_id(object_: str) -> str:
    model = model_of(object_)
    return new_id(model.sobject.prefix, model)


def _setting(object_: str, values: dict[str, Any], *, by: str, now: datetime) -> str:
    """Keep a row of the settings, and return its id."""
    return str(_keep(object_, {"Id": _new_id(object_), **values}, by=by, now=now).pk)


def _keep(object_: str, values: dict[str, Any], *, by: str, now: datetime) -> SObjectRow:
    """Keep a row whose values are known to be right, with who made it and when."""
    of = standard_schema().objects[object_]
    stamps = {"CreatedDate": now, "CreatedById": by, "LastModifiedDate": now}
    stamps |= {"LastModifiedById": by, "SystemModstamp": now}
    known = {name: value for name, value in {**stamps, **values}.items() if of.field(name)}
    unknown = values.keys() - known.keys()
    if unknown:
        raise ValueError(f"{object_} has no {', '.join(sorted(unknown))}")
    row = model_of(object_)(**known)
    row.save(force_insert=True)
    return row
