"""What tests of bulk jobs do again and again."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

from tests.crm.conftest import ADA, VERSION, Org

INGEST = "/jobs/ingest"
QUERY = "/jobs/query"


@dataclass(frozen=True, slots=True)
class Text:
    """An answer that is no JSON."""

    status: int
    text: str
    headers: Any

    @property
    def rows(self) -> list[list[str]]:
        """The rows of the table that it is."""
        return list(csv.reader(io.StringIO(self.text)))


def send(
    org: Org, method: str, path: str, body: str | bytes = "", *, kind: str = "text/csv", **how: str
) -> Text:
    """Return an answer to a call whose body, or answer, is no JSON."""
    login = how.pop("login", ADA)
    headers = {"Authorization": f"Bearer {org.token(login)}", **how}
    whole = path if path.startswith("/services") else f"/services/data/{VERSION}{path}"
    answer = org.client().generic(method, whole, body, kind, headers=headers)
    return Text(answer.status_code, answer.content.decode(), answer.headers)


def opened(org: Org, operation: str = "insert", of: str = "Account", **more: Any) -> str:
    """Make a job that saves, and return its id."""
    body = {"operation": operation, "object": of, **more}
    return str(org.call("POST", INGEST, body)["id"])


def ingested(
    org: Org, data: str, operation: str = "insert", of: str = "Account", **more: Any
) -> str:
    """Have some data saved by a job, and return the job's id."""
    id = opened(org, operation, of, **more)
    put = send(org, "PUT", f"{INGEST}/{id}/batches", data)
    assert (put.status, put.text) == (201, "")
    assert org.call("PATCH", f"{INGEST}/{id}", {"state": "UploadComplete"})["state"] == (
        "UploadComplete"
    )
    return id


def results(org: Org, id: str, which: str) -> list[list[str]]:
    """Return the rows of a result of a job."""
    found = send(org, "GET", f"{INGEST}/{id}/{which}")
    assert found.status == 200, found.text
    assert found.headers["Content-Type"] == "text/csv"
    return found.rows


def progress(org: Org, id: str) -> tuple[str, int, int]:
    """Return the state of a job, how many records were looked at and how many refused."""
    job = org.call("GET", f"{INGEST}/{id}")
    return job["state"], job["numberRecordsProcessed"], job["numberRecordsFailed"]


def names(org: Org, of: str = "Account", field: str = "Name") -> list[str]:
    """Return the names of the records of an object."""
    found = org.call("GET", f"/query?q=SELECT {field} FROM {of} ORDER BY {field}")
    return [row[field] for row in found["records"]]
