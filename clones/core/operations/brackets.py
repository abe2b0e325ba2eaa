"""Form-encoded parameters with nested brackets, as some vendors send them in query and body.

`metadata[order]=7&expand[]=customer&items[0][price]=p` becomes
`{"metadata": {"order": "7"}, "expand": {"0": "customer"}, "items": {"0": {"price": "p"}}}`.
Lists and objects look alike on the wire, so both become dictionaries here: `listed` turns one into
a list where a list belongs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParserError

from clones.core.digits import is_digits

DEPTH = 8
NAME = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])*)")
PART = re.compile(r"\[([^\[\]]*)\]")
FORM = "application/x-www-form-urlencoded"


def parameters(request: HttpRequest) -> dict[str, Any]:
    """Return the parameters of a request, wherever they travel: the body's replace the query's.

    Raises:
        ValueError: the body is no form, or a name is used as a value and as an object.
    """
    pairs = _pairs(request.GET)
    try:
        if request.method == "POST" and request.content_type == "multipart/form-data":
            pairs += _pairs(request.POST)
        elif request.body:
            if request.content_type not in ("", FORM):
                raise ValueError(f"{request.content_type} is no form")
            pairs += _pairs(QueryDict(request.body, encoding="utf-8"))
    except (MultiPartParserError, SuspiciousOperation) as error:  # no boundary; too many fields
        raise ValueError(str(error)) from error
    return nest(pairs)


def nest(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return flat names and values as nested dictionaries; of equal names the last counts.

    Raises:
        ValueError: a name nests too deep, or is used as a value and as an object.
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        shape = NAME.fullmatch(name)
        parts = [name] if shape is None else [shape.group(1), *PART.findall(shape.group(2))]
        if len(parts) > DEPTH:
            raise ValueError(f"{name[:80]} nests too deep")
        node = found
        for part in parts[:-1]:
            node = node.setdefault(_key(node, part), {})
            if not isinstance(node, dict):
                raise ValueError(f"{name[:80]} is both a value and an object")
        last = _key(node, parts[-1])
        if isinstance(node.get(last), dict):
            raise ValueError(f"{name[:80]} is both a value and an object")
        node[last] = value
    return found


def listed(value: Any) -> Any:
    """Return a dictionary whose keys are 0, 1, 2... as a list; anything else as it is."""
    if not isinstance(value, dict) or not all(is_digits(key) for key in value):
        return value
    return [value[key] for key in sorted(value, key=int)]


def _key(node: dict[str, Any], part: str) -> str:
    """Return a part's key: `[]` takes the next number."""
    return part or str(len(node))


def _pairs(data: QueryDict) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, values in data.lists() for value in values]
