"""What holds of many operations: types of bodies, addresses beside those of ids, the clock."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import Org

FORM = "application/x-www-form-urlencoded"


def typed(org: Org, method: str, path: str, body: str, kind: str) -> Any:
    """Return the answer to a call whose body is of a type."""
    headers = {"Authorization": f"Bearer {org.token()}"}
    whole = f"/services/data/v64.0{path}"
    return org.client().generic(method, whole, body, kind, headers=headers)


@pytest.mark.parametrize("kind", [FORM, "text/plain", "application/xml", "multipart/related"])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/sobjects/Account"),
        ("POST", "/composite"),
        ("POST", "/ui-api/records"),
        ("POST", "/tooling/sobjects/CustomField"),
    ],
)
def test_bodies_of_other_types_are_refused(org: Org, method: str, path: str, kind: str) -> None:
    answer = typed(org, method, path, '{"Name": "Ash"}', kind)
    assert answer.status_code == 415
    assert answer.json() == [
        {
            "message": f"MediaType of '{kind}' is not supported by this resource",
            "errorCode": "UNSUPPORTED_MEDIA_TYPE",
        }
    ]


def test_json_is_read_whatever_its_character_set_and_without_a_type(org: Org) -> None:
    for kind in ("application/json; charset=UTF-8", "Application/JSON", ""):
        made = typed(org, "POST", "/sobjects/Account", '{"Name": "Ash"}', kind)
        assert made.status_code == 201, kind


@pytest.mark.parametrize(
    "path",
    [
        "/sobjects/relevantItems",
        "/sobjects/Account/listviews/recents",
        "/ui-api/actions/photo/x",
        "/query/nothing/here",
        "/limits/nothing",
        "/composite/nothing",
        "/jobs/nothing",
    ],
)
def test_an_address_that_is_not_there_is_no_id_of_another(org: Org, path: str) -> None:
    assert org.refused("GET", path)["status"] == 404


def test_fixed_addresses_come_before_ids(org: Org) -> None:
    recent = org.call("GET", "/sobjects/Account/listviews/recent")
    assert "listviews" in recent
    assert org.call("GET", "/ui-api/apps/selected")["selected"] is True
    user = next(iter(org.users.values()))
    assert org.show("User", user)["Id"] == user  # beside /sobjects/User/{id}/password


def test_the_date_of_an_answer_is_the_sandboxes(org: Org) -> None:
    answer = org.ask("GET", "/limits")
    assert " Jun 2026 " in answer.headers["Date"]


def test_fields_that_are_named_twice_are_shown_once(org: Org) -> None:
    id = org.make("Account", Name="Ash", Phone="1")
    shown = org.call("GET", f"/sobjects/Account/{id}?fields=Name,Name,%20Phone")
    assert [name for name in shown if name != "attributes"] == ["Name", "Phone", "Id"]
