"""Text that a column has no room for, refused on SQLite as PostgreSQL refuses it.

SQLite takes any length, so that a value too long for its column would first be seen on PostgreSQL.
"""

from __future__ import annotations

from typing import Any

from django.db import DataError, models

from clones.core import rows


def hold() -> None:
    """Have each write of a text to a column of a given length measured, from now on."""
    as_written = models.CharField.get_db_prep_save

    def measured(field: models.Field[Any, Any], value: Any, connection: Any) -> Any:
        room = field.max_length
        if isinstance(value, str) and room is not None and len(value) > room:
            raise DataError(f"{field} has room for {room} characters, not {len(value)}")
        return as_written(field, value, connection)

    models.CharField.get_db_prep_save = measured  # type: ignore[assignment, method-assign]
    # Single rows are written without asking their fields about plain text; here they are asked.
    rows.AS_THEY_ARE.pop(models.CharField, None)
