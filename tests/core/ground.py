"""What tests of the ground floor write, and how they look at a whole store."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from clones.core.journal import store_digest
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
