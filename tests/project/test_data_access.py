"""Errors of the database are caught where the statement that raises them has been run.

A row that is saved may wait for the next statement (`clones.core.models.Record.save`). The end of
`transaction.atomic()` is one, so what is wrong with a write surfaces inside a `try` around such a
block, and may surface after any other `try`.
"""

from __future__ import annotations

import ast

import pytest

from tests.project.paths import ROOT, clone_names, python_files

ERRORS = {
    *("DatabaseError", "IntegrityError", "DataError", "OperationalError", "ProgrammingError"),
    *("RowGone", "NotSupportedError", "InterfaceError", "InternalError"),
}
PLACES = (
    *(f"clones/{name}" for name in clone_names()),
    *("seeds", "episodes/families", "episodes/rewards", "episodes/checks"),
)


def caught_early(source: str) -> list[int]:
    """Return the lines of handlers of such errors whose `try` is no whole block of `atomic`."""
    return [
        handler.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Try) and not _is_atomic(node.body)
        for handler in node.handlers
        if handler.type is not None and _names(handler.type) & ERRORS
    ]


def _names(node: ast.expr) -> set[str]:
    return {
        found.id if isinstance(found, ast.Name) else found.attr
        for found in ast.walk(node)
        if isinstance(found, ast.Name | ast.Attribute)
    }


def _is_atomic(body: list[ast.stmt]) -> bool:
    return (
        len(body) == 1
        and isinstance(body[0], ast.With)
        and any("atomic" in _names(item.context_expr) for item in body[0].items)
    )


def test_errors_of_writes_are_caught_around_whole_blocks() -> None:
    files = list(python_files(*PLACES))
    assert len(files) > 1000
    assert {
        str(path.relative_to(ROOT)): lines
        for path in files
        if (lines := caught_early(path.read_text()))
    } == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("try:\n    row.save()\nexcept IntegrityError:\n    pass", [3]),
        ("try:\n    row.save()\nexcept (KeyError, db.DataError):\n    pass", [3]),
        ("try:\n    with atomic():\n        a()\n    b()\nexcept RowGone:\n    pass", [5]),
        ("try:\n    with transaction.atomic():\n        a()\nexcept RowGone:\n    pass", []),
        ("try:\n    row.save()\nexcept KeyError:\n    pass", []),
    ],
)
def test_what_is_caught_too_early_is_found(source: str, lines: list[int]) -> None:
    assert caught_early(source) == lines
