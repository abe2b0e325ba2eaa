"""Campaigns and their members; contacts of several accounts."""

from __future__ import annotations

from typing import Any

from tests.crm.conftest import Org


def counted(org: Org, id: str) -> tuple[int, int, int]:
    shown = org.show("Campaign", id)
    return (shown["NumberOfLeads"], shown["NumberOfContacts"], shown["NumberOfResponses"])


def change(org: Org, of: str, id: str, **values: Any) -> None:
    org.call("PATCH", f"/sobjects/{of}/{id}", values, status=204)


def test_a_new_campaign_has_statuses_and_counts_nothing(org: Org) -> None:
    id = org.make("Campaign", Name="Fair")
    rows = org.call(
        "GET", "/query?q=SELECT Label,IsDefault,HasResponded FROM CampaignMemberStatus ORDER BY Id"
    )["records"]
    found = [(one["Label"], one["IsDefault"], one["HasResponded"]) for one in rows]
    assert found == [("Sent", True, False), ("Responded", False, True)]
    shown = org.show("Campaign", id)
    assert counted(org, id) == (0, 0, 0)
    assert (shown["AmountAllOpportunities"], shown["NumberOfOpportunities"]) == (0.0, 0)


def test_a_campaign_counts_its_members(org: Org) -> None:
    id = org.make("Campaign", Name="Fair")
    lead = org.make("Lead", LastName="Ash", Company="Acme", City="Ulm")
    contact = org.make("Contact", FirstName="Bo", LastName="Birch", Email="bo@acme.example")
    member = org.make("CampaignMember", CampaignId=id, LeadId=lead)
    shown = org.show("CampaignMember", member)
    assert (shown["Status"], shown["HasResponded"], shown["Type"]) == ("Sent", False, "Lead")
    assert (shown["Name"], shown["CompanyOrAccount"], shown["City"]) == ("Ash", "Acme", "Ulm")
    assert shown["LeadOrContactId"] == lead
    other = org.make("CampaignMember", CampaignId=id, ContactId=contact, Status="Responded")
    assert org.show("CampaignMember", other)["FirstRespondedDate"] is not None
    assert counted(org, id) == (1, 1, 1)
    change(org, "CampaignMember", member, Status="Responded")
    assert counted(org, id) == (1, 1, 2)
    org.call("DELETE", f"/sobjects/CampaignMember/{other}", status=204)
    assert counted(org, id) == (1, 0, 1)
    change(org, "CampaignMember", member, Status="Sent")
    assert counted(org, id) == (1, 0, 0)


def test_a_member_is_somebody_and_one_once(org: Org) -> None:
    id = org.make("Campaign", Name="Fair")
    error = org.refused("POST", "/sobjects/CampaignMember", {"CampaignId": id})
    assert error["errorCode"] == "REQUIRED_FIELD_MISSING"
    lead = org.make("Lead", LastName="Ash", Company="Acme")
    org.make("CampaignMember", CampaignId=id, LeadId=lead)
    error = org.refused("POST", "/sobjects/CampaignMember", {"CampaignId": id, "LeadId": lead})
    assert error["errorCode"] == "DUPLICATE_VALUE"
    assert counted(org, id) == (1, 0, 0)


def test_a_campaign_sums_up_its_opportunities(org: Org) -> None:
    first, second = org.make("Campaign", Name="Fair"), org.make("Campaign", Name="Mail")
    said = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-09-01", "Amount": 100}
    deal = org.make("Opportunity", **said, CampaignId=first)
    org.make("Opportunity", **{**said, "Amount": 50, "StageName": "Closed Won"}, CampaignId=first)
    shown = org.show("Campaign", first)
    assert (shown["NumberOfOpportunities"], shown["NumberOfWonOpportunities"]) == (2, 1)
    assert (shown["AmountAllOpportunities"], shown["AmountWonOpportunities"]) == (150.0, 50.0)
    change(org, "Opportunity", deal, CampaignId=second)
    assert org.show("Campaign", first)["AmountAllOpportunities"] == 50.0
    assert org.show("Campaign", second)["AmountAllOpportunities"] == 100.0
    org.call("DELETE", f"/sobjects/Opportunity/{deal}", status=204)
    assert org.show("Campaign", second)["AmountAllOpportunities"] == 0.0


def relations(org: Org, contact: str) -> dict[str, bool]:
    soql = f"SELECT AccountId,IsDirect FROM AccountContactRelation WHERE ContactId='{contact}'"
    rows = org.call("GET", f"/query?q={soql}")["records"]
    return {row["AccountId"]: row["IsDirect"] for row in rows}


def test_a_contact_has_to_do_with_its_account_and_with_others(org: Org) -> None:
    acme, birch = org.make("Account", Name="Acme"), org.make("Account", Name="Birch")
    contact = org.make("Contact", LastName="Ash", AccountId=acme)
    assert relations(org, contact) == {acme: True}
    said = {"AccountId": birch, "ContactId": contact}
    made = org.make("AccountContactRelation", **said, Roles="Influencer;Evaluator")
    shown = org.show("AccountContactRelation", made)
    assert (shown["IsDirect"], shown["IsActive"]) == (False, True)
    assert shown["Roles"] == "Influencer;Evaluator"
    error = org.refused("POST", "/sobjects/AccountContactRelation", said)
    assert error["errorCode"] == "DUPLICATE_VALUE"
    change(org, "Contact", contact, AccountId=birch)
    assert relations(org, contact) == {acme: False, birch: True}
    change(org, "Contact", contact, AccountId=None)
    assert relations(org, contact) == {acme: False, birch: False}
    org.call("DELETE", f"/sobjects/Contact/{contact}", status=204)
    assert relations(org, contact) == {}
