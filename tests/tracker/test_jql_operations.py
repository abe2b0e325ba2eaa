"""JQL itself by HTTP: reference data, suggestions, parsing, sanitising, account ids."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from clones.tracker.models import PermissionGrant, Project
from tests.tracker.site import Site


def refused(site: Site, method: str, path: str, body: Any = None, **how: Any) -> Any:
    status = how.pop("status", 400)
    answer = site.call(method, path, body, **how)
    assert answer.status == status, answer.body
    return answer.body["errorMessages"]


def test_fields_functions_and_words_are_told(site: Site) -> None:
    found = site.get("jql/autocompletedata")
    rows = {row["displayName"]: row for row in found["visibleFieldNames"]}
    assert rows["status"]["operators"][-1] == "changed"
    assert rows["Sprint - cf[10020]"]["cfid"] == "cf[10020]"
    assert {"value": "now()", "displayName": "now()", "types": ["java.util.Date"]} in (
        found["visibleFunctionNames"]
    )
    assert "abort" in found["jqlReservedWords"]
    site.post("field", {"name": "Only here", "type": FIELD})
    with site.store():
        other = Project.objects.get(key="OPS").id
    body = {"projectIds": [other], "includeCollapsedFields": True}
    narrow = site.post("jql/autocompletedata", body, status=200)["visibleFieldNames"]
    assert "summary" in {row["value"] for row in narrow}
    assert len(narrow) <= len(site.get("jql/autocompletedata")["visibleFieldNames"])
    assert site.get("jql/autocompletedata", by=None)["visibleFieldNames"]


FIELD = "com.atlassian.jira.plugin.system.customfieldtypes:float"


def offered(site: Site, query: str, by: str | None = "ada") -> list[tuple[str, str]]:
    rows = site.get(f"jql/autocompletedata/suggestions?{query}", by=by)["results"]
    return [(row["value"], row["displayName"]) for row in rows]


def test_values_are_offered_while_one_types(site: Site) -> None:
    site.issue("One", labels=["red", "reddish", "blue"])
    assert offered(site, "fieldName=labels&fieldValue=red") == [
        ("red", "<b>red</b>"),
        ("reddish", "<b>red</b>dish"),
    ]
    assert offered(site, "fieldName=project&fieldValue=ops") == [("OPS", "Operations (<b>OPS</b>)")]
    account = site.ids["dana"]
    assert offered(site, "fieldName=assignee&fieldValue=dana") == [(account, "<b>Dana</b> Ruiz")]
    assert offered(site, "fieldName=status&predicateName=by&predicateValue=ruiz") == [
        (account, "Dana <b>Ruiz</b>")
    ]
    assert ('"In Progress"', "In <b>Prog</b>ress") in offered(
        site, "fieldName=status&predicateName=from&predicateValue=prog"
    )
    assert offered(site, "fieldName=resolution&fieldValue=unres") == [
        ("Unresolved", "<b>Unres</b>olved")
    ]
    assert offered(site, "fieldName=priority")[0][0] == "Highest"
    assert ("Impediment", "Impediment") in offered(site, "fieldName=cf[10021]")
    assert offered(site, "fieldName=issueLinkType&fieldValue=blocked") == [
        ('"is blocked by"', "is <b>blocked</b> by")
    ]
    # Fields that offer nothing, fields that are not there, and what is not seen.
    assert offered(site, "fieldName=created") == offered(site, "fieldName=none") == []
    assert offered(site, "fieldName=labels", by=None) == []
    for query, message in (
        ("", "The fieldName parameter must be provided."),
        (
            "fieldName=status&predicateName=on",
            "The predicate 'on' is not supported.",
        ),
        (
            "fieldName=status&predicateValue=a",
            "The predicateName parameter must be provided with predicateValue.",
        ),
    ):
        assert refused(site, "GET", f"jql/autocompletedata/suggestions?{query}") == [message]


def test_queries_are_looked_into(site: Site) -> None:
    queries = ["project = LAS order by key", "project = NONE", "broken query"]
    strict, warn, none = (
        site.post(f"jql/parse?validation={how}", {"queries": queries}, status=200)["queries"]
        for how in ("strict", "warn", "none")
    )
    assert strict[0]["structure"]["where"]["operand"] == {"value": "LAS", "encodedValue": "LAS"}
    unknown = ["The value 'NONE' does not exist for the field 'project'."]
    assert strict[1] == {"query": "project = NONE", "errors": unknown}
    assert [warn[1]["warnings"], "structure" in warn[1]] == [unknown, True]
    assert set(none[1]) == {"query", "structure"}
    for found in (strict, warn, none):
        assert found[2]["errors"][0].startswith(
            "Error in the JQL Query: Expecting operator but got 'query'."
        )
    assert refused(site, "POST", "jql/parse", {"queries": []}) == [
        "The queries has to be provided."
    ]
    assert refused(site, "POST", "jql/parse?validation=some", {"queries": ["a"]}) == [
        "The value of the query parameter 'validation' is invalid."
    ]


def test_what_a_reader_may_not_see_is_told_by_its_id(site: Site) -> None:
    with site.writing():
        grants = PermissionGrant.objects.filter(permission="BROWSE_PROJECTS")
        grants.update(holder_type="user", parameter=site.ids["ada"])
        number = Project.objects.get(key="LAS").id
    text = "project = 'Laser control' and status = Done"
    queries = [
        {"query": text},
        {"query": text, "accountId": site.ids["ada"]},
        {"query": text, "accountId": site.ids["guest"]},
        {"query": "no query at all", "accountId": site.ids["guest"]},
        {"query": text, "accountId": "nobody"},
    ]
    found = site.post("jql/sanitize", {"queries": queries}, status=200)["queries"]
    hidden = f"project = {number} and status = Done"
    assert found[0] == {"initialQuery": text, "sanitizedQuery": hidden}
    assert found[1]["sanitizedQuery"] == text
    assert found[2]["sanitizedQuery"] == hidden
    assert found[3]["errors"]["errorMessages"][0].startswith("Error in the JQL Query: ")
    assert found[4]["errors"]["errorMessages"] == [
        "The user with account ID 'nobody' does not exist."
    ]
    assert refused(site, "POST", "jql/sanitize", {"queries": queries}, by="dev", status=403) == [
        "You are not authorized to perform this action. Administrator privileges are required."
    ]
    for given, message in (
        ([], "The queries has to be provided."),
        ([{"query": "a"}] * 2, "The queries must be unique."),
        ([{"query": str(at)} for at in range(21)], "The maximum number of queries is 20."),
    ):
        assert refused(site, "POST", "jql/sanitize", {"queries": given}) == [message]


def test_unverified_people_are_known_by_what_stands_before_the_at(site: Site) -> None:
    body = {"queryStrings": ["assignee = dana and reporter = dev", "assignee = mia", "project = X"]}
    found = site.post("jql/pdcleaner", body, by="dev", status=200)
    dana, dev = (quote(site.ids[login]) for login in ("dana", "dev"))
    assert found["queryStrings"][1] == "project = X"
    assert [dana in quote(found["queryStrings"][0]), dev in quote(found["queryStrings"][0])] == [
        True,
        True,
    ]
    assert found["queriesWithUnknownUsers"] == [
        {"originalQuery": "assignee = mia", "convertedQuery": "assignee = unknown"}
    ]
    (message,) = refused(site, "POST", "jql/pdcleaner", {"queryStrings": ["a b"]})
    assert message.startswith("Error in the JQL Query: Expecting operator but got 'b'.")
    too_many = {"queryStrings": ["a = b"] * 101}
    assert refused(site, "POST", "jql/pdcleaner", too_many) == [
        "The maximum number of queries is 100."
    ]


@pytest.mark.parametrize("path", ["jql/pdcleaner", "filter", "dashboard"])
def test_some_operations_are_for_those_who_signed_in(site: Site, path: str) -> None:
    answer = site.call("POST", path, {}, by=None)
    assert answer.status == 401
    assert answer.raw == b"Client must be authenticated to access this resource."
