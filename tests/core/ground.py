"""What tests of the ground floor write, and how they look at a whole store."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from clones.core.journal import journal, layout, store_digest
from clones.core.journal.canonical import canonical_json, canonical_row
from clones.core.models import Account
from clones.core.tenancy import SandboxRow, unit_of_work
from tests.conftest import bind

NOON = datetime(2026, 6, 16, 12, 0, tzinfo=UTC)


def digest_of(row: SandboxRow) -> str:
    with bind(row), unit_of_work("read"):
        return store_digest()


def account(**values: Any) -> Account:
    given = {"id": 1, "clone": "helpdesk", "subject": "1", "login": "a", "role": "agent"}
    return Account.objects.create(**{**given, **values})


def identity_by_rows(run: int = 1_000) -> str:
    """Return the identity of the bound store, made from each row by itself."""
    lines = defaultdict[str, list[bytes]](list)
    for name, stored in journal().dump():
        row = canonical_row(layout().by_name(name), tuple(stored)) or {}
        nulls = [
            column
            for (column, value), found in zip(row.items(), stored, strict=True)
            if value is None and found is not None
        ]
        if name == "core_state":
            row.pop("observed")
        lines[name].append(name.encode() + canonical_json([row, nulls]) + b"\n")
    runs = [
        b"".join(mine[first : first + length])
        for name, mine in lines.items()
        for length in [1 if name == "core_blob" else run]
        for first in range(0, len(mine), length)
    ]
    return sha256(b"".join(sha256(lines).digest() for lines in runs)).hexdigest()
