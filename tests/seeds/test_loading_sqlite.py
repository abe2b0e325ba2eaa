"""What is left out while a world is written holds when it is there."""

from __future__ import annotations

from django.db import connection

from seeds.worlds import BuildReport


def test_a_world_keeps_the_checks_that_were_off_while_it_was_written(built: BuildReport) -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert cursor.execute("PRAGMA ignore_check_constraints").fetchone() == (0,)
