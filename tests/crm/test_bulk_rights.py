"""Bulk jobs see and change what their users may see and change."""

from __future__ import annotations

import json

from tests.crm.bulk import INGEST, QUERY, names, send
from tests.crm.conftest import BEN, Org
from tests.crm.test_permissions import close_field
from tests.crm.test_sharing import close


def ingested(org: Org, data: str, operation: str, of: str) -> str:
    """Have some data saved by a job of Ben's, and return the job's id."""
    body = {"operation": operation, "object": of}
    id = str(org.call("POST", INGEST, body, login=BEN)["id"])
    send(org, "PUT", f"{INGEST}/{id}/batches", data, login=BEN)
    org.call("PATCH", f"{INGEST}/{id}", {"state": "UploadComplete"}, login=BEN)
    return id


def errors(org: Org, id: str) -> list[str]:
    """Return the codes of what a job refused."""
    rows = send(org, "GET", f"{INGEST}/{id}/failedResults", login=BEN).rows[1:]
    return [row[1].partition(":")[0] for row in rows]


def test_a_query_finds_what_its_user_may_see(org: Org) -> None:
    close(org, "Account")
    org.make("Account", Name="Ash")
    own = org.call("POST", "/sobjects/Account", {"Name": "Birch"}, status=201, login=BEN)["id"]
    text = "SELECT Name FROM Account"
    made = org.call("POST", QUERY, {"operation": "query", "query": text}, login=BEN)
    found = send(org, "GET", f"{QUERY}/{made['id']}/results", login=BEN)
    assert found.rows == [["Name"], ["Birch"]]
    here, headers = "/services/async/58.0/job", {"X-SFDC-Session": org.token(BEN)}
    body = json.dumps({"operation": "query", "object": "Account", "contentType": "JSON"})
    headers["Sforce-Enable-PKChunking"] = "chunkSize=1"
    browser = org.client()
    job = browser.post(here, body, "application/json", headers=headers).json()["id"]
    browser.post(f"{here}/{job}/batch", text, "application/json", headers=headers)
    listed = browser.get(f"{here}/{job}/batch", headers=headers).json()["batchInfo"]
    assert [one["numberRecordsProcessed"] for one in listed] == [0, 1]
    assert org.show("Account", own)["Name"] == "Birch"


def test_a_job_changes_what_its_user_may_change(org: Org) -> None:
    close(org, "Account", model="Read")
    account = org.make("Account", Name="Ash")
    for operation in ("update", "delete"):
        data = f"Id,Name\n{account},Mine\n" if operation == "update" else f"Id\n{account}\n"
        assert errors(org, ingested(org, data, operation, "Account")) == [
            "INSUFFICIENT_ACCESS_OR_READONLY"
        ]
    assert names(org) == ["Ash"]
    assert errors(org, ingested(org, "Name\nMill\n", "insert", "Product2")) == [
        "CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY"
    ]
    close_field(org, "Account.Phone")
    closed = ingested(org, "Name,Phone\nA,1\n", "insert", "Account")
    job = org.call("GET", f"{INGEST}/{closed}", login=BEN)
    assert job["errorMessage"] == "InvalidBatch : Field name not found : Phone"
