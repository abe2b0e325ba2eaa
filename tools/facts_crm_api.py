"""Distil the vendor's addresses into tests/facts/crm/operations.json.

    python -m tools.facts_crm_api

Reads the addresses of the vendor's public collection of calls under `$SANDLOT_SPECS/crm` (default
../shared/specs), which has holes where variables were and some addresses below bases of their own;
writes methods, addresses and names only. Names are made of the method and the words of the
address. Run it again when the collection changes.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
SPECS: Final = Path(os.environ.get("SANDLOT_SPECS", ROOT.parent / "shared" / "specs"))
SOURCE: Final = SPECS / "crm" / "rest-paths-v64.txt"
TARGET: Final = ROOT / "tests" / "facts" / "crm" / "operations.json"
DATA: Final = "/services/data/{version}"
VERSION: Final = re.compile(r"/data/v\d\d\.0(?=/|$)")
NUMBER: Final = re.compile(r"/64\.0(?=/|$)")
WORD: Final = re.compile(r"[A-Za-z0-9]+")
# Where addresses of a base of their own lie, by what they begin with: the longest counts.
BASES: Final = {
    "/.well-known": "/services/.well-known",
    "/apexrest": "/services/apexrest",
    "/appMenu": f"{DATA}/appMenu",
    "/async": "/services/async",
    "/composite": f"{DATA}/composite",
    "/data": "/services/data",
    "/id": "/services/id",
    "/ingest": f"{DATA}/jobs/ingest",
    "/limits": f"{DATA}/limits",
    "/list-ui": f"{DATA}/ui-api/list-ui",
    "/lookups": f"{DATA}/ui-api/lookups",
    "/oauth2": "/services/oauth2",
    "/object-info": f"{DATA}/ui-api/object-info",
    "/query": f"{DATA}/jobs/query",
    "/query/{queryId}": f"{DATA}/query/{{queryId}}",
    "/queryAll": f"{DATA}/queryAll",
    "/recent": f"{DATA}/recent",
    "/records": f"{DATA}/ui-api/records",
    "/search": f"{DATA}/search",
    "/sobjects": f"{DATA}/sobjects",
    "/Soap": "/services/Soap",
}
# Slips of the collection, and one record's or field's address that is a case of a general one.
READ_AS: Final = {
    f"{DATA}/appMenu/AppSwitcher": f"{DATA}/appMenu/{{APP_MENU_TYPE}}",
    f"{DATA}/sobjects/Global/describe/layouts": (
        f"{DATA}/sobjects/{{SOBJECT_API_NAME}}/describe/layouts"
    ),
    f"{DATA}/sobjects/{{SOBJECT_API_NAME}}/describe/describe/compactLayouts": (
        f"{DATA}/sobjects/{{SOBJECT_API_NAME}}/describe/compactLayouts"
    ),
    f"{DATA}/sobjects/ContentVersion/0681k0000020wLFAAY/VersionData": (
        f"{DATA}/sobjects/{{SOBJECT_API_NAME}}/{{RECORD_ID}}/{{BLOB_FIELD}}"
    ),
    f"{DATA}/sobjects/OpportunityLineItem/{{OPPORTUNITY_LINE_ITEM_ID}}"
    "/OpportunityLineItemSchedules": (
        f"{DATA}/sobjects/{{SOBJECT_API_NAME}}/{{RECORD_ID}}/{{RELATIONSHIP_FIELD_NAME}}"
    ),
}
# Hosts alone.
NOWHERE: Final = frozenset({"/", "//"})


def address(path: str) -> str:
    """Return an address as it is within an organization: whole, its holes named, no version."""
    path = VERSION.sub("/data/{version}", path)
    path = NUMBER.sub("/{version}", path)
    fitting = [base for base in BASES if path == base or path.startswith(f"{base}/")]
    if fitting:
        base = max(fitting, key=len)
        path = BASES[base] + path.removeprefix(base)
    segments = [segment or "{id}" for segment in path.split("/")[1:]]
    whole = "/" + "/".join(segments)
    return READ_AS.get(whole, whole)


def name_of(method: str, path: str) -> str:
    """Return a name for an operation: its method and the words of its address."""
    words = WORD.findall(path.removeprefix("/services").removeprefix("/data/{version}"))
    return method.capitalize() + "".join(word[0].upper() + word[1:] for word in words)


def facts(source: Path = SOURCE) -> list[dict[str, Any]]:
    """Return every operation of the collection, by address and method."""
    found = set()
    for line in source.read_text(encoding="utf-8").splitlines():
        methods, _, path = line.partition(" ")
        if path not in NOWHERE:
            found |= {(address(path), method) for method in methods.split(",")}
    return [
        {"method": method, "path": path, "id": name_of(method, path), "parameters": []}
        for path, method in sorted(found)
    ]


def main() -> None:
    """Write the facts."""
    listed = facts()
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(fact, separators=(",", ":")) for fact in listed]
    TARGET.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(listed)} operations")


if __name__ == "__main__":
    main()
