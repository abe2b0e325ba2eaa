"""Which permissions open an object: its own, those of another, or one of the whole system's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clones.crm.rules.schema import SObject

CREATE, READ, EDIT, DELETE = "Create", "Read", "Edit", "Delete"
VIEW_ALL, MODIFY_ALL = "ViewAllRecords", "ModifyAllRecords"
# What a row of object permissions may grant, in the vendor's order.
GRANTS: Final = (CREATE, READ, EDIT, DELETE, VIEW_ALL, MODIFY_ALL)
# What each grant needs beside it.
NEEDS: Final[Mapping[str, frozenset[str]]] = {
    CREATE: frozenset({READ}),
    READ: frozenset(),
    EDIT: frozenset({READ}),
    DELETE: frozenset({READ, EDIT}),
    VIEW_ALL: frozenset({READ}),
    MODIFY_ALL: frozenset({READ, EDIT, DELETE, VIEW_ALL}),
}
EVERYTHING: Final = frozenset(GRANTS)
NOTHING: Final[frozenset[str]] = frozenset()

# Standard objects with permissions of their own; every custom object has them, too.
OWN: Final = frozenset(
    {
        "Account",
        "Asset",
        "Campaign",
        "Case",
        "ChangeRequest",
        "Contact",
        "Contract",
        "Document",
        "Entitlement",
        "Idea",
        "Incident",
        "Lead",
        "Opportunity",
        "Order",
        "Pricebook2",
        "Problem",
        "Product2",
        "Quote",
        "ServiceContract",
        "Solution",
        "WorkOrder",
    }
)
# Objects that are open as far as another is: who may edit that may write these.
FOLLOWING: Final[Mapping[str, str]] = {
    "AccountContactRelation": "Account",
    "AccountContactRole": "Account",
    "AccountHistory": "Account",
    "AccountShare": "Account",
    "AccountTeamMember": "Account",
    "AssetHistory": "Asset",
    "CampaignHistory": "Campaign",
    "CampaignMember": "Campaign",
    "CampaignShare": "Campaign",
    "CaseContactRole": "Case",
    "CaseHistory": "Case",
    "CaseMilestone": "Case",
    "CaseRelatedIssue": "Case",
    "CaseShare": "Case",
    "CaseTeamMember": "Case",
    "CaseTeamTemplateRecord": "Case",
    "ContactHistory": "Contact",
    "ContactShare": "Contact",
    "ContractContactRole": "Contract",
    "ContractHistory": "Contract",
    "ContractLineItem": "ServiceContract",
    "EntitlementHistory": "Entitlement",
    "LeadHistory": "Lead",
    "LeadShare": "Lead",
    "OpportunityCompetitor": "Opportunity",
    "OpportunityContactRole": "Opportunity",
    "OpportunityFieldHistory": "Opportunity",
    "OpportunityHistory": "Opportunity",
    "OpportunityLineItem": "Opportunity",
    "OpportunityShare": "Opportunity",
    "OpportunitySplit": "Opportunity",
    "OpportunityTeamMember": "Opportunity",
    "OrderHistory": "Order",
    "OrderItem": "Order",
    "OrderItemHistory": "Order",
    "Pricebook2History": "Pricebook2",
    "PricebookEntry": "Pricebook2",
    "Product2History": "Product2",
    "QuoteHistory": "Quote",
    "QuoteLineItem": "Quote",
    "ServiceContractHistory": "ServiceContract",
}
# Objects that everybody reads, and the permission of the system that lets one write them.
_USERS: Final = "ManageUsers"
_SETS: Final = "ManageProfilesPermissionsets"
_SETTINGS: Final = "CustomizeApplication"
_ENTITLEMENTS: Final = "ManageEntitlements"
SYSTEM: Final[Mapping[str, str]] = {
    "BusinessHours": "ManageBusinessHourHolidays",
    "AssignmentRule": _SETTINGS,
    "BusinessProcess": _SETTINGS,
    "CampaignInfluenceModel": _SETTINGS,
    "CaseStatus": _SETTINGS,
    "CaseTeamRole": _USERS,
    "CaseTeamTemplate": _USERS,
    "CaseTeamTemplateMember": _USERS,
    "CampaignMemberStatus": "EditTask",
    "ContractStatus": _SETTINGS,
    "CurrencyType": _SETTINGS,
    "DatedConversionRate": _SETTINGS,
    "EntitlementTemplate": _ENTITLEMENTS,
    "Event": "EditEvent",
    "FieldPermissions": _SETS,
    "Group": _USERS,
    "GroupMember": _USERS,
    "Holiday": "ManageBusinessHourHolidays",
    "LeadStatus": _SETTINGS,
    "MilestoneType": _ENTITLEMENTS,
    "ObjectPermissions": _SETS,
    "ObjectTerritory2Association": _SETTINGS,
    "OpportunitySplitType": _SETTINGS,
    "OpportunityStage": _SETTINGS,
    "OrderStatus": _SETTINGS,
    "Organization": _SETTINGS,
    "PermissionSet": _SETS,
    "PermissionSetAssignment": "AssignPermissionSets",
    "PermissionSetGroup": _SETS,
    "PermissionSetGroupComponent": _SETS,
    "Profile": _SETS,
    "QueueSobject": _USERS,
    "RecordType": _SETTINGS,
    "SetupEntityAccess": _SETS,
    "SlaProcess": _ENTITLEMENTS,
    "Task": "EditTask",
    "TaskPriority": _SETTINGS,
    "TaskStatus": _SETTINGS,
    "Territory2": _SETTINGS,
    "Territory2Model": _SETTINGS,
    "Territory2Type": _SETTINGS,
    "User": _USERS,
    "UserLogin": _USERS,
    "UserRole": "ManageRoles",
    "UserTerritory2Association": _SETTINGS,
}
# Fields of oneself that only those change who manage users.
MANAGED_OF_USERS: Final = frozenset(
    {"IsActive", "ManagerId", "ProfileId", "UserRoleId", "UserType", "Username"}
)


def has_own(of: SObject) -> bool:
    """Tell whether permissions are granted for an object itself."""
    return of.is_custom or of.name in OWN
