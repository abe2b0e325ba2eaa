"""Record types: defined, opened to profiles, chosen by records, and what their picklists offer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.asking import ask
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.metadata.test_metadata import call, written
from tests.crm.test_soap import elements

MASTER = "012000000000000AAA"


def record_type(org: Org, name: str, **metadata: Any) -> str:
    """Make a record type by the tooling resources, and return its id."""
    body = {"FullName": name, "Metadata": {"label": name.partition(".")[2], **metadata}}
    made = org.call("POST", "/tooling/sobjects/RecordType", body, status=201)
    return str(made["id"])


def opened(org: Org, name: str, *, default: bool = False, profile: str = "Standard") -> None:
    """Open a record type to those of a profile."""
    shown = {"recordType": name, "visible": "true", "default": str(default).lower()}
    body = written("Profile", fullName=profile, recordTypeVisibilities=[shown])
    (saved,) = call(org, "updateMetadata", body)["result"]
    assert saved["success"] == ["true"], saved


def region(org: Org, of: str = "Account") -> None:
    """Give an object a restricted picklist."""
    values = [{"fullName": one, "label": one} for one in ("North", "South", "West")]
    choices = {"restricted": True, "valueSetDefinition": {"value": values}}
    metadata = {"type": "Picklist", "label": "Region", "valueSet": choices}
    body = {"FullName": f"{of}.Region__c", "Metadata": metadata}
    org.call("POST", "/tooling/sobjects/CustomField", body, status=201)


def types(org: Org, of: str = "Account", login: str = ADA) -> dict[str, dict[str, Any]]:
    """Return the record types that describe shows to somebody, by name."""
    infos = org.call("GET", f"/sobjects/{of}/describe", login=login)["recordTypeInfos"]
    return {one["name"]: one for one in infos}


def test_a_record_type_is_a_record_and_names_records(org: Org) -> None:
    made = record_type(org, "Contact.Partner", description="Those who sell for us")
    opened(org, "Contact.Partner", profile="Admin")
    (row,) = ask(org, "SELECT Name, DeveloperName, SobjectType, IsActive FROM RecordType")
    assert row["DeveloperName"] == row["Name"] == "Partner"
    assert (row["SobjectType"], row["IsActive"]) == ("Contact", True)
    fields = {one["name"]: one for one in org.call("GET", "/sobjects/Contact/describe")["fields"]}
    assert fields["RecordTypeId"]["custom"] is False
    assert fields["RecordTypeId"]["referenceTo"] == ["RecordType"]
    id = org.make("Contact", LastName="Ash", RecordTypeId=made)
    org.make("Contact", LastName="Oak")
    assert org.show("Contact", id)["RecordTypeId"] == made
    query = "SELECT LastName FROM Contact WHERE RecordType.DeveloperName = 'Partner'"
    assert [one["LastName"] for one in ask(org, query)] == ["Ash"]
    org.call("PATCH", f"/sobjects/Contact/{id}", {"RecordTypeId": MASTER}, status=204)
    assert org.show("Contact", id)["RecordTypeId"] is None
    listed = org.call("GET", "/tooling/query?q=SELECT+Id+FROM+CustomField")
    assert listed["records"] == []


def test_an_object_without_record_types_has_the_one_of_all(org: Org) -> None:
    assert list(types(org)) == ["Master"]
    assert types(org)["Master"]["defaultRecordTypeMapping"] is True
    names = [one["name"] for one in org.call("GET", "/sobjects/Contact/describe")["fields"]]
    assert "RecordTypeId" not in names


def test_the_default_of_the_profile_is_filled_in(org: Org) -> None:
    made = record_type(org, "Account.Partner")
    opened(org, "Account.Partner", default=True)
    by_ben = org.call("POST", "/sobjects/Account", {"Name": "Ash"}, status=201, login=BEN)["id"]
    assert org.show("Account", by_ben)["RecordTypeId"] == made
    assert org.show("Account", org.make("Account", Name="Oak"))["RecordTypeId"] is None
    said = {"Name": "Elm", "RecordTypeId": MASTER}
    of_all = org.call("POST", "/sobjects/Account", said, status=201, login=BEN)["id"]
    assert org.show("Account", of_all)["RecordTypeId"] is None


def test_the_last_default_of_a_profile_is_the_only_one(org: Org) -> None:
    for name in ("Account.One", "Account.Two"):
        record_type(org, name)
        opened(org, name, default=True)
    found = types(org, login=BEN)
    assert [one["name"] for one in found.values() if one["defaultRecordTypeMapping"]] == ["Two"]
    assert [found[name]["available"] for name in ("One", "Two", "Master")] == [True, True, True]


def test_describe_shows_what_is_open_to_the_user(org: Org) -> None:
    made = record_type(org, "Account.Partner")
    opened(org, "Account.Partner", default=True)
    for login, is_open in ((BEN, True), (ADA, False)):
        found = types(org, login=login)
        assert list(found) == ["Partner", "Master"]
        assert found["Partner"]["available"] is is_open
        assert found["Partner"]["defaultRecordTypeMapping"] is is_open
        assert found["Master"]["defaultRecordTypeMapping"] is not is_open
        assert found["Partner"]["recordTypeId"] == made
        assert found["Partner"]["developerName"] == "Partner"


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_type_that_is_not_open_is_refused(org: Org, method: str) -> None:
    made = record_type(org, "Account.Partner")
    path = "/sobjects/Account" if method == "POST" else f"/sobjects/Account/{_account(org)}"
    said = {"RecordTypeId": made} | ({"Name": "Ash"} if method == "POST" else {})
    error = org.refused(method, path, said)
    assert error == {
        "status": 400,
        "message": f"Record Type ID: this ID value isn't valid for the user: {made}",
        "errorCode": "INVALID_CROSS_REFERENCE_KEY",
        "fields": ["RecordTypeId"],
    }
    opened(org, "Account.Partner", profile="Admin")
    assert org.ask(method, path, said).status in (201, 204)


def _account(org: Org) -> str:
    return org.make("Account", Name="Ash")


def test_a_type_of_another_object_is_refused(org: Org) -> None:
    record_type(org, "Account.Own")
    other = record_type(org, "Contact.Partner")
    opened(org, "Contact.Partner", profile="Admin")
    error = org.refused("POST", "/sobjects/Account", {"Name": "Ash", "RecordTypeId": other})
    assert error["errorCode"] == "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY"
    error = org.refused("POST", "/sobjects/Account", {"Name": "A", "RecordTypeId": _account(org)})
    assert error["errorCode"] == "MALFORMED_ID"


def test_unverified_a_type_that_is_not_active_is_refused(org: Org) -> None:
    made = record_type(org, "Account.Partner", active=False)
    opened(org, "Account.Partner", default=True, profile="Admin")
    error = org.refused("POST", "/sobjects/Account", {"Name": "Ash", "RecordTypeId": made})
    assert error["errorCode"] == "INVALID_CROSS_REFERENCE_KEY"
    assert org.show("Account", org.make("Account", Name="Oak"))["RecordTypeId"] is None


def test_a_restricted_picklist_takes_what_the_type_offers(org: Org) -> None:
    region(org)
    values = [{"fullName": "North", "default": True}, {"fullName": "South"}]
    made = record_type(
        org, "Account.Partner", picklistValues=[{"picklist": "Region__c", "values": values}]
    )
    opened(org, "Account.Partner", profile="Admin")
    said = {"Name": "Ash", "RecordTypeId": made, "Region__c": "West"}
    error = org.refused("POST", "/sobjects/Account", said)
    assert error["errorCode"] == "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"
    assert error["message"] == "Region: bad value for restricted picklist field: West"
    assert error["fields"] == ["Region__c"]
    id = org.make("Account", **{**said, "Region__c": "South"})
    error = org.refused("PATCH", f"/sobjects/Account/{id}", {"Region__c": "West"})
    assert error["errorCode"] == "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"
    org.make("Account", Name="Oak", Region__c="West")
    picked = org.call("GET", f"/ui-api/object-info/Account/picklist-values/{made}/Region__c")
    assert [one["value"] for one in picked["values"]] == ["North", "South"]
    assert picked["defaultValue"]["value"] == "North"
    everything = org.call("GET", f"/ui-api/object-info/Account/picklist-values/{MASTER}/Region__c")
    assert len(everything["values"]) == 3


def test_unverified_a_new_record_begins_with_the_defaults_of_its_type(org: Org) -> None:
    region(org)
    values = [{"fullName": "South", "default": True}]
    record_type(
        org, "Account.Partner", picklistValues=[{"picklist": "Region__c", "values": values}]
    )
    opened(org, "Account.Partner", default=True, profile="Admin")
    assert org.show("Account", org.make("Account", Name="Ash"))["Region__c"] == "South"
    defaults = org.call("GET", "/ui-api/record-defaults/create/Account")["record"]
    assert defaults["recordTypeInfo"]["name"] == "Partner"


def test_a_sales_process_chooses_the_stages_of_a_type(org: Org) -> None:
    error = org.refused(
        "POST",
        "/tooling/sobjects/RecordType",
        {"FullName": "Opportunity.Web", "Metadata": {"label": "Web"}},
    )
    assert error["errorCode"] == "REQUIRED_FIELD_MISSING"
    stages = [{"fullName": "Prospecting", "default": "false"}, {"fullName": "Closed Won"}]
    process = written("BusinessProcess", fullName="Opportunity.Web", isActive="true", values=stages)
    kind = written(
        "RecordType",
        fullName="Opportunity.Online",
        active="true",
        businessProcess="Web",
        label="Online",
    )
    saved = call(org, "createMetadata", process, kind)["result"]
    assert [one["success"] for one in saved] == [["true"], ["true"]], saved
    opened(org, "Opportunity.Online", default=True, profile="Admin")
    (row,) = ask(org, "SELECT Id, BusinessProcessId FROM RecordType")
    (found,) = ask(org, "SELECT Id, Name, TableEnumOrId, IsActive FROM BusinessProcess")
    assert row["BusinessProcessId"] == found["Id"]
    assert (found["Name"], found["TableEnumOrId"], found["IsActive"]) == (
        "Web",
        "Opportunity",
        True,
    )
    picked = org.call("GET", f"/ui-api/object-info/Opportunity/picklist-values/{row['Id']}")
    shown = picked["picklistFieldValues"]["StageName"]["values"]
    assert [one["value"] for one in shown] == ["Prospecting", "Closed Won"]
    mapping = org.call("GET", "/sobjects/Opportunity/describe/layouts")["recordTypeMappings"][0]
    lists = {one["picklistName"]: one for one in mapping["picklistsForRecordType"]}
    assert len(lists["StageName"]["picklistValues"]) == 2
    asked = elements("type", "BusinessProcess") + elements("fullNames", "Opportunity.Web")
    (record,) = call(org, "readMetadata", asked)["result"][0]["records"]
    assert [one["fullName"] for one in record["values"]] == [["Prospecting"], ["Closed Won"]]


def test_layouts_and_pages_are_by_record_type(org: Org) -> None:
    made = record_type(org, "Account.Partner")
    opened(org, "Account.Partner", default=True, profile="Admin")
    layout = org.call("GET", f"/sobjects/Account/describe/layouts/{made}")
    assert layout["detailLayoutSections"]
    assert org.ask("GET", f"/sobjects/Contact/describe/layouts/{made}").status == 404
    mappings = org.call("GET", "/sobjects/Account/describe/layouts")["recordTypeMappings"]
    assert [one["name"] for one in mappings] == ["Partner", "Master"]
    compact = org.call("GET", "/sobjects/Account/describe/compactLayouts")
    shown = [one["recordTypeName"] for one in compact["recordTypeCompactLayoutMappings"]]
    assert shown == ["Partner", "Master"]
    info = org.call("GET", "/ui-api/object-info/Account")
    assert info["defaultRecordTypeId"] == made
    assert list(info["recordTypeInfos"]) == [made, MASTER]
    page = org.call("GET", f"/ui-api/layout/Account?recordTypeId={made}")
    assert page["recordTypeId"] == made
    id = org.make("Account", Name="Ash")
    record = org.call("GET", f"/ui-api/records/{id}?fields=Account.Name")
    assert record["recordTypeId"] == made
    assert record["recordTypeInfo"]["name"] == "Partner"
    error = org.refused("GET", "/ui-api/object-info/Contact/picklist-values/" + made)
    assert error["errorCode"] == "INVALID_RECORD_TYPE_ID"


def test_record_types_and_profiles_are_metadata(org: Org) -> None:
    record_type(org, "Account.Partner", description="Sells")
    opened(org, "Account.Partner", default=True)
    asked = elements("type", "RecordType") + elements("fullNames", "Account.Partner")
    (record,) = call(org, "readMetadata", asked)["result"][0]["records"]
    assert (record["label"], record["active"]) == (["Partner"], ["true"])
    asked = elements("type", "Profile") + elements("fullNames", "Standard")
    (record,) = call(org, "readMetadata", asked)["result"][0]["records"]
    assert record["recordTypeVisibilities"] == [
        {"default": ["true"], "recordType": ["Account.Partner"], "visible": ["true"]}
    ]
    closing = {"recordType": "Account.Partner", "visible": "false", "default": "false"}
    body = written("Profile", fullName="Standard", recordTypeVisibilities=closing)
    assert call(org, "updateMetadata", body)["result"][0]["success"] == ["true"]
    assert types(org, login=BEN)["Partner"]["available"] is False
    id = types(org)["Partner"]["recordTypeId"]
    path = f"/tooling/sobjects/RecordType/{id}"
    assert org.call("GET", path)["Metadata"]["description"] == "Sells"
    org.call("PATCH", path, {"Metadata": {"label": "Resellers"}}, status=204)
    assert org.call("GET", path)["Name"] == "Resellers"


@pytest.mark.parametrize(
    ("name", "metadata", "code"),
    [
        ("Nothing.Partner", {}, "INVALID_CROSS_REFERENCE_KEY"),
        ("Account.", {}, "INVALID_FIELD"),
        ("Account.Two Words", {}, "INVALID_FIELD"),
        ("Account.A", {"label": "x" * 81}, "STRING_TOO_LONG"),
        ("Account.A", {"businessProcess": "None"}, "INVALID_CROSS_REFERENCE_KEY"),
        ("Account.A", {"picklistValues": ["x"]}, "INVALID_TYPE"),
        ("Account.A", {"picklistValues": [{"picklist": "Name"}]}, "INVALID_CROSS_REFERENCE_KEY"),
        (
            "Account.A",
            {"picklistValues": [{"picklist": "Rating", "values": [{"fullName": "Lukewarm"}]}]},
            "INVALID_CROSS_REFERENCE_KEY",
        ),
    ],
)
def test_a_record_type_that_cannot_be_is_refused(
    org: Org, name: str, metadata: dict[str, Any], code: str
) -> None:
    body = {"FullName": name, "Metadata": {"label": "A", **metadata}}
    assert org.refused("POST", "/tooling/sobjects/RecordType", body)["errorCode"] == code
    assert ask(org, "SELECT Id FROM RecordType") == []


def test_only_administrators_define_record_types(org: Org) -> None:
    body = {"FullName": "Account.Partner", "Metadata": {"label": "Partner"}}
    error = org.refused("POST", "/tooling/sobjects/RecordType", body, login=BEN)
    assert error["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"
    record_type(org, "Account.Partner")
    error = org.refused("POST", "/tooling/sobjects/RecordType", body)
    assert error["errorCode"] == "DUPLICATE_DEVELOPER_NAME"


def test_permission_sets_open_record_types_too(org: Org) -> None:
    made = record_type(org, "Account.Partner")
    extra = org.make("PermissionSet", Name="Extra", Label="Extra")
    org.make("PermissionSetAssignment", PermissionSetId=extra, AssigneeId=org.users[BEN])
    body = written(
        "PermissionSet",
        fullName="Extra",
        label="Extra",
        recordTypeVisibilities={"recordType": "Account.Partner", "visible": "true"},
    )
    assert call(org, "updateMetadata", body)["result"][0]["success"] == ["true"]
    said = {"Name": "Ash", "RecordTypeId": made}
    assert org.ask("POST", "/sobjects/Account", said, login=BEN).status == 201
    assert org.refused("POST", "/sobjects/Account", said)["fields"] == ["RecordTypeId"]
