"""What a user may do: the sum of what the profile and the assigned permission sets grant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.db.models import OuterRef, Q, Subquery

from clones.core import clock
from clones.crm.models import rows_of
from clones.crm.rules.access.objects import (
    CREATE,
    DELETE,
    EDIT,
    EVERYTHING,
    FOLLOWING,
    GRANTS,
    MODIFY_ALL,
    NOTHING,
    READ,
    SYSTEM,
    VIEW_ALL,
    grants_of,
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
        return profile_of(self.profile).grants(name) if found is None else found

    def _following(self, parent: SObject | None) -> frozenset[str]:
        if parent is None:
            return EVERYTHING
        granted = self.grants(parent)
        return granted | _WRITING if EDIT in granted else granted - {CREATE, DELETE}


def rights_of(user: str) -> Rights:
    """Return what a user (by id) may do at this moment."""
    sets = _sets_of(user)
    profile = next((one["profile"] for one in sets if one["profile"] is not None), None)
    own = next((one["Id"] for one in sets if one["profile"] is not None), None)
    system = frozenset(name for name in ASKED if any(one[_PREFIX + name] for one in sets))
    ids = [one["Id"] for one in sets]
    return Rights(
        system=system,
        objects=() if "ModifyAllData" in system else _objects(ids, own, profile),
        profile=profile,
        fields=_fields(ids, own, profile),
    )


def _sets_of(user: str) -> list[dict[str, Any]]:
    """Return the permission sets of a user: the profile's own, those assigned, those of groups."""
    assigned = rows_of("PermissionSetAssignment").filter(
        Q(ExpirationDate=None) | Q(ExpirationDate__gt=clock.now()), AssigneeId=user
    )
    parts = rows_of("PermissionSetGroupComponent").filter(
        PermissionSetGroupId__in=assigned.values("PermissionSetGroupId"), IsDeleted=False
    )
    profile = rows_of("User").filter(Id=user).values("ProfileId")
    name = rows_of("Profile").filter(Id=OuterRef("ProfileId")).values("Name")[:1]
    rows = rows_of("PermissionSet").filter(
        Q(IsOwnedByProfile=True, ProfileId__in=profile)
        | Q(IsOwnedByProfile=False, Id__in=assigned.values("PermissionSetId"))
        | Q(IsOwnedByProfile=False, Id__in=parts.values("PermissionSetId"))
    )
    flags = [_PREFIX + one for one in ASKED]
    return list(rows.order_by("Id").values("Id", *flags, profile=Subquery(name)))


def _objects(
    sets: list[str], own: str | None, profile: str | None
) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return what rows of object permissions grant together, by object."""
    columns = [_PREFIX + one for one in GRANTS]
    rows = rows_of("ObjectPermissions").filter(ParentId__in=sets)
    found: dict[str, frozenset[str]] = {}
    said = set()
    for row in rows.values("ParentId", "SobjectType", *columns):
        name = row["SobjectType"]
        found[name] = found.get(name, NOTHING) | grants_of(row)
        if row["ParentId"] == own:
            said.add(name)
    if own is not None:  # what the profile's own set says nothing of is as the profile has it
        for name in found.keys() - said:
            found[name] |= profile_of(profile).grants(name)
    return tuple(sorted(found.items()))


def _fields(sets: list[str], own: str | None, profile: str | None) -> FieldAccess:
    """Return what rows of field permissions open together, by field, where it is not the usual."""
    rows = list(rows_of("FieldPermissions").filter(ParentId__in=sets).values_list(*_FIELD_ROW))
    said = {name for parent, name, _, _ in rows if parent == own}
    is_open = own is not None and profile_of(profile).opens_fields
    found: dict[str, tuple[bool, bool]] = {}
    for _, name, read, edit in rows:
        before = found.get(name, (False, False))
        found[name] = (before[0] or read or edit, before[1] or edit)
    return tuple(
        (name, *access) for name, access in sorted(found.items()) if name in said or not is_open
    )
