"""Write the diagrams of `docs/data-model/`, a page for each app, made from the Django models.

    python -m tools.data_model

A page begins with the main tables, which `data_model.toml` names, and goes on with the tables of
each module of the models: their first columns, and what they refer to.
"""

from __future__ import annotations

import ast
import inspect
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import django

if TYPE_CHECKING:
    from django.db.models import Field, Model

    Table = type[Model]

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "docs" / "data-model"
MAIN: Final = Path(__file__).with_suffix(".toml")
# More columns than these make no picture that one can read.
COLUMNS: Final = 8
INTRODUCTION: Final = (
    "\nMade by `make data-model`. Of each table the first columns are shown; columns that are"
    "\nreferences are lines. Ambient tables are undone by a rewind and shown in no diff.\n"
)


def pages() -> dict[str, str]:
    """Return the text of each page by the name of its file. Django must be set up."""
    from django.apps import apps  # noqa: PLC0415 - ready only now

    main = tomllib.loads(MAIN.read_text("utf-8"))
    return {
        f"{label}.md": _page(label, list(apps.get_app_config(label).get_models()), told["main"])
        for label, told in main.items()
    }


def _page(label: str, tables: list[Table], main: list[str]) -> str:
    by_name = {table.__name__: table for table in tables}
    chosen = [by_name[name] for name in main]
    parts = [
        f"# {label}: tables\n",
        INTRODUCTION,
    ]
    modules: dict[str, list[Table]] = {}
    for table in tables:
        modules.setdefault(table.__module__, []).append(table)
    if len(modules) > 1:
        parts.append(f"\n## The main tables\n\n{_diagram(chosen, columns=False)}")
    for module, own in modules.items():
        parts.append(f"\n## {module.rpartition('.')[2]}\n\n{_summary(module)}\n\n")
        ambient = [f"`{table.__name__}`" for table in own if _journal(table) == "ambient"]
        if ambient:
            parts.append(f"Ambient: {', '.join(ambient)}.\n\n")
        parts.append(_diagram(own, columns=True))
    return "".join(parts)


def _summary(module: str) -> str:
    """Return the first line of a module's docstring."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def _journal(table: Table) -> str:
    return str(getattr(table, "journal", "record"))


def _diagram(tables: Iterable[Table], *, columns: bool) -> str:
    tables = list(tables)
    lines = [line for table in tables for line in _box(table, columns=columns)]
    shown = {table.__name__ for table in tables}
    for table in tables:
        lines += [line for other, line in _relations(table) if columns or other in shown]
    text = "".join(f"    {line}\n" for line in lines)
    return f"```mermaid\nerDiagram\n{text}```\n"


def _box(table: Table, *, columns: bool) -> Iterator[str]:
    fields = [field for field in table._meta.concrete_fields if not field.is_relation]
    if not columns:
        yield table.__name__
        return
    yield f"{table.__name__} {{"
    for field in fields[:COLUMNS]:
        yield f"    {_column(field)}"
    if len(fields) > COLUMNS:
        yield f'    columns more "{len(fields) - COLUMNS} of them"'
    yield "}"


def _column(field: Field[Any, Any]) -> str:
    key = " PK" if field.primary_key else " UK" if field.unique else ""
    kind = type(field).__name__.removesuffix("Field").lower()
    return f"{kind} {field.name}{key}"


def _relations(table: Table) -> Iterator[tuple[str, str]]:
    """Yield what a table refers to, with the line of a diagram: null is a circle."""
    for field in table._meta.concrete_fields:
        other = field.related_model
        if not field.is_relation or other is None or isinstance(other, str):
            continue
        label = other._meta.app_label
        name = other.__name__ if label == table._meta.app_label else f"{label}_{other.__name__}"
        one = "|o" if field.null else "||"
        many = "o|" if field.unique else "o{"
        yield name, f"{name} {one}--{many} {table.__name__} : {field.name}"


def write(found: Mapping[str, str], folder: Path = FOLDER) -> None:
    """Write the pages, and remove those of apps that are no more."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.md"):
        if path.name not in found:
            path.unlink()
    for name, text in found.items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> int:
    """Write the pages; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="sandlot-data-model-") as folder:
        os.environ.setdefault("SANDLOT_DATA", folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")
        django.setup()
        write(pages())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
