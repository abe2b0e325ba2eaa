"""How our PostgreSQL differs from Django's: see the compiler, and JSON is text."""

from __future__ import annotations

import json
from typing import Any

from django.db.backends.postgresql import operations


class DatabaseOperations(operations.DatabaseOperations):
    """Django's operations, with our own compiler and JSON written as on SQLite."""

    compiler_module = "clones.core.tenancy.postgres.compiler"

    def adapt_json_value(self, value: Any, encoder: type[json.JSONEncoder] | None) -> str:
        """Return the text of a JSON value."""
        return json.dumps(value, cls=encoder)
