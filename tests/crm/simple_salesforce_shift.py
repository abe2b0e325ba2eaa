"""An unmodified simple-salesforce at work in a CRM: `python SCRIPT ORIGIN USERNAME PASSWORD`.

Prints what came of each area as JSON. It is run by the client's own Python.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

# The client is imported by its own Python alone.
client = import_module("simple_salesforce")
errors = import_module("simple_salesforce.exceptions")

origin, username, password = sys.argv[1:]
login = {"username": username, "password": password, "security_token": "TOKEN"}


def refused(kind: Any, call: Any, *args: Any) -> Any:
    """Return the code and status of a refusal of a kind."""
    try:
        call(*args)
    except kind as error:
        return [error.status, error.content[0]["errorCode"]]
    return "not refused"


def signing_in() -> tuple[Any, dict[str, Any]]:
    """Sign in by password, and use the session."""
    session, instance = client.SalesforceLogin(scratch_url=origin, **login)
    try:
        client.SalesforceLogin(scratch_url=origin, **{**login, "password": "wrong"})
        wrong = None
    except errors.SalesforceAuthenticationFailed as error:
        wrong = [error.code, error.auth_message]
    sf = client.Salesforce(instance=instance, session_id=session, version="64.0")
    who = sf.oauth2("userinfo")
    found = {
        "instance": f"https://{instance}" == origin,
        "wrong": wrong,
        "who": who["preferred_username"] == username,
    }
    return sf, found


def records(sf: Any) -> dict[str, Any]:
    """Make, change and delete a record."""
    made = sf.Account.create({"Name": "Ash & Co", "Industry": "Energy"})
    id = made["id"]
    changed = sf.Account.update(id, {"Name": "Ash"})
    shown = sf.Account.get(id)
    metadata = sf.Account.metadata()["objectDescribe"]["name"]
    deleted = sf.Account.delete(id)
    return {
        "made": [made["success"], len(id)],
        "changed": [changed, shown["Name"], shown["Industry"]],
        "metadata": metadata,
        "deleted": deleted,
        "gone": refused(errors.SalesforceResourceNotFound, sf.Account.get, id),
        "missing": refused(errors.SalesforceMalformedRequest, sf.Account.create, {"Phone": "1"}),
    }


def queries(sf: Any) -> dict[str, Any]:
    """Ask for records."""
    account = sf.Account.create({"Name": "Beech"})["id"]
    for name in "ABC":
        sf.Contact.create({"LastName": name, "AccountId": account})
    text = f"SELECT Id, LastName, Account.Name FROM Contact WHERE AccountId = '{account}'"
    found = sf.query(text + " ORDER BY LastName")
    total = sf.query("SELECT COUNT() FROM OpportunityHistory")["totalSize"]
    every = sum(1 for _ in sf.query_all_iter("SELECT Id FROM OpportunityHistory"))
    sf.Contact.delete(found["records"][0]["Id"])
    return {
        "found": [[one["LastName"], one["Account"]["Name"]] for one in found["records"]],
        "every": [total > 0, total == every],
        "deleted": [
            sf.query_all(text)["totalSize"],
            sf.query_all(text, include_deleted=True)["totalSize"],
        ],
        "wrong": refused(
            errors.SalesforceMalformedRequest, sf.query, "SELECT Nothing FROM Account"
        ),
    }


def descriptions(sf: Any) -> dict[str, Any]:
    """Ask what objects there are."""
    names = [one["name"] for one in sf.describe()["sobjects"]]
    fields = [one["name"] for one in sf.Opportunity.describe()["fields"]]
    return {"objects": "Opportunity" in names, "fields": "StageName" in fields}


opened, signed_in = signing_in()
print(
    json.dumps(
        {
            "signing in": signed_in,
            "records": records(opened),
            "queries": queries(opened),
            "descriptions": descriptions(opened),
        }
    )
)
