"""Metadata by SOAP: listed, read, written, taken as files."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.crm.conftest import ADA, BEN, Org
from tests.crm.test_soap import elements, plain, send

PATH = "/services/Soap/m/64.0"
NAMESPACE = "{http://soap.sforce.com/2006/04/metadata}"


def call(org: Org, name: str, *inner: str, path: str = PATH, login: str = ADA) -> Any:
    """Return the answer to a call as plain data."""
    status, found = send(org, f"<{name}>{''.join(inner)}</{name}>", path=path, login=login)
    assert status == 200, found
    assert found.name == f"{name}Response"
    return plain(found)


def written(kind: str, **body: Any) -> str:
    """Return a component as calls that write have it."""
    inner = "".join(elements(name, value) for name, value in body.items())
    return f'<metadata xsi:type="{kind}">{inner}</metadata>'


FIELD = written(
    "CustomField",
    fullName="Account.Region__c",
    label="Region",
    type="Picklist",
    valueSet={
        "restricted": "true",
        "valueSetDefinition": {
            "value": [
                {"fullName": "North", "default": "true", "label": "North"},
                {"fullName": "South", "default": "false", "label": "South"},
            ]
        },
    },
)
VIEW: dict[str, Any] = {
    "fullName": "Account.Northern",
    "columns": ["ACCOUNT.NAME", "ACCOUNT.PHONE1", "CORE.USERS.ALIAS"],
    "filterScope": "Everything",
    "filters": [{"field": "ACCOUNT.NAME", "operation": "startsWith", "value": "A"}],
    "label": "Northern",
}
RULE: dict[str, Any] = {
    "fullName": "Account.Named",
    "active": "true",
    "errorConditionFormula": 'Name = "X"',
    "errorMessage": "No X.",
}


def test_components_are_described_and_listed(org: Org) -> None:
    (result,) = call(org, "describeMetadata")["result"]
    kinds = {one["xmlName"][0]: one for one in result["metadataObjects"]}
    assert kinds["CustomObject"]["directoryName"] == ["objects"]
    assert "ListView" in kinds["CustomObject"]["childXmlNames"]
    found = call(org, "listMetadata", elements("queries", {"type": "ListView"}))["result"]
    names = [one["fullName"][0] for one in found]
    assert "Account.AllAccounts" in names
    assert found[0]["type"] == ["ListView"]
    status, fault = send(
        org, "<listMetadata><queries><type>X</type></queries></listMetadata>", path=PATH
    )
    assert (status, fault.name) == (500, "Fault")


def test_a_field_is_made_and_read(org: Org) -> None:
    (made,) = call(org, "createMetadata", FIELD)["result"]
    assert made == {"fullName": ["Account.Region__c"], "success": ["true"]}
    values = org.call("GET", "/sobjects/Account/describe")["fields"]
    region = next(one for one in values if one["name"] == "Region__c")
    assert [one["value"] for one in region["picklistValues"]] == ["North", "South"]
    asked = elements("type", "CustomField") + elements("fullNames", "Account.Region__c")
    ((record,),) = ([*one["records"]] for one in call(org, "readMetadata", asked)["result"])
    assert record["fullName"] == ["Account.Region__c"]
    assert record["type"] == ["Picklist"]
    assert record["valueSet"][0]["restricted"] == ["true"]
    (again,) = call(org, "createMetadata", FIELD)["result"]
    assert again["success"] == ["false"]
    assert again["errors"][0]["statusCode"] == ["DUPLICATE_DEVELOPER_NAME"]
    gone = elements("type", "CustomField") + elements("fullNames", "Account.Region__c")
    assert call(org, "deleteMetadata", gone)["result"][0]["success"] == ["true"]
    again = org.call("GET", "/sobjects/Account/describe")["fields"]
    assert "Region__c" not in [one["name"] for one in again]


def test_statuses_of_leads_say_which_are_converted(org: Org) -> None:
    asked = elements("type", "CustomField") + elements("fullNames", "Lead.Status")
    (result,) = call(org, "readMetadata", asked, path="/services/Soap/m/37.0")["result"]
    values = result["records"][0]["picklist"][0]["picklistValues"]
    converted = [one["fullName"][0] for one in values if one["converted"] == ["true"]]
    assert converted == ["Closed - Converted"]


def test_an_object_is_made_with_its_fields(org: Org) -> None:
    body = written(
        "CustomObject",
        fullName="Visit__c",
        label="Visit",
        pluralLabel="Visits",
        nameField={"label": "Visit Name", "type": "Text"},
        deploymentStatus="Deployed",
        sharingModel="ReadWrite",
        fields=[{"fullName": "Notes__c", "label": "Notes", "type": "Text", "length": "80"}],
    )
    assert call(org, "createMetadata", body)["result"][0]["success"] == ["true"]
    id = org.make("Visit__c", Name="First", Notes__c="Warm")
    assert org.show("Visit__c", id)["Notes__c"] == "Warm"


def test_list_views_and_rules_are_written_and_changed(org: Org) -> None:
    for name in ("Ash", "Oak"):
        org.make("Account", Name=name)
    made = call(
        org, "upsertMetadata", written("ListView", **VIEW), written("ValidationRule", **RULE)
    )
    assert [one["created"] for one in made["result"]] == [["true"], ["true"]]
    assert org.refused("POST", "/sobjects/Account", {"Name": "X"})["message"] == "No X."
    listed = org.call("GET", "/sobjects/Account/listviews")["listviews"]
    view = next(one for one in listed if one["developerName"] == "Northern")
    shown = org.call("GET", view["resultsUrl"])
    assert [row["columns"][0]["value"] for row in shown["records"]] == ["Ash"]
    paths = [one["fieldNameOrPath"] for one in shown["columns"] if not one["hidden"]]
    assert paths == ["Name", "Phone", "Owner.Alias"]
    change = {**VIEW, "filters": [], "label": "Everywhere"}
    again = call(org, "upsertMetadata", written("ListView", **change))["result"][0]
    assert again["created"] == ["false"]
    assert org.call("GET", view["resultsUrl"])["size"] == 2
    missing = call(org, "updateMetadata", written("ListView", **{**VIEW, "fullName": "Account.Z"}))
    assert missing["result"][0]["success"] == ["false"]


def test_what_of_an_object_cannot_be_changed_is_said_so(org: Org) -> None:
    body = written("CustomObject", fullName="Account", sharingModel="Private")
    (found,) = call(org, "updateMetadata", body)["result"]
    assert found["success"] == ["false"]
    assert "sharingModel" in str(found["errors"])


def test_components_are_taken_as_files(org: Org) -> None:
    call(org, "createMetadata", FIELD, written("ValidationRule", **RULE))
    types = [
        {"members": ["*"], "name": "CustomField"},
        {"members": ["Account.Named", "Account.Nothing"], "name": "ValidationRule"},
        {"members": ["Account.AllAccounts"], "name": "ListView"},
        {"members": ["*"], "name": "ApexClass"},
    ]
    request = {"apiVersion": "64.0", "unpackaged": {"types": types, "version": "64.0"}}
    (asked,) = call(org, "retrieve", elements("retrieveRequest", request))["result"]
    assert asked["done"] == ["false"]
    check = elements("asyncProcessId", asked["id"][0]) + elements("includeZip", "true")
    (found,) = call(org, "checkRetrieveStatus", check)["result"]
    assert (found["done"], found["status"]) == (["true"], ["Succeeded"])
    problems = [one["problem"][0] for one in found["messages"]]
    assert problems == [
        "Entity of type 'ValidationRule' named 'Account.Nothing' cannot be found",
        "Entity type: 'ApexClass' is unknown",
    ]
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(found["zipFile"][0])))
    assert archive.namelist() == ["unpackaged/objects/Account.object", "unpackaged/package.xml"]
    root = ET.fromstring(archive.read("unpackaged/objects/Account.object"))  # noqa: S314 - ours
    assert root.tag == f"{NAMESPACE}CustomObject"
    members = [one.tag.removeprefix(NAMESPACE) for one in root]
    assert members == ["fields", "listViews", "validationRules"]
    same = call(org, "checkRetrieveStatus", check)["result"][0]["zipFile"]
    assert len(same[0]) == len(found["zipFile"][0])
    status, fault = send(
        org, f"<checkRetrieveStatus>{check}</checkRetrieveStatus>", path=PATH, login=BEN
    )
    assert (status, fault.name) == (500, "Fault")


def test_reports_in_folders_are_components(org: Org) -> None:
    folder = org.make(
        "Folder", Name="Team", DeveloperName="Team", Type="Report", AccessType="Public"
    )
    body = {
        "name": "Won deals",
        "folderId": folder,
        "reportFormat": "SUMMARY",
        "reportType": {"type": "Opportunity"},
        "detailColumns": ["OPPORTUNITY_NAME", "AMOUNT"],
        "aggregates": ["s!AMOUNT", "RowCount"],
        "groupingsDown": [{"name": "STAGE_NAME"}],
        "reportFilters": [{"column": "WON", "operator": "equals", "value": "1"}],
    }
    org.call("POST", "/analytics/reports", {"reportMetadata": body})
    asked = elements("type", "Report") + elements("fullNames", "Team/Won_deals")
    record = call(org, "readMetadata", asked)["result"][0]["records"][0]
    assert record["format"] == ["Summary"]
    assert [one["field"] for one in record["columns"]] == [["OPPORTUNITY_NAME"], ["AMOUNT"]]
    assert record["columns"][1]["aggregateTypes"] == ["Sum"]
    assert record["groupingsDown"][0]["field"] == ["STAGE_NAME"]
    assert record["filter"][0]["criteriaItems"][0]["column"] == ["WON"]


def test_only_administrators_write(org: Org) -> None:
    made = call(org, "createMetadata", FIELD, login=BEN)["result"][0]
    assert made["success"] == ["false"]
    assert made["errors"][0]["statusCode"] == ["INSUFFICIENT_ACCESS_OR_READONLY"]


@pytest.mark.parametrize(
    "body",
    [
        written("CustomField", fullName="Account.A__c", label="A", type="Number", precision="x"),
        written("CustomField", fullName="Nothing.A__c", label="A", type="Text"),
        written("CustomField", fullName="", label="A", type="Text"),
        written("CustomField", fullName="Account.A__c", label="A", type="Nothing"),
        written("CustomObject", fullName="A b__c", label="A", pluralLabel="As"),
        written("ListView", **{**VIEW, "columns": ["NOTHING"]}),
        written("ListView", **{**VIEW, "filterScope": "Nobody"}),
        written("ListView", **{**VIEW, "filters": [{"field": "Name", "operation": "near"}]}),
        written("ListView", **{**VIEW, "filterScope": "Queue", "queue": "None"}),
        written("ValidationRule", **{**RULE, "errorConditionFormula": "Name ="}),
        written("ApexClass", fullName="A"),
        "<metadata><fullName>A</fullName></metadata>",
    ],
)
def test_what_will_not_do_is_refused_and_nothing_is_kept(org: Org, body: str) -> None:
    before = call(org, "listMetadata", elements("queries", {"type": "ListView"}))["result"]
    made = call(org, "createMetadata", body)["result"][0]
    assert made["success"] == ["false"]
    after = call(org, "listMetadata", elements("queries", {"type": "ListView"}))["result"]
    assert len(after) == len(before)
    assert org.call("GET", "/sobjects/Account/describe")["fields"][-1]["custom"] is False
