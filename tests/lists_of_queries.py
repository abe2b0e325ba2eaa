"""Lists in queries, spelled in every way: what a parameter says may not depend on its spelling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from clones.core.operations import Operation
from clones.core.operations.inputs import Brackets, Commas, list_parameters

Spelling = tuple[str, str]  # what it is called, and the query


def between_commas(name: str, values: Sequence[str]) -> Iterator[Spelling]:
    """Yield the ways to say a list whose items stand between commas; the first is the plain one."""
    first, *rest = values
    yield "commas", urlencode({name: ",".join(values)})
    yield "repeated", urlencode([(name, value) for value in values])
    yield "mixed", urlencode([(name, first), (name, ",".join(rest))])
    yield "mixed the other way", urlencode([(name, ",".join(values[:-1])), (name, values[-1])])
    yield "with blanks", urlencode({name: " , ".join(values)})


def in_brackets(name: str, values: Sequence[str]) -> Iterator[Spelling]:
    """Yield the ways to say a list that a form writes with brackets."""
    yield "numbers", urlencode([(f"{name}[{at}]", value) for at, value in enumerate(values)])
    yield "no numbers", urlencode([(f"{name}[]", value) for value in values])
    first, *rest = values
    yield "mixed", urlencode([(f"{name}[0]", first), *((f"{name}[]", value) for value in rest)])


def repeated(name: str, values: Sequence[str]) -> Iterator[Spelling]:
    """Yield the one way to say a list of texts that may have commas in them."""
    yield "repeated", urlencode([(name, value) for value in values])


def lists_of(operation: Operation) -> dict[str, Callable[[str, Sequence[str]], Iterator[Spelling]]]:
    """Return the lists in an operation's query by name, each with what spells it."""
    if operation.query is None:
        return {}
    spelled = {Commas: between_commas, Brackets: in_brackets, type(None): repeated}
    return {name: spelled[type(mark)] for name, mark in list_parameters(operation.query).items()}


def without_queries(value: Any) -> Any:
    """Return a body whose addresses have lost their queries, which repeat what was asked."""
    if isinstance(value, dict):
        return {name: without_queries(item) for name, item in value.items()}
    if isinstance(value, list):
        return [without_queries(item) for item in value]
    is_address = isinstance(value, str) and value.startswith("http")
    return value.partition("?")[0] if is_address else value


def differences(
    operation: Operation,
    values_of: Callable[[str], Sequence[str]],
    ask: Callable[[str, str], tuple[int, Any]],
) -> Iterator[str]:
    """Yield where an operation answers differently to a list in another spelling.

    `values_of` returns the items to ask for, by a parameter's name; `ask` asks with a query for
    such a parameter, each time from the same state, and returns status and body.
    """
    for name, spell in lists_of(operation).items():
        (plain, query), *others = spell(name, values_of(name))
        expected = without_queries(list(ask(name, query)))
        for called, other in others:
            found = without_queries(list(ask(name, other)))
            if found != expected:
                yield (
                    f"{operation.id}: {name} {called} is not {plain}: ?{other}: "
                    f"{found!r:.300} for {expected!r:.300}"
                )
