"""Whose records are whose: defaults, owners, roles, groups, queues, shares, rules, teams."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.crm.domain.access.sharing import define_sharing_rule, set_sharing_default
from clones.crm.errors import RecordError
from tests.conftest import bind
from tests.crm.asking import ask, names
from tests.crm.conftest import ADA, BEN, Org


def close(org: Org, *objects: str, model: str = "Private", actor: str = ADA) -> None:
    """Say that records of some objects are open to nobody but their owners."""
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        for of in objects:
            set_sharing_default(of, model, actor=org.users[actor])


def rule(org: Org, of: str, **values: Any) -> None:
    """Define a sharing rule."""
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        define_sharing_rule(of, "Some", actor=org.users[ADA], **values)


def group_of(org: Org, *members: str, **values: Any) -> str:
    """Make a group of members, by their ids."""
    made = org.make("Group", Name="Some", DeveloperName="Some", **values)
    for one in members:
        org.make("GroupMember", GroupId=made, UserOrGroupId=one)
    return made


def role_of(org: Org, login: str, name: str, above: str | None = None) -> str:
    """Give somebody a new role below another one, and return its id."""
    role = org.make("UserRole", Name=name, DeveloperName=name, ParentRoleId=above)
    path = f"/sobjects/User/{org.users[login]}"
    org.call("PATCH", path, {"UserRoleId": role}, status=204)
    return role


def test_by_default_everybody_changes_what_others_have(org: Org) -> None:
    id = org.make("Account", Name="Acme")
    org.call("PATCH", f"/sobjects/Account/{id}", {"Phone": "1"}, status=204, login=BEN)
    (shown,) = ask(org, "SELECT DefaultAccountAccess, DefaultContactAccess FROM Organization")
    assert (shown["DefaultAccountAccess"], shown["DefaultContactAccess"]) == (
        "Edit",
        "ControlledByParent",
    )
    close(org, "Account")
    (shown,) = ask(org, "SELECT DefaultAccountAccess FROM Organization")
    assert shown["DefaultAccountAccess"] == "None"


def test_a_record_that_one_does_not_see_is_not_there(org: Org) -> None:
    close(org, "Account", "Opportunity")
    id = org.make("Account", Name="Acme", Phone="555 0100")
    own = org.call("POST", "/sobjects/Account", {"Name": "Own"}, status=201, login=BEN)["id"]
    assert names(org, "Account", BEN) == ["Own"]
    assert names(org, "Account") == ["Acme", "Own"]
    for method, body in (("GET", None), ("PATCH", {"Phone": "1"}), ("DELETE", None)):
        refused = org.refused(method, f"/sobjects/Account/{id}", body, login=BEN)
        assert (refused["status"], refused["errorCode"]) == (404, "NOT_FOUND"), method
        assert refused["message"] == "The requested resource does not exist"
    assert org.show("Account", id)["Phone"] == "555 0100"
    shown = org.call("GET", f"/composite/sobjects/Account?ids={id},{own}&fields=Name", login=BEN)
    assert [one and one["Name"] for one in shown] == [None, "Own"]
    (gone,) = org.call("DELETE", f"/composite/sobjects?ids={id}", login=BEN)
    assert gone["success"] is False
    found = org.call("GET", "/search?q=FIND+{Acme}+RETURNING+Account(Name)", login=BEN)
    assert found["searchRecords"] == []
    found = org.call("GET", "/search?q=FIND+{Acme}+RETURNING+Account(Name)")
    assert len(found["searchRecords"]) == 1
    (count,) = ask(org, "SELECT COUNT(Id) n FROM Account", BEN)
    assert count["n"] == 1
    assert org.call("GET", "/query?q=SELECT+COUNT()+FROM+Account", login=BEN)["totalSize"] == 1


def test_inner_queries_find_what_one_sees(org: Org) -> None:
    close(org, "Opportunity")
    id = org.make("Account", Name="Acme")
    deal = {"StageName": "Prospecting", "CloseDate": "2026-01-01", "AccountId": id}
    org.make("Opportunity", Name="Hers", **deal)
    query = "SELECT Name, (SELECT Name FROM Opportunities) FROM Account"
    inner = "SELECT Name FROM Account WHERE Id IN (SELECT AccountId FROM Opportunity)"
    assert ask(org, query, BEN)[0]["Opportunities"] is None
    assert ask(org, inner, BEN) == []
    org.call("POST", "/sobjects/Opportunity", {"Name": "His", **deal}, status=201, login=BEN)
    shown = ask(org, query, BEN)[0]["Opportunities"]["records"]
    assert [one["Name"] for one in shown] == ["His"]
    assert len(ask(org, inner, BEN)) == 1
    assert ask(org, query)[0]["Opportunities"]["totalSize"] == 2
    children = org.call("GET", f"/sobjects/Account/{id}/Opportunities", login=BEN)
    assert children["totalSize"] == 1


def test_what_one_sees_is_not_always_changed(org: Org) -> None:
    close(org, "Account", model="Read")
    id = org.make("Account", Name="Acme")
    assert org.call("GET", f"/sobjects/Account/{id}", login=BEN)["Name"] == "Acme"
    for method, body in (("PATCH", {"Phone": "1"}), ("DELETE", None)):
        refused = org.refused(method, f"/sobjects/Account/{id}", body, login=BEN)
        assert refused["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"
    close(org, "Account", model="ReadWrite")
    org.call("PATCH", f"/sobjects/Account/{id}", {"Phone": "1"}, status=204, login=BEN)
    refused = org.refused("DELETE", f"/sobjects/Account/{id}", login=BEN)
    assert refused["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"
    refused = org.refused(
        "PATCH", f"/sobjects/Account/{id}", {"OwnerId": org.users[BEN]}, login=BEN
    )
    assert refused["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"
    org.call("PATCH", f"/sobjects/Account/{id}", {"OwnerId": org.users[BEN]}, status=204)
    org.call("DELETE", f"/sobjects/Account/{id}", status=204, login=BEN)


def test_cases_are_given_on_where_everybody_may(org: Org) -> None:
    id = org.make("Case", Subject="x")
    path, given = f"/sobjects/Case/{id}", {"OwnerId": org.users[BEN]}
    close(org, "Case", model="ReadWrite")
    assert org.refused("PATCH", path, given, login=BEN)["status"] == 403
    close(org, "Case", model="ReadWriteTransfer")
    org.call("PATCH", path, given, status=204, login=BEN)
    assert org.show("Case", id)["OwnerId"] == org.users[BEN]


def test_superiors_see_what_those_below_have(org: Org) -> None:
    close(org, "Account", "Opportunity")
    org.call("PATCH", f"/sobjects/User/{org.users[ADA]}", {"IsActive": True}, status=204)
    id = org.make("Account", Name="Acme")
    head = role_of(org, BEN, "Head")
    assert names(org, "Account", BEN) == []
    below = role_of(org, ADA, "Seller", head)
    assert names(org, "Account", BEN) == ["Acme"]
    org.call("DELETE", f"/sobjects/Account/{id}", status=204, login=BEN)
    org.make("Account", Name="Other")
    org.call("PATCH", f"/sobjects/UserRole/{below}", {"ParentRoleId": None}, status=204)
    assert names(org, "Account", BEN) == []


def test_a_role_has_groups_that_stand_for_it(org: Org) -> None:
    close(org, "Lead")
    org.make("Lead", LastName="Ode", Company="Ode")
    head = role_of(org, ADA, "Head")
    seller = role_of(org, BEN, "Seller", head)
    found = ask(org, f"SELECT Id, Type FROM Group WHERE RelatedId = '{head}'")
    groups = {one["Type"]: one["Id"] for one in found}
    assert groups.keys() == {"Role", "RoleAndSubordinates"}
    assert names(org, "Lead", BEN) == []
    own = ask(org, f"SELECT Id FROM Group WHERE RelatedId = '{seller}' AND Type = 'Role'")
    rule(org, "Lead", source=groups["Role"], target=own[0]["Id"], level="Read")
    assert names(org, "Lead", BEN) == ["Ode"]


def test_a_record_is_shared_by_hand(org: Org) -> None:
    close(org, "Account", "Opportunity", "Case")
    id = org.make("Account", Name="Acme")
    said = {"AccountId": id, "UserOrGroupId": org.users[BEN], "AccountAccessLevel": "Read"}
    row = org.make("AccountShare", **said)
    shown = org.show("AccountShare", row)
    assert (shown["RowCause"], shown["OpportunityAccessLevel"]) == ("Manual", "None")
    path = f"/sobjects/Account/{id}"
    assert org.call("GET", path, login=BEN)["Name"] == "Acme"
    assert org.refused("PATCH", path, {"Phone": "1"}, login=BEN)["status"] == 403
    org.call("PATCH", f"/sobjects/AccountShare/{row}", {"AccountAccessLevel": "Edit"}, status=204)
    org.call("PATCH", path, {"Phone": "1"}, status=204, login=BEN)
    refused = org.refused("DELETE", f"/sobjects/AccountShare/{row}", login=BEN)
    assert refused["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"
    org.call("DELETE", f"/sobjects/AccountShare/{row}", status=204)
    assert names(org, "Account", BEN) == []


def test_shares_by_hand_go_with_the_owner(org: Org) -> None:
    close(org, "Lead")
    id = org.make("Lead", LastName="Ode", Company="Ode")
    everybody = ask(org, "SELECT Id FROM Group WHERE Type = 'Organization'")[0]["Id"]
    org.make("LeadShare", LeadId=id, UserOrGroupId=everybody, LeadAccessLevel="Read")
    assert names(org, "Lead", BEN) == ["Ode"]
    queue = group_of(org, Type="Queue")
    org.make("QueueSobject", QueueId=queue, SobjectType="Lead")
    org.call("PATCH", f"/sobjects/Lead/{id}", {"OwnerId": queue}, status=204)
    assert names(org, "Lead", BEN) == []
    assert ask(org, "SELECT Id FROM LeadShare") == []
    org.make("GroupMember", GroupId=queue, UserOrGroupId=org.users[BEN])
    assert names(org, "Lead", BEN) == ["Ode"]
    org.call("PATCH", f"/sobjects/Lead/{id}", {"OwnerId": org.users[BEN]}, status=204, login=BEN)
    assert org.show("Lead", id)["OwnerId"] == org.users[BEN]


@pytest.mark.parametrize(
    ("level", "cause", "field"),
    [
        ("All", None, "LeadAccessLevel"),
        ("Read", "Rule", "RowCause"),
        ("Read", None, "LeadAccessLevel"),
    ],
)
def test_unverified_shares_that_open_nothing_are_refused(
    org: Org, level: str, cause: str | None, field: str
) -> None:
    id = org.make("Lead", LastName="Ode", Company="Ode")
    said = {"LeadId": id, "UserOrGroupId": org.users[BEN], "LeadAccessLevel": level}
    refused = org.refused("POST", "/sobjects/LeadShare", {**said, "RowCause": cause})
    assert (refused["errorCode"], refused["fields"]) == ("FIELD_INTEGRITY_EXCEPTION", [field])


def test_rules_open_records_by_what_they_say(org: Org) -> None:
    close(org, "Lead")
    for name, source in (("Web", "Web"), ("Other", "Other")):
        org.make("Lead", LastName=name, Company="x", LeadSource=source)
    target = group_of(org, org.users[BEN])
    rule(org, "Lead", criteria="LeadSource = 'Web'", target=target, level="Edit")
    assert names(org, "Lead", BEN) == ["Web"]
    (id,) = [one["Id"] for one in ask(org, "SELECT Id FROM Lead WHERE LastName = 'Web'")]
    org.call("PATCH", f"/sobjects/Lead/{id}", {"LeadSource": "Web"}, status=204, login=BEN)
    org.call("PATCH", f"/sobjects/Lead/{id}", {"LeadSource": "Other"}, status=204)
    assert names(org, "Lead", BEN) == []


def test_rules_are_defined_by_those_who_may_and_read(org: Org) -> None:
    everybody = ask(org, "SELECT Id FROM Group WHERE Type = 'Organization'")[0]["Id"]
    for more in (
        {"criteria": "Nope = 'x'"},
        {"criteria": "LeadSource = "},
        {},
        {"source": everybody, "criteria": "LeadSource = 'x'"},
        {"source": org.users[BEN]},
    ):
        with pytest.raises(RecordError):
            rule(org, "Lead", target=everybody, level="Read", **more)
    with pytest.raises(RecordError) as caught:
        close(org, "Lead", actor=BEN)
    assert caught.value.code == "INSUFFICIENT_ACCESS_OR_READONLY"
    with pytest.raises(RecordError):
        close(org, "Lead", model="FullAccess")


def test_contacts_go_with_their_accounts(org: Org) -> None:
    close(org, "Account", "Opportunity", "Case")
    id = org.make("Account", Name="Acme")
    org.make("Contact", LastName="Ode", AccountId=id)
    org.make("Contact", LastName="Lone")
    assert names(org, "Contact", BEN) == []
    said = {"AccountId": id, "UserOrGroupId": org.users[BEN], "AccountAccessLevel": "Edit"}
    org.make("AccountShare", **said)
    assert names(org, "Contact", BEN) == ["Ode"]
    (one,) = ask(org, "SELECT Id FROM Contact WHERE LastName = 'Ode'")
    org.call("PATCH", f"/sobjects/Contact/{one['Id']}", {"Phone": "1"}, status=204, login=BEN)


def test_accounts_are_read_by_whoever_has_a_deal_of_theirs(org: Org) -> None:
    close(org, "Account", "Opportunity")
    id = org.make("Account", Name="Acme")
    deal = {"Name": "x", "StageName": "Prospecting", "CloseDate": "2026-01-01", "AccountId": id}
    refused = org.refused("POST", "/sobjects/Opportunity", deal, login=BEN)
    assert (refused["errorCode"], refused["message"]) == (
        "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY",
        f"insufficient access rights on cross-reference id: {id[:15]}",
    )
    org.make("Opportunity", OwnerId=org.users[BEN], **deal)
    assert names(org, "Account", BEN) == ["Acme"]
    refused = org.refused("PATCH", f"/sobjects/Account/{id}", {"Phone": "1"}, login=BEN)
    assert refused["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"


def test_details_are_written_by_whoever_may_change_what_they_are_of(org: Org) -> None:
    close(org, "Case", model="Read")
    id = org.make("Case", Subject="x")
    org.make("CaseComment", ParentId=id, CommentBody="Hello")
    assert len(ask(org, "SELECT Id FROM CaseComment", BEN)) == 1
    comment = {"ParentId": id, "CommentBody": "Hi"}
    refused = org.refused("POST", "/sobjects/CaseComment", comment, login=BEN)
    assert refused["errorCode"] == "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY"
    close(org, "Case")
    assert ask(org, "SELECT Id FROM CaseComment", BEN) == []
    close(org, "Case", model="ReadWrite")
    org.call("POST", "/sobjects/CaseComment", comment, status=201, login=BEN)


def test_activities_are_read_with_what_they_are_about(org: Org) -> None:
    close(org, "Account", "Opportunity")
    id = org.make("Account", Name="Acme")
    org.make("Task", Subject="Of Acme", WhatId=id)
    org.make("Task", Subject="Of nothing")
    query = "SELECT Subject FROM Task ORDER BY Subject"
    assert ask(org, query, BEN) == []
    close(org, "Account", model="Read")
    (found,) = ask(org, query, BEN)
    assert found["Subject"] == "Of Acme"
    assert len(ask(org, query)) == 2


def test_members_of_a_team_see_a_case(org: Org) -> None:
    close(org, "Case")
    id = org.make("Case", Subject="x")
    role = org.make("CaseTeamRole", Name="Reader", AccessLevel="Read")
    member = {"ParentId": id, "MemberId": org.users[BEN], "TeamRoleId": role}
    assert ask(org, "SELECT Id FROM Case", BEN) == []
    org.make("CaseTeamMember", **member)
    assert len(ask(org, "SELECT Id FROM Case", BEN)) == 1
    refused = org.refused("PATCH", f"/sobjects/Case/{id}", {"Subject": "y"}, login=BEN)
    assert refused["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"
    org.call("PATCH", f"/sobjects/CaseTeamRole/{role}", {"AccessLevel": "Edit"}, status=204)
    org.call("PATCH", f"/sobjects/Case/{id}", {"Subject": "y"}, status=204, login=BEN)


def test_unverified_who_gets_a_record_may_read_it(org: Org) -> None:
    (row,) = ask(
        org,
        "SELECT Id FROM ObjectPermissions WHERE SobjectType = 'Lead' AND"
        " Parent.Profile.Name = 'Standard User'",
    )
    org.call("DELETE", f"/sobjects/ObjectPermissions/{row['Id']}", status=204)
    org.call(
        "POST",
        "/sobjects/ObjectPermissions",
        {
            "ParentId": ask(
                org, "SELECT Id FROM PermissionSet WHERE Profile.Name = 'Standard User'"
            )[0]["Id"],
            "SobjectType": "Lead",
        },
        status=201,
    )
    id = org.make("Lead", LastName="Ode", Company="Ode")
    said = {"OwnerId": org.users[BEN]}
    refused = org.refused("PATCH", f"/sobjects/Lead/{id}", said)
    assert (refused["errorCode"], refused["fields"]) == ("TRANSFER_REQUIRES_READ", ["OwnerId"])


def test_what_all_may_see_is_seen_by_permission(org: Org) -> None:
    close(org, "Lead")
    id = org.make("Lead", LastName="Ode", Company="Ode")
    extra = org.make("PermissionSet", Name="Extra", Label="Extra")
    org.make("PermissionSetAssignment", PermissionSetId=extra, AssigneeId=org.users[BEN])
    assert names(org, "Lead", BEN) == []
    row = org.make(
        "ObjectPermissions",
        ParentId=extra,
        SobjectType="Lead",
        PermissionsRead=True,
        PermissionsViewAllRecords=True,
    )
    assert names(org, "Lead", BEN) == ["Ode"]
    path = f"/sobjects/Lead/{id}"
    assert org.refused("PATCH", path, {"Company": "x"}, login=BEN)["status"] == 403
    more = {f"Permissions{one}": True for one in ("Edit", "Delete", "ModifyAllRecords")}
    org.call("PATCH", f"/sobjects/ObjectPermissions/{row}", more, status=204)
    org.call("PATCH", path, {"Company": "x"}, status=204, login=BEN)
    org.call("DELETE", path, status=204, login=BEN)


def test_what_is_deleted_is_told_to_those_who_saw_it(org: Org) -> None:
    close(org, "Lead")
    id = org.make("Lead", LastName="Ode", Company="Ode")
    org.call("DELETE", f"/sobjects/Lead/{id}", status=204)
    query = "/queryAll?q=SELECT+Id+FROM+Lead"
    assert org.call("GET", query)["totalSize"] == 1
    assert org.call("GET", query, login=BEN)["totalSize"] == 0


def test_a_detail_of_a_custom_object_goes_with_its_master(org: Org) -> None:
    from clones.crm.domain.customizing import define_field, define_object  # noqa: PLC0415 - see conftest

    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        define_object("Master", "Master", "Masters", actor=org.users[ADA])
        define_object("Detail", "Detail", "Details", actor=org.users[ADA])
        define_field("Detail__c", "Of", "MasterDetail", "Of", actor=org.users[ADA], to="Master__c")
    master = org.make("Master__c", Name="m")
    org.make("Detail__c", Name="d", Of__c=master)
    assert names(org, "Detail__c", BEN) == ["d"]
    close(org, "Master__c")
    assert names(org, "Master__c", BEN) == []
    assert names(org, "Detail__c", BEN) == []
    assert names(org, "Detail__c") == ["d"]
    org.call("PATCH", f"/sobjects/Master__c/{master}", {"OwnerId": org.users[BEN]}, status=204)
    assert names(org, "Detail__c", BEN) == ["d"]


def test_how_far_records_are_open_is_asked(org: Org) -> None:
    close(org, "Account", "Lead")
    id, lead = org.make("Account", Name="Acme"), org.make("Lead", LastName="Ode", Company="x")
    org.make("AccountShare", AccountId=id, UserOrGroupId=org.users[BEN], AccountAccessLevel="Edit")
    own = org.call(
        "POST", "/sobjects/Lead", {"LastName": "O", "Company": "x"}, status=201, login=BEN
    )

    def asked(login: str) -> dict[str, tuple[str, bool, bool, bool]]:
        ids = ", ".join(f"'{one}'" for one in (id, lead, own["id"]))
        found = ask(
            org,
            "SELECT RecordId, MaxAccessLevel, HasReadAccess, HasEditAccess, HasAllAccess FROM"
            f" UserRecordAccess WHERE UserId = '{org.users[login]}' AND RecordId IN ({ids})",
        )
        return {
            one["RecordId"]: (
                one["MaxAccessLevel"],
                one["HasReadAccess"],
                one["HasEditAccess"],
                one["HasAllAccess"],
            )
            for one in found
        }

    assert asked(BEN) == {
        id: ("Edit", True, True, False),
        lead: ("None", False, False, False),
        own["id"]: ("All", True, True, True),
    }
    assert set(asked(ADA).values()) == {("All", True, True, True)}
    query = f"SELECT RecordId FROM UserRecordAccess WHERE UserId = '{org.users[BEN]}'"
    reading = f"{query} AND HasReadAccess = TRUE AND RecordId IN ('{id}', '{lead}')"
    assert [one["RecordId"] for one in ask(org, reading)] == [id]
    path = f"/query?q={query.replace(' ', '+')}"
    assert org.refused("GET", path)["errorCode"] == "MALFORMED_QUERY"
