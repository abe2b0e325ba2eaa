"""Formulas give what the vendors' own tests expect, where these lie beside the checkout."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.crm.rules.formulas.vectors import FILE, run_all, vectors

KNOWN = tomllib.loads(
    Path(__file__).with_name("known_differences.toml").read_text(encoding="utf-8")
)
ENOUGH = 0.97  # share of the vectors that must be as they are marked

pytestmark = pytest.mark.skipif(
    not FILE.is_file(), reason="no vendors' descriptions beside the checkout"
)


def kind_of(vector: Mapping[str, Any]) -> str | None:
    """Return the known kind of difference that a vector is of: by its id, its error, or a mark."""
    errors = {expected.get("error") for key, expected in vector.items() if key.startswith("expect")}
    for kind, entry in KNOWN.items():
        if vector["id"] in entry["ids"] or entry.get("error") in errors - {None}:
            return kind
        if entry.get("marked", "") in vector:
            return kind
    return None


def test_formulas_give_what_the_vendors_expect() -> None:
    kinds = {vector["id"]: kind for vector in vectors() if (kind := kind_of(vector))}
    differing: dict[str, str] = {}
    for outcome in run_all():
        if outcome.said is not None:
            differing.setdefault(outcome.vector["id"], f"{outcome.mode.name}: {outcome.said}")
    found = Counter(kinds.get(id_, "unexpected") for id_ in differing)
    for id_, said in sorted(differing.items(), key=lambda item: kinds.get(item[0], "")):
        print(f"{kinds.get(id_, 'unexpected')}: {id_}: {said[:300]}")
    print(found, f"{len(differing)} of {len(vectors())}")
    assert len(differing) <= (1 - ENOUGH) * len(vectors())
    assert {id_: said for id_, said in differing.items() if id_ not in kinds} == {}


def test_no_difference_is_listed_that_is_none() -> None:
    differing = {outcome.vector["id"] for outcome in run_all() if outcome.said is not None}
    listed = {id_ for entry in KNOWN.values() for id_ in entry["ids"]}
    assert listed & {vector["id"] for vector in vectors()} <= differing


def test_every_kind_of_difference_has_a_reason() -> None:
    assert all(len(entry["reason"]) > 20 for entry in KNOWN.values())
