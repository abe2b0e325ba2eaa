"""How our PostgreSQL differs from Django's: see the compiler, and JSON is text."""

from __future__ import annotations

import json
from typing import Any

from django.db.backends.postgresql import operations
from psycopg.types.numeric import Int8

WIDEST = (-(2**63), 2**63 - 1)


class DatabaseOperations(operations.DatabaseOperations):
    """Django's operations, with our own compiler and JSON written as on SQLite."""

    compiler_module = "clones.core.tenancy.postgres.compiler"
    integerfield_type_map = dict.fromkeys(operations.DatabaseOperations.integerfield_type_map, Int8)

    def integer_field_range(self, internal_type: str) -> tuple[int, int]:
        """Return the range of every integer column: they are equally wide."""
        return WIDEST

    def adapt_integerfield_value(self, value: Any, internal_type: str) -> Any:
        """Return an integer for the driver.

        Raises:
            OverflowError: it is none of 64 bits; the driver would cut it silently.
        """
        if isinstance(value, int) and not WIDEST[0] <= value <= WIDEST[1]:
            raise OverflowError("Python int too large to convert to bigint")
        return super().adapt_integerfield_value(value, internal_type)

    def adapt_json_value(self, value: Any, encoder: type[json.JSONEncoder] | None) -> str:
        """Return the text of a JSON value."""
        return json.dumps(value, cls=encoder)
