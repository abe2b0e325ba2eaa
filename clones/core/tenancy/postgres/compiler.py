"""Compilers for what differs between PostgreSQL and SQLite: the place of NULLs, JSON as text."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import compiler
from django.db.models import JSONField
from django.db.models.expressions import Col, OrderBy
from django.db.models.fields.json import HasKeyLookup, KeyTransform
from django.db.models.sql.constants import LOUTER

__all__ = [
    "SQLAggregateCompiler",
    "SQLCompiler",
    "SQLDeleteCompiler",
    "SQLInsertCompiler",
    "SQLUpdateCompiler",
]


class LooksIntoText:
    """Looks into JSON that is text, in whatever statement asks for a key of it."""

    _inside_json = 0

    def compile(self, node: Any) -> Any:
        """Compile a node; a column of JSON is read as such where a key of it is asked for."""
        compiled: Any = super().compile  # type: ignore[misc] # of the compiler this is mixed into
        if isinstance(node, KeyTransform | HasKeyLookup):
            self._inside_json += 1
            try:
                return compiled(node)
            finally:
                self._inside_json -= 1
        if self._inside_json and isinstance(node, Col) and isinstance(node.target, JSONField):
            text, params = compiled(node)
            return f"({text})::jsonb", params
        return compiled(node)


class SQLAggregateCompiler(LooksIntoText, compiler.SQLAggregateCompiler):
    """Counts, sums and the like."""


class SQLDeleteCompiler(LooksIntoText, compiler.SQLDeleteCompiler):
    """Deletions."""


class SQLInsertCompiler(LooksIntoText, compiler.SQLInsertCompiler):
    """New rows."""


class SQLUpdateCompiler(LooksIntoText, compiler.SQLUpdateCompiler):
    """Changes of rows."""


class SQLCompiler(LooksIntoText, compiler.SQLCompiler):
    """Sort NULL as less than everything, as SQLite does.

    A column that cannot be NULL is sorted plainly: its indexes serve that order only.
    """

    def compile(self, node: Any) -> Any:
        """Compile a node as the engine that tests are read on understands it."""
        if (
            isinstance(node, OrderBy)
            and not (node.nulls_first or node.nulls_last)
            and self._may_be_null(node.expression)
        ):
            node = node.copy()
            node.nulls_first = None if node.descending else True
            node.nulls_last = True if node.descending else None
        return super().compile(node)

    def _may_be_null(self, expression: Any) -> bool:
        if not isinstance(expression, Col) or expression.target.null:
            return True
        joins: Any = self.query.alias_map
        return getattr(joins.get(expression.alias), "join_type", None) == LOUTER
