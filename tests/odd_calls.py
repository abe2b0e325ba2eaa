"""Calls of an operation that nobody would think of: by its schema, and by its example gone wrong.

Schemathesis makes what the document of the API allows and what it forbids. That seldom gets past
the first check of a body with rules between its values, so a good call with one value replaced is
made too.

Before a merge a clone with hundreds of operations has one in five of them asked oddly, in turn
(`tests.turns`), and the same at each time. In `make test-everything` all are asked, otherwise in
each run; so are they where `SANDLOT_ODD` says how many calls of each kind there are.
`SANDLOT_SEED` repeats the calls of such a run.
What an engine could answer otherwise shows in few of them.
"""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import hypothesis.core
import hypothesis.vendor.pretty
import schemathesis
from hypothesis import strategies as st
from schemathesis import APIOperation, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.generation.hypothesis import setup

from clones.core.operations import Operation
from tests import tiers, turns

# Schemathesis silences Hypothesis's printer for the whole process, once, when it first needs it; an
# example that failed is printed in full, whichever test it is of.
setup()
hypothesis.core.RepresentationPrinter = hypothesis.vendor.pretty.RepresentationPrinter  # type: ignore[attr-defined]

USUAL = 1 if tiers.ON_POSTGRES else 3
CALLS = int(os.environ.get("SANDLOT_ODD", USUAL))
ALIKE = not tiers.DRAWS_ANEW
BIG = 2**63
# What no column of a row can hold, and no list of keys can name.
TOO_LARGE: list[Any] = [BIG, [BIG], [-BIG - 1], ["9" * 25]]
ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    10**12,
    BIG - 1,
    BIG,
    1.5,
    1e308,
    float("nan"),
    "",
    " ",
    "0",
    "null",
    "ﬀ\u202e\U0001f525",
    "a" * 300,
    "a" * 70_000,
    "2026-13-45T99:00:00Z",
    "0000-01-01",
    "9999-12-31T23:59:59Z",
    "\ud800",
    "%00{{ticket.id}}",
    [],
    [None],
    [[]],
    {},
    {"": {}},
    {"id": BIG},
    [BIG],
    ["a", 1, {}],
]
# What a query can say, whichever parameter it is said of.
ODD_TEXTS = ["", "x", "-1", "0", str(BIG), "1,2,x", "a\x00b", "é" * 400, "[]", "1e9", "true", "%"]

WORD = re.compile(r"\w+|[^\w\s]|^\s*$")


def are_asked(operation: str) -> bool:
    """Tell whether this run asks an operation oddly, by its id."""
    return not ALIKE or turns.is_in_turn_here(operation)


Described = APIOperation[Any, Any, Any, Any]
Call = tuple[dict[str, Any], str, Any]  # the path's values, the query, the body


@dataclass(frozen=True, slots=True)
class Example:
    """A call: the values of its path's parameters, its query, its body, and whose it is."""

    path: dict[str, Any]
    query: str
    body: Any
    by: str


def document_of(description: dict[str, Any]) -> dict[str, Described]:
    """Return Schemathesis' view of every operation of a document, by its id."""
    schema = schemathesis.openapi.from_dict(description)
    found = {}
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        found[operation.definition.raw["operationId"]] = operation
    return found


def by_the_schema(
    operation: Described, example: Example, *, valid: bool
) -> st.SearchStrategy[Call]:
    """Return calls about the example's record that the document allows, or forbids."""
    mode = GenerationMode.POSITIVE if valid else GenerationMode.NEGATIVE
    path = dict(example.path) or None
    found = operation.as_strategy(generation_mode=mode, path_parameters=path)
    return found.map(
        lambda case: (dict(case.path_parameters), _query(case.query), _body(case.body))
    )


def about_another(operation: Operation, example: Example) -> st.SearchStrategy[Call]:
    """Return the example's call, of a record whose id is odd."""
    odd = st.sampled_from(["0", "-1", "x", str(BIG), str(BIG - 1), "1.5", "%20", "é", "a%00b"])
    one = st.tuples(st.sampled_from(sorted(operation.parameters)), odd)
    return one.map(lambda pick: ({**example.path, pick[0]: pick[1]}, example.query, example.body))


def gone_wrong(example: Example) -> st.SearchStrategy[Call]:
    """Return the example's call with one value of its body replaced, left out or doubled."""
    places = list(_places(example.body))

    def wrong(pick: tuple[tuple[Any, ...], Any]) -> Call:
        body = copy.deepcopy(example.body)
        return example.path, example.query, _replaced(body, *pick)

    return st.tuples(st.sampled_from(places), st.sampled_from(ODD)).map(wrong)


def with_odd_words(example: Example) -> st.SearchStrategy[Call]:
    """Return the example's call with one word within a value of its query replaced by an odd one.

    What a query says in a language of its own (a search, a path) is read further so.
    """
    pairs = parse_qsl(example.query, keep_blank_values=True)
    words = [(n, word) for n, (_, text) in enumerate(pairs) for word in WORD.finditer(text)]

    def odd(pick: tuple[tuple[int, re.Match[str]], str]) -> Call:
        (place, word), text = pick
        found = [*pairs]
        whole = word.string[: word.start()] + text + word.string[word.end() :]
        found[place] = (pairs[place][0], whole)
        return example.path, urlencode(found), example.body

    return st.tuples(st.sampled_from(words), st.sampled_from(ODD_TEXTS)).map(odd)


def asked_oddly(
    operation: Operation, example: Example, parameters: Sequence[str]
) -> st.SearchStrategy[Call]:
    """Return the example's call with odd parameters in its query: its own, or of `parameters`."""
    known = [] if operation.query is None else sorted(operation.arguments - {"body"})
    names = st.sampled_from(
        [name for name in known if name not in operation.parameters] * 3 + list(parameters)
    )
    pairs = st.lists(st.tuples(names, st.sampled_from(ODD_TEXTS)), min_size=1, max_size=2)

    def odd(found: list[tuple[str, str]]) -> Call:
        names = {name for name, _ in found}
        kept = [part for part in example.query.split("&") if part.partition("=")[0] not in names]
        return example.path, "&".join([*filter(None, kept), urlencode(found)]), example.body

    return pairs.map(odd)


def too_large(schemas: dict[str, Any], operation: Described, example: Example) -> Iterator[Any]:
    """Yield the example's body with what is too large at each place the document knows."""
    content = operation.definition.raw.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    for where in sorted(set(_properties(schemas, schema))):
        for value in TOO_LARGE:
            body = node = copy.deepcopy(example.body)
            for name in where[:-1]:
                inner = node.get(name)
                node[name] = inner if isinstance(inner, dict) else {}
                node = node[name]
            node[where[-1]] = value
            yield body


def _properties(
    schemas: dict[str, Any], schema: dict[str, Any], where: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the places of a schema's properties, down to the third."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    for kind in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(kind, []):
            yield from _properties(schemas, one, where)
    for name, inner in schema.get("properties", {}).items() if len(where) < 3 else ():
        yield (*where, name)
        yield from _properties(schemas, inner, (*where, name))


def _places(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield where
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for name, item in items:
        yield from _places(item, (*where, name))


def _replaced(body: Any, where: tuple[Any, ...], value: Any) -> Any:
    if not where:
        return value
    node = body
    for name in where[:-1]:
        node = node[name]
    node[where[-1]] = value
    return body


def _query(given: Any) -> str:
    pairs = []
    for name, value in (given or {}).items():
        several = value if isinstance(value, list) else [value]
        pairs += [(name, item if isinstance(item, str) else json.dumps(item)) for item in several]
    return urlencode([(_sendable(name), _sendable(text)) for name, text in pairs])


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _body(given: Any) -> Any:
    return None if given.__class__.__name__ == "NotSet" else given


def sent(body: Any) -> bytes:
    """Return a body as it goes over the wire; a form with files goes as it is written."""
    if body is None:
        return b""
    if isinstance(body, str) and body.startswith("--part\r\n"):
        return body.encode()
    if isinstance(body, bytes):
        return body
    return json.dumps(body).encode()


def in_path(values: dict[str, Any]) -> dict[str, str]:
    """Return the values of a path's parameters as an address can hold them."""
    return {name: quote(_sendable(str(value)), safe="%") for name, value in values.items()}
