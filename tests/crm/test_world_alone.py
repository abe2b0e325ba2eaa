"""The worlds of the other clones are the same whether the CRM is there or not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.paths import ROOT

PROGRAM = """
import hashlib, json, sys
from seeds.temporary import temporary_world
with temporary_world("kestrel", "tiny", 1) as report:
    from django.db import connection
    from clones.core.models import IdSequence
    found = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            # The journal names tables by their place among all that are installed.
            if table.startswith(("crm_", "words_", "django_", "core_journal")):
                continue
            cursor.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, row)) for row in cursor.fetchall()]
            if table in ("core_account", "core_credential"):
                sellers = [row["id"] for row in rows if row.get("clone") == "crm"]
                found.setdefault("sellers", []).extend(sellers)
            if table == IdSequence._meta.db_table:
                # Sellers have accounts too, whose stamps may be the last ones.
                apart = ("crm.", "core.stamp")
                rows = [row for row in rows if not row["name"].startswith(apart)]
            found[table] = rows
    sellers = set(found.pop("sellers", []))
    found["core_account"] = [row for row in found["core_account"] if row["id"] not in sellers]
    found["core_credential"] = [
        row for row in found["core_credential"] if row["account_id"] not in sellers
    ]
    ledger = [entry for entry in report.ledger if not entry["kind"].startswith("crm_")]
    found["ledger"], found["facts"] = ledger, [report.facts]
    for table, rows in found.items():
        text = "\\n".join(sorted(json.dumps(row, sort_keys=True, default=str) for row in rows))
        print(table, len(rows), hashlib.sha256(text.encode()).hexdigest())
"""


def built(making: str, folder: Path) -> dict[str, tuple[str, str]]:
    """Return how many rows each table of a world has, and a digest of them."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "clones.config.settings.embedded",
            "SANDLOT_DATA": str(folder),
            "SANDLOT_MAKING": making,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.split(" ") for line in done.stdout.splitlines()]
    return {table: (count, digest) for table, count, digest in lines}


@pytest.mark.timeout(600)
def test_rows_of_other_clones_are_the_same_with_and_without(tmp_path: Path) -> None:
    alone, beside = built("", tmp_path / "alone"), built("crm", tmp_path / "beside")
    assert len(alone) > 50
    assert int(alone["helpdesk_ticket"][0]) > 100
    assert {table: beside[table] for table in alone} == alone
