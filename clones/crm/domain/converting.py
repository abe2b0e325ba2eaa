"""Converting a lead: into an account, a contact and an opportunity, once and for good.

What the lead says goes by the vendor's standard mapping into fields that are empty; activities and
campaign memberships go with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.approvals.locks import check_unlocked
from clones.crm.domain.duplicates.asked import without_duplicate_rules
from clones.crm.domain.saving import create_record, update_record
from clones.crm.domain.saving.campaigns import count_campaigns
from clones.crm.domain.saving.histories import note_event
from clones.crm.domain.saving.reaching import check_conversion
from clones.crm.errors import IsDeleted, NotFound, RecordError
from clones.crm.models import SObjectRow, rows_of
from clones.crm.queries.access.viewing import Viewer, system_mode
from clones.crm.queries.records import find_record
from clones.crm.rules.schema import OrgSchema, SObject

_SAME: Final = ("AnnualRevenue", "NumberOfEmployees", "Industry", "Rating", "Website")
_ADDRESS: Final = (
    "Street",
    "City",
    "State",
    "PostalCode",
    "Country",
    "Latitude",
    "Longitude",
    "GeocodeAccuracy",
)
# Fields of what a lead becomes, and those of the lead that they are taken from.
ACCOUNT: Final[Mapping[str, str]] = {
    "Name": "Company",
    "Phone": "Phone",
    "Fax": "Fax",
    **{f"Billing{part}": part for part in _ADDRESS},
    **{name: name for name in _SAME},
}
CONTACT: Final[Mapping[str, str]] = {
    **{
        name: name
        for name in (
            "Salutation",
            "FirstName",
            "LastName",
            "Title",
            "Email",
            "MobilePhone",
            "Phone",
            "Fax",
            "Description",
            "LeadSource",
        )
    },
    **{f"Mailing{part}": part for part in _ADDRESS},
}
OPPORTUNITY: Final[Mapping[str, str]] = {"LeadSource": "LeadSource"}
_NAME: Final = 120  # characters of the name of an opportunity
_ACTIVITIES: Final = ("Task", "Event")


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a lead is to become.

    Ids of what exists already are None where it is to be made. `owner` has what is made, the
    lead's own owner where it is None.
    """

    lead: str
    status: str
    account: str | None = None
    contact: str | None = None
    opportunity: str | None = None
    opportunity_name: str | None = None
    no_opportunity: bool = False
    overwrite_source: bool = False
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Converted:
    """The ids of what a lead became."""

    lead: str
    account: str
    contact: str
    opportunity: str | None


def convert_lead(schema: OrgSchema, wanted: Conversion, *, actor: str) -> Converted:
    """Convert a lead.

    Raises:
        NotFound: there is no such lead, or the user at hand does not see it.
        IsDeleted: it lies in the recycle bin.
        RecordError: it is converted already, the status is not one of conversion, what it is to go
            into is not there or belongs to another account, a record is refused, or the user at
            hand may not.
    """
    with system_mode() as asking, without_duplicate_rules():
        return _convert(schema.whole.objects, wanted, actor, asking)


def _convert(
    objects: Mapping[str, SObject], wanted: Conversion, actor: str, asking: Viewer | None
) -> Converted:
    lead = find_record(objects["Lead"], wanted.lead)
    others = (wanted.account, wanted.contact, wanted.opportunity)
    check_conversion(asking, lead, [id for id in others if id is not None])
    check_unlocked(lead.pk, actor=actor)
    if lead.IsConverted:
        raise RecordError("CANNOT_UPDATE_CONVERTED_LEAD", "cannot reference converted lead")
    is_of_conversion = rows_of("LeadStatus").filter(ApiName=wanted.status, IsConverted=True)
    if not is_of_conversion.exists():
        raise RecordError(
            "INVALID_STATUS", f"invalid convertedStatus: {wanted.status[:200]}", ["Status"]
        )
    made = _Making(objects, lead, wanted, _owner(lead, wanted), actor)
    account = made.account()
    contact = made.contact(account)
    opportunity = made.opportunity(account)
    if opportunity is not None:
        _add_role(objects["OpportunityContactRole"], opportunity, contact, actor)
    _take_along(lead, contact, account, opportunity, actor)
    _close(lead, wanted, (account, contact, opportunity), actor)
    return Converted(str(lead.pk), account, contact, opportunity)


def _owner(lead: SObjectRow, wanted: Conversion) -> str:
    """Return who is to own what is made.

    Raises:
        RecordError: a queue has the lead and nobody is named, or the one named is no active user.
    """
    owner = wanted.owner or str(lead.OwnerId)
    if not owner.startswith("005"):
        raise RecordError(
            "INVALID_CROSS_REFERENCE_KEY", "a lead of a queue is converted for a user", ["OwnerId"]
        )
    if not rows_of("User").filter(Id=owner, IsActive=True).exists():
        raise RecordError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", ["OwnerId"])
    return owner


@dataclass(frozen=True, slots=True)
class _Making:
    """A conversion under way: the lead, what it is to become, and who has what is made."""

    objects: Mapping[str, SObject]
    lead: SObjectRow
    wanted: Conversion
    owner: str
    actor: str

    def account(self) -> str:
        """Make the account, or fill the one that is there."""
        of, lead, wanted = self.objects["Account"], self.lead, self.wanted
        if wanted.account is None and wanted.contact is not None:
            raise RecordError(
                "INVALID_CROSS_REFERENCE_KEY",
                "an existing contact is given with the account that it belongs to",
                ["AccountId"],
            )
        if wanted.account is None:
            said = {**_taken(lead, ACCOUNT), "OwnerId": self.owner}
            return str(create_record(of, said, actor=self.actor).pk)
        row = _existing(of, wanted.account)
        _fill(row, _taken(lead, ACCOUNT), self.actor)
        return str(row.pk)

    def contact(self, account: str) -> str:
        """Make the contact of an account, or fill the one that is there."""
        of, lead, wanted = self.objects["Contact"], self.lead, self.wanted
        taken = _taken(lead, CONTACT)
        if wanted.contact is None:
            said = {**taken, "AccountId": account, "OwnerId": self.owner}
            return str(create_record(of, said, actor=self.actor).pk)
        row = _existing(of, wanted.contact)
        if row.AccountId not in (None, account):
            raise RecordError(
                "INVALID_CROSS_REFERENCE_KEY",
                "the contact belongs to another account than the one given",
                ["ContactId"],
            )
        source = taken.get("LeadSource")
        _fill(row, {**taken, "AccountId": account}, self.actor)
        if wanted.overwrite_source and source is not None:
            update_record(of, str(row.pk), {"LeadSource": source}, actor=self.actor)
        return str(row.pk)

    def opportunity(self, account: str) -> str | None:
        """Make the opportunity of an account, or fill the one that is there; None for none."""
        of, lead, wanted = self.objects["Opportunity"], self.lead, self.wanted
        if wanted.opportunity is not None:
            row = _existing(of, wanted.opportunity)
            if row.AccountId not in (None, account):
                raise RecordError(
                    "INVALID_CROSS_REFERENCE_KEY",
                    "the opportunity belongs to another account than the one given",
                    ["OpportunityId"],
                )
            _fill(row, {**_taken(lead, OPPORTUNITY), "AccountId": account}, self.actor)
            return str(row.pk)
        if wanted.no_opportunity:
            return None
        stage = (
            rows_of("OpportunityStage").filter(IsActive=True, IsClosed=False).order_by("SortOrder")
        )
        said = {
            **_taken(lead, OPPORTUNITY),
            "Name": wanted.opportunity_name or lead.Company[:_NAME],
            "AccountId": account,
            "OwnerId": self.owner,
            "StageName": stage.values_list("ApiName", flat=True).first(),
            "CloseDate": _end_of_quarter(clock.now().date()).isoformat(),
        }
        campaign = _newest_campaign(str(lead.pk))
        if campaign is not None:
            said["CampaignId"] = campaign
        return str(create_record(of, said, actor=self.actor).pk)


def _taken(lead: SObjectRow, mapping: Mapping[str, str]) -> dict[str, Any]:
    """Return what a lead says for the fields of what it becomes."""
    found = {to: getattr(lead, name) for to, name in mapping.items()}
    return {to: value for to, value in found.items() if value is not None}


def _existing(of: SObject, id: str) -> SObjectRow:
    try:
        return find_record(of, id)
    except (NotFound, IsDeleted):
        raise RecordError(
            "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", [f"{of.name}Id"]
        ) from None


def _fill(row: SObjectRow, taken: Mapping[str, Any], actor: str) -> None:
    """Give a record what it has not: a field that says something keeps it."""
    said = {name: value for name, value in taken.items() if getattr(row, name) is None}
    if said:
        update_record(row.sobject, str(row.pk), said, actor=actor)


def _add_role(of: SObject, opportunity: str, contact: str, actor: str) -> None:
    rows = rows_of(of).filter(OpportunityId=opportunity, IsDeleted=False)
    if rows.filter(ContactId=contact).exists():
        return
    said = {"OpportunityId": opportunity, "ContactId": contact, "IsPrimary": not rows.exists()}
    create_record(of, said, actor=actor)


def _take_along(
    lead: SObjectRow, contact: str, account: str, opportunity: str | None, actor: str
) -> None:
    """Let activities and memberships be those of the contact."""
    id = str(lead.pk)
    members = list(rows_of("CampaignMember").filter(LeadId=id).values_list("Id", flat=True))
    activities = {
        name: list(rows_of(name).filter(WhoId=id).values_list("Id", flat=True))
        for name in _ACTIVITIES
    }
    known = set(
        rows_of("CampaignMember")
        .filter(ContactId=contact, IsDeleted=False)
        .values_list("CampaignId", flat=True)
    )
    for name, ids in activities.items():
        for row in rows_of(name).filter(Id__in=ids).order_by("Id"):
            row.WhoId, row.WhatId, row.AccountId = contact, opportunity or account, account
            row.LastModifiedById, row.SystemModstamp = actor, clock.now().replace(microsecond=0)
            row.save()
    for row in rows_of("CampaignMember").filter(Id__in=members).order_by("Id"):
        if row.CampaignId not in known:  # a contact is once in a campaign
            row.ContactId = contact
            row.save()
    campaigns = rows_of("CampaignMember").filter(Id__in=members)
    count_campaigns(lead.sobject.schema, set(campaigns.values_list("CampaignId", flat=True)))


def _close(
    lead: SObjectRow, wanted: Conversion, became: tuple[str, str, str | None], actor: str
) -> None:
    now = clock.now()
    lead.Status, lead.IsConverted = wanted.status, True
    lead.IsUnreadByOwner = False
    lead.ConvertedDate = now.date()
    lead.ConvertedAccountId, lead.ConvertedContactId, lead.ConvertedOpportunityId = became
    lead.LastModifiedDate = lead.SystemModstamp = now.replace(microsecond=0)
    lead.LastModifiedById = actor
    lead.save()
    note_event(lead, "leadConverted", by=actor, at=lead.LastModifiedDate)


def _newest_campaign(lead: str) -> str | None:
    found = (
        rows_of("CampaignMember")
        .filter(LeadId=lead, IsDeleted=False)
        .order_by("-CreatedDate", "-Id")
        .values_list("CampaignId", flat=True)
        .first()
    )
    return None if found is None else str(found)


def _end_of_quarter(day: date) -> date:
    """Return the last day of a day's fiscal quarter."""
    start = rows_of("Organization").values_list("FiscalYearStartMonth", flat=True).first() or 1
    into = (day.month - start) % 3
    month = day.month + 3 - into
    year, month = day.year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, 1) - timedelta(days=1)
