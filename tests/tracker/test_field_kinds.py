"""Custom fields of every kind: set, shown in both versions, changed, emptied, refused."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.db import transaction

from clones.tracker.domain.errors import TrackerError
from clones.tracker.domain.fieldset import fields_of, read_changes
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.models import FieldOption, FieldValue, Group, Issue, IssueText, User
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_catalogue import custom_types, system_fields
from clones.tracker.rules.field_kinds.kinds import CUSTOM
from clones.tracker.rules.field_kinds.system import SYSTEM
from tests.tracker.conftest import Site
from tests.tracker.issues import (
    JIRA,
    add_field,
    add_version,
    body,
    doc,
    last_changes,
    refused,
)


def test_every_field_of_the_catalogue_has_a_kind() -> None:
    columns = {"issuekey", "thumbnail"}
    assert set(SYSTEM) == set(system_fields()) - columns
    assert set(CUSTOM) == set(custom_types())


def test_values_of_each_kind_are_kept_and_shown(site: Site) -> None:
    version = add_version(site, "1.0")
    with site.store():
        group = Group.objects.get(name="jira-users")
    ada, dev = site.ids["ada"], site.ids["dev"]
    person = {"accountId": dev}
    # Kind, what is sent, a part of what is shown.
    cases: list[tuple[str, Any, Any]] = [
        ("textfield", "One line", "One line"),
        ("url", "https://example.com/a", "https://example.com/a"),
        ("textarea", doc("Many words"), doc("Many words")),
        ("float", 2.5, 2.5),
        ("datepicker", "2026-02-28", "2026-02-28"),
        ("datetime", "2026-02-28T12:30:00.000+0000", "2026-02-28T07:30:00.000-0500"),
        ("userpicker", person, dev),
        ("multiuserpicker", [person, {"id": ada}], [dev, ada]),
        ("grouppicker", "jira-users", group.uuid),
        ("multigrouppicker", [{"name": "jira-users"}], [group.uuid]),
        ("version", {"id": version}, version),
        ("multiversion", [{"name": "1.0"}], [version]),
        ("project", {"key": "OPS"}, "OPS"),
        ("labels", ["b", "a"], ["b", "a"]),
    ]
    fields = {kind: add_field(site, kind, f"A {kind}")[0] for kind, _, _ in cases}
    sent = {fields[kind]: value for kind, value, _ in cases}
    key = site.issue(**sent)
    shown = site.get(f"issue/{key}")["fields"]
    for kind, _, expected in cases:
        assert short(shown[fields[kind]]) == expected, kind
    two = site.get(f"/rest/api/2/issue/{key}?fields={fields['textarea']}")["fields"]
    assert two == {fields["textarea"]: "Many words"}
    with site.store():
        number = int(fields["textarea"].removeprefix("customfield_"))
        value = FieldValue.objects.get(field_id=number)
        assert IssueText.objects.get(field=fields["textarea"], source=value.id).text == "Many words"
    site.put(f"issue/{key}", {"fields": dict.fromkeys(fields.values())})
    emptied = site.get(f"issue/{key}")["fields"]
    assert {emptied[field] for field in fields.values()} == {None}
    with site.store():
        assert not FieldValue.objects.filter(issue__key=key).exists()
        assert not IssueText.objects.filter(field__startswith="customfield").exists()


def short(value: Any) -> Any:
    """Return what a value is known by."""
    if isinstance(value, list):
        return [short(item) for item in value]
    if not isinstance(value, dict) or "type" in value:
        return value
    for name in ("accountId", "groupId", "key", "id"):
        if name in value:
            return value[name]
    return value


def test_options_are_chosen_by_id_or_value_and_trees_have_a_child(site: Site) -> None:
    colour, (red, blue) = add_field(site, "select", "Colour", "Red", "Blue")
    sizes, (small, large) = add_field(site, "multicheckboxes", "Sizes", "Small", "Large")
    place, (hall, desk, sandbox_pool) = add_field(
        site, "cascadingselect", "Place", "Hall", "Hall/Desk", "Yard"
    )
    sent: dict[str, Any] = {
        colour: {"value": "Red"},
        sizes: [{"id": large}, {"value": "Small"}],
        place: {"value": "Hall", "child": {"value": "Desk"}},
    }
    key = site.issue(**sent)
    shown = site.get(f"issue/{key}")["fields"]
    assert shown[colour] | {"self": ""} == {"self": "", "value": "Red", "id": red}
    assert [one["id"] for one in shown[sizes]] == [large, small]
    assert shown[place]["id"] == hall
    assert shown[place]["child"]["id"] == desk
    site.put(
        f"issue/{key}",
        {
            "fields": {colour: {"id": blue}, place: {"id": sandbox_pool}},
            "update": {sizes: [{"remove": {"id": large}}]},
        },
    )
    assert last_changes(site, key) == [
        ("Colour", red, "Red", blue, "Blue"),
        (
            "Place",
            None,
            f"Parent values: Hall({hall})Level 1 values: Desk({desk})",
            None,
            f"Parent values: Yard({sandbox_pool})",
        ),
        ("Sizes", f"[{large}, {small}]", "Large,Small", f"[{small}]", "Small"),
    ]
    asked = "Specify a valid 'id' or 'name' for {}"
    with site.writing():
        FieldOption.objects.filter(id=int(red)).update(disabled=True)
    for field, value, wrong in (
        (colour, "Red", asked.format("Colour")),
        (colour, {}, asked.format("Colour")),
        (colour, {"value": "Green"}, "Option value 'Green' is not valid"),
        (colour, {"id": small}, f"Option id '{small}' is not valid"),
        (colour, {"value": "Red"}, "Option value 'Red' is not valid"),
        (sizes, {"value": "Small"}, "data was not an array"),
        (sizes, [{"value": "Huge"}], "Option value 'Huge' is not valid"),
        (place, {"value": "Yard", "child": {"value": "Desk"}}, "Option value 'Desk' is not valid"),
    ):
        assert refused(site, "PUT", f"issue/{key}", {"fields": {field: value}}) == {field: wrong}
    meta = site.get(f"issue/{key}/editmeta")["fields"]
    assert [one["value"] for one in meta[colour]["allowedValues"]] == ["Blue"]
    tree = meta[place]["allowedValues"]
    assert [(one["value"], [low["value"] for low in one["children"]]) for one in tree] == [
        ("Hall", ["Desk"]),
        ("Yard", []),
    ]


def test_values_of_the_wrong_kind_are_refused(site: Site) -> None:
    not_text, not_number = "Operation value must be a string", "Operation value must be a number"
    for kind, value, wrong in (
        ("textfield", 5, not_text),
        (
            "textfield",
            "x" * 256,
            "The entered text is too long. It exceeds the allowed limit of 255 characters.",
        ),
        ("float", "5", not_number),
        ("float", True, not_number),
        ("labels", ["a b"], "The label 'a b' contains spaces which is invalid."),
        ("labels", [5], not_text),
        (
            "textarea",
            "x",
            "Operation value must be an Atlassian Document (see the Atlassian Document Format)",
        ),
        ("userpicker", {"accountId": "x"}, "Specify a valid value for A userpicker"),
        ("project", {"key": "ZZ"}, "Specify a valid project ID or key"),
    ):
        field, _ = add_field(site, kind, f"A {kind}")
        assert refused(site, "POST", "issue", body(**{field: value})) == {field: wrong}


def test_unverified_sentences_about_custom_values(site: Site) -> None:
    for kind, value, wrong in (
        ("url", "not an address", "Not a valid URL"),
        ("datepicker", "28.2.2026", "Error parsing date string: 28.2.2026"),
        ("datetime", "soon", "Error parsing time: soon"),
        ("grouppicker", "no-such", "Specify a valid value for A grouppicker"),
    ):
        field, _ = add_field(site, kind, f"A {kind}")
        assert refused(site, "POST", "issue", body(**{field: value})) == {field: wrong}


def test_fields_that_apps_keep_cannot_be_set(site: Site) -> None:
    key = site.issue()
    shown = site.get(f"issue/{key}")["fields"]
    assert shown["customfield_10019"].startswith("0|")
    wrong = (
        "Field 'customfield_10019' cannot be set. It is not on the appropriate screen, or unknown."
    )
    sent = {"fields": {"customfield_10019": "0|a:"}}
    assert refused(site, "PUT", f"issue/{key}", sent) == {"customfield_10019": wrong}
    epic = site.issue(issuetype={"name": "Epic"}, customfield_10011="Big one")
    assert site.get(f"issue/{epic}")["fields"]["customfield_10011"] == "Big one"
    site.put(f"issue/{epic}", {"fields": {"customfield_10011": "Bigger"}})
    assert last_changes(site, epic) == [("Epic Name", None, "Big one", None, "Bigger")]


def test_histories_tell_of_each_kind(site: Site) -> None:
    version, dev = add_version(site, "1.0"), site.ids["dev"]
    cases: list[tuple[str, Any, tuple[Any, Any], tuple[Any, Any]]] = [
        ("textfield", "Line", (None, ""), (None, "Line")),
        ("float", 3, (None, None), (None, "3")),
        ("userpicker", {"accountId": dev}, (None, None), (dev, "Dev Anand")),
        ("multiversion", [{"id": version}], (None, None), (f"[{version}]", "1.0")),
        ("labels", ["b", "a"], (None, ""), (None, "b a")),
        ("textarea", doc("Words"), (None, None), (None, "Words")),
    ]
    key = site.issue()
    for kind, value, old, new in cases:
        field, _ = add_field(site, kind, f"A {kind}")
        site.put(f"issue/{key}", {"fields": {field: value}})
        assert last_changes(site, key) == [(f"A {kind}", *old, *new)]
        item = site.get(f"issue/{key}/changelog")["values"][-1]["items"][0]
        assert (item["fieldtype"], item["fieldId"]) == ("custom", field)
    total = site.get(f"issue/{key}/changelog")["total"]
    site.put(f"issue/{key}", {"fields": {field: doc("Words")}})
    assert site.get(f"issue/{key}/changelog")["total"] == total


def test_no_value_is_more_than_refused(site: Site) -> None:
    fields = [
        add_field(site, key, f"A {key}", "One", "Two", "Two/Three")[0]
        for key in CUSTOM
        if key.startswith(JIRA)
    ]
    key = site.issue()
    known = {*fields, *SYSTEM, "customfield_10014", "customfield_10020", "customfield_10011"}
    odd: list[Any] = [
        None, True, 5, -1, 1e300, "", "x", "2026-02-30", [], [None], [5], ["x"], [[]], [{}], {},
        {"id": None}, {"id": {}}, {"id": [5]}, {"id": "x"}, {"id": -1}, {"id": "9" * 30},
        {"name": []}, {"name": 5}, {"key": {}}, {"value": []}, {"value": "One", "child": 5},
        {"accountId": 5}, {"accountId": ["x"]}, {"groupId": {}}, {"type": "doc", "version": 1},
        {"originalEstimate": []}, {"originalEstimateSeconds": "x"}, {"none": True},
        [{"id": "x"}, {"id": "x"}], {"body": 5}, {"timeSpent": []},
    ]  # fmt: skip
    with site.writing():
        rights = Rights(User.objects.get(account_id=site.ids["ada"]))
        issue = Issue.objects.select_related("project", "issue_type", "status").get(key=key)
        fieldset = fields_of(issue.project, issue.issue_type)
        taken: set[str] = set()
        for field in sorted(known):
            for value in odd:
                for payload in (
                    {"fields": {field: value}},
                    {"update": {field: [{"add": value}]}},
                    {"update": {field: [{"remove": value}]}},
                ):
                    with suppress(TrackerError), transaction.atomic():
                        planned = read_changes(
                            fieldset, payload, issue, actor=rights, version="3", screen=None
                        )
                        edit_issue(issue, planned, actor=rights)
                        taken.add(field)
    assert set(fields) <= taken
