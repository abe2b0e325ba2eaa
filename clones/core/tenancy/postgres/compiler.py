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

SQLAggregateCompiler = compiler.SQLAggregateCompiler
SQLDeleteCompiler = compiler.SQLDeleteCompiler
SQLInsertCompiler = compiler.SQLInsertCompiler
SQLUpdateCompiler = compiler.SQLUpdateCompiler


class SQLCompiler(compiler.SQLCompiler):
    """Sort NULL as less than everything, as SQLite does, and look into JSON that is text.

    A column that cannot be NULL is sorted plainly: its indexes serve that order only.
    """

    _inside_json = 0

    def compile(self, node: Any) -> Any:
        """Compile a node as the engine that tests are read on understands it."""
        if isinstance(node, KeyTransform | HasKeyLookup):
            self._inside_json += 1
            try:
                return super().compile(node)
            finally:
                self._inside_json -= 1
        if self._inside_json and isinstance(node, Col) and isinstance(node.target, JSONField):
            text, params = super().compile(node)
            return f"({text})::jsonb", params
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
