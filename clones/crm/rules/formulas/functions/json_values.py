"""The functions that read JSON."""

from __future__ import annotations

import re
from typing import Any

from clones.core.strict_json import read_json
from clones.crm.rules.formulas.errors import FormulaValueError
from clones.crm.rules.formulas.functions.signatures import TEXT, Table
from clones.crm.rules.formulas.types import Kind

JSON = Table()
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d{1,9})\]|\[['\"]([^'\"\]]*)['\"]\]")


def _read(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError as error:
        raise FormulaValueError("The text is no JSON.") from error


def _shown(value: Any) -> str | None:
    if value is None or isinstance(value, dict | list):
        return None
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


@JSON.function("JSONVALUE", TEXT, TEXT, gives=Kind.TEXT)
def json_value(text: str, key: str) -> str | None:
    """Return the value at a key of an object as text, None where there is none.

    Raises:
        FormulaValueError: the text is no JSON.
    """
    found = _read(text) if text else None
    return _shown(found.get(key)) if isinstance(found, dict) else None


@JSON.function("JSONPATHVALUE", TEXT, TEXT, gives=Kind.TEXT)
def json_path_value(text: str, path: str) -> str | None:
    """Return the value at a path such as `$.a[0].b` as text, None where there is none.

    Raises:
        FormulaValueError: the text is no JSON, or the path no path.
    """
    if not text:
        return None
    found, at = _read(text), 1
    while path.startswith("$") and at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            break
        found, at = _at(found, step), step.end()
    if not path.startswith("$") or at < len(path):
        raise FormulaValueError("The path is no JSON path.")
    return _shown(found)


def _at(value: Any, step: re.Match[str]) -> Any:
    if step[2] is not None:
        index = int(step[2])
        return value[index] if isinstance(value, list) and index < len(value) else None
    return value.get(step[1] or step[3]) if isinstance(value, dict) else None
