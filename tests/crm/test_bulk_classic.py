"""The older bulk API: jobs of many batches, below `/services/async`."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.crm.bulk import Text, names
from tests.crm.conftest import ADA, BEN, Org

HERE = "/services/async/58.0/job"
XML, JSON, CSV = "application/xml", "application/json", "text/csv"
NS = ' xmlns="http://www.force.com/2009/06/asyncapi/dataload"'

MISSING = "REQUIRED_FIELD_MISSING:Required fields are missing: [LastName]:LastName --"
COMPOUND = (
    "InvalidBatch : Failed to process query: FUNCTIONALITY_NOT_ENABLED: Selecting compound data not"
    " supported in Bulk Query"
)
OTHER_OBJECT = (
    "InvalidBatch : Failed to process query: INVALID_TYPE_FOR_OPERATION: The root entity of the"
    " requested query (Contact) does not match the entity of the requested Bulk API Job (Account)"
)
CHILDREN = (
    "FeatureNotEnabled : Aggregate Relationships not supported in Bulk Query with CSV content type"
)


def call(
    org: Org, method: str, path: str, body: Any = "", *, kind: str = JSON, login: str = ADA
) -> Text:
    """Return an answer to a call with a session in the header that this API has for it."""
    sent = body if isinstance(body, str) else json.dumps(body)
    headers = {"X-SFDC-Session": org.token(login)}
    found = org.client().generic(
        method, f"{HERE}{path}", sent, kind, headers=headers, CONTENT_TYPE=kind
    )
    return Text(found.status_code, found.content.decode(), found.headers)


def opened(org: Org, operation: str = "insert", of: str = "Account", **more: Any) -> str:
    """Make a job, and return its id."""
    content = {"contentType": "JSON"}
    found = call(org, "POST", "", {"operation": operation, "object": of, **content, **more})
    assert found.status == 201, found.text
    return str(json.loads(found.text)["id"])


def batch(org: Org, job: str, body: Any, *, kind: str = JSON) -> str:
    """Add a batch, and return its id."""
    found = call(org, "POST", f"/{job}/batch", body, kind=kind)
    assert found.status == 201, found.text
    return re.search("751[0-9A-Za-z]{15}", found.text)[0]  # type: ignore[index]


def shown(org: Org, job: str, id: str, more: str = "") -> Any:
    """Return what is answered of a batch in JSON."""
    return json.loads(call(org, "GET", f"/{job}/batch/{id}{more}").text)


def refused(org: Org, method: str, path: str, body: Any = "", **how: Any) -> list[str]:
    """Return the code and the message of a refusal in JSON."""
    found = call(org, method, path, body, **how)
    assert (found.status, found.headers["Content-Type"]) == (400, JSON), found.text
    error = json.loads(found.text)
    assert list(error) == ["exceptionCode", "exceptionMessage"]
    return list(error.values())


def test_a_job_in_json(org: Org) -> None:
    made = call(
        org,
        "POST",
        "",
        {"operation": "insert", "object": "account", "contentType": "JSON", "concurrencyMode": 0},
    )
    assert (made.status, made.headers["Content-Type"]) == (201, JSON)
    job = json.loads(made.text)
    assert list(job) == sorted(job)
    id = job["id"]
    assert id.startswith("750")
    assert {name: job[name] for name in ("object", "state", "concurrencyMode", "apiVersion")} == {
        "object": "Account",
        "state": "Open",
        "concurrencyMode": "Parallel",
        "apiVersion": 58.0,
    }
    one = batch(org, id, [{"Name": "Ash", "NumberOfEmployees": 7}, {"Phone": "1"}])
    assert names(org) == ["Ash"]
    info = shown(org, id, one)
    assert list(info) == sorted(info)
    assert [info[key] for key in ("jobId", "state", "stateMessage")] == [id, "Completed", None]
    assert (info["numberRecordsProcessed"], info["numberRecordsFailed"]) == (2, 1)
    first, second = shown(org, id, one, "/result")
    assert first == {"success": True, "created": True, "id": first["id"], "errors": []}
    assert second == {
        "success": False,
        "created": False,
        "id": None,
        "errors": [
            {
                "message": "Required fields are missing: [Name]",
                "fields": ["Name"],
                "statusCode": "REQUIRED_FIELD_MISSING",
                "extendedErrorDetails": None,
            }
        ],
    }
    assert shown(org, id, one, "/request")[1] == {"Phone": "1"}
    two = batch(org, id, [{"Name": "Birch"}])
    listed = json.loads(call(org, "GET", f"/{id}/batch").text)["batchInfo"]
    assert [each["id"] for each in listed] == [one, two]
    closed = json.loads(call(org, "POST", f"/{id}", {"state": "Closed"}).text)
    assert (closed["state"], closed["numberBatchesCompleted"]) == ("Closed", 2)
    assert refused(org, "POST", f"/{id}/batch", [{"Name": "C"}])[0] == "InvalidJobState"
    for state in ("Closed", "Aborted", "Open"):
        assert refused(org, "POST", f"/{id}", {"state": state})[0] == "InvalidJobState"
    assert [one["jobType"] for one in org.call("GET", "/jobs/ingest")["records"]] == ["Classic"]


def test_a_job_in_xml_with_tables(org: Org) -> None:
    body = (
        f"\n<?xml version='1.0' encoding='UTF-8'?><jobInfo{NS}><operation>upsert</operation>"
        "<object>Contact</object><externalIdFieldName>email</externalIdFieldName>"
        "<concurrencyMode>Serial</concurrencyMode><contentType>CSV</contentType></jobInfo>"
    )
    made = call(org, "POST", "", body, kind=XML)
    assert (made.status, made.headers["Content-Type"]) == (201, XML), made.text
    assert made.text.startswith(f'<?xml version="1.0" encoding="UTF-8"?><jobInfo{NS}><id>750')
    assert re.findall("<([a-zA-Z]+)>", made.text)[:10] == [
        "id",
        "operation",
        "object",
        "createdById",
        "createdDate",
        "systemModstamp",
        "state",
        "externalIdFieldName",
        "concurrencyMode",
        "contentType",
    ]
    assert "<externalIdFieldName>Email</externalIdFieldName>" in made.text
    assert "<apiVersion>58.0</apiVersion>" in made.text
    assert re.search("<createdDate>[-0-9]{10}T[:0-9]{8}.000Z</createdDate>", made.text)
    job = re.search("750[0-9A-Za-z]{15}", made.text)[0]  # type: ignore[index]
    data = 'LastName,Email\r\nHolm,e@x.example\r\n"A ""B""",a@x.example\n,b@x.example\n'
    one = batch(org, job, data, kind=CSV)
    info = call(org, "GET", f"/{job}/batch/{one}")
    assert info.headers["Content-Type"] == XML
    assert "<state>Completed</state>" in info.text
    assert "<numberRecordsFailed>1</numberRecordsFailed>" in info.text
    result = call(org, "GET", f"/{job}/batch/{one}/result", kind=XML)
    assert result.headers["Content-Type"] == CSV
    assert result.text.startswith('"Id","Success","Created","Error"\n"003')
    assert [row[1:] for row in result.rows[2:]] == [
        ["true", "true", ""],
        ["false", "false", MISSING],
    ]
    assert call(org, "GET", f"/{job}/batch/{one}/request").text == data
    assert names(org, "Contact", "LastName") == ['A "B"', "Holm"]
    batches = call(org, "GET", f"/{job}/batch", kind=XML).text
    assert f"<batchInfoList{NS}><batchInfo><id>{one}</id><jobId>{job}</jobId>" in batches
    aborted = call(
        org, "POST", f"/{job}", f"<jobInfo{NS}><state>Aborted</state></jobInfo>", kind=XML
    )
    assert "<state>Aborted</state>" in aborted.text


def test_records_in_xml(org: Org) -> None:
    one = org.make("Account", Name="Ash", Phone="1")
    job = opened(org, "update", contentType="XML")
    xsi = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    body = (
        f"<sObjects{NS}{xsi}><sObject><Id>{one}</Id><Phone xsi:nil='true'/>"
        f"<Owner><sObject><Username>{BEN}</Username></sObject></Owner></sObject>"
        "<sObject><Id>001</Id><Name>A &amp; B</Name></sObject></sObjects>"
    )
    id = batch(org, job, body, kind=XML)
    result = call(org, "GET", f"/{job}/batch/{id}/result", kind=XML)
    assert result.headers["Content-Type"] == XML
    first, second = re.findall("<result>(.*?)</result>", result.text)
    assert first == f"<id>{one}</id><success>true</success><created>false</created>"
    assert "<statusCode>MALFORMED_ID</statusCode></errors><success>false</success>" in second
    account = org.show("Account", one)
    assert (account["Phone"], account["OwnerId"]) == (None, org.users[BEN])
    for wrong in ("<sObjects>", "<!DOCTYPE a><sObjects/>", "<a/>", ""):
        assert refused(org, "POST", f"/{job}/batch", wrong)[0] == "InvalidBatch"


@pytest.mark.parametrize("content", ["CSV", "JSON", "XML"])
def test_a_query_in_each_form(org: Org, content: str) -> None:
    account = org.make("Account", Name="Ash & Co", AnnualRevenue=5)
    org.make("Contact", LastName="Holm", AccountId=account)
    org.make("Contact", LastName="Alone")
    job = opened(org, "query", "Contact", contentType=content)
    text = "SELECT LastName, Account.Name, CreatedDate FROM Contact ORDER BY LastName DESC"
    one = batch(org, job, text, kind=CSV)
    listed = call(org, "GET", f"/{job}/batch/{one}/result")
    (result,) = re.findall("752[0-9A-Za-z]{15}", listed.text)
    if content == "JSON":
        assert json.loads(listed.text) == [result]
    else:
        assert f"<result-list{NS}><result>{result}</result></result-list>" in listed.text
    found = call(org, "GET", f"/{job}/batch/{one}/result/{result}")
    assert found.status == 200
    if content == "CSV":
        assert found.headers["Content-Type"] == CSV
        assert found.rows[0] == ["LastName", "Account.Name", "CreatedDate"]
        assert [row[:2] for row in found.rows[1:]] == [["Holm", "Ash & Co"], ["Alone", ""]]
        assert found.rows[1][2].endswith(".000Z")
    elif content == "JSON":
        holm, alone = json.loads(found.text)
        assert holm["attributes"]["type"] == "Contact"
        assert holm["Account"]["Name"] == "Ash & Co"
        assert (alone["Account"], holm["CreatedDate"] % 1000) == (None, 0)
    else:
        assert "<queryResult" in found.text
        assert "<LastName>Holm</LastName><Account xsi:type" in found.text
        assert "<Name>Ash &amp; Co</Name>" in found.text
    info = call(org, "GET", f"/{job}/batch/{one}").text
    assert re.search("numberRecordsProcessed\\W+2", info)
    assert call(org, "GET", f"/{job}/batch/{one}/request").text == text


def test_a_query_that_finds_nothing_says_so_in_a_table(org: Org) -> None:
    job = opened(org, "query", "Lead", contentType="CSV")
    one = batch(org, job, "SELECT Id FROM Lead", kind=CSV)
    (result,) = re.findall("752\\w{15}", call(org, "GET", f"/{job}/batch/{one}/result").text)
    found = call(org, "GET", f"/{job}/batch/{one}/result/{result}")
    assert found.text == "Records not found for this query\n"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT BillingAddress FROM Account", COMPOUND,
        ),
        (
            "SELECT Id FROM Contact", OTHER_OBJECT,
        ),
        (
            "SELECT Id, (SELECT Id FROM Contacts) FROM Account", CHILDREN,
        ),
    ],
)  # fmt: skip
def test_a_query_that_cannot_be_run_fails_its_batch(org: Org, query: str, message: str) -> None:
    job = opened(org, "query", contentType="CSV")
    one = batch(org, job, query, kind=CSV)
    info = call(org, "GET", f"/{job}/batch/{one}").text
    assert f"<state>Failed</state><stateMessage>{message}</stateMessage>" in info
    assert "<numberBatchesFailed>1<" in call(org, "GET", f"/{job}", kind=XML).text


def test_children_are_found_where_json_tells_of_them(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    org.make("Contact", LastName="Holm", AccountId=account)
    job = opened(org, "query")
    one = batch(org, job, "SELECT Name, (SELECT LastName FROM Contacts) FROM Account")
    (result,) = shown(org, job, one, "/result")
    (found,) = shown(org, job, one, f"/result/{result}")
    assert [each["LastName"] for each in found["Contacts"]["records"]] == ["Holm"]


def test_a_query_is_split_by_its_keys(org: Org) -> None:
    for number in range(5):
        org.make("Account", Name=f"A{number}")
    org.call("DELETE", f"/sobjects/Account/{org.make('Account', Name='Gone')}", status=204)
    headers = {"X-SFDC-Session": org.token(), "Sforce-Enable-PKChunking": "chunkSize=2; parent=X"}
    body = json.dumps({"operation": "query", "object": "Account", "contentType": "CSV"})
    made = org.client().post(HERE, body, JSON, headers=headers)
    job = made.json()["id"]
    batch(org, job, "SELECT Name FROM Account WHERE Name != 'A2'", kind=CSV)
    listed = call(org, "GET", f"/{job}/batch").text
    ids = re.findall("<id>(.*?)</id>", listed)
    assert re.findall("<state>(.*?)</state>", listed) == ["NotProcessed", *["Completed"] * 3]
    assert re.findall("<numberRecordsProcessed>(.*?)<", listed) == ["0", "2", "1", "1"]
    found = []
    for id in ids[1:]:
        (result,) = re.findall("752\\w{15}", call(org, "GET", f"/{job}/batch/{id}/result").text)
        rows = call(org, "GET", f"/{job}/batch/{id}/result/{result}").rows
        found += [name for (name,) in rows[1:]]
    assert found == ["A0", "A1", "A3", "A4"]
    assert [one["id"] for one in org.call("GET", "/jobs/query?isPkChunkingEnabled=true")["records"]]
    headers["Sforce-Enable-PKChunking"] = "chunkSize=250001"
    assert org.client().post(HERE, body, JSON, headers=headers).status_code == 400


def test_records_are_deleted(org: Org) -> None:
    ids = [org.make("Account", Name=name) for name in ("Ash", "Birch", "Cedar")]
    job = opened(org, "delete")
    one = batch(org, job, [{"Id": ids[0]}, {"id": ids[1][:15]}])
    assert [each["success"] for each in shown(org, job, one, "/result")] == [True, True]
    two = batch(org, opened(org, "hardDelete"), [{"Id": ids[2]}])
    assert two.startswith("751")
    assert org.call("GET", "/queryAll?q=SELECT COUNT() FROM Account")["totalSize"] == 2


def test_what_cannot_be_read_fails_its_batch(org: Org) -> None:
    job = opened(org)
    for body, message in (
        ([{"Name": "Ash"}, {"Nmae": "B"}], "InvalidBatch : Field name not found : Nmae"),
        ("[", "InvalidBatch : Failed to parse JSON"),
        ({"Name": "Ash"}, "InvalidBatch : Failed to parse JSON"),
        ([], "InvalidBatch : Records not found"),
        ("[" * 5000, "InvalidBatch : Failed to parse JSON"),
    ):
        info = shown(org, job, batch(org, job, body))
        assert info["state"] == "Failed"
        assert info["stateMessage"].startswith(message)
    assert names(org) == []
    wrong = [{"Name": {"a": 1}}, {"Name": 7}, {"Name": "A", "Parent": "x"}, {"Name": "A\0B"}]
    one = batch(org, job, wrong)
    assert [each["success"] for each in shown(org, job, one, "/result")] == [
        False, False, False, True,
    ]  # fmt: skip
    assert names(org) == ["AB"]


def test_requests_are_refused_in_the_form_that_they_have(org: Org) -> None:
    wrong = org.client().get(f"{HERE}/750", headers={"X-SFDC-Session": "00D!x"})
    assert (wrong.status_code, wrong["Content-Type"]) == (400, XML)
    assert wrong.content.decode() == (
        f'<?xml version="1.0" encoding="UTF-8"?><error{NS}><exceptionCode>InvalidSessionId'
        "</exceptionCode><exceptionMessage>Invalid session id</exceptionMessage></error>"
    )
    anybody = org.client().post(HERE, "{}", JSON)
    assert (anybody.status_code, anybody.json()["exceptionCode"]) == (400, "InvalidSessionId")
    job = opened(org)
    assert refused(org, "GET", "/750000000000000AAA") == [
        "InvalidJob",
        "Invalid job id: 750000000000000AAA",
    ]
    assert refused(org, "GET", f"/{job}", login=BEN)[0] == "InvalidJob"
    assert refused(org, "GET", f"/{job}/batch/751")[0] == "InvalidBatch"
    headers = {"X-SFDC-Session": org.token()}
    for path in ("/services/async/58.0/jobs", "/services/async/58.0/job/a/b/c/d/e/f"):
        found = org.client().get(path, headers=headers)
        assert (found.status_code, b"InvalidUrl" in found.content) == (404, True)
    found = org.client().get(f"/services/async/v58.0/job/{job}", headers=headers)
    assert (found.status_code, b"unknown version: v58.0" in found.content) == (400, True)
    found = org.client().get(f"/services/async/30.0/job/{job}", headers=headers)
    assert (found.status_code, b"InvalidVersion" in found.content) == (400, True)
    assert org.client().delete(f"{HERE}/{job}", headers=headers).status_code == 405


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"operation": "insert", "object": "Xyz"}, "InvalidJob"),
        ({"operation": "drop", "object": "Account"}, "InvalidJob"),
        ({"operation": "insert", "object": "Account", "contentType": "ZIP_CSV"}, "InvalidJob"),
        ({"operation": "insert", "object": "Account", "concurrencyMode": 7}, "InvalidJob"),
        ({"operation": "upsert", "object": "Account"}, "InvalidJob"),
        ({"operation": "query", "object": ["Account"]}, "InvalidJob"),
        ("[", "InvalidJob"),
        ("[]", "InvalidJob"),
        ("", "InvalidJob"),
    ],
)
def test_jobs_are_refused_that_cannot_be_done(org: Org, body: Any, code: str) -> None:
    assert refused(org, "POST", "", body)[0] == code


def test_a_document_is_read_within_bounds(org: Org) -> None:
    for body in ("", "<", "<a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><jobInfo/>", "<a>" * 200):
        found = call(org, "POST", "", body, kind=XML)
        assert (found.status, "<exceptionCode>InvalidXml<" in found.text) == (400, True)
    found = call(org, "POST", f"/{opened(org)}/batch", "PK", kind="zip/csv")
    assert (found.status, "binary attachments" in found.text) == (400, True)


def test_a_batch_has_bounds(org: Org, monkeypatch: pytest.MonkeyPatch) -> None:
    from clones.crm.domain.bulk import ingesting  # noqa: PLC0415 - the app may not be there
    from clones.crm.rules.bulk import words  # noqa: PLC0415 - see above

    monkeypatch.setattr(words, "LONGEST_BATCH", 20)
    job = opened(org)
    assert refused(org, "POST", f"/{job}/batch", [{"Name": "A" * 30}])[0] == "ClientInputError"
    monkeypatch.setattr(words, "LONGEST_BATCH", 200)
    monkeypatch.setattr(ingesting, "MOST_OF_BATCH", 2)
    info = shown(org, job, batch(org, job, [{"Name": "A"}] * 3))
    assert (info["state"], names(org)) == ("Failed", [])
