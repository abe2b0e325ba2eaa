"""Distil the vendor's example objects into skeletons of keys and types under tests/facts/billing.

Reads `$SANDLOT_SPECS/billing` (default ../shared/specs); writes facts only: names and types, no
values. Run it again when the examples change.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SPECS = Path(os.environ.get("SANDLOT_SPECS", ROOT.parent / "shared" / "specs"))
TARGET = ROOT / "tests" / "facts" / "billing" / "objects.json"
KINDS = (
    "balance_transaction",
    "charge",
    "customer",
    "dispute",
    "event",
    "invoice",
    "line_item",
    "payment_intent",
    "payment_method",
    "price",
    "product",
    "refund",
    "subscription",
    "subscription_item",
)
# Values under these names belong to whoever wrote them: their keys are no facts of the vendor's.
OPEN = frozenset({"metadata", "data.object"})


def skeleton(value: Any, path: str = "") -> Any:
    """Return a value's shape: objects by key, lists by their first entry, the rest by type name."""
    if path in OPEN or path.endswith(".metadata"):
        return "object"
    if isinstance(value, dict):
        return {key: skeleton(value[key], f"{path}.{key}".strip(".")) for key in sorted(value)}
    if isinstance(value, list):
        return [skeleton(value[0], f"{path}.0")] if value else []
    return "null" if value is None else type(value).__name__


def main() -> None:
    """Write the skeletons."""
    source = SPECS / "billing" / "stripe-object-fixtures.json"
    objects = json.loads(source.read_text(encoding="utf-8"))
    facts = {kind: skeleton(objects[kind]) for kind in KINDS}
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(facts)} kinds")


if __name__ == "__main__":
    main()
