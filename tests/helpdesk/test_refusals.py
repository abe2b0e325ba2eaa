"""Operations refuse: records that are not there, people who may not, pages that cannot be."""

from __future__ import annotations

import re
from typing import Any

import pytest

from clones.core.accounts.authentication import basic_header as basic
from clones.helpdesk.api.entry import operations
from tests.helpdesk.conftest import Desk

MISSING = "9223372036854775807"

FOR_ANYBODY = """
locales
locales/agent
locales/current
locales/detect_best_locale
locales/public
"""

# Of what is not there, `{}`.
ABSENT = """
GET attachments/{}
PUT automations/{}
GET brands/{}
GET custom_roles/{}
GET custom_statuses/{}
DELETE deleted_tickets/{}
DELETE group_memberships/{}
GET group_memberships/{}
GET groups/{}/memberships
GET groups/{}/users
GET job_statuses/{}
DELETE macros/{}
PUT macros/{}
GET macros/{}/apply
DELETE organization_memberships/{}
GET organization_memberships/{}
DELETE organizations/{}
GET organizations/{}
GET organizations/{}/organization_memberships
GET organizations/{}/related
DELETE organizations/{}/tags
GET organizations/{}/tags
POST organizations/{}/tags
PUT organizations/{}/tags
GET organizations/{}/tickets
GET organizations/{}/users
PUT requests/{}
GET requests/{}/comments
GET requests/{}/comments/{}
GET satisfaction_ratings/{}
DELETE slas/policies/{}
GET slas/policies/{}
PUT slas/policies/{}
GET ticket_fields/{}
GET ticket_fields/{}/options
GET ticket_fields/{}/options/{}
GET ticket_forms/{}
GET ticket_metrics/{}
GET tickets/{}/audits
GET tickets/{}/audits/count
GET tickets/{}/audits/{}
GET tickets/{}/collaborators
GET tickets/{}/comments
GET tickets/{}/comments/count
PUT tickets/{}/comments/{}/attachments/{}/redact
PUT tickets/{}/comments/{}/make_private
PUT tickets/{}/comments/{}/redact
GET tickets/{}/email_ccs
GET tickets/{}/followers
GET tickets/{}/incidents
GET tickets/{}/macros/{}/apply
GET tickets/{}/metrics
GET tickets/{}/related
DELETE tickets/{}/tags
GET tickets/{}/tags
POST tickets/{}/tags
PUT tickets/{}/tags
GET triggers/{}
DELETE uploads/{}
GET users/{}/group_memberships
PUT users/{}/group_memberships/{}/make_default
GET users/{}/groups
GET users/{}/identities
GET users/{}/identities/{}
PUT users/{}/identities/{}
PUT users/{}/identities/{}/make_primary
PUT users/{}/identities/{}/verify
GET users/{}/organization_memberships
PUT users/{}/organization_memberships/{}/make_default
GET users/{}/organizations
GET users/{}/related
DELETE users/{}/tags
GET users/{}/tags
POST users/{}/tags
PUT users/{}/tags
GET users/{}/tickets/assigned
GET users/{}/tickets/ccd
GET users/{}/tickets/requested
DELETE views/{}
GET views/{}/count
GET views/{}/execute
GET views/{}/tickets
"""

# What some of these take.
BODIES: dict[str, Any] = {
    "PUT tickets/update_many": {"ticket": {}},
    "PUT users/update_many": {"user": {}},
    "PUT macros/{}": {"macro": {"title": "n"}},
    "PUT automations/{}": {"automation": {"title": "n"}},
    "PUT slas/policies/{}": {"sla_policy": {"title": "n"}},
    "PUT tickets/{}/comments/{}/redact": {"text": "x"},
    "PUT users/{}/identities/{}": {"identity": {"value": "n@acme.example"}},
    "PUT requests/{}": {"request": {"comment": {"body": "n"}}},
}

# For agents and admins.
NOT_FOR_CUSTOMERS = """
GET autocomplete/tags
GET automations
GET automations/active
GET automations/search
GET brands
GET custom_roles
GET deleted_tickets
GET group_memberships
GET group_memberships/assignable
GET groups
GET groups/assignable
GET groups/count
GET job_statuses
GET macros
GET macros/active
GET macros/categories
GET macros/search
GET organization_memberships
POST organization_memberships
GET organizations
GET organizations/autocomplete
GET organizations/count
GET organizations/search
GET problems
POST problems/autocomplete
GET recipient_addresses
GET satisfaction_ratings
GET satisfaction_ratings/count
GET search/count
GET tags
GET tags/count
GET ticket_audits
GET ticket_fields/count
GET ticket_metrics
GET tickets/count
GET tickets/recent
GET trigger_categories
GET triggers
GET triggers/active
GET triggers/search
GET users
GET users/autocomplete
GET users/count
POST users/create_or_update
GET users/search
GET views
GET views/active
GET views/compact
GET views/count
POST views/preview
POST views/preview/count
GET views/search
"""

# For admins.
NOT_FOR_AGENTS = """
PUT automations/1
DELETE deleted_tickets/1
DELETE group_memberships/1
POST groups
GET incremental/ticket_metric_events
DELETE organizations/1
GET slas/policies
POST slas/policies
DELETE slas/policies/1
GET slas/policies/1
PUT slas/policies/1
PUT triggers/reorder
PUT users/1/group_memberships/1/make_default
"""

# For everybody with a credential.
NOT_FOR_STRANGERS = """
GET custom_statuses
POST requests
GET requests/search
POST uploads
"""

# Lists whose pages can be followed by a cursor.
PAGED = """
automations
automations/active
brands
deleted_tickets
group_memberships
group_memberships/assignable
groups
groups/assignable
job_statuses
macros
macros/active
organization_memberships
organizations
problems
recipient_addresses
requests
requests/ccd
requests/open
requests/solved
satisfaction_ratings
tags
ticket_audits
ticket_fields
ticket_forms
ticket_metrics
trigger_categories
triggers
triggers/active
users
views
"""
# For the records of `ids`.
ABOUT_IDS = """
DELETE deleted_tickets/destroy_many
PUT deleted_tickets/restore_many
GET job_statuses/show_many
GET organizations/show_many
GET ticket_forms/show_many
DELETE tickets/destroy_many
GET tickets/show_many
PUT tickets/update_many
DELETE users/destroy_many
GET users/show_many
PUT users/update_many
"""

# Of these, what has no numbered pages.
CURSORS_ONLY = {"ticket_audits"}


def lines(table: str) -> list[str]:
    return table.split("\n")[1:-1]


@pytest.mark.parametrize("line", lines(ABSENT))
def test_what_is_not_there_is_not_found(desk: Desk, line: str) -> None:
    method, path = line.split()
    answer = desk.call(method, path.replace("{}", MISSING), BODIES.get(line), by="olga")
    assert (answer.status, answer.body) == (
        404,
        {"error": "RecordNotFound", "description": "Not found"},
    )


@pytest.mark.parametrize(
    ("line", "by"),
    [
        *((line, "rosa") for line in lines(NOT_FOR_CUSTOMERS)),
        *((line, "ana") for line in lines(NOT_FOR_AGENTS)),
    ],
)
def test_who_may_not_is_refused(desk: Desk, line: str, by: str) -> None:
    method, path = line.split()
    answer = desk.call(method, path, None if method == "GET" else {}, by=by)
    assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden")


@pytest.mark.parametrize("line", lines(NOT_FOR_STRANGERS))
def test_who_has_no_credential_is_refused(desk: Desk, line: str) -> None:
    method, path = line.split()
    answer = desk.call(method, path, None if method == "GET" else {}, by=None)
    assert (answer.status, answer.body) == (401, {"error": "Couldn't authenticate you"})


@pytest.mark.parametrize("path", lines(FOR_ANYBODY))
def test_a_wrong_credential_is_refused_where_none_is_needed(desk: Desk, path: str) -> None:
    assert desk.get(path, by=None)
    answer = desk.call("GET", path, by=None, **basic("ana@desk.example/token", "guess"))
    assert (answer.status, answer.body) == (401, {"error": "Couldn't authenticate you"})


@pytest.mark.parametrize("path", lines(PAGED))
def test_a_page_that_cannot_be_is_refused(desk: Desk, path: str) -> None:
    for asked in ("page[size]=101", "page[size]=0", "page[size]=10&page[after]=nonsense"):
        answer = desk.call("GET", f"{path}?{asked}", by="olga")
        assert answer.status == 400, asked
        assert answer.body["errors"][0]["code"] == "InvalidPaginationParameter", asked
    if path in CURSORS_ONLY:
        return
    answer = desk.call("GET", f"{path}?per_page=x", by="olga")
    assert (answer.status, answer.body["error"]["title"]) == (400, "Invalid attribute")


@pytest.mark.parametrize("line", lines(ABOUT_IDS))
def test_a_call_that_names_no_ids_is_refused(desk: Desk, line: str) -> None:
    method, path = line.split()
    answer = desk.call(method, path, BODIES.get(line), by="olga")
    assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")


def test_a_null_byte_in_a_path_names_nothing(desk: Desk) -> None:
    asked = 0
    for operation in operations().all.values():
        if str not in operation.parameters.values():
            continue
        path = re.sub(r"\{\w+:int\}", "1", operation.path.removeprefix("/api/v2/"))
        # In each place alone too: what is asked for first may hide the rest.
        pieces = re.split(r"\{\w+\}", path)
        places = len(pieces) - 1
        for odd in (None, *range(places if places > 1 else 0)):
            names = ["a%00b" if odd in (None, place) else "x" for place in range(places)]
            named = "".join(map("".join, zip(pieces, [*names, ""], strict=True)))
            answer = desk.call(operation.method, f"{named}.json", {}, by="olga")
            assert 400 <= answer.status < 500, (operation.id, answer.status, answer.body)
        asked += 1
    assert asked > 20


def test_a_number_that_no_record_can_have_names_nothing(desk: Desk) -> None:
    for kind in ("bookmark", "skip"):
        for number in (2**63, 10**30):
            answer = desk.call("POST", f"{kind}s.json", {kind: {"ticket_id": number}})
            assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")


def test_a_field_that_cannot_be_is_passed_over(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    values = {str(2**63): "x", "²": "y", "z": 1}
    changed = desk.put(f"tickets/{ticket}.json", {"ticket": {"custom_fields": values}})
    assert {item["id"] for item in changed["ticket"]["custom_fields"]}.isdisjoint(values)
