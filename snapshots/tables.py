"""Make the tables of an empty store."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from clones.core.furnishing import furnish


def make_tables(at: Sequence[tuple[str, str]] | None) -> None:
    """Give the bound store its tables and what follows them, or the tables alone as they were once.

    `at` names migrations by app and name; those that they need come with them.
    """
    if at is None:
        call_command("migrate", verbosity=0, interactive=False)
        with transaction.atomic():
            furnish()
    else:
        MigrationExecutor(connection).migrate(list(at))
