"""The profiles that every organization has, and what each of them lets its users do.

A profile keeps its permissions in a permission set of its own, which nobody is assigned by hand.
An object or a field for which that set says nothing, as one that was defined later, is open as far
as the profile opens objects at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from clones.crm.rules.access.objects import (
    CREATE,
    DELETE,
    EDIT,
    EVERYTHING,
    GRANTS,
    NOTHING,
    OWN,
    READ,
)
from clones.crm.rules.schema import standard_schema

ADMINISTRATOR: Final = "System Administrator"
_MINIMUM: Final = "Minimum Access - Salesforce"
_PREFIX: Final = "Permissions"
_ALL: Final = frozenset({CREATE, READ, EDIT, DELETE})
_ONLY_READ: Final = frozenset({READ})
# What everybody who sells or helps may do.
_USUAL: Final = frozenset(
    {
        "AllowUniversalSearch",
        "AllowViewKnowledge",
        "ApiEnabled",
        "AssignTopics",
        "ChatterInternalUser",
        "ChatterOwnGroups",
        "ConvertLeads",
        "CreateCustomizeFilters",
        "CreateTopics",
        "DistributeFromPersWksp",
        "EditEvent",
        "EditOppLineItemUnitPrice",
        "EditTask",
        "EditTopics",
        "EmailMass",
        "EmailSingle",
        "EnableNotifications",
        "ExportReport",
        "ImportPersonal",
        "LightningConsoleAllowedForUser",
        "LightningExperienceUser",
        "RunFlow",
        "RunReports",
        "SelectFilesFromSalesforce",
        "SubmitMacrosAllowed",
        "ViewContent",
        "ViewHelpLink",
        "ViewRoles",
        "ViewSetup",
    }
)
_MERELY_READING: Final = frozenset(
    {
        "AllowUniversalSearch",
        "AllowViewKnowledge",
        "ApiEnabled",
        "ChatterInternalUser",
        "ExportReport",
        "LightningExperienceUser",
        "RunReports",
        "ViewContent",
        "ViewHelpLink",
        "ViewRoles",
        "ViewSetup",
    }
)
_LEAST: Final = frozenset(
    {"ApiEnabled", "ChatterInternalUser", "LightningExperienceUser", "ViewHelpLink"}
)
# Permissions that take something away from whoever has them.
_BURDENS: Final = frozenset(
    {"ApiUserOnly", "ForceTwoFactor", "TwoFactorApi", "ViewOnlyEmbeddedAppUser"}
)
# Objects that users of most profiles only read.
_KEPT_BY_OTHERS: Final = frozenset({"Campaign", "Document", "Pricebook2", "Product2", "Solution"})


@dataclass(frozen=True)
class StandardProfile:
    """A profile: permissions of the system by their names, and those of objects.

    `usual` is what it grants for an object, `exceptions` where it grants something else.
    """

    name: str
    system: frozenset[str]
    usual: frozenset[str]
    exceptions: Mapping[str, frozenset[str]]

    @property
    def opens_fields(self) -> bool:
        """Whether fields are open of which nothing is said."""
        return bool(self.usual)

    def grants(self, name: str) -> frozenset[str]:
        """Return what it grants for an object."""
        return self.exceptions.get(name, self.usual)


def _system_permissions() -> frozenset[str]:
    """Return the names of all permissions of the system."""
    fields = standard_schema().objects["PermissionSet"].fields
    return frozenset(
        one.name.removeprefix(_PREFIX) for one in fields if one.name.startswith(_PREFIX)
    )


@cache
def standard_profiles() -> tuple[StandardProfile, ...]:
    """Return the profiles that every organization has, the administrator's first."""
    others = dict.fromkeys(_KEPT_BY_OTHERS, _ONLY_READ)
    solutions, campaigns = {**others, "Solution": _ALL}, {**others, "Campaign": _ALL}
    contracts = frozenset({"ActivateContract", "DeleteActivatedContract", "ActivateOrder"})
    return (
        StandardProfile(ADMINISTRATOR, _system_permissions() - _BURDENS, EVERYTHING, {}),
        StandardProfile("Standard User", _USUAL, _ALL, others),
        StandardProfile("Read Only", _MERELY_READING, _ONLY_READ, {}),
        StandardProfile("Solution Manager", _USUAL | {"ManageSolutions"}, _ALL, solutions),
        StandardProfile("Marketing User", _USUAL | {"ImportLeads"}, _ALL, campaigns),
        StandardProfile("Contract Manager", _USUAL | contracts, _ALL, others),
        StandardProfile(_MINIMUM, _LEAST, NOTHING, {}),
    )


def profile_of(name: str | None) -> StandardProfile:
    """Return what a profile of a name grants; one that is not known grants what the least does."""
    known = _by_name()
    return known.get(name or "", known[_MINIMUM])


@cache
def _by_name() -> dict[str, StandardProfile]:
    return {one.name: one for one in standard_profiles()}


def profile_row(profile: StandardProfile) -> dict[str, Any]:
    """Return the record of a profile."""
    return {"Name": profile.name, **_flags("Profile", profile)}


def profile_set_row(profile: StandardProfile, id: str) -> dict[str, Any]:
    """Return the permission set that a profile (its id) keeps its permissions in."""
    return {
        "Name": f"X{id}",
        "Label": id,
        "ProfileId": id,
        "IsOwnedByProfile": True,
        "IsCustom": False,
        **_flags("PermissionSet", profile),
    }


def object_rows(profile: StandardProfile) -> Iterator[dict[str, Any]]:
    """Yield the object permissions that a profile begins with; none for what it does not open."""
    for name in sorted(OWN & standard_schema().objects.keys()):
        granted = profile.grants(name)
        if granted:
            grants = {f"{_PREFIX}{one}": one in granted for one in GRANTS}
            yield {"SobjectType": name, **grants}


def _flags(of: str, profile: StandardProfile) -> dict[str, bool]:
    fields = standard_schema().objects[of].fields
    names = [one.name for one in fields if one.name.startswith(_PREFIX)]
    return {name: name.removeprefix(_PREFIX) in profile.system for name in names}
