"""What a user may do: the sum of what the profile and the assigned permission sets grant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, cast

from django.db import connection

from clones.core import clock
from clones.crm.models import model_of
from clones.crm.queries.soql.fragments import parameter, quoted
from clones.crm.rules.access.objects import (
    CREATE,
    DELETE,
    EDIT,
    EVERYTHING,
    FOLLOWING,
    GRANTS,
    MODIFY_ALL,
    NOTHING,
    OWN,
    READ,
    SYSTEM,
    VIEW_ALL,
    has_own,
)
from clones.crm.rules.access.profiles import profile_of
from clones.crm.rules.schema import Field, SObject

_PREFIX: Final = "Permissions"
# The permissions of the system that something here asks for.
ASKED: Final = tuple(
    sorted(
        {
            "ApiEnabled",
            "ConvertLeads",
            "ManageSharing",
            "ManageUsers",
            "ModifyAllData",
            "TransferAnyCase",
            "TransferAnyEntity",
            "TransferAnyLead",
            "ViewAllData",
            *SYSTEM.values(),
        }
    )
)
_FIELD_ROW: Final = ("ParentId", "Field", "PermissionsRead", "PermissionsEdit")
# Of objects without permissions of their own: everybody changes some things of oneself.
_READING: Final = frozenset({READ})
_OF_ONESELF: Final = frozenset({READ, EDIT})
_WRITING: Final = frozenset({CREATE, READ, EDIT, DELETE})
FieldAccess = tuple[tuple[str, bool, bool], ...]


@dataclass(frozen=True)
class Rights:
    """What a user may do.

    `system` has permissions of the system by name; `objects` the rows of object permissions that
    count, by object; `usual` what the profile grants where no row says anything. `fields` has what
    is said of fields (`Account.Phone`, read, edit); others are open where `opens_fields`.
    """

    system: frozenset[str]
    objects: tuple[tuple[str, frozenset[str]], ...]
    profile: str | None
    fields: FieldAccess

    @property
    def opens_fields(self) -> bool:
        """Whether fields are open of which nothing is said."""
        return profile_of(self.profile).opens_fields

    @cached_property
    def sees_all_data(self) -> bool:
        """Whether every record of every object may be seen."""
        return bool(self.system & {"ModifyAllData", "ViewAllData"})

    @cached_property
    def modifies_all_data(self) -> bool:
        """Whether every record of every object may be changed."""
        return "ModifyAllData" in self.system

    @property
    def is_everything(self) -> bool:
        """Whether nothing at all is closed."""
        return (
            self.modifies_all_data
            and self.opens_fields
            and not self.fields
            and self.system.issuperset(SYSTEM.values())
        )

    @cached_property
    def _granted(self) -> Mapping[str, frozenset[str]]:
        return dict(self.objects)

    def grants(self, of: SObject) -> frozenset[str]:
        """Return what may be done to an object and its records, by the names of `GRANTS`."""
        if of.name in SYSTEM:
            if SYSTEM[of.name] in self.system:
                return _WRITING
            return _OF_ONESELF if of.name == "User" else _READING
        if of.name in FOLLOWING:
            return self._following(of.schema.objects.get(FOLLOWING[of.name]))
        if not has_own(of):
            return _WRITING
        return self._said_of(of.name) | self._of_all_data

    def sees_all(self, of: SObject) -> bool:
        """Tell whether every record of an object may be seen."""
        return self.sees_all_data or VIEW_ALL in self.grants(of)

    def modifies_all(self, of: SObject) -> bool:
        """Tell whether every record of an object may be changed."""
        return self.modifies_all_data or MODIFY_ALL in self.grants(of)

    def field(self, of: SObject, field: Field) -> tuple[bool, bool]:
        """Return whether a field may be read and whether it may be changed."""
        if not field.permissionable and field.type != "address":
            return True, True
        found = self._said.get(f"{of.name}.{field.name}")
        return (self.opens_fields, self.opens_fields) if found is None else found

    @cached_property
    def _said(self) -> Mapping[str, tuple[bool, bool]]:
        return {name: (read, edit) for name, read, edit in self.fields}

    @property
    def _of_all_data(self) -> frozenset[str]:
        if self.modifies_all_data:
            return EVERYTHING
        return frozenset({READ, VIEW_ALL}) if self.sees_all_data else NOTHING

    def _said_of(self, name: str) -> frozenset[str]:
        found = self._granted.get(name)
        return _unsaid(self.profile, name) if found is None else found

    def _following(self, parent: SObject | None) -> frozenset[str]:
        if parent is None:
            return EVERYTHING
        granted = self.grants(parent)
        return granted | _WRITING if EDIT in granted else granted - {CREATE, DELETE}


def rights_of(user: str) -> Rights:
    """Return what a user (by id) may do at this moment."""
    now = parameter(clock.now())
    sets = [_OwnSet(*row) for row in _read(_sets(), (user, user, now, user, now))]
    own = next((one for one in sets if one.is_of_profile), None)
    profile = None if own is None else own.profile
    system = frozenset(
        name for place, name in enumerate(ASKED) if any(one.flags[place] for one in sets)
    )
    ids = [one.id for one in sets]
    return Rights(
        system=system,
        objects=() if "ModifyAllData" in system else _objects(ids, own),
        profile=profile,
        fields=_fields(ids, own),
    )


def permission_sets_of(user: str) -> list[tuple[str, bool]]:
    """Return the ids of a user's permission sets, and of each whether it is the profile's own."""
    now = parameter(clock.now())
    sets = (_OwnSet(*row) for row in _read(_sets(), (user, user, now, user, now)))
    return [(one.id, one.is_of_profile) for one in sets]


def _unsaid(profile: str | None, name: str) -> frozenset[str]:
    """Return what a profile grants of an object of which its set says nothing.

    It has a row for each standard object that it opens: where that was taken away, nothing is left.
    """
    return NOTHING if name in OWN else profile_of(profile).grants(name)


class _OwnSet:
    """A permission set of a user; `profile` is the name of that whose own it is."""

    def __init__(self, id: str, profile: str | None, is_of_profile: Any, *flags: Any) -> None:
        self.id, self.profile, self.is_of_profile = id, profile, bool(is_of_profile)
        self.flags = flags

    @property
    def is_open(self) -> bool:
        """Whether fields are open of which the set says nothing."""
        return self.is_of_profile and profile_of(self.profile).opens_fields


@cache
def _sets() -> str:
    """Return what reads the permission sets of a user: the profile's, those assigned, of groups."""
    flags = ", ".join(f's."{_PREFIX}{one}"' for one in ASKED)
    assigned = (
        'FROM {assignment} a WHERE a."AssigneeId" = %s AND'
        ' (a."ExpirationDate" IS NULL OR a."ExpirationDate" > %s)'
    )
    text = f"""SELECT s."Id", p."Name", s."IsOwnedByProfile", {flags}
 FROM {{set}} s LEFT JOIN {{profile}} p ON p."Id" = s."ProfileId"
 WHERE (s."IsOwnedByProfile" AND s."ProfileId" = (
 SELECT u."ProfileId" FROM {{user}} u WHERE u."Id" = %s))
 OR (NOT s."IsOwnedByProfile" AND (s."Id" IN (SELECT a."PermissionSetId" {assigned})
 OR s."Id" IN (SELECT c."PermissionSetId" FROM {{part}} c WHERE NOT c."IsDeleted"
 AND c."PermissionSetGroupId" IN (SELECT a."PermissionSetGroupId" {assigned}))))
 ORDER BY s."Id" """  # noqa: S608 - names of the schema
    return text.format(
        set=_table("PermissionSet"),
        profile=_table("Profile"),
        user=_table("User"),
        assignment=_table("PermissionSetAssignment"),
        part=_table("PermissionSetGroupComponent"),
    )


def _objects(sets: list[str], own: _OwnSet | None) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return what rows of object permissions grant together, by object."""
    found: dict[str, frozenset[str]] = {}
    said = set()
    columns = ("ParentId", "SobjectType", *(_PREFIX + one for one in GRANTS))
    for parent, name, *flags in _of_sets("ObjectPermissions", columns, sets):
        granted = {one for one, flag in zip(GRANTS, flags, strict=True) if flag}
        found[name] = found.get(name, NOTHING) | granted
        if own is not None and parent == own.id:
            said.add(name)
    if own is not None:  # what the profile's own set says nothing of is as the profile has it
        for name in found.keys() - said:
            found[name] |= _unsaid(own.profile, name)
    return tuple(sorted(found.items()))


def _fields(sets: list[str], own: _OwnSet | None) -> FieldAccess:
    """Return what rows of field permissions open together, by field, where it is not the usual."""
    rows = _of_sets("FieldPermissions", _FIELD_ROW, sets)
    said = {name for parent, name, _, _ in rows if own is not None and parent == own.id}
    is_open = own is not None and own.is_open
    found: dict[str, tuple[bool, bool]] = {}
    for _, name, read, edit in rows:
        before = found.get(name, (False, False))
        found[name] = (before[0] or bool(read or edit), before[1] or bool(edit))
    return tuple(
        (name, *access) for name, access in sorted(found.items()) if name in said or not is_open
    )


def _of_sets(name: str, columns: Sequence[str], sets: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return columns of the rows of an object that belong to permission sets (by their ids)."""
    if not sets:
        return []
    shown, places = ", ".join(f'"{one}"' for one in columns), ", ".join(["%s"] * len(sets))
    text = f'SELECT {shown} FROM {_table(name)} WHERE "ParentId" IN ({places})'  # noqa: S608 - names of the schema
    return _read(text, sets)


def _table(name: str) -> str:
    return quoted(model_of(name)._meta.db_table)


def _read(text: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text, list(parameters))
        return cast("list[tuple[Any, ...]]", cursor.fetchall())
