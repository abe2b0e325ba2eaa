"""What an organization begins with: its id, the statuses and stages that its settings list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from clones.crm.rules.access.profiles import (
    object_rows,
    profile_row,
    profile_set_row,
    standard_profiles,
)
from clones.crm.rules.access.sharing import ORGANIZATION_DEFAULTS
from clones.crm.rules.matching.standard_duplicates import rows_of_standard_rules
from clones.crm.rules.record_ids import long_id

# One organization: the number of a sandbox is not in its rows, so every sandbox has this one's.
ORGANIZATION_ID: Final = long_id("00D5g00000Kr3LQ")
INSTANCE: Final = "NA1"

# Label, chance of success in percent, code and label of the forecast category, closed, won.
STAGES: Final = (
    ("Prospecting", 10.0, "Pipeline", "Pipeline", False, False),
    ("Qualification", 10.0, "Pipeline", "Pipeline", False, False),
    ("Needs Analysis", 20.0, "Pipeline", "Pipeline", False, False),
    ("Value Proposition", 50.0, "Pipeline", "Pipeline", False, False),
    ("Id. Decision Makers", 60.0, "Pipeline", "Pipeline", False, False),
    ("Perception Analysis", 70.0, "Pipeline", "Pipeline", False, False),
    ("Proposal/Price Quote", 75.0, "Pipeline", "Pipeline", False, False),
    ("Negotiation/Review", 90.0, "Pipeline", "Pipeline", False, False),
    ("Closed Won", 100.0, "Closed", "Closed", True, True),
    ("Closed Lost", 0.0, "Omitted", "Omitted", True, False),
)
# Object of the settings, and for each value whether it is the default and what else it says.
STATUSES: Final[dict[str, tuple[tuple[str, bool, dict[str, Any]], ...]]] = {
    "CaseStatus": (
        ("New", True, {"IsClosed": False}),
        ("Working", False, {"IsClosed": False}),
        ("Escalated", False, {"IsClosed": False}),
        ("Closed", False, {"IsClosed": True}),
    ),
    "LeadStatus": (
        ("Open - Not Contacted", True, {"IsConverted": False}),
        ("Working - Contacted", False, {"IsConverted": False}),
        ("Closed - Converted", False, {"IsConverted": True}),
        ("Closed - Not Converted", False, {"IsConverted": False}),
    ),
    "TaskStatus": (
        ("Not Started", True, {"IsClosed": False}),
        ("In Progress", False, {"IsClosed": False}),
        ("Completed", False, {"IsClosed": True}),
        ("Waiting on someone else", False, {"IsClosed": False}),
        ("Deferred", False, {"IsClosed": False}),
    ),
    "TaskPriority": (
        ("High", False, {"IsHighPriority": True}),
        ("Normal", True, {"IsHighPriority": False}),
        ("Low", False, {"IsHighPriority": False}),
    ),
    "ContractStatus": (
        ("In Approval Process", False, {"StatusCode": "InApproval"}),
        ("Activated", False, {"StatusCode": "Activated"}),
        ("Draft", True, {"StatusCode": "Draft"}),
    ),
    "OrderStatus": (
        ("Draft", True, {"StatusCode": "Draft"}),
        ("Activated", False, {"StatusCode": "Activated"}),
    ),
}
# Kinds of splits of an opportunity's sum: name, label, whether they add up. None is switched on.
SPLIT_TYPES: Final = (("Revenue", "Revenue", True), ("Overlay", "Overlay", False))


def organization_row(name: str) -> dict[str, Any]:
    """Return the organization's own record, but for who made it and when."""
    return {
        "Id": ORGANIZATION_ID,
        "Name": name,
        "OrganizationType": "Enterprise Edition",
        "InstanceName": INSTANCE,
        "IsSandbox": False,
        "LanguageLocaleKey": "en_US",
        "DefaultLocaleSidKey": "en_US",
        "TimeZoneSidKey": "America/Los_Angeles",
        "FiscalYearStartMonth": 1,
        **ORGANIZATION_DEFAULTS,
    }


DAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MIDNIGHT: Final = "00:00:00.000Z"
# Open at all times, as every organization's hours are at first.
DEFAULT_HOURS: Final[dict[str, Any]] = {
    "Name": "Default",
    "IsActive": True,
    "IsDefault": True,
    "TimeZoneSidKey": "America/Los_Angeles",
    **{f"{day}{edge}Time": MIDNIGHT for day in DAYS for edge in ("Start", "End")},
}


def settings_rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the settings list, by its object: profiles first, then stages and statuses.

    Ids, and who made them and when, are not among the values.
    """
    for each in standard_profiles():
        yield "Profile", profile_row(each)
    yield "Group", {"DeveloperName": "AllInternalUsers", "Type": "Organization"}
    yield "BusinessHours", DEFAULT_HOURS
    for place, (label, chance, code, category, closed, won) in enumerate(STAGES, 1):
        yield (
            "OpportunityStage",
            {
                "MasterLabel": label,
                "ApiName": label,
                "IsActive": True,
                "SortOrder": place,
                "DefaultProbability": chance,
                "IsClosed": closed,
                "IsWon": won,
                "ForecastCategory": code,
                "ForecastCategoryName": category,
            },
        )
    for name, label, adds_up in SPLIT_TYPES:
        kind = {"DeveloperName": name, "MasterLabel": label, "Language": "en_US"}
        field = {"SplitEntity": "Opportunity", "SplitField": "Opportunity.Amount"}
        state = {"IsTotalValidated": adds_up, "SplitDataStatus": "Enabled"}
        yield "OpportunitySplitType", {**kind, **field, **state}
    for object_, rows in STATUSES.items():
        for place, (label, default, more) in enumerate(rows, 1):
            values = {"MasterLabel": label, "ApiName": label, "SortOrder": place}
            yield object_, {**values, "IsDefault": default, **more}
    yield from rows_of_standard_rules()


def permission_rows(
    profiles: Mapping[str, str],
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield the permission set of each profile (their ids by names), and its object permissions.

    The set's own id is not among the values, nor that of the set in its permissions (`ParentId`).
    """
    for each in standard_profiles():
        yield profile_set_row(each, profiles[each.name]), list(object_rows(each))


def user_row(values: dict[str, Any], *, profile: str) -> dict[str, Any]:
    """Return a user of a profile (its id), with what nobody says; names and address are said."""
    first, last = values.get("FirstName"), values["LastName"]
    return {
        "Name": " ".join(part for part in (first, last) if part),
        "Alias": ((first or "")[:1] + last)[:8].lower(),
        "CommunityNickname": values["Username"].partition("@")[0],
        "IsActive": True,
        "TimeZoneSidKey": "America/Los_Angeles",
        "LocaleSidKey": "en_US",
        "EmailEncodingKey": "UTF-8",
        "LanguageLocaleKey": "en_US",
        "UserType": "Standard",
        "ProfileId": profile,
        "DigestFrequency": "D",
        "DefaultGroupNotificationFrequency": "N",
        **values,
    }
