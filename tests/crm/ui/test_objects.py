"""Objects, picklists, layouts and defaults, compared key by key with those that were recorded."""

from __future__ import annotations

import html
import json

import pytest

from tests.crm.conftest import Org
from tests.crm.ui.test_records import recorded

MASTER = "012000000000000AAA"
# Fields that lead to objects that are not here.
ELSEWHERE = ("CloneSourceId", "DandbCompanyId", "OperatingHoursId")
# Keys of fields whose values are the recorded organization's own, or those of another release.
OWN = {
    "controllerName",
    "controllingFields",
    "filteredLookupInfo",
    "label",
    "inlineHelpText",
    "referenceToInfos",
}


def test_an_object_is_described_as_it_was_recorded(org: Org) -> None:
    theirs = recorded("get_data_v64_0_ui_api_object_info_SOBJECT_API_NAME_200")
    ours = org.call("GET", "/ui-api/object-info/Account")
    assert list(ours) == list(theirs)
    different = {}
    for name, field in theirs["fields"].items():
        own = ours["fields"].get(name)
        if own is None:
            assert name.endswith("__c") or name in ELSEWHERE, name
            continue
        assert list(own) == list(field)
        for key in field.keys() - OWN:
            if own[key] != field[key]:
                different[f"{name}.{key}"] = (own[key], field[key])
    assert set(different) == {"JigsawCompanyId.relationshipName"}  # leads to what is not here
    assert ours["nameFields"] == theirs["nameFields"]
    assert ours["recordTypeInfos"] == theirs["recordTypeInfos"]
    assert list(ours["childRelationships"][0]) == list(theirs["childRelationships"][0])
    listed = org.call("GET", "/ui-api/object-info")["objects"]["Account"]
    short = recorded("get_data_v64_0_ui_api_object_info_200")["objects"]["Account"]
    assert list(listed) == list(short)
    assert listed["nameFields"] == short["nameFields"]
    person = org.call("GET", "/ui-api/object-info/Contact")["nameFields"]
    assert person == ["FirstName", "LastName", "Name"]


def test_picklists_offer_what_they_offer(org: Org) -> None:
    path = f"/ui-api/object-info/Account/picklist-values/{MASTER}"
    theirs = recorded(
        "get_data_v64_0_ui_api_object_info_SOBJECT_API_NAME_picklist_values_RECORD_TYPE_ID"
        "_FIELD_API_NAME_200"
    )
    ours = org.call("GET", f"{path}/Industry")
    assert list(ours) == list(theirs)
    assert ours["values"] == json.loads(html.unescape(json.dumps(theirs["values"])))
    every = org.call("GET", path)["picklistFieldValues"]
    assert every["Industry"] == ours
    assert org.refused("GET", f"{path}/Name")["errorCode"] == "INVALID_FIELD"
    wrong = path.replace(MASTER, "012000000000001AAA")
    assert org.refused("GET", wrong)["errorCode"] == "INVALID_RECORD_TYPE_ID"


def test_a_layout_is_shown_by_type_and_mode(org: Org) -> None:
    theirs = recorded("get_data_v64_0_ui_api_layout_SOBJECT_API_NAME_200")
    whole = org.call("GET", "/ui-api/layout/Account?layoutType=Full&mode=View")
    assert list(whole) == list(theirs)
    assert list(whole["sections"][0]) == list(theirs["sections"][0])
    new = org.call("GET", "/ui-api/layout/Account?mode=Create")
    shown = [
        part["apiName"]
        for section in new["sections"]
        for row in section["layoutRows"]
        for item in row["layoutItems"]
        for part in item["layoutComponents"]
    ]
    assert "Name" in shown
    assert "BillingStreet" in shown
    assert "CreatedById" not in shown
    compact = org.call("GET", "/ui-api/layout/Account?layoutType=Compact")
    assert compact["layoutType"] == "Compact"
    assert len(compact["sections"]) == 1
    assert org.refused("GET", "/ui-api/layout/Nothing")["errorCode"] == "INVALID_TYPE"


def test_a_record_comes_with_what_its_page_needs(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    page = org.call("GET", f"/ui-api/record-ui/{id}?layoutTypes=Full,Compact&modes=View,Edit")
    assert list(page) == ["eTag", "layoutUserStates", "layouts", "objectInfos", "records"]
    layouts = page["layouts"]["Account"][MASTER]
    assert {kind: list(modes) for kind, modes in layouts.items()} == {
        "Full": ["View", "Edit"],
        "Compact": ["View", "Edit"],
    }
    assert page["records"][id]["fields"]["Name"]["value"] == "Ash"
    assert page["objectInfos"]["Account"] == org.call("GET", "/ui-api/object-info/Account")
    assert org.refused("GET", "/ui-api/record-ui/001000000000000AAA")["status"] == 404


def test_new_records_and_copies_begin_with_values(org: Org) -> None:
    theirs = recorded("get_data_v64_0_ui_api_record_defaults_create_SOBJECT_API_NAME_200")
    ours = org.call("GET", "/ui-api/record-defaults/create/Case")
    assert list(ours) == list(theirs)
    assert list(ours["record"]) == sorted([*theirs["record"], "fields"])
    assert ours["record"]["fields"]["Status"]["value"] == "New"
    assert ours["record"]["fields"]["OwnerId"]["displayValue"] == "Ada Quist"
    assert ours["record"]["id"] is None
    id = org.make("Account", Name="Ash", Industry="Banking")
    copy = org.call("GET", f"/ui-api/record-defaults/clone/{id}")
    assert copy["record"]["fields"]["Industry"] == {"displayValue": "Banking", "value": "Banking"}
    template = org.call("GET", "/ui-api/record-defaults/template/create/Case")
    assert list(template) == ["objectInfos", "record"]


@pytest.mark.parametrize(
    "path",
    [
        "/ui-api/object-info/%00",
        "/ui-api/layout/Account?layoutType=Nothing",
        "/ui-api/layout/Account?mode=Nothing",
        "/ui-api/layout/Account?recordTypeId=x",
        "/ui-api/record-defaults/create/Nothing",
        "/ui-api/record-defaults/clone/x",
        "/ui-api/record-ui/x,y",
        "/ui-api/record-ui/,,",
    ],
)
def test_what_is_not_there(org: Org, path: str) -> None:
    answer = org.ask("GET", path)
    if path.endswith(",,"):
        assert answer.body["records"] == {}
    else:
        assert answer.status in (400, 404), answer.body
