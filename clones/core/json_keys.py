"""Values of JSON columns by the keys of their objects, each key taken as it is written.

Django takes a key that reads as a number (`7`, `-1`, `1_0`) for a place in a list: the value of
such a key is not found, and SQLite refuses places before the first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db.models import F
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from clones.core.strict_json import DEPTH


class AtKey(KeyTransform):
    """The value of an object's key as JSON, NULL where a list or no such key is."""

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Return it in SQLite's words."""
        column, given, keys = self.preprocess_lhs(compiler, connection)
        *within, last = keys
        # A path of SQLite cannot say a quotation mark, so the last key is none of the path.
        path = "$" + "".join("." + json.dumps(key) for key in within)
        return (
            "(SELECT CASE WHEN j.type IN ('false', 'true', 'null') THEN j.type ELSE j.value END"  # noqa: S608 - constants
            f" FROM json_each({column}, %s) j"
            f" WHERE j.key = %s AND json_type({column}, %s) = 'object')"
        ), [*given, path, last, *given, path]

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        """Return it in PostgreSQL's words."""
        column, given, keys = self.preprocess_lhs(compiler, connection)
        arrows = ["->"] * (len(keys) - 1) + [self.postgres_operator]
        steps = "".join(f" {arrow} %s::text" for arrow in arrows)
        return f"({column}{steps})", [*given, *keys]


class TextAtKey(AtKey, KeyTextTransform):
    """The value of an object's key as text."""


def can_be_asked(keys: Sequence[str]) -> bool:
    """Tell whether engines can be asked in the same words for the value at a path of keys.

    Objects do not stand deeper within each other than JSON is read, no text holds a NUL, and the
    way to the last key is a path, in which SQLite has no word for a quotation mark.
    """
    if len(keys) > DEPTH or any("\0" in key for key in keys):
        return False
    return not any('"' in key for key in keys[:-1])


def at_path(column: str, keys: Sequence[str]) -> F | AtKey:
    """Return what a JSON column holds at a path of keys that can be asked for."""
    place: F | AtKey = F(column)
    for key in keys:
        place = AtKey(key, place)
    return place
