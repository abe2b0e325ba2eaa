"""Unmodified simple-salesforce and salesforce-bulk doing bulk jobs: `python SCRIPT ORIGIN TOKEN`.

Prints what came of each area as JSON. It is run by the clients' own Python.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from importlib import import_module
from typing import Any

# The clients are imported by their own Python alone.
simple = import_module("simple_salesforce")
errors = import_module("simple_salesforce.exceptions")
older = import_module("salesforce_bulk")
adapter = import_module("salesforce_bulk.csv_adapter")

origin, token = sys.argv[1:]
sf = simple.Salesforce(instance_url=origin, session_id=token, version="64.0")


def names(of: str, ids: list[str]) -> list[str]:
    """Return the names of records in the order of their ids."""
    listed = ", ".join(f"'{id}'" for id in ids)
    found = sf.query(f"SELECT Id, Name FROM {of} WHERE Id IN ({listed})")["records"]
    by_id = {one["Id"]: one["Name"] for one in found}
    return [by_id.get(id, "") for id in ids]


def first_api() -> dict[str, Any]:
    """Use `sf.bulk`, which speaks JSON with the older API."""
    data = [{"Name": f"Ash {number}"} for number in range(450)]
    made = sf.bulk.Account.insert(data, batch_size=200, use_serial=True)
    ids = [one["id"] for one in made]
    refused = sf.bulk.Account.insert([{"Phone": "1"}, {"Name": "Birch"}])
    changed = sf.bulk.Account.update([{"Id": ids[0], "Name": "Asher"}])
    upserted = sf.bulk.Contact.upsert(
        [{"LastName": "Holm", "Email": "e@x.example", "Account": {"Id": ids[1]}}], "Email"
    )
    found = sf.bulk.Account.query("SELECT Id, Name FROM Account WHERE Name LIKE 'Ash%'")
    lazy = sf.bulk.Account.query_all(
        "SELECT Id FROM Account WHERE Name LIKE 'Ash%'", lazy_operation=True
    )
    deleted = sf.bulk.Account.delete([{"Id": ids[2]}])
    hard = sf.bulk.Account.hard_delete([{"Id": ids[3]}])
    detailed = sf.bulk.submit_dml(
        "Account", "insert", [{"Name": "Cedar"}, {"Phone": "2"}], include_detailed_results=True
    )
    try:
        sf.bulk.Account.query("SELECT Nothing FROM Account")
        wrong = None
    except errors.SalesforceGeneralError as error:
        wrong = "No such column 'Nothing'" in str(error)
    try:
        sf.bulk.Nothing.insert([{"Name": "X"}])
        unknown: Any = None
    except errors.SalesforceMalformedRequest as error:
        unknown = error.content["exceptionCode"]
    return {
        "made": [len(made), all(one["success"] and one["created"] for one in made)],
        "refused": [one["success"] for one in refused],
        "why": refused[0]["errors"][0]["statusCode"],
        "changed": [changed[0]["success"], names("Account", ids[:2])],
        "upserted": [upserted[0]["success"], upserted[0]["created"]],
        "found": len(found),
        "lazy": sum(len(page) for page in lazy),
        "deleted": [deleted[0]["success"], hard[0]["success"]],
        "detailed": [one.get("Name") for batch in detailed for one in _flat(batch)],
        "wrong": wrong,
        "unknown": unknown,
    }


def _flat(batch: Any) -> list[dict[str, Any]]:
    return batch if isinstance(batch, list) else [batch]


def second_api() -> dict[str, Any]:
    """Use `sf.bulk2`, which speaks in tables with the newer API."""
    account = sf.bulk2.Account
    (made,) = account.insert(records=[{"Name": "Elm", "Phone": "1"}, {"Name": ""}], wait=0.05)
    job = made.pop("job_id")
    results = account.get_all_ingest_records(job)
    id = results["successfulRecords"][0]["sf__Id"]
    several = account.insert(
        records=[{"Name": f"Fir {number}"} for number in range(300)],
        batch_size=100,
        wait=0.05,
        line_ending="CRLF",
        column_delimiter="PIPE",
    )
    account.update(records=[{"Id": id, "Name": "Elmer"}], wait=0.05)
    pages = list(
        account.query("SELECT Id, Name FROM Account WHERE Name LIKE 'Fir%'", 120, wait=0.05)
    )
    rows = [row for page in pages for row in csv.DictReader(io.StringIO(page))]
    account.delete(records=[{"Id": rows[0]["Id"]}], wait=0.05)
    every = "".join(account.query_all("SELECT Id FROM Account WHERE Name LIKE 'Fir%'", wait=0.05))
    try:
        account.insert(records=[{"Nothing": "X"}], wait=0.05)
        wrong = ""
    except errors.SalesforceOperationError as error:
        wrong = str(error)
    return {
        "made": made,
        "saved": [row["Name"] for row in results["successfulRecords"]],
        "failed": [row["sf__Error"] for row in results["failedRecords"]],
        "several": [one["numberRecordsProcessed"] for one in several],
        "changed": names("Account", [id]),
        "pages": [len(pages), len(rows), len({row["Id"] for row in rows})],
        "every": every.count("001"),
        "wrong": wrong,
    }


def old_client() -> dict[str, Any]:
    """Use salesforce-bulk, which speaks XML and tables with the older API."""
    bulk = older.SalesforceBulk(sessionId=token, host=origin.removeprefix("https://"))
    job = bulk.create_insert_job("Contact", contentType="CSV", concurrency="Parallel")
    rows = [{"LastName": "Ivy"}, {"LastName": "Juniper"}, {"LastName": ""}]
    batch = bulk.post_batch(job, adapter.CsvDictsAdapter(iter(rows)))
    bulk.wait_for_batch(job, batch, sleep_interval=0.05)
    results = bulk.get_batch_results(batch, job)
    bulk.close_job(job)
    query = bulk.create_query_job("Contact", contentType="CSV", pk_chunking=1000)
    bulk.query(query, "SELECT LastName FROM Contact WHERE LastName IN ('Ivy', 'Juniper')")
    states = [one["state"] for one in bulk.get_batch_list(query)]
    parts = bulk.get_batch_list(query)[1:]
    found = []
    for part in parts:
        for result in bulk.get_all_results_for_query_batch(part["id"], query):
            found += [row[0] for row in csv.reader(io.TextIOWrapper(result, "utf-8"))][1:]
    bulk.close_job(query)
    as_json = bulk.create_query_job("Contact", contentType="JSON")
    one = bulk.query(as_json, "SELECT LastName FROM Contact WHERE LastName = 'Ivy'")
    bulk.wait_for_batch(as_json, one, sleep_interval=0.05)
    (page,) = bulk.get_all_results_for_query_batch(one, as_json)
    ivy = json.loads(page.read())
    wrong = bulk.create_query_job("Contact", contentType="CSV")
    asked = bulk.query(wrong, "SELECT Nothing FROM Contact")
    try:
        bulk.is_batch_done(asked, wrong)
        message = ""
    except older.salesforce_bulk.BulkBatchFailed as error:
        message = error.state_message
    bulk.abort_job(wrong)
    return {
        "results": [[one.success, one.created] for one in results],
        "error": results[2].error.partition(":")[0],
        "closed": bulk.job_status(job)["state"],
        "parts": [states[0], set(states[1:]) == {"Completed"}],
        "found": sorted(found),
        "json": [one["LastName"] for one in ivy],
        "failed": message.startswith("InvalidBatch : Failed to process query: INVALID_FIELD: "),
        "aborted": bulk.job_state(wrong),
    }


print(
    json.dumps(
        {
            "simple-salesforce bulk": first_api(),
            "simple-salesforce bulk2": second_api(),
            "salesforce-bulk": old_client(),
        }
    )
)
