"""Jobs that save what is uploaded for them (Bulk API 2.0)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.bulk import INGEST, ingested, names, opened, progress, results, send
from tests.crm.conftest import ADA, BEN, VERSION, Org

NO_JOB = {
    "status": 404,
    "message": "The requested resource does not exist",
    "errorCode": "NOT_FOUND",
}

UNQUOTED = (
    "InvalidBatch : Failed to parse CSV. Found unescaped quote. A value with quote should be within"
    " a quote"
)
ENDING = "ClientInputError : LineEnding is invalid on user data. Current LineEnding setting is LF"


def error(org: Org, id: str) -> str:
    """Return why a job failed as a whole."""
    job = org.call("GET", f"{INGEST}/{id}")
    assert job["state"] == "Failed"
    assert job["numberRecordsProcessed"] == job["numberRecordsFailed"] == 0
    return str(job["errorMessage"])


def test_a_job_goes_from_open_to_complete(org: Org) -> None:
    made = org.call("POST", INGEST, {"object": "account", "operation": "insert"})
    id = made["id"]
    assert id.startswith("750")
    assert made == {
        "id": id,
        "operation": "insert",
        "object": "Account",
        "createdById": org.users[ADA],
        "createdDate": made["createdDate"],
        "systemModstamp": made["createdDate"],
        "state": "Open",
        "concurrencyMode": "Parallel",
        "contentType": "CSV",
        "apiVersion": 64.0,
        "contentUrl": f"services/data/{VERSION}/jobs/ingest/{id}/batches",
        "lineEnding": "LF",
        "columnDelimiter": "COMMA",
    }
    assert list(made)[-3:] == ["contentUrl", "lineEnding", "columnDelimiter"]
    send(org, "PUT", f"{INGEST}/{id}/batches", "Name,Industry\nAsh,Energy\n,Energy\n")
    assert names(org) == []
    done = org.call("PATCH", f"{INGEST}/{id}", {"state": "UploadComplete"})
    assert (done["state"], "jobType" in done) == ("UploadComplete", False)
    shown = org.call("GET", f"{INGEST}/{id}")
    assert shown == {
        **{key: made[key] for key in made if key not in ("contentUrl", "systemModstamp", "state")},
        "systemModstamp": shown["systemModstamp"],
        "state": "JobComplete",
        "jobType": "V2Ingest",
        "numberRecordsProcessed": 2,
        "numberRecordsFailed": 1,
        "retries": 0,
        "totalProcessingTime": 0,
        "apiActiveProcessingTime": 0,
        "apexProcessingTime": 0,
    }
    assert names(org) == ["Ash"]


def test_results_have_the_rows_as_they_came(org: Org) -> None:
    id = ingested(org, 'Name,Industry\n"Ash, ""the"" tree",Energy\n,"En\nergy"\nBirch,Energy\n')
    saved = send(org, "GET", f"{INGEST}/{id}/successfulResults").text.split("\n")
    assert saved[0] == '"sf__Id","sf__Created",Name,Industry'
    assert saved[1].startswith('"001')
    assert saved[1].endswith('","true","Ash, ""the"" tree",Energy')
    assert saved[2].endswith(',"true",Birch,Energy')
    assert saved[3:] == [""]
    failed = results(org, id, "failedResults")
    assert failed[0] == ["sf__Id", "sf__Error", "Name", "Industry"]
    text = "REQUIRED_FIELD_MISSING:Required fields are missing: [Name]:Name --"
    assert failed[1:] == [["", text, "", "En\nergy"]]
    for name in ("unprocessedrecords", "unprocessedRecords"):
        assert results(org, id, name) == [["Name", "Industry"]]


def test_records_are_changed_upserted_and_deleted(org: Org) -> None:
    one, two = org.make("Account", Name="Ash", Phone="1"), org.make("Account", Name="Birch")
    id = ingested(org, f"Id,Name,Phone\n{one[:15]},Asher,#N/A\n{two},,2\n,X,\n", "update")
    assert progress(org, id) == ("JobComplete", 3, 1)
    assert results(org, id, "successfulResults")[1:] == [
        [one, "false", one[:15], "Asher", "#N/A"],
        [two, "false", two, "", "2"],
    ]
    assert results(org, id, "failedResults")[1][1] == (
        "MISSING_ARGUMENT:Id not specified in an update call:Id --"
    )
    assert (org.show("Account", one)["Phone"], org.show("Account", two)["Name"]) == (None, "Birch")
    eva = org.make("Contact", LastName="Holm", Email="eva@ash.example")
    more = {"externalIdFieldName": "email"}
    data = "LastName,Email\nHolt,eva@ash.example\nOde,jo@ash.example\nNo,\n"
    id = ingested(org, data, "upsert", "Contact", **more)
    assert org.call("GET", f"{INGEST}/{id}")["externalIdFieldName"] == "Email"
    created = [row[1] for row in results(org, id, "successfulResults")[1:]]
    assert created == ["false", "true"]
    assert org.show("Contact", eva)["LastName"] == "Holt"
    id = ingested(org, f"Id\n{one}\n{eva}\n{one}\nX\n", "delete")
    assert progress(org, id) == ("JobComplete", 4, 3)
    codes = [row[1].partition(":")[0] for row in results(org, id, "failedResults")[1:]]
    assert codes == ["INVALID_CROSS_REFERENCE_KEY", "ENTITY_IS_DELETED", "MALFORMED_ID"]
    assert names(org) == ["Birch"]
    assert org.call("GET", "/queryAll?q=SELECT COUNT() FROM Account")["totalSize"] == 2


def test_hard_deletion_needs_an_administrator(org: Org) -> None:
    one = org.make("Account", Name="Ash")
    ingested(org, f"Id\n{one}\n", "hardDelete")
    assert org.call("GET", "/queryAll?q=SELECT COUNT() FROM Account")["totalSize"] == 0
    found = org.refused("POST", INGEST, {"object": "Account", "operation": "hardDelete"}, login=BEN)
    assert found == {
        "status": 400,
        "errorCode": "FEATURENOTENABLED",
        "message": "hardDelete operation requires special user profile permission, please contact"
        " your system administrator",
    }


def test_parents_are_named_by_values_of_theirs(org: Org) -> None:
    data = f"Name,Owner.Username\nAsh,{BEN}\nBirch,nobody@x.example\nCedar,#N/A\n"
    id = ingested(org, data)
    assert progress(org, id) == ("JobComplete", 3, 2 if "Cedar" not in names(org) else 1)
    assert (
        org.call("GET", "/query?q=SELECT OwnerId FROM Account WHERE Name = 'Ash'")["records"][0][
            "OwnerId"
        ]
        == org.users[BEN]
    )
    assert "nobody@x.example not found" in results(org, id, "failedResults")[1][1]
    id = ingested(org, f"Subject,User:Owner.Email\nTalk,{BEN}\n", of="Case")
    assert progress(org, id)[0] == "JobComplete", error(org, id)
    assert (
        org.call("GET", "/query?q=SELECT OwnerId FROM Case")["records"][0]["OwnerId"]
        == (org.users[BEN])
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("Name,Nmae\nAsh,1\n", "InvalidBatch : Field name not found : Nmae"),
        ("\ufeffName\nAsh\n", "InvalidBatch : Field name not found : \ufeffName"),
        ("Name,Xyz.Name\nAsh,1\n", "InvalidBatch : Unable to find relationship: Xyz"),
        (
            "Name,Account:Parent.Id\nAsh,1\n",
            "InvalidBatch : type is not needed for non polymorphic foreign key references: Parent",
        ),
        ('Name\nAsh\nA"sh\n', UNQUOTED),
        ("Name\r\nAsh\r\n", ENDING),
    ],
)
def test_what_cannot_be_read_as_a_whole_saves_nothing(org: Org, data: str, message: str) -> None:
    id = ingested(org, data)
    assert error(org, id) == message
    assert names(org) == []
    assert results(org, id, "failedResults")[1:] == []
    assert len(results(org, id, "unprocessedrecords")) >= 2


def test_tables_come_in_several_forms(org: Org) -> None:
    form = {"columnDelimiter": "TAB", "lineEnding": "CRLF"}
    id = ingested(org, "Name\tPhone\r\nAsh\t1\r\n\r\nBirch\r\n", **form)
    assert progress(org, id) == ("JobComplete", 2, 0)
    text = send(org, "GET", f"{INGEST}/{id}/successfulResults").text
    assert text.startswith('"sf__Id"\t"sf__Created"\tName\tPhone\r\n')
    assert text.endswith('\t"true"\tBirch\r\n')
    for name, mark in (("BACKQUOTE", "`"), ("CARET", "^"), ("PIPE", "|"), ("SEMICOLON", ";")):
        id = ingested(org, f"Name{mark}Phone\n{name}{mark}1\n", columnDelimiter=name)
        assert progress(org, id) == ("JobComplete", 1, 0)
    assert names(org) == ["Ash", "BACKQUOTE", "Birch", "CARET", "PIPE", "SEMICOLON"]


def test_values_are_read_as_their_fields_are(org: Org) -> None:
    head = "LastName,Company,AnnualRevenue,NumberOfEmployees,IsUnreadByOwner,Email\n"
    rows = "A,K,1.5e3,7,1,\nB,K,x,7,true,\nC,K,1,7,maybe,\nD,K,1,7,No,nobody\n"
    id = ingested(org, head + rows, of="Lead")
    errors = [row[1] for row in results(org, id, "failedResults")[1:]]
    assert [one.partition(":")[0] for one in errors] == [
        "INVALID_TYPE_ON_FIELD_IN_RECORD",
        "INVALID_TYPE_ON_FIELD_IN_RECORD",
        "INVALID_EMAIL_ADDRESS",
    ]
    assert errors[0].endswith(": value not of required type: x:AnnualRevenue --")
    text = "SELECT AnnualRevenue, IsUnreadByOwner FROM Lead"
    (lead,) = org.call("GET", f"/query?q={text}")["records"]
    assert (lead["AnnualRevenue"], lead["IsUnreadByOwner"]) == (1500.0, True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("operation", ""),
        ("operation", ["a"]),
        ("operation", "query"),
        ("contentType", "JSON"),
        ("lineEnding", "CR"),
        ("columnDelimiter", 7),
    ],
)
def test_properties_have_values_that_they_know(org: Org, name: str, value: Any) -> None:
    body = {"object": "Account", "operation": "insert", name: value}
    assert org.refused("POST", INGEST, body) == {
        "status": 400,
        "errorCode": "API_ERROR",
        "message": f"Invalid value: '{value}' supplied for property: '{name}'",
    }


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"object": "Xyz", "operation": "insert"}, "Unable to find object: Xyz"),
        ({"operation": "insert"}, "Unable to find object: "),
        (
            {"object": "Account", "operation": "upsert"},
            "External ID was blank for Account. An External ID must be specified for upsert.",
        ),
        (
            {"object": "Account", "operation": "upsert", "externalIdFieldName": "Phone"},
            "Field name provided, Phone does not match an External ID for Account",
        ),
    ],
)
def test_jobs_are_refused_that_cannot_be_done(org: Org, body: dict[str, Any], message: str) -> None:
    assert org.refused("POST", INGEST, body) == {
        "status": 400,
        "errorCode": "INVALIDJOB",
        "message": f"InvalidJob : {message}",
    }


@pytest.mark.parametrize("body", ["", "[", "[]", "null", '"x"', "{" * 200, "\0"])
def test_a_description_is_an_object(org: Org, body: str) -> None:
    assert org.refused("POST", INGEST, body)["errorCode"] == "JSON_PARSER_ERROR"


def test_data_and_description_may_come_together(org: Org) -> None:
    job = '{"object": "Account", "operation": "insert", "contentType": "CSV"}'
    parts = [
        ("job", "", "application/json", job),
        ("content", '; filename="content"', "text/csv", "Name\nAsh\nBirch\n"),
    ]
    body = "".join(
        f'--B\r\nContent-Type: {kind}\r\nContent-Disposition: form-data; name="{name}"{more}'
        f"\r\n\r\n{data}\r\n"
        for name, more, kind, data in parts
    )
    form = "multipart/form-data; boundary=B"
    found = send(org, "POST", INGEST, body + "--B--\r\n", kind=form)
    assert found.status == 200, found.text
    assert '"state":"UploadComplete"' in found.text
    assert names(org) == ["Ash", "Birch"]
    for wrong in ("--B--\r\n", body[:60], "x"):
        found = send(org, "POST", INGEST, wrong, kind=form)
        assert (found.status, "errorCode" in found.text) == (400, True)


def test_data_is_uploaded_once_to_an_open_job(org: Org) -> None:
    id = opened(org)
    send(org, "PUT", f"{INGEST}/{id}/batches", "Name\nAsh\n")
    found = send(org, "PUT", f"{INGEST}/{id}/batches", "Name\nBirch\n")
    assert (found.status, '"BULK_API_ERROR"' in found.text) == (400, True)
    assert f"Found multipe contents for job: <{id[:15]}>" in found.text
    org.call("PATCH", f"{INGEST}/{id}", {"state": "UploadComplete"})
    assert names(org) == ["Ash"]
    for state, word in (("UploadComplete", "Closing"), ("Aborted", "Aborting")):
        assert org.refused("PATCH", f"{INGEST}/{id}", {"state": state}) == {
            "status": 400,
            "errorCode": "INVALIDJOBSTATE",
            "message": f"{word} already Completed Job not allowed",
        }
    assert send(org, "PUT", f"{INGEST}/{id}/batches", "Name\n").status == 400
    assert org.refused("PATCH", f"{INGEST}/{id}", {"state": "JobComplete"})["errorCode"] == (
        "API_ERROR"
    )


def test_a_job_is_aborted_and_forgotten(org: Org) -> None:
    id = opened(org)
    send(org, "PUT", f"{INGEST}/{id}/batches", "Name\nAsh\n")
    assert org.refused("DELETE", f"{INGEST}/{id}")["errorCode"] == "INVALIDJOBSTATE"
    assert org.call("PATCH", f"{INGEST}/{id}", {"state": "Aborted"})["state"] == "Aborted"
    assert progress(org, id) == ("Aborted", 0, 0)
    assert results(org, id, "unprocessedrecords") == [["Name"], ["Ash"]]
    assert results(org, id, "successfulResults") == [["sf__Id", "sf__Created", "Name"]]
    assert names(org) == []
    org.call("DELETE", f"{INGEST}/{id}", status=204)
    for method, more in (("GET", ""), ("DELETE", ""), ("GET", "/failedResults")):
        assert org.refused(method, f"{INGEST}/{id}{more}") == NO_JOB


def test_unverified_jobs_are_their_users_own(org: Org) -> None:
    id = ingested(org, "Name\nAsh\n")
    assert org.refused("GET", f"{INGEST}/{id}", login=BEN) == NO_JOB
    assert org.call("GET", INGEST, login=BEN)["records"] == []
    assert [one["id"] for one in org.call("GET", INGEST)["records"]] == [id]
    assert org.refused("GET", f"{INGEST}/nothing") == NO_JOB
    assert org.refused("GET", f"{INGEST}/{'7' * 300}") == NO_JOB


def test_unverified_a_job_without_data_is_complete(org: Org) -> None:
    id = opened(org)
    org.call("PATCH", f"{INGEST}/{id}", {"state": "UploadComplete"})
    assert progress(org, id) == ("JobComplete", 0, 0)
    assert results(org, id, "successfulResults") == []


def test_unverified_rows_may_be_shorter_than_the_head_and_not_longer(org: Org) -> None:
    assert progress(org, ingested(org, "Name,Phone\nAsh\n")) == ("JobComplete", 1, 0)
    assert "more than that of the header" in error(org, ingested(org, "Name\nAsh,1\n"))
    assert names(org) == ["Ash"]


def test_jobs_are_listed_by_their_kind_and_pages(org: Org, monkeypatch: pytest.MonkeyPatch) -> None:
    from clones.crm.api.views import ingest_jobs  # noqa: PLC0415 - the app may not be there

    ids = [opened(org) for _ in range(3)]
    monkeypatch.setattr(ingest_jobs, "LISTED", 2)
    first = org.call("GET", f"{INGEST}?jobType=V2Ingest")
    assert (first["done"], [one["id"] for one in first["records"]]) == (False, ids[:2])
    second = org.call("GET", first["nextRecordsUrl"])
    assert (second["done"], second["nextRecordsUrl"]) == (True, None)
    assert [one["id"] for one in second["records"]] == ids[2:]
    assert list(second["records"][0])[-3:] == ["jobType", "lineEnding", "columnDelimiter"]
    assert org.call("GET", f"{INGEST}?jobType=Classic")["records"] == []
    assert org.call("GET", f"{INGEST}?concurrencyMode=serial")["records"] == []
    assert org.call("GET", f"{INGEST}?isPkChunkingEnabled=true")["records"] == []
    assert org.refused("GET", f"{INGEST}?queryLocator=%00")["errorCode"] == "INVALID_QUERY_LOCATOR"


def test_a_large_job_goes_on_for_whoever_asks(org: Org, monkeypatch: pytest.MonkeyPatch) -> None:
    from clones.crm.domain.bulk import ingesting  # noqa: PLC0415 - the app may not be there

    monkeypatch.setattr(ingesting, "STRETCH", 4)
    monkeypatch.setattr(ingesting, "CHUNK", 2)
    data = "Name\n" + "".join(f"A{number}\n" for number in range(9))
    id = ingested(org, data)
    assert len(names(org)) == 4
    assert progress(org, id) == ("InProgress", 4, 0)
    assert results(org, id, "unprocessedrecords")[1:] == [["A8"]]
    assert progress(org, id) == ("InProgress", 8, 0)
    assert progress(org, id) == ("JobComplete", 9, 0)
    assert len(results(org, id, "successfulResults")) == 10
    id = ingested(org, data)
    org.call("PATCH", f"{INGEST}/{id}", {"state": "Aborted"})
    assert progress(org, id) == ("Aborted", 4, 0)
    assert len(names(org)) == 13


def test_what_cannot_be_read_further_on_saves_nothing_either(
    org: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    from clones.crm.domain.bulk import ingesting  # noqa: PLC0415 - the app may not be there

    monkeypatch.setattr(ingesting, "CHUNK", 1)
    assert error(org, ingested(org, 'Name\nAsh\nBirch\nA"sh\n')) == UNQUOTED
    assert names(org) == []
