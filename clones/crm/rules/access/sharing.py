"""Whose records are whose: how records of an object are shared, and how far by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from clones.crm.rules.schema import SObject


class Level(IntEnum):
    """How far a record is open to somebody; each level has those below it."""

    NONE = 0
    READ = 1
    EDIT = 2
    ALL = 3  # delete, share, and give to others


PRIVATE, READ_ONLY, READ_WRITE = "Private", "Read", "ReadWrite"
TRANSFER, FULL, BY_PARENT = "ReadWriteTransfer", "FullAccess", "ControlledByParent"
# How far a default opens records to everybody; those that their parents control are not opened.
OPENS: Final[Mapping[str, Level]] = {
    PRIVATE: Level.NONE,
    READ_ONLY: Level.READ,
    READ_WRITE: Level.EDIT,
    TRANSFER: Level.EDIT,
    FULL: Level.ALL,
    BY_PARENT: Level.NONE,
}
LEVELS: Final[Mapping[str, Level]] = {
    "None": Level.NONE,
    "Read": Level.READ,
    "Edit": Level.EDIT,
    "All": Level.ALL,
}
# The vendor's words for the defaults in the organization's own record.
_IN_ORGANIZATION: Final[Mapping[str, str]] = {
    PRIVATE: "None",
    READ_ONLY: "Read",
    READ_WRITE: "Edit",
    TRANSFER: "ReadEditTransfer",
    FULL: "All",
    BY_PARENT: BY_PARENT,
}


@dataclass(frozen=True, slots=True)
class ShareRows:
    """The object whose records share those of another: its fields for record and level."""

    object: str
    record: str
    level: str


@dataclass(frozen=True, slots=True)
class TeamRows:
    """The object whose records are the members of a record's team: its fields.

    `level` says how far the record is open to a member: a field of the member, or of what `role`
    refers to.
    """

    object: str
    record: str
    member: str
    level: str
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Sharing:
    """How records of an object are shared.

    `default` holds where the organization says nothing else. `parents` are the references whose
    records open these, to be written by those to whom they are open as far as `written_at`;
    `opens_parents` those whose records may be read by whoever may read these.
    """

    default: str
    is_owned: bool = False
    parents: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    shares: ShareRows | None = None
    team: TeamRows | None = None
    account_level: str | None = None
    opens_parents: tuple[str, ...] = ()
    written_at: Level = Level.EDIT


def _share(of: str) -> ShareRows:
    return ShareRows(f"{of}Share", f"{of}Id", f"{of}AccessLevel")


def _child(*parents: str, written_at: Level = Level.EDIT) -> Sharing:
    return Sharing(BY_PARENT, parents=parents, written_at=written_at)


_USUAL: Final = (PRIVATE, READ_ONLY, READ_WRITE)
_SHARING: Final[Mapping[str, Sharing]] = {
    "Account": Sharing(
        READ_WRITE,
        is_owned=True,
        choices=_USUAL,
        shares=_share("Account"),
        team=TeamRows("AccountTeamMember", "AccountId", "UserId", "AccountAccessLevel"),
    ),
    "Contact": Sharing(
        BY_PARENT,
        is_owned=True,
        parents=("AccountId",),
        choices=(*_USUAL, BY_PARENT),
        shares=_share("Contact"),
        account_level="Contact",
        opens_parents=("AccountId",),
    ),
    "Opportunity": Sharing(
        READ_WRITE,
        is_owned=True,
        choices=_USUAL,
        shares=_share("Opportunity"),
        team=TeamRows("OpportunityTeamMember", "OpportunityId", "UserId", "OpportunityAccessLevel"),
        account_level="Opportunity",
        opens_parents=("AccountId",),
    ),
    "Case": Sharing(
        TRANSFER,
        is_owned=True,
        choices=(*_USUAL, TRANSFER),
        shares=_share("Case"),
        team=TeamRows("CaseTeamMember", "ParentId", "MemberId", "AccessLevel", role="TeamRoleId"),
        account_level="Case",
        opens_parents=("AccountId",),
    ),
    "Lead": Sharing(TRANSFER, is_owned=True, choices=(*_USUAL, TRANSFER), shares=_share("Lead")),
    "Campaign": Sharing(FULL, is_owned=True, choices=(*_USUAL, FULL), shares=_share("Campaign")),
    "Asset": Sharing(
        BY_PARENT, is_owned=True, parents=("AccountId",), choices=(*_USUAL, BY_PARENT)
    ),
    "Contract": Sharing(READ_WRITE, is_owned=True, choices=_USUAL),
    "Order": Sharing(
        BY_PARENT, is_owned=True, parents=("AccountId",), choices=(*_USUAL, BY_PARENT)
    ),
    "ChangeRequest": Sharing(READ_WRITE, is_owned=True, choices=_USUAL),
    "Incident": Sharing(READ_WRITE, is_owned=True, choices=_USUAL),
    "Problem": Sharing(READ_WRITE, is_owned=True, choices=_USUAL),
    "ServiceContract": Sharing(READ_WRITE, is_owned=True, choices=_USUAL),
    "Task": Sharing(PRIVATE, is_owned=True, parents=("WhatId", "WhoId"), choices=(PRIVATE,)),
    "Event": Sharing(PRIVATE, is_owned=True, parents=("WhatId", "WhoId"), choices=(PRIVATE,)),
    "AccountContactRelation": _child("AccountId"),
    "AccountContactRole": _child("AccountId"),
    "AccountHistory": _child("AccountId"),
    "AccountShare": _child("AccountId", written_at=Level.ALL),
    "AccountTeamMember": _child("AccountId"),
    "AssetHistory": _child("AssetId"),
    "Attachment": _child("ParentId"),
    "CampaignHistory": _child("CampaignId"),
    "CampaignMember": _child("CampaignId"),
    "CampaignMemberStatus": _child("CampaignId"),
    "CampaignShare": _child("CampaignId", written_at=Level.ALL),
    "CaseComment": _child("ParentId"),
    "CaseContactRole": _child("CasesId"),
    "CaseHistory": _child("CaseId"),
    "CaseMilestone": _child("CaseId"),
    "CaseRelatedIssue": _child("CaseId"),
    "CaseShare": _child("CaseId", written_at=Level.ALL),
    "CaseTeamMember": _child("ParentId"),
    "CaseTeamTemplateRecord": _child("ParentId"),
    "ChangeRequestHistory": _child("ChangeRequestId"),
    "ContactHistory": _child("ContactId"),
    "ContactShare": _child("ContactId", written_at=Level.ALL),
    "ContractContactRole": _child("ContractId"),
    "ContractHistory": _child("ContractId"),
    "ContractLineItem": _child("ServiceContractId"),
    "EmailMessage": _child("ParentId", "RelatedToId"),
    "FeedItem": _child("ParentId"),
    "IncidentHistory": _child("IncidentId"),
    "LeadHistory": _child("LeadId"),
    "LeadShare": _child("LeadId", written_at=Level.ALL),
    "Note": _child("ParentId"),
    "OpportunityCompetitor": _child("OpportunityId"),
    "OpportunityContactRole": _child("OpportunityId"),
    "OpportunityFieldHistory": _child("OpportunityId"),
    "OpportunityHistory": _child("OpportunityId"),
    "OpportunityLineItem": _child("OpportunityId"),
    "OpportunityShare": _child("OpportunityId", written_at=Level.ALL),
    "OpportunitySplit": _child("OpportunityId"),
    "OpportunityTeamMember": _child("OpportunityId"),
    "OrderHistory": _child("OrderId"),
    "OrderItem": _child("OrderId"),
    "OrderItemHistory": _child("OrderItemId"),
    "ProblemHistory": _child("ProblemId"),
    "Quote": _child("OpportunityId"),
    "QuoteHistory": _child("QuoteId"),
    "QuoteLineItem": _child("QuoteId"),
    "ServiceContractHistory": _child("ServiceContractId"),
}
_OPEN: Final = Sharing(FULL)
# Permissions of the system to give records of an object to others that one may change.
TRANSFERS: Final[Mapping[str, frozenset[str]]] = {
    "Case": frozenset({"TransferAnyCase", "TransferAnyEntity"}),
    "Lead": frozenset({"TransferAnyLead", "TransferAnyEntity"}),
}
# Activities are read by whoever reads what they are about, and written by their owners alone.
READ_THROUGH: Final = frozenset({"Task", "Event"})
# The defaults that the organization's own record shows, by the objects.
_SHOWN: Final = ("Account", "Contact", "Opportunity", "Lead", "Case", "Campaign")


def sharing_of(of: SObject) -> Sharing:
    """Return how records of an object are shared; what nothing is said of is open to everybody."""
    if not of.is_custom:
        return _SHARING.get(of.name, _OPEN)
    masters = tuple(
        one.name
        for one in of.fields
        if one.type == "reference" and any(seen.cascades for seen in (one.children or {}).values())
    )
    if masters:
        return Sharing(BY_PARENT, parents=masters[:1])
    return Sharing(READ_WRITE, is_owned=True, choices=_USUAL)


def opening_children(of: SObject) -> tuple[tuple[str, str], ...]:
    """Return the objects whose records open those of an object that they refer to, by a field."""
    if of.name != "Account":
        return ()
    return tuple((name, field) for name, one in _SHARING.items() for field in one.opens_parents)


def organization_field(of: str) -> str | None:
    """Return the field of the organization's record that shows an object's default, if any."""
    return f"Default{of}Access" if of in _SHOWN else None


def organization_word(model: str) -> str:
    """Return what the organization's record calls a default."""
    return _IN_ORGANIZATION[model]


# The defaults with which an organization begins, as its record shows them.
ORGANIZATION_DEFAULTS: Final[Mapping[str, str]] = {
    **{f"Default{of}Access": _IN_ORGANIZATION[_SHARING[of].default] for of in _SHOWN},
    "DefaultCalendarAccess": "HideDetailsInsert",
    "DefaultPricebookAccess": "ReadSelect",
}
