"""An unmodified MCP server at work in a CRM: `python SCRIPT NODE SERVER ORIGIN USERNAME PASSWORD`.

Prints what its tools said as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import count
from typing import Any

node, server, origin, username, password = sys.argv[1:]
known = {
    "HOME": os.environ["HOME"],
    "PATH": os.environ["PATH"],
    "SALESFORCE_CONNECTION_TYPE": "User_Password",
    "SALESFORCE_USERNAME": username,
    "SALESFORCE_PASSWORD": password,
    "SALESFORCE_TOKEN": "",
    "SALESFORCE_INSTANCE_URL": origin,
}
numbers = count(1)
process = subprocess.Popen(
    [node, server],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    env=known,
    text=True,
)


def send(message: dict[str, Any]) -> None:
    """Send a message to the server."""
    if process.stdin is None:
        raise SystemExit("no way to the server")
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()


def ask(method: str, parameters: dict[str, Any]) -> Any:
    """Return the answer to a request."""
    number = next(numbers)
    send({"id": number, "method": method, "params": parameters})
    if process.stdout is None:
        raise SystemExit("no way from the server")
    for line in process.stdout:
        found = json.loads(line)
        if found.get("id") == number:
            return found["result"]
    raise SystemExit("the server is gone")


def tool(name: str, **arguments: Any) -> list[Any]:
    """Return whether a tool failed, and what it said."""
    said = ask("tools/call", {"name": f"salesforce_{name}", "arguments": arguments})
    lines = [line.strip() for line in said["content"][0]["text"].splitlines() if line.strip()]
    return [bool(said.get("isError")), lines]


hello = {"name": "test", "version": "1"}
ask("initialize", {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": hello})
send({"method": "notifications/initialized"})
tools = ask("tools/list", {})["tools"]
objects = tool("search_objects", searchPattern="Opportunity")
described = tool("describe_object", objectName="Account")
one = {"Name": "Ash of tools", "Phone": "1"}
made = tool("dml_records", operation="insert", objectName="Account", records=[one, {"Phone": "2"}])
where = "Name = 'Ash of tools'"
found = tool(
    "query_records",
    objectName="Account",
    fields=["Id", "Name", "Owner.Username"],
    whereClause=where,
)
id = next(line.removeprefix("Id: ") for line in found[1] if line.startswith("Id: "))
changed = tool(
    "dml_records", operation="update", objectName="Account", records=[{"Id": id, "Phone": "3"}]
)
sought = tool(
    "search_all",
    searchTerm="Ash of tools",
    searchIn="NAME FIELDS",
    objects=[{"name": "Account", "fields": ["Name", "Phone"], "limit": 5}],
)
person = {"LastName": "Holm", "Email": "tools@x.example"}
upserted = tool(
    "dml_records",
    operation="upsert",
    objectName="Contact",
    records=[person],
    externalIdField="Email",
)
grouped = tool(
    "aggregate_query",
    objectName="Account",
    selectFields=["Phone", "COUNT(Id) AccountCount"],
    groupByFields=["Phone"],
    whereClause=where,
)
deleted = tool("dml_records", operation="delete", objectName="Account", records=[{"Id": id}])
process.kill()
print(
    json.dumps(
        {
            "tools": len(tools),
            "objects": [objects[0], "Opportunity" in objects[1]],
            "described": [described[0], "- Name (Account Name)" in described[1]],
            "made": made,
            "found": [found[0], f"Owner.Username: {username}" in found[1]],
            "changed": [changed[0], changed[1][2:]],
            "sought": [sought[0], "Name: Ash of tools" in sought[1], "Phone: 3" in sought[1]],
            "upserted": [upserted[0], upserted[1][2:]],
            "grouped": [grouped[0], "AccountCount: 1" in grouped[1]],
            "deleted": [deleted[0], deleted[1][2:]],
        }
    )
)
