"""Who may do what: profiles, permission sets, permissions of objects and fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.crm.domain.converting import Conversion, convert_lead
from clones.crm.errors import RecordError
from clones.crm.queries.access.viewing import user_mode
from clones.crm.queries.schema import org_schema
from tests.conftest import bind
from tests.crm.asking import ask, names
from tests.crm.conftest import ADA, BEN, Org


def profile_set(org: Org, name: str) -> str:
    """Return the id of the permission set in which a profile keeps what it lets its users do."""
    (found,) = ask(org, f"SELECT Id FROM PermissionSet WHERE Profile.Name = '{name}'")
    return str(found["Id"])


def object_row(org: Org, of: str, profile: str = "Standard User") -> str:
    """Return the id of the row that says what a profile lets its users do with an object."""
    (found,) = ask(
        org,
        "SELECT Id FROM ObjectPermissions WHERE SobjectType ="
        f" '{of}' AND Parent.Profile.Name = '{profile}'",
    )
    return str(found["Id"])


def close(org: Org, of: str, *what: str, profile: str = "Standard User") -> None:
    """Take permissions of an object from a profile."""
    said = {f"Permissions{one}": False for one in what}
    path = f"/sobjects/ObjectPermissions/{object_row(org, of, profile)}"
    org.call("PATCH", path, said, status=204)


def close_field(org: Org, field: str, *, read: bool = False, edit: bool = False) -> str:
    """Let those of Standard User read or change a field, or do neither."""
    return org.make(
        "FieldPermissions",
        ParentId=profile_set(org, "Standard User"),
        SobjectType=field.partition(".")[0],
        Field=field,
        PermissionsRead=read,
        PermissionsEdit=edit,
    )


def assign(org: Org, login: str, **values: Any) -> str:
    """Make a permission set, assign it, and return its id."""
    made = org.make("PermissionSet", Name="Extra", Label="Extra", **values)
    org.make("PermissionSetAssignment", PermissionSetId=made, AssigneeId=org.users[login])
    return made


def test_an_organization_has_the_profiles_of_the_product(org: Org) -> None:
    found = ask(org, "SELECT Name, PermissionsModifyAllData, PermissionsApiEnabled FROM Profile")
    assert {one["Name"]: one["PermissionsModifyAllData"] for one in found} == {
        "System Administrator": True,
        "Standard User": False,
        "Read Only": False,
        "Solution Manager": False,
        "Marketing User": False,
        "Contract Manager": False,
        "Minimum Access - Salesforce": False,
    }
    assert all(one["PermissionsApiEnabled"] for one in found)
    sets = ask(org, "SELECT Profile.Name, PermissionsModifyAllData FROM PermissionSet")
    assert {one["Profile"]["Name"] for one in sets if one["PermissionsModifyAllData"]} == {
        "System Administrator"
    }
    assert len(sets) == len(found)
    rows = ask(
        org,
        "SELECT PermissionsRead, PermissionsCreate FROM ObjectPermissions WHERE SobjectType ="
        " 'Product2' AND Parent.Profile.Name = 'Standard User'",
    )
    assert [(one["PermissionsRead"], one["PermissionsCreate"]) for one in rows] == [(True, False)]


def test_what_is_closed_to_read_is_not_there(org: Org) -> None:
    id = org.make("Lead", LastName="Ode", Company="Ode")
    assert names(org, "Lead", BEN) == ["Ode"]
    close(org, "Lead", "Delete", "Edit", "Create", "Read")
    refused = org.refused("GET", "/query?q=SELECT+Id+FROM+Lead", login=BEN)
    assert (refused["status"], refused["errorCode"]) == (400, "INVALID_TYPE")
    assert "sObject type 'Lead' is not supported" in refused["message"]
    for method, path in (
        ("GET", f"/sobjects/Lead/{id}"),
        ("DELETE", f"/sobjects/Lead/{id}"),
        ("GET", "/sobjects/Lead/describe"),
        ("GET", "/sobjects/Lead"),
    ):
        refused = org.refused(method, path, login=BEN)
        assert (refused["status"], refused["errorCode"]) == (404, "NOT_FOUND"), path
    listed = {one["name"] for one in org.call("GET", "/sobjects", login=BEN)["sobjects"]}
    assert "Account" in listed
    assert "Lead" not in listed
    described = org.call("GET", "/sobjects/Task/describe", login=BEN)
    (who,) = [one for one in described["fields"] if one["name"] == "WhoId"]
    assert who["referenceTo"] == ["Contact"]
    assert names(org, "Lead") == ["Ode"]


@pytest.mark.parametrize("profile", ["Read Only", "Standard User"])
def test_what_one_may_only_read_says_so(org: Org, profile: str) -> None:
    id = org.make("Account", Name="Acme")
    org.call(
        "PATCH",
        f"/sobjects/User/{org.users[BEN]}",
        {"ProfileId": profile_id(org, profile)},
        status=204,
    )
    if profile == "Standard User":
        close(org, "Account", "Delete", "Edit", "Create")
    shown = org.call("GET", "/sobjects/Account/describe", login=BEN)
    flags = ("createable", "updateable", "deletable", "queryable")
    assert [shown[one] for one in flags] == [False, False, False, True]
    assert org.call("GET", f"/sobjects/Account/{id}", login=BEN)["Name"] == "Acme"
    for method, body in (("PATCH", {"Name": "x"}), ("DELETE", None)):
        refused = org.refused(method, f"/sobjects/Account/{id}", body, login=BEN)
        assert (refused["status"], refused["errorCode"]) == (403, "INSUFFICIENT_ACCESS_OR_READONLY")
        assert refused["message"] == "insufficient access rights on object id"
    assert org.show("Account", id)["Name"] == "Acme"


def profile_id(org: Org, name: str) -> str:
    (found,) = ask(org, f"SELECT Id FROM Profile WHERE Name = '{name}'")
    return str(found["Id"])


def test_unverified_what_one_may_not_make_is_refused(org: Org) -> None:
    refused = org.refused("POST", "/sobjects/Product2", {"Name": "x"}, login=BEN)
    assert refused["errorCode"] == "CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY"
    assert refused["message"] == "entity type cannot be inserted: Product"
    assign(org, BEN)
    (extra,) = ask(org, "SELECT Id FROM PermissionSet WHERE Name = 'Extra'")
    org.make(
        "ObjectPermissions",
        ParentId=extra["Id"],
        SobjectType="Product2",
        PermissionsRead=True,
        PermissionsCreate=True,
    )
    org.call("POST", "/sobjects/Product2", {"Name": "x"}, status=201, login=BEN)


def test_a_field_that_is_closed_does_not_exist(org: Org) -> None:
    id = org.make("Account", Name="Acme", Phone="1", AnnualRevenue=5)
    row = close_field(org, "Account.Phone")
    query = "/query?q=SELECT+Phone+FROM+Account"
    refused = org.refused("GET", query, login=BEN)
    assert refused["errorCode"] == "INVALID_FIELD"
    assert "No such column 'Phone' on entity 'Account'" in refused["message"]
    shown = org.call("GET", f"/sobjects/Account/{id}", login=BEN)
    assert "Phone" not in shown
    assert shown["AnnualRevenue"] == 5
    described = org.call("GET", "/sobjects/Account/describe", login=BEN)
    assert "Phone" not in {one["name"] for one in described["fields"]}
    refused = org.refused("PATCH", f"/sobjects/Account/{id}", {"Phone": "2"}, login=BEN)
    assert (refused["errorCode"], refused["message"]) == (
        "INVALID_FIELD",
        "No such column 'Phone' on sobject of type Account",
    )
    found = org.call("GET", "/query?q=SELECT+FIELDS(ALL)+FROM+Account+LIMIT+1", login=BEN)
    assert "Phone" not in found["records"][0]
    org.call("PATCH", f"/sobjects/Account/{id}", {"Name": "Other"}, status=204, login=BEN)
    assert (org.show("Account", id)["Phone"], org.show("Account", id)["Name"]) == ("1", "Other")
    org.call("DELETE", f"/sobjects/FieldPermissions/{row}", status=204)
    assert org.call("GET", query, login=BEN)["records"][0]["Phone"] == "1"


def test_a_field_that_is_read_only_cannot_be_written(org: Org) -> None:
    id = org.make("Account", Name="Acme", Phone="1")
    close_field(org, "Account.Phone", read=True)
    refused = org.refused("PATCH", f"/sobjects/Account/{id}", {"Phone": "2"}, login=BEN)
    assert (refused["errorCode"], refused["fields"]) == (
        "INVALID_FIELD_FOR_INSERT_UPDATE",
        ["Phone"],
    )
    assert refused["message"].startswith("Unable to create/update fields: Phone.")
    refused = org.refused("POST", "/sobjects/Account", {"Name": "x", "Phone": "2"}, login=BEN)
    assert refused["errorCode"] == "INVALID_FIELD_FOR_INSERT_UPDATE"
    described = org.call("GET", "/sobjects/Account/describe", login=BEN)
    (phone,) = [one for one in described["fields"] if one["name"] == "Phone"]
    assert (phone["createable"], phone["updateable"]) == (False, False)
    assert org.show("Account", id)["Phone"] == "1"


def test_an_address_is_closed_with_its_parts(org: Org) -> None:
    org.make("Account", Name="Acme", BillingCity="Ulm", ShippingCity="Ulm")
    close_field(org, "Account.BillingAddress")
    described = org.call("GET", "/sobjects/Account/describe", login=BEN)
    shown = {one["name"] for one in described["fields"]}
    assert not {"BillingAddress", "BillingCity", "BillingStreet"} & shown
    assert "ShippingCity" in shown


def test_a_permission_set_opens_what_the_profile_closes(org: Org) -> None:
    org.make("Account", Name="Acme", Phone="1")
    close_field(org, "Account.Phone")
    close(org, "Account", "Delete", "Edit", "Create", "Read")
    extra = assign(org, BEN)
    org.make("ObjectPermissions", ParentId=extra, SobjectType="Account", PermissionsRead=True)
    assert org.refused("GET", "/query?q=SELECT+Phone+FROM+Account", login=BEN)["status"] == 400
    row = org.make(
        "FieldPermissions",
        ParentId=extra,
        SobjectType="Account",
        Field="Account.Phone",
        PermissionsRead=True,
    )
    assert ask(org, "SELECT Name, Phone FROM Account", BEN)[0]["Phone"] == "1"
    org.call("DELETE", f"/sobjects/FieldPermissions/{row}", status=204)
    assert org.refused("GET", "/query?q=SELECT+Phone+FROM+Account", login=BEN)["status"] == 400
    assert org.show("PermissionSet", extra)["IsOwnedByProfile"] is False


def test_a_group_of_permission_sets_opens_what_they_open(org: Org) -> None:
    made = org.make("PermissionSet", Name="Products", Label="Products")
    org.make(
        "ObjectPermissions",
        ParentId=made,
        SobjectType="Product2",
        PermissionsRead=True,
        PermissionsCreate=True,
    )
    group = org.make("PermissionSetGroup", DeveloperName="Sellers", MasterLabel="Sellers")
    part = org.make("PermissionSetGroupComponent", PermissionSetGroupId=group, PermissionSetId=made)
    org.make("PermissionSetAssignment", PermissionSetGroupId=group, AssigneeId=org.users[BEN])
    org.call("POST", "/sobjects/Product2", {"Name": "x"}, status=201, login=BEN)
    org.call("DELETE", f"/sobjects/PermissionSetGroupComponent/{part}", status=204)
    org.call("POST", "/sobjects/Product2", {"Name": "x"}, status=400, login=BEN)


def test_an_administrator_has_no_field_that_is_closed(org: Org) -> None:
    org.make("Account", Name="Acme", Phone="1")
    org.make(
        "FieldPermissions",
        ParentId=profile_set(org, "System Administrator"),
        SobjectType="Account",
        Field="Account.Phone",
    )
    assert org.refused("GET", "/query?q=SELECT+Phone+FROM+Account")["errorCode"] == "INVALID_FIELD"
    assert ask(org, "SELECT Phone FROM Account", BEN)[0]["Phone"] == "1"


def test_settings_are_changed_by_those_who_may(org: Org) -> None:
    extra = org.make("PermissionSet", Name="Extra", Label="Extra")
    tries: Iterable[tuple[str, dict[str, Any]]] = (
        ("PermissionSetAssignment", {"PermissionSetId": extra, "AssigneeId": org.users[BEN]}),
        ("UserRole", {"Name": "Head"}),
        ("Group", {"Name": "Us", "DeveloperName": "Us"}),
        ("ObjectPermissions", {"ParentId": extra, "SobjectType": "Lead", "PermissionsRead": True}),
    )
    for of, said in tries:
        refused = org.refused("POST", f"/sobjects/{of}", said, login=BEN)
        assert refused["errorCode"] == "CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY", of
        assert org.make(of, **said)


def test_everybody_changes_some_things_of_oneself(org: Org) -> None:
    own = f"/sobjects/User/{org.users[BEN]}"
    org.call("PATCH", own, {"Title": "Boss"}, status=204, login=BEN)
    for path, said in (
        (own, {"ProfileId": profile_id(org, "System Administrator")}),
        (own, {"IsActive": False}),
        (f"/sobjects/User/{org.users[ADA]}", {"Title": "Boss"}),
    ):
        refused = org.refused("PATCH", path, said, login=BEN)
        assert refused["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY", said
    assert org.show("User", org.users[BEN])["Title"] == "Boss"
    assert org.show("User", org.users[ADA])["Title"] is None


def test_a_user_without_the_api_is_turned_away(org: Org) -> None:
    org.call(
        "PATCH",
        f"/sobjects/PermissionSet/{profile_set(org, 'Standard User')}",
        {"PermissionsApiEnabled": False},
        status=204,
    )
    refused = org.refused("GET", "/sobjects", login=BEN)
    assert (refused["status"], refused["errorCode"]) == (403, "API_DISABLED_FOR_ORG")
    assert refused["message"] == "The REST API is not enabled for this Organization."
    org.call("GET", "/sobjects")


def test_one_without_permission_to_convert_leads_does_not(org: Org) -> None:
    id = org.make("Lead", LastName="Ode", Company="Ode")
    wanted = Conversion(id, "Closed - Converted")

    def convert() -> None:
        with (
            bind(org.row),
            unit_of_work("write"),
            act(actor="test", label="test"),
            user_mode(org.users[BEN]),
        ):
            convert_lead(org_schema(), wanted, actor=org.users[BEN])

    def let(*, convert: bool) -> None:
        path = f"/sobjects/PermissionSet/{profile_set(org, 'Standard User')}"
        org.call("PATCH", path, {"PermissionsConvertLeads": convert}, status=204)

    let(convert=False)
    with pytest.raises(RecordError) as caught:
        convert()
    assert caught.value.code == "INSUFFICIENT_ACCESS_OR_READONLY"
    assert org.show("Lead", id)["IsConverted"] is False
    let(convert=True)
    close_field(org, "Contact.Phone")
    convert()
    assert org.show("Lead", id)["IsConverted"] is True


def test_what_is_taken_from_a_profile_is_closed(org: Org) -> None:
    org.make("Lead", LastName="Moss", Company="Moss")
    row = object_row(org, "Lead")
    org.call("GET", "/sobjects/Lead/describe", login=BEN)
    org.call("DELETE", f"/sobjects/ObjectPermissions/{row}", status=204)
    body = {"LastName": "Ash", "Company": "Ash"}
    for method, path, said in (
        ("GET", "/sobjects/Lead/describe", None),
        ("POST", "/sobjects/Lead", body),
        ("GET", "/query?q=SELECT+Id+FROM+Lead", None),
    ):
        refused = org.refused(method, path, said, login=BEN)
        assert refused["status"] in (400, 404), refused
    # A permission set opens just what it says, and nothing of what the profile had.
    made = assign(org, BEN)
    org.make("ObjectPermissions", ParentId=made, SobjectType="Lead", PermissionsRead=True)
    org.call("GET", "/sobjects/Lead/describe", login=BEN)
    org.refused("POST", "/sobjects/Lead", body, login=BEN)


def test_a_permission_set_has_a_name_of_its_own(org: Org) -> None:
    made = org.make("PermissionSet", Name="F1", Label="F1")
    refused = org.refused("POST", "/sobjects/PermissionSet", {"Name": "f1", "Label": "F1"})
    assert (refused["errorCode"], refused["fields"]) == ("DUPLICATE_DEVELOPER_NAME", ["Name"])
    org.call("PATCH", f"/sobjects/PermissionSet/{made}", {"Name": "f1"}, status=204)


@pytest.mark.parametrize("name", ["has space", "1a", "a__b", "a_", "ä"])
def test_unverified_a_permission_set_has_a_plain_name(org: Org, name: str) -> None:
    refused = org.refused("POST", "/sobjects/PermissionSet", {"Name": name, "Label": "F1"})
    assert (refused["status"], refused["fields"]) == (400, ["Name"])
