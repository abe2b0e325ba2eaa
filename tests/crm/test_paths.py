"""Addresses as clients write them."""

from __future__ import annotations

import json
from typing import Any

from tests.crm.conftest import Org


def test_a_slash_that_stands_twice_before_an_address_counts_once(org: Org) -> None:
    headers = {"Authorization": f"Bearer {org.token()}"}
    for path, query in (("", ""), ("/v64.0/query", "q=SELECT Id FROM User")):
        whole: dict[str, Any] = {"PATH_INFO": f"//services/data{path}", "QUERY_STRING": query}
        found = org.client().get("/", headers=headers, **whole)
        assert found.status_code == 200, found.content
        assert json.loads(found.content)
    assert "Sforce-Limit-Info" in found.headers
    nobody = org.client().get("/", PATH_INFO="//services/data/v64.0/limits")
    assert (nobody.status_code, nobody.json()[0]["errorCode"]) == (401, "INVALID_SESSION_ID")
