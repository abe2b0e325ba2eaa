"""Each operation, called well, and refusing what all of them refuse.

A case is about one operation and calls few others: what it needs to be called well
(`tests.crm.odd_examples`).
"""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.operations import Operation
from tests.crm.conftest import IS_MADE, Org
from tests.crm.odd_examples import RAW, Scene, answer_to

# Sign-in and web forms say no in other ways, which tests of their own know.
OF_ALL = "/services/data/{version}"


def every_operation() -> list[Operation]:
    """Return the operations; none where the app is not there."""
    if not IS_MADE:
        return []
    from clones.crm.api.operations import operations  # noqa: PLC0415 - the app may not be there

    return list(operations.all.values())


def below_versions() -> list[Operation]:
    """Return the operations below the address of a version."""
    return [one for one in every_operation() if one.path.startswith(OF_ALL)]


def beside_versions() -> list[Operation]:
    """Return the operations of sign-in and of the older bulk API; those of SOAP say no by faults.

    A web form says no to nobody.
    """
    return [
        one
        for one in every_operation()
        if one.path.startswith(("/services/async", "/services/oauth2", "/services/id/"))
    ]


def named(operation: Operation) -> str:
    """Return the id of a case."""
    return operation.id


@pytest.mark.parametrize("operation", below_versions(), ids=named)
def test_an_operation_asks_for_a_session_and_a_version(org: Org, operation: Operation) -> None:
    parts = dict.fromkeys(operation.parameters, "x")
    if operation.access != "public":
        anonymous = org.client().generic(
            operation.method, operation.template.format(**{**parts, "version": "v64.0"})
        )
        assert anonymous.status_code == 401
        assert [one["errorCode"] for one in anonymous.json()] == ["INVALID_SESSION_ID"]
    if "version" in parts:
        headers = {"Authorization": f"Bearer {org.token()}"}
        path = operation.template.format(**{**parts, "version": "v19.0"})
        body = "" if operation.method == "GET" else "{}"
        old = org.client().generic(
            operation.method, path, body, "application/json", headers=headers
        )
        assert old.status_code in (400, 404)


@pytest.mark.parametrize("operation", beside_versions(), ids=named)
def test_an_operation_beside_versions_refuses_who_says_nothing(
    org: Org, operation: Operation
) -> None:
    parts = dict.fromkeys(operation.parameters, "x")
    path = operation.template.format(**{**parts, "version": "58.0"})
    if operation.path.startswith("/services/id/"):
        path = path.removeprefix("/services")
    answer = org.client().generic(operation.method, path)
    assert 400 <= answer.status_code < 500
    assert answer.content


@pytest.mark.parametrize("kind", ["Partner", "Enterprise", "Metadata"])
@pytest.mark.parametrize("of", ["", "Organization"])
def test_envelopes_are_answered_at_each_address(org: Org, kind: str, of: str) -> None:
    scene = Scene(org)
    (operation,) = [one for one in every_operation() if one.id == f"PostSoap{kind}{of}"]
    path = operation.template.format(version="64.0", organization=scene.id("organization"))
    raw = RAW["PostSoapMetadata" if kind == "Metadata" else "PostSoapPartner"][0]
    body = raw[1].replace("{session}", org.token())
    answer = org.client().post(path, body, "text/xml")
    assert answer.status_code == 200
    assert b"Response>" in answer.content


# What their good calls are refused for here, by the codes of the refusals.
REFUSED: dict[str, str] = {
    "DeleteIngestJob": "INVALIDJOBSTATE",
    "DeleteToolingFlow": "DELETE_FAILED",
    "GetKnowledgeArticle": "NOT_FOUND",
    "DeleteReportInstance": "NOT_FOUND",
    "GetReportInstance": "NOT_FOUND",
    "GetQueryMore": "INVALID_QUERY_LOCATOR",
    "PatchQueryJob": "INVALIDJOBSTATE",
    "PostSObjectRowById": "METHOD_NOT_ALLOWED",
}


def answered_well() -> list[Operation]:
    """Return the operations whose good calls need no process of approval."""
    return [one for one in below_versions() if one.id != "PostProcessApprovals"]


@pytest.mark.parametrize("operation", answered_well(), ids=named)
def test_an_operation_does_what_it_is_for(org: Org, operation: Operation) -> None:
    answer = answer_to(Scene(org), operation)
    if operation.id in REFUSED:
        assert [one["errorCode"] for one in answer.json()] == [REFUSED[operation.id]]
        return
    assert 200 <= answer.status_code < 300, answer.content[:300]
    assert answer.content or answer.status_code in (201, 204)
    if answer.content and answer.headers["Content-Type"].startswith("application/json"):
        assert _says_something(answer.json())


def _says_something(body: Any) -> bool:
    """Tell whether a body is a list, or an object with members."""
    return isinstance(body, list) or (isinstance(body, dict) and len(body) > 0)
