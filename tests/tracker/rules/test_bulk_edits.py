"""Bulk edits are read into changes of single issues."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.rules.bulk_edits import BadEdit, day_of, read_edits

REFERENCE = {"optionId": 7}


@pytest.mark.parametrize(
    ("name", "item", "value"),
    [
        (
            "cascadingSelectFields",
            {"parentOptionValue": {"optionId": 1}, "childOptionValue": {"optionId": 2}},
            {"id": "1", "child": {"id": "2"}},
        ),
        ("cascadingSelectFields", {"parentOptionValue": {"optionId": None}}, None),
        ("clearableNumberFields", {"value": 1.5}, 1.5),
        ("clearableNumberFields", {}, None),
        (
            "cascadingSelectFields",
            {"parentOptionValue": {"optionId": 1}, "childOptionValue": {"optionId": None}},
            {"id": "1"},
        ),
        ("colorFields", {"color": {"name": "blue"}}, "blue"),
        ("colorFields", {"color": {"name": ""}}, None),
        ("singleLineTextFields", {"text": ""}, None),
        ("urlFields", {"url": ""}, None),
        ("datePickerFields", {"date": {"formattedDate": "01-02-2026"}}, "2026-02-01"),
        ("datePickerFields", {"date": {"formattedDate": ""}}, None),
        ("dateTimePickerFields", {"dateTime": {"formattedDateTime": ""}}, None),
        ("multipleGroupPickerFields", {"groups": [{"groupName": "g"}]}, [{"name": "g"}]),
        (
            "multipleSelectClearableUserPickerFields",
            {"users": [{"accountId": "u"}]},
            [{"accountId": "u"}],
        ),
        ("multipleSelectClearableUserPickerFields", {"users": None}, []),
        ("multipleSelectFields", {"options": [REFERENCE]}, [{"id": "7"}]),
        ("richTextFields", {"richText": {}}, None),
        ("singleGroupPickerFields", {"group": {"groupName": ""}}, None),
        ("singleLineTextFields", {"text": "words"}, "words"),
        ("singleSelectClearableUserPickerFields", {"user": None}, None),
        ("singleSelectFields", {"option": {"optionId": -1}}, None),
        ("singleSelectFields", {"option": REFERENCE}, {"id": "7"}),
        ("singleVersionPickerFields", {"version": {"versionId": "-1"}}, None),
        ("urlFields", {"url": "http://a.example"}, "http://a.example"),
    ],
)
def test_values_are_read_by_their_list(name: str, item: dict[str, Any], value: Any) -> None:
    """Each list has its own form of values."""
    edits = read_edits({name: [{"fieldId": "f", **item}]})
    assert edits.fields == {"f": value}
    assert edits.ids == ["f"]


@pytest.mark.parametrize(
    ("option", "fields", "update"),
    [
        ("ADD", {}, {"labels": [{"add": "a"}, {"add": "b"}]}),
        ("REMOVE", {}, {"labels": [{"remove": "a"}, {"remove": "b"}]}),
        ("REPLACE", {"labels": ["a", "b"]}, {}),
        ("REMOVE_ALL", {"labels": []}, {}),
    ],
)
def test_several_values_are_added_removed_and_replaced(
    option: str, fields: dict[str, Any], update: dict[str, Any]
) -> None:
    """The four ways with fields that have several values."""
    item = {"fieldId": "labels", "labels": [{"name": "a"}, {"name": "b"}]}
    edits = read_edits({"labelsFields": [{**item, "bulkEditMultiSelectFieldOption": option}]})
    assert (edits.fields, edits.update) == (fields, update)


@pytest.mark.parametrize(
    ("name", "part", "field"),
    [
        ("labelsFields", "labels", "labels"),
        ("multipleVersionPickerFields", "versions", "fixVersions"),
        ("multiselectComponents", "components", "components"),
    ],
)
def test_an_empty_list_clears_with_remove_all(name: str, part: str, field: str) -> None:
    item = {"fieldId": field, part: [], "bulkEditMultiSelectFieldOption": "REMOVE_ALL"}
    edits = read_edits({name: item if name == "multiselectComponents" else [item]})
    assert (edits.fields, edits.update) == ({field: []}, {})


def test_parts_without_a_list_are_read() -> None:
    """Type, status, priority, components and estimates."""
    edits = read_edits(
        {
            "issueType": {"issueTypeId": "5"},
            "status": {"statusId": "6"},
            "priority": {"priorityId": "2"},
            "multiselectComponents": {
                "bulkEditMultiSelectFieldOption": "ADD",
                "components": [{"componentId": 9}],
            },
            "originalEstimateField": {"originalEstimateField": "2d"},
            "timeTrackingField": {"timeRemaining": "1d"},
            "colorFields": None,
        }
    )
    assert (edits.issue_type, edits.status) == ("5", "6")
    assert edits.update == {"components": [{"add": {"id": "9"}}]}
    assert edits.fields == {
        "priority": {"id": "2"},
        "timetracking": {"originalEstimate": "2d", "remainingEstimate": "1d"},
    }


@pytest.mark.parametrize("text", ["7/feb/26", "07-02-2026", "2026-02-07", "7/Feb/2026"])
def test_days_have_several_forms(text: str) -> None:
    """All of them mean one day."""
    assert day_of(text) == "2026-02-07"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"urlFields": {}}, "urlFields must be a list."),
        ({"urlFields": ["x"]}, "urlFields has an invalid value."),
        ({"urlFields": [{}]}, "The fieldId must be specified."),
        ({"datePickerFields": [{"fieldId": "f", "date": {"formattedDate": "32/feb/26"}}]}, "date"),
        ({"labelsFields": [{"fieldId": "labels"}]}, "bulkEditMultiSelectFieldOption"),
    ],
)
def test_what_is_not_of_the_form_is_refused(value: dict[str, Any], text: str) -> None:
    """The message names what is wrong."""
    with pytest.raises(BadEdit, match=text):
        read_edits(value)
