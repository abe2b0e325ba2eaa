"""Distil the vendor's descriptions of its APIs into facts under tests/facts/tracker.

Reads `$SANDLOT_SPECS/tracker` (default ../shared/specs); writes names and types only, no texts:
`operations.json` (API, method, path, operation id) and `responses.json` (per method and path, the
JSON Schema of each success, and the schemas that they refer to). Run it again when the sources
change.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SPECS = Path(os.environ.get("SANDLOT_SPECS", ROOT.parent / "shared" / "specs")) / "tracker"
TARGET = ROOT / "tests" / "facts" / "tracker"
METHODS = ("get", "post", "put", "delete", "patch")
KEPT = frozenset(
    {
        *("type", "enum", "required", "items", "properties", "additionalProperties", "$ref"),
        *("allOf", "anyOf", "oneOf", "nullable"),
    }
)
PREFIX = "#/components/schemas/"


def described(file: str) -> dict[str, Any]:
    """Return one of the vendor's descriptions."""
    found: dict[str, Any] = json.loads((SPECS / file).read_text(encoding="utf-8"))
    return found


def plain(schema: Any) -> Any:
    """Return a schema's names and types: JSON Schema, in which null is a type."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found: dict[str, Any] = {}
    for key in sorted(KEPT & set(schema)):
        value = schema[key]
        if key == "properties":
            found[key] = {name: plain(part) for name, part in sorted(value.items())}
        elif key in ("enum", "required"):
            found[key] = sorted(value, key=str)
        else:
            found[key] = plain(value)
    if found.pop("nullable", False) and isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
        if "enum" in found:
            found["enum"].append(None)
    return found


def operations_of(api: str, description: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the operations of a description; what other tools send is described elsewhere too."""
    for path, methods in description["paths"].items():
        for method in METHODS:
            if method in methods and path.startswith("/rest/"):
                id = methods[method].get("operationId", "")
                yield {
                    "api": api,
                    "method": method.upper(),
                    "path": path,
                    "id": id,
                    "tag": next(iter(methods[method].get("tags", ())), ""),
                }


def responses_of(description: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each operation's successes: a schema by status, None where there is no body."""
    for path, methods in description["paths"].items():
        for method in METHODS:
            if method not in methods:
                continue
            found = {}
            for status, answer in methods[method].get("responses", {}).items():
                if re.fullmatch("2..", status):
                    schema = answer.get("content", {}).get("application/json", {}).get("schema")
                    found[status] = None if schema is None else plain(schema)
            yield f"{method.upper()} {path}", found


def reached(schemas: dict[str, Any], found: Any, seen: set[str]) -> None:
    """Add the names of the schemas that a schema refers to."""
    if isinstance(found, list):
        for part in found:
            reached(schemas, part, seen)
    elif isinstance(found, dict):
        name = found.get("$ref", "")
        if isinstance(name, str) and name.startswith(PREFIX):
            short = name.removeprefix(PREFIX)
            if short not in seen:
                seen.add(short)
                reached(schemas, schemas[short], seen)
        for part in found.values():
            reached(schemas, part, seen)


def write(name: str, facts: Any) -> None:
    """Write a file of facts."""
    path = TARGET / name
    path.write_text(json.dumps(facts, sort_keys=True, separators=(",", ":")) + "\n", "utf-8")
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} kB")


def main() -> None:
    """Write the facts."""
    platform = described("jira-platform-v3-oas-2025-12.json")
    boards = described("jira-software-oas-2022.json")
    newer = described("jira-agile-and-service-desk-operations-2026.json")
    listed = [
        *operations_of("platform", platform),
        *operations_of("agile-2022", boards),
        *(
            {
                "api": api,
                "method": row["method"],
                "path": row["path"],
                "id": row["op"],
                "tag": row["file"],
            }
            for api, rows in newer.items()
            for row in rows
        ),
    ]
    write("operations.json", listed)
    facts: dict[str, Any] = {}
    for api, description in (("platform", platform), ("agile", boards)):
        responses = dict(responses_of(description))
        schemas = {
            name: plain(schema) for name, schema in description["components"]["schemas"].items()
        }
        seen: set[str] = set()
        reached(schemas, list(responses.values()), seen)
        facts[api] = {
            "responses": responses,
            "components": {"schemas": {name: schemas[name] for name in sorted(seen)}},
        }
    write("responses.json", facts)


if __name__ == "__main__":
    main()
