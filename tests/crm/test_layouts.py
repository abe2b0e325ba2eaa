"""Layouts over HTTP: sections, rows and items of each object, and what declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.crm.conftest import Org

MASTER = "012000000000000AAA"


def items(layout: dict[str, Any], part: str = "detailLayoutSections") -> Iterator[dict[str, Any]]:
    """Yield the items of a layout, section by section."""
    for section in layout[part]:
        for row in section["layoutRows"]:
            assert row["numItems"] == len(row["layoutItems"])
            yield from row["layoutItems"]


def test_a_layout_has_the_vendors_form(org: Org) -> None:
    shown = org.call("GET", "/sobjects/Account/describe/layouts")
    assert list(shown) == ["layouts", "recordTypeMappings", "recordTypeSelectorRequired"]
    (layout,) = shown["layouts"]
    (mapping,) = shown["recordTypeMappings"]
    assert (mapping["layoutId"], mapping["recordTypeId"]) == (layout["id"], MASTER)
    assert mapping["urls"]["layout"].endswith(f"/Account/describe/layouts/{MASTER}")
    assert org.call("GET", mapping["urls"]["layout"]) == layout
    industry = [one for one in mapping["picklistsForRecordType"] if one["picklistName"] == "Rating"]
    assert [one["value"] for one in industry[0]["picklistValues"]] == ["Hot", "Warm", "Cold"]
    sections = layout["detailLayoutSections"]
    assert [one["heading"] for one in sections] == [
        "Account Information",
        "Address Information",
        "System Information",
        "Description Information",
    ]
    assert {one["parentLayoutId"] for one in sections} == {layout["id"]}
    assert len({one["layoutSectionId"] for one in sections}) == len(sections)
    first = sections[0]["layoutRows"][0]["layoutItems"][0]
    assert {key: first[key] for key in ("label", "placeholder", "required")} == {
        "label": "Account Owner",
        "placeholder": False,
        "required": False,
    }
    (component,) = first["layoutComponents"]
    assert (component["type"], component["value"]) == ("Field", "OwnerId")
    fields = org.call("GET", "/sobjects/Account/describe")["fields"]
    assert component["details"] in fields


def test_addresses_and_makers_have_parts(org: Org) -> None:
    layout = org.call("GET", f"/sobjects/Account/describe/layouts/{MASTER[:15]}")
    by_label = {one["label"]: one for one in items(layout)}
    (billing,) = by_label["Billing Address"]["layoutComponents"]
    parts = {one["value"] for one in billing["components"]}
    assert {"BillingStreet", "BillingCity", "BillingCountry"} <= parts
    made = by_label["Created By"]["layoutComponents"]
    assert [one["value"] for one in made] == ["CreatedById", ", ", "CreatedDate"]
    orders = [one["tabOrder"] for one in made]
    assert orders == sorted(orders)


def test_what_nobody_writes_is_not_edited(org: Org) -> None:
    layout = org.call("GET", f"/sobjects/Opportunity/describe/layouts/{MASTER}")
    shown = {one["label"]: one for one in items(layout)}
    assert shown["Stage"]["required"] is True
    assert shown["Expected Amount"]["editableForUpdate"] is False
    assert shown["Account Name"]["editableForNew"] is True
    headings = [one["heading"] for one in layout["editLayoutSections"]]
    assert "System Information" not in headings
    assert "Opportunity Information" in headings


def test_related_lists_have_columns(org: Org) -> None:
    layout = org.call("GET", f"/sobjects/Account/describe/layouts/{MASTER}")
    contacts = layout["relatedLists"][0]
    assert (contacts["name"], contacts["sobject"], contacts["field"]) == (
        "Contacts",
        "Contact",
        "AccountId",
    )
    assert contacts["columns"][0] == {
        "field": "Contact.Name",
        "fieldApiName": "Name",
        "format": None,
        "label": "Full Name",
        "lookupId": "Contact.Id",
        "name": "Contact.Name",
    }
    cases = next(one for one in layout["relatedLists"] if one["name"] == "Cases")
    by_path = {one["fieldApiName"]: one for one in cases["columns"]}
    assert by_path["Contact.Name"]["label"] == "Contact Name"
    assert by_path["Contact.Name"]["lookupId"] == "Contact.Id"
    assert by_path["CreatedDate"]["format"] == "datetime"
    assert by_path["Owner.Alias"]["label"] == "Case Owner Alias"


def test_every_object_with_layouts_has_one(org: Org) -> None:
    listed = org.call("GET", "/sobjects")["sobjects"]
    for one in listed:
        path = f"/sobjects/{one['name']}/describe/layouts"
        if not one["layoutable"]:
            assert org.refused("GET", path)["status"] == 404
            continue
        (layout,) = org.call("GET", path)["layouts"]
        fields = [
            component["value"]
            for item in items(layout)
            for component in item["layoutComponents"]
            if component["type"] == "Field"
        ]
        assert fields, one["name"]


def test_a_compact_layout_has_the_fields_at_the_head_of_a_page(org: Org) -> None:
    shown = org.call("GET", "/sobjects/Account/describe/compactLayouts")
    (layout,) = shown["compactLayouts"]
    fields = [one["layoutComponents"][0]["value"] for one in layout["fieldItems"]]
    assert fields == ["Name", "Type", "Phone", "Website", "OwnerId", "Site", "Industry"]
    assert (layout["name"], layout["objectType"]) == ("SYSTEM", "Account")
    assert org.call("GET", shown["urls"]["primary"]) == layout
    mapping = shown["recordTypeCompactLayoutMappings"][0]
    assert org.call("GET", mapping["urls"]["compactLayout"]) == layout


@pytest.mark.parametrize(
    "path",
    [
        "/sobjects/Nowt/describe/layouts",
        "/sobjects/Account/describe/layouts/012000000000001AAA",
        "/sobjects/Account/describe/layouts/x%00",
        "/sobjects/Account/describe/compactLayouts/nothing",
        "/sobjects/CaseStatus/describe/compactLayouts",
        "/sobjects/Nowt/describe/approvalLayouts",
    ],
)
def test_layouts_that_are_not_there(org: Org, path: str) -> None:
    assert org.refused("GET", path)["errorCode"] == "NOT_FOUND"


def test_unverified_layouts_of_no_object(org: Org) -> None:
    shown = org.call("GET", "/sobjects/Global/describe/layouts")
    assert shown["layouts"] == []
    answer = org.call("GET", "/sobjects/Account/describe/approvalLayouts")
    assert answer == {"approvalLayouts": []}


@pytest.mark.parametrize(
    "given",
    [
        {"sections": [{"heading": "x", "rows": [["Nowt"]]}]},
        {"highlights": ["name"]},
        {"related": {"Nowt": ["Name"]}},
        {"related": {"Contacts": ["Nowt"]}},
        {"labels": {"Nowt": "x"}},
    ],
)
def test_a_declaration_that_names_what_is_not_there_is_refused(given: dict[str, Any]) -> None:
    from clones.crm.rules.layouts import read_layout  # noqa: PLC0415 - the app may not be there
    from clones.crm.rules.schema import standard_schema  # noqa: PLC0415 - as above

    with pytest.raises(ValueError, match="layout of Account"):
        read_layout(standard_schema().objects["Account"], given)
