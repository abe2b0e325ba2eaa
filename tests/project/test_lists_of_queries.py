"""Every list in every query of every clone is declared, and read alike in all its spellings.

That the answers are alike as well is asked of the helpdesk in `tests/helpdesk/test_query_lists.py`,
of billing in `tests/billing/test_query_lists.py`, and of the tracker beside the calls of the tests
that vouch for its operations (`tests.tracker.rounds`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.test import RequestFactory

from clones.core.operations import Operation
from clones.core.operations.inputs import Commas, list_parameters
from clones.core.operations.openapi import document
from clones.core.operations.registry import Operations, _query_values
from clones.core.vendors import clones
from tests.lists_of_queries import lists_of

CLONES = Path(__file__).parents[2] / "clones"
ITEMS = ["11", "12", "13"]  # numbers are texts, too
# What wraps pages looks at the whole query: links repeat it, and a cursor is any `page[...]`. What
# signs in reads a form that may stand in the query, before any operation is known; a request
# within another has a query of its own.
OF_PAGES = {
    "crm/api/credentials.py",
    "crm/api/subrequests.py",
    "helpdesk/api/operations.py",
    "tracker/api/paging.py",
}


def all_operations() -> dict[str, Operations]:
    return {one.name: one.operations for one in clones() if one.operations is not None}


def value_read(operation: Operation, query: str, name: str) -> Any:
    """Return what an operation reads in a query, for the parameter of a name."""
    model = operation.query
    assert model is not None
    fields = {
        field.alias or attribute: attribute for attribute, field in model.model_fields.items()
    }
    others = {
        alias: "1"
        for alias, attribute in fields.items()
        if alias != name and model.model_fields[attribute].is_required()
    }
    rest = QueryDict(mutable=True)
    rest.update(others)
    request: Any = RequestFactory().get(f"/?{query}&{rest.urlencode()}")
    return getattr(_query_values(operation, request), fields[name])


@pytest.mark.parametrize("clone", ["billing", "helpdesk", "tracker"])
def test_a_list_is_the_same_in_all_spellings(clone: str) -> None:
    wrong, counted = list[str](), 0
    for operation in all_operations()[clone].all.values():
        for name, spell in lists_of(operation).items():
            counted += 1
            for called, query in spell(name, ITEMS):
                found = value_read(operation, query, name)
                if [str(item) for item in found] != ITEMS:
                    wrong.append(f"{operation.id}: {name} {called}: {found}")
    assert wrong == []
    assert counted > {"billing": 30, "helpdesk": 70, "tracker": 150}[clone]


def test_a_list_of_texts_with_commas_in_them_is_only_repeated() -> None:
    plain = {
        (operation.id, name)
        for registry in all_operations().values()
        for operation in registry.all.values()
        if operation.query is not None
        for name, mark in list_parameters(operation.query).items()
        if mark is None
    }
    assert {name for _, name in plain} == {
        "exclude",  # names of groups, and of users in former times
        "filter[created_at]",
        "groupName",
        "key",
        "name",
        "role[]",
        "type[]",
        "uri",
        "username",
        "workflowName",
    }
    groups = all_operations()["tracker"].all["bulkGetGroups"]
    assert value_read(groups, "groupName=a,b&groupName=c", "groupName") == ["a,b", "c"]


def test_the_schema_of_a_list_says_so() -> None:
    for registry in all_operations().values():
        for operation in registry.all.values():
            properties = operation.schema()["properties"]
            for name in lists_of(operation):
                [kind] = [
                    one
                    for one in properties[name].get("anyOf", [properties[name]])
                    if one != {"type": "null"}
                ]
                assert (kind["type"], "items" in kind) == ("array", True), (operation.id, name)
    paths = document(all_operations()["helpdesk"], title="t", version="1", errors={}, security={})[
        "paths"
    ]
    [ids] = [
        one
        for one in paths["/api/v2/tickets/show_many"]["get"]["parameters"]
        if one["name"] == "ids"
    ]
    assert ids["schema"]["type"] == "array"
    assert ids["schema"]["items"] == {"type": "integer"}


def test_views_read_what_their_operation_declares() -> None:
    reading = {
        str(file.relative_to(CLONES))
        for file in CLONES.glob("*/api/**/*.py")
        if re.search(r"request\.GET\b", file.read_text(encoding="utf-8"))
    }
    assert reading == OF_PAGES


def test_what_is_blank_between_commas_is_left_out_or_kept() -> None:
    tracker, helpdesk = all_operations()["tracker"].all, all_operations()["helpdesk"].all
    assert value_read(tracker["getIssue"], "fields=,summary,,status,&fields=", "fields") == [
        "summary",
        "status",
    ]
    assert value_read(helpdesk["ListRequests"], "status=open,,new", "status") == ["open", "", "new"]
    assert value_read(helpdesk["ListRequests"], "status=", "status") == []
    assert value_read(helpdesk["ListRequests"], "", "status") is None
    assert Commas().items(7) == 7
