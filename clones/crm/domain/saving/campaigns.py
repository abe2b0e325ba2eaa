"""Campaigns: who is in them, what that leads to, and what they count of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db.models import Count, Q, Sum

from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, after_recycling, step
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow, model_of, rows_of
from clones.crm.queries.records import find_records
from clones.crm.rules.schema import OrgSchema

# The statuses that members of a new campaign have to choose from.
_STATUSES: Final = (("Sent", True, False), ("Responded", False, True))
# What a member shows of the lead or contact that it is.
_SHOWN: Final = (
    *("Salutation", "FirstName", "LastName", "Title", "Email", "Phone", "Fax", "MobilePhone"),
    *("Description", "DoNotCall", "HasOptedOutOfEmail", "HasOptedOutOfFax", "LeadSource"),
)
_ADDRESS: Final = ("Street", "City", "State", "PostalCode", "Country")
_WATCHED: Final = ("CampaignId", "Amount", "IsWon", "HasResponded", "LeadId", "ContactId")


@step(Stage.FILLING_IN)
def fill_in_member(change: Change) -> None:
    """Say who a member of a campaign is, and whether the status is that of one who responded.

    Raises:
        RecordError: nobody is said, or somebody who is a member already.
    """
    if change.of.name != "CampaignMember":
        return
    if change.is_new:
        _who(change)
    if change.is_new and "Status" not in change.said:
        statuses = rows_of("CampaignMemberStatus").filter(CampaignId=change.get("CampaignId"))
        default = statuses.filter(IsDefault=True, IsDeleted=False).order_by("SortOrder").first()
        if default is not None:
            change.set("Status", default.Label)
    if change.is_new or change.has_changed("Status"):
        statuses = rows_of("CampaignMemberStatus").filter(
            CampaignId=change.get("CampaignId"), Label=change.get("Status"), IsDeleted=False
        )
        responded = statuses.filter(HasResponded=True).exists()
        change.set("HasResponded", responded)
        if responded and change.get("FirstRespondedDate") is None:
            change.set("FirstRespondedDate", change.now)


def _who(change: Change) -> None:
    lead, contact = change.get("LeadId"), change.get("ContactId")
    if lead is None and contact is None:
        raise RecordError(
            "REQUIRED_FIELD_MISSING", "Required fields are missing: [LeadId, ContactId]", ["LeadId"]
        )
    name, id = ("Contact", contact) if contact is not None else ("Lead", lead)
    same = rows_of("CampaignMember").filter(CampaignId=change.get("CampaignId"), IsDeleted=False)
    found = same.filter(**{f"{name}Id": id}).first()
    if found is not None:
        kind = "contact" if name == "Contact" else "lead"
        raise RecordError(
            "DUPLICATE_VALUE",
            f"Already a campaign member. This {kind} is already a member of the campaign.",
            [f"{name}Id"],
        )
    person = rows_of(name).filter(Id=id).first()
    if person is None:
        return
    for field in _SHOWN:
        if hasattr(person, field):
            change.set(field, getattr(person, field))
    stem = "" if name == "Lead" else "Mailing"
    for part in _ADDRESS:
        change.set(part, getattr(person, f"{stem}{part}"))
    accounts = rows_of("Account").filter(Id=getattr(person, "AccountId", None))
    company = person.Company if name == "Lead" else accounts.values_list("Name", flat=True).first()
    change.set("CompanyOrAccount", company)
    change.set("Name", person.Name)
    change.set("Type", name)
    change.set("LeadOrContactId", id)


@step(Stage.FOLLOW_UPS)
def open_campaign(change: Change) -> None:
    """Give a new campaign the statuses that its members can have."""
    if change.of.name != "Campaign" or not change.is_new:
        return
    model = model_of("CampaignMemberStatus")
    for place, (label, is_default, responded) in enumerate(_STATUSES, 1):
        stamps: dict[str, Any] = {"CreatedById": change.actor, "LastModifiedById": change.actor}
        for name in ("CreatedDate", "LastModifiedDate", "SystemModstamp"):
            stamps[name] = change.now
        model(
            Id=new_id("01Y", model),
            CampaignId=change.get("Id"),
            Label=label,
            SortOrder=place,
            IsDefault=is_default,
            HasResponded=responded,
            **stamps,
        ).save(force_insert=True)


@step(Stage.FILLING_IN)
def begin_counting(change: Change) -> None:
    """Let a new campaign count from nothing."""
    if change.of.name == "Campaign" and change.is_new:
        for name, value in _counted({}, {}).items():
            change.set(name, value)


@step(Stage.ROLL_UPS)
def count_of_campaign(change: Change) -> None:
    """Let campaigns count members and opportunities, and sum up what these are worth."""
    if change.of.name not in ("CampaignMember", "Opportunity"):
        return
    ids = {change.get("CampaignId"), change.was("CampaignId")} - {None}
    watched = [name for name in _WATCHED if change.of.field(name) is not None]
    if ids and change.has_changed(*watched):
        count_campaigns(change.of.schema, ids)


@after_recycling
def count_recycled(rows: Sequence[SObjectRow], actor: str) -> None:
    """Let campaigns count again whose members or opportunities were deleted or brought back."""
    counted = [row for row in rows if row.sobject.name in ("CampaignMember", "Opportunity")]
    ids = {row.CampaignId for row in counted} - {None}
    if ids:
        count_campaigns(counted[0].sobject.schema, ids)


def count_campaigns(schema: OrgSchema, ids: Iterable[str]) -> None:
    """Let campaigns, by their ids, count members and opportunities."""
    wanted = {"CampaignId__in": list(ids), "IsDeleted": False}
    is_lead = Q(ContactId=None)
    members = {
        row["CampaignId"]: row
        for row in rows_of("CampaignMember")
        .filter(**wanted)
        .order_by()
        .values("CampaignId")
        .annotate(
            leads=Count("Id", filter=is_lead),
            contacts=Count("Id", filter=~is_lead),
            converted=Count("Id", filter=~is_lead & ~Q(LeadId=None)),
            responses=Count("Id", filter=Q(HasResponded=True)),
        )
    }
    deals = {
        row["CampaignId"]: row
        for row in rows_of("Opportunity")
        .filter(**wanted)
        .order_by()
        .values("CampaignId")
        .annotate(
            count=Count("Id"),
            won=Count("Id", filter=Q(IsWon=True)),
            amount=Sum("Amount"),
            amount_won=Sum("Amount", filter=Q(IsWon=True)),
        )
    }
    for id, row in sorted(find_records(schema.objects["Campaign"], ids).items()):
        values = _counted(members.get(id, {}), deals.get(id, {}))
        if any(getattr(row, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(row, name, value)
            row.save()


def _counted(members: dict[str, Any], deals: dict[str, Any]) -> dict[str, Any]:
    return {
        "NumberOfLeads": members.get("leads", 0),
        "NumberOfConvertedLeads": members.get("converted", 0),
        "NumberOfContacts": members.get("contacts", 0),
        "NumberOfResponses": members.get("responses", 0),
        "NumberOfOpportunities": deals.get("count", 0),
        "NumberOfWonOpportunities": deals.get("won", 0),
        "AmountAllOpportunities": round(deals.get("amount") or 0.0, 2),
        "AmountWonOpportunities": round(deals.get("amount_won") or 0.0, 2),
    }
