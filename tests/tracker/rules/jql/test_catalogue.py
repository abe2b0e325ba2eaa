"""The catalogue says what a recorded site said of its fields, functions and words."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.rules.jql import SiteField, reference_data
from clones.tracker.rules.jql.catalogue import (
    CLONED,
    classes,
    custom_types,
    functions,
    system_fields,
)
from clones.tracker.rules.jql.site import THINGS, Viewer
from clones.tracker.rules.jql.words import KEYWORDS, PUBLISHED, UNUSED
from tests.tracker.rules.jql.memory import BERLIN, NOW, G, MemorySite, P
from tests.tracker.rules.jql.test_vectors import FACTS

D = "com.atlassian.jira.plugins.jira-development-integration-plugin:"
# The recorded site's custom fields, with the types that they are of.
RECORDED = (
    SiteField(10001, "Team", P + "atlassian-team"),
    SiteField(10015, "Start date", P + "datepicker"),
    SiteField(10017, "Issue color", G + "jsw-issue-color"),
    SiteField(10019, "Rank", G + "gh-lexo-rank"),
    SiteField(10021, "Flagged", P + "multicheckboxes"),
    SiteField(10031, "development", D + "devsummarycf"),
    SiteField(10034, "Design", D + "designcf"),
    SiteField(10035, "Vulnerability", D + "vulnerabilitycf"),
)
EVERYTHING = frozenset(
    {type_.product for type_ in functions().values()}
    | {field.type.product for field in system_fields().values()}
)
SITE = MemorySite(viewer=Viewer("ann-1", NOW, BERLIN, products=EVERYTHING), fields=RECORDED)


def rows(name: str, site: MemorySite = SITE) -> dict[str, dict[str, Any]]:
    found: list[dict[str, Any]] = reference_data(site)[name]
    assert len({row["value"] for row in found}) == len(found)
    return {
        row["value"].strip('"') if name == "visibleFieldNames" else row["value"]: row
        for row in found
    }


def test_all_122_fields_are_those_of_the_record() -> None:
    found = rows("visibleFieldNames")
    assert len(found) == 122
    assert found.keys() == FACTS["fields"].keys()
    for name, fact in FACTS["fields"].items():
        row = found[name]
        assert sorted(row["operators"]) == fact["operators"], name
        assert sorted(row["types"]) == fact["types"], name
        assert row["displayName"] == fact["displayName"]
        assert {key: row.get(key) for key in ("auto", "orderable", "cfid")} == {
            key: fact.get(key) for key in ("auto", "orderable", "cfid")
        }, name


def test_all_66_functions_are_those_of_the_record() -> None:
    found = rows("visibleFunctionNames")
    assert len(found) == 66
    assert found.keys() == FACTS["functions"].keys()
    for name, fact in FACTS["functions"].items():
        assert found[name].get("isList", "false") == fact["isList"], name
        assert sorted(found[name]["types"]) == fact["types"], name


def test_all_178_words_are_those_of_the_record() -> None:
    assert reference_data(SITE)["jqlReservedWords"] == FACTS["reserved"]
    assert sorted(PUBLISHED) == FACTS["reserved"]
    assert not UNUSED & KEYWORDS.keys()


def test_a_site_without_a_product_has_not_its_fields_and_functions() -> None:
    site = MemorySite(
        viewer=Viewer("ann-1", NOW, BERLIN, products=frozenset({""})), fields=RECORDED
    )
    assert "buildName" not in rows("visibleFieldNames", site)
    assert "Rank" not in rows("visibleFieldNames", site)
    assert "Team" in rows("visibleFieldNames", site)
    assert "openSprints()" not in rows("visibleFunctionNames", site)
    cloned = MemorySite(viewer=Viewer("ann-1", NOW, BERLIN), fields=RECORDED)
    assert "openSprints()" in rows("visibleFunctionNames", cloned)
    assert 'aqlFunction("")' not in rows("visibleFunctionNames", cloned)


def test_names_that_are_alike_are_told_by_their_numbers() -> None:
    select, text = P + "select", P + "textfield"
    site = MemorySite(
        fields=[
            SiteField(10061, "Component", select),
            SiteField(10062, "Component", select),
            SiteField(10063, "Component", text),
            SiteField(10064, "Summary", text),
        ]
    )
    found = {
        row["displayName"]: row for row in reference_data(site, collapsed=True)["visibleFieldNames"]
    }
    assert found["Component - cf[10061]"]["value"] == "cf[10061]"
    assert found["Component - cf[10063]"]["value"] == "cf[10063]"
    assert found["Summary - cf[10064]"]["value"] == "cf[10064]"
    collapsed = found["Component - Component[Dropdown]"]
    assert collapsed["value"] == '"Component[Dropdown]"'
    assert "cfid" not in collapsed
    names = [row["displayName"] for row in reference_data(site)["visibleFieldNames"]]
    assert "Component - Component[Dropdown]" not in names


def test_fields_of_one_key_are_searched_alike() -> None:
    kinds: dict[str, set[str]] = {}
    for field in system_fields().values():
        kinds.setdefault(field.key, set()).add(field.type.kind)
    assert {key: found for key, found in kinds.items() if len(found) > 1} == {}


def test_history_is_asked_of_six_fields() -> None:
    assert sorted(name for name, field in system_fields().items() if field.type.has_history) == [
        "assignee",
        "fixversion",
        "priority",
        "reporter",
        "resolution",
        "status",
    ]


KINDS = sorted(
    {field.type.kind for field in system_fields().values() if field.type.product in CLONED}
    | {type_.type.kind for type_ in custom_types().values() if type_.type.product in CLONED}
)
# Kinds that are no things: what they hold is read from the query alone.
READ = {
    "approval", "attachment", "cascade", "date", "datetime", "duration", "label", "number",
    "property", "rank", "sla", "string", "text",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_a_thing_of_the_site_or_read_from_the_query(kind: str) -> None:
    assert (kind in THINGS) != (kind in READ)
    assert all("." in name for name in classes(kind))


def test_a_function_stands_for_one_of_its_kind() -> None:
    for function in functions().values():
        canonical = functions()[function.key.lower()]
        assert (canonical.kind, canonical.is_list) == (function.kind, function.is_list)
        assert canonical.key == canonical.name


@pytest.mark.parametrize(
    ("type_", "label"),
    [
        (P + "select", "Dropdown"),
        (P + "textfield", "Short text"),
        (P + "textarea", "Paragraph"),
        (P + "float", "Number"),
        (P + "datepicker", "Date"),
        (P + "datetime", "Time stamp"),
        (P + "userpicker", "People"),
        (P + "multicheckboxes", "Checkboxes"),
        (P + "labels", "Labels"),
        (P + "url", "URL Field"),
        (P + "atlassian-team", "Team"),
    ],
)
def test_unverified_names_in_brackets(type_: str, label: str) -> None:
    """`Component[Dropdown]` and `Team[Team]` are the vendor's; the others are what people write."""
    assert custom_types()[type_].label == label


def test_unverified_custom_fields_without_a_recorded_class() -> None:
    """No record names the classes of groups and organizations, nor the operators of all types."""
    assert classes("group") == ("com.atlassian.crowd.embedded.api.Group",)
    assert classes("something new") == ("java.lang.String",)
    assert custom_types()["com.atlassian.servicedesk:sd-sla-field"].type.operators == (
        "=", "!=", "in", "not in", "<", "<=", ">", ">=",
    )  # fmt: skip
