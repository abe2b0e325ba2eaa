"""The vendor's unmodified command line at work in a CRM.

`python SCRIPT NODE COMMAND ORIGIN TOKEN AREA` prints what came of an area as JSON; the area `jwt`
takes a user, an app's key and the file of its private key besides. Its home is the folder that it
is run in.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

node, command, origin, token, area, *more_arguments = sys.argv[1:]
HOME = Path.cwd()
SILENT = {
    "SF_USE_GENERIC_UNIX_KEYCHAIN": "true",
    "SF_DISABLE_TELEMETRY": "true",
    "SF_SKIP_NEW_VERSION_CHECK": "true",
    "SF_AUTOUPDATE_DISABLE": "true",
    "SFDX_DISABLE_DNS_CHECK": "true",
}


def run(*arguments: str, **more: str) -> str:
    """Return what a command printed."""
    known = {name: os.environ[name] for name in ("HOME", "PATH", "NO_PROXY")}
    done = subprocess.run(
        [node, command, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=HOME,
        env={**known, **SILENT, **more},
    )
    return done.stdout


def told(*arguments: str, **more: str) -> Any:
    """Return the result of a command, or its name and message where it failed."""
    found = json.loads(run(*arguments, "--json", **more))
    if found["status"] != 0:
        return [found["name"], found["message"].splitlines()[-1]]
    return found["result"]


def in_org(*arguments: str) -> Any:
    """Return the result of a command in the organization."""
    return told(*arguments, "--target-org", "crm")


def signing_in() -> dict[str, Any]:
    """Sign in by an access token."""
    login = ("org", "login", "access-token", "--no-prompt", "--alias", "crm")
    made = told(*login, "--instance-url", origin, SF_ACCESS_TOKEN=token)
    shown = in_org("org", "display")
    return {
        "made": [made["username"] == shown["username"], made["isDevHub"]],
        "shown": [shown["connectedStatus"], shown["apiVersion"]],
    }


def records() -> dict[str, Any]:
    """Make, show, change and delete a record."""
    account = ("--sobject", "Account")
    made = in_org("data", "create", "record", *account, "--values", "Name='Ash and Co' Phone=1")
    where = ("--where", "Name='Ash and Co'")
    changed = in_org("data", "update", "record", *account, *where, "--values", "Phone=2")
    shown = in_org("data", "get", "record", *account, *where)
    deleted = in_org("data", "delete", "record", *account, *where)
    missing = in_org("data", "create", "record", *account, "--values", "Phone=1")
    return {
        "made": made["success"],
        "same": [one["id"] == made["id"] for one in (changed, deleted)],
        "shown": [shown["Id"] == made["id"], shown["Phone"]],
        "missing": missing[1],
    }


def queries() -> dict[str, Any]:
    """Ask for records: as JSON, as a table, by words, of an object that is not there."""
    account = ("--sobject", "Account", "--values")
    in_org("data", "create", "record", *account, "Name='Birch of words'")
    text = "SELECT Id, Name, Owner.Name FROM Account WHERE Name = 'Birch of words'"
    found = in_org("data", "query", "--query", text)["records"]
    table = run("data", "query", "-q", text, "--result-format", "csv", "-o", "crm")
    words = "FIND {Birch} IN ALL FIELDS RETURNING Account(Name)"
    sought = in_org("data", "search", "--query", words)["searchRecords"]
    wrong = in_org("data", "query", "--query", "SELECT Id FROM Nothing")
    return {
        "found": [found[0]["Name"], bool(found[0]["Owner"]["Name"])],
        "table": next(csv.reader(io.StringIO(table))),
        "sought": [one["Name"] for one in sought],
        "wrong": [wrong[0], "'Nothing' is not supported" in wrong[1]],
    }


def in_bulk() -> dict[str, Any]:
    """Save and ask by jobs."""
    wait = ("--wait", "1")
    people = HOME / "people.csv"
    people.write_text("LastName,Email\nIvy,ivy@x.example\nHolm,holm@x.example\n")
    by_email = ("--sobject", "Contact", "--file", str(people), "--external-id", "Email")
    upserted = in_org("data", "upsert", "bulk", *by_email, *wait)
    more = HOME / "more.csv"
    more.write_text("LastName,Email\nIvy,other@x.example\n")
    made = in_org("data", "import", "bulk", "--sobject", "Contact", "--file", str(more), *wait)
    out = HOME / "ivy.csv"
    text = "SELECT Id FROM Contact WHERE LastName = 'Ivy'"
    export = ("--query", text, "--output-file", str(out))
    taken = in_org("data", "export", "bulk", *export, *wait)
    ids = ("--sobject", "Contact", "--file", str(out))
    deleted = in_org("data", "delete", "bulk", *ids, *wait)
    left = in_org("data", "query", "--query", text)
    return {
        "upserted": [upserted["jobInfo"]["state"], upserted["jobInfo"]["numberRecordsProcessed"]],
        "made": [made["successfulRecords"], made["failedRecords"]],
        "taken": taken["totalSize"],
        "deleted": deleted["jobInfo"]["state"],
        "left": left["totalSize"],
    }


def trees() -> dict[str, Any]:
    """Take records with their children out, and put them in again."""
    account = in_org(
        "data", "create", "record", "--sobject", "Account", "--values", "Name='Cedar of trees'"
    )["id"]
    for name in ("A", "B"):
        values = f"LastName={name} AccountId={account}"
        in_org("data", "create", "record", "--sobject", "Contact", "--values", values)
    children = "(SELECT LastName FROM Contacts ORDER BY LastName)"
    text = f"SELECT Name, {children} FROM Account WHERE Name = 'Cedar of trees'"
    folder = HOME / "tree"
    in_org("data", "export", "tree", "--query", text, "--output-dir", str(folder))
    (file,) = folder.glob("*.json")
    made = in_org("data", "import", "tree", "--files", str(file))
    found = in_org("data", "query", "--query", text)["records"]
    return {
        "made": [one["type"] for one in made],
        "found": [[child["LastName"] for child in one["Contacts"]["records"]] for one in found],
    }


def descriptions() -> dict[str, Any]:
    """Ask what there is, and what may be used."""
    names = in_org("sobject", "list", "--sobject", "standard")
    account = in_org("sobject", "describe", "--sobject", "Account")
    limits = {one["name"]: one["max"] for one in in_org("limits", "api", "display")}
    address = "/services/data/v64.0/limits/recordCount?sObjects=Account"
    counted = json.loads(run("api", "request", "rest", address, "--target-org", "crm"))
    return {
        "names": {"Account", "Opportunity"} <= set(names),
        "account": [account["keyPrefix"], account["createable"]],
        "limits": limits["DailyApiRequests"] > 0,
        "counted": counted["sObjects"][0]["count"] > 0,
    }


def by_assertion() -> dict[str, Any]:
    """Sign in by what an app signs."""
    user, app, file = more_arguments
    login = ("org", "login", "jwt", "--alias", "jwt", "--instance-url", origin)
    made = told(*login, "--username", user, "--client-id", app, "--jwt-key-file", file)
    found = told("data", "query", "-q", "SELECT Id FROM User LIMIT 1", "--target-org", "jwt")
    wrong = told(*login, "--username", "nobody", "--client-id", app, "--jwt-key-file", file)
    return {
        "made": made["username"] == user,
        "found": found["totalSize"],
        "wrong": "user hasn't approved this consumer" in wrong[1],
    }


areas = {
    "jwt": by_assertion,
    "records": records,
    "queries": queries,
    "in bulk": in_bulk,
    "trees": trees,
    "descriptions": descriptions,
}
signed_in = signing_in() if area != "jwt" else {}
print(json.dumps(areas[area]() if area in areas else signed_in))
