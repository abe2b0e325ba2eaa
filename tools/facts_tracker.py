"""Distil the vendor's facts about its query language into tests/facts/tracker/jql.json.

Reads `$SANDLOT_SPECS/tracker` (default ../shared/specs): the reference data that one site answered
(names, operators and types of fields and functions, reserved words) and the queries that the
vendor's own parser must and must not read (Apache-2.0; the notice is written with them). Run it
again when the sources change.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SPECS = Path(os.environ.get("SANDLOT_SPECS", ROOT.parent / "shared" / "specs"))
TARGET = ROOT / "tests" / "facts" / "tracker" / "jql.json"
NOTICE = (
    "`vectors`: from Atlassian's jql-parser, Apache License 2.0. The rest: names and types of the "
    "reference data in Atlassian's atlascode, Apache License 2.0."
)


def distilled(answer: dict[str, Any]) -> dict[str, Any]:
    """Return fields and functions by name, in a fixed order, and the reserved words."""
    fields = {
        row["value"].strip('"'): {
            **{key: row[key] for key in ("displayName", "auto", "orderable", "cfid") if key in row},
            "operators": sorted(row["operators"]),
            "types": sorted(row["types"]),
        }
        for row in answer["visibleFieldNames"]
    }
    functions = {
        row["value"]: {
            "isList": row.get("isList", "false"),
            "types": sorted(row["types"]),
        }
        for row in answer["visibleFunctionNames"]
    }
    return {
        "fields": fields,
        "functions": functions,
        "reserved": sorted(answer["jqlReservedWords"]),
    }


def main() -> None:
    """Write the facts."""
    source = SPECS / "tracker"
    capture = json.loads((source / "captures" / "autocompletedata.json").read_text("utf-8"))
    body = capture["response"]["body"]
    answer = json.loads(body) if isinstance(body, str) else body
    vectors = json.loads((source / "jql-vectors.json").read_text("utf-8"))
    facts = {"notice": NOTICE, **distilled(answer), "vectors": vectors}
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(facts['fields'])} fields")


if __name__ == "__main__":
    main()
