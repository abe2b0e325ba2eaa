"""Find operations by words: of their ids, paths, summaries, descriptions and parameters.

The order is a function of the words and of the operations alone.
"""

from __future__ import annotations

import inspect
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from pydantic import BaseModel

from clones.core.operations import Operation
from episodes.spaces.surfaces.flat import flat_name

WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
UNSAID: Final = frozenset(
    "a an and are as at be by for from has have how i in into is it its me my of on one or that the"
    " their them this to want was what which with you your".split()
)
# Words by which people and vendors mean the same.
SAME: Final[Mapping[str, str]] = {
    word: meant
    for meant, words in {
        "create": "add make new post write",
        "update": "change edit modify patch put set",
        "delete": "destroy remove",
        "show": "fetch get read retrieve see",
        "search": "find lookup query",
        "jql": "reconsile",
        "project": "space",
    }.items()
    for word in words.split()
}
# What a word of the question is worth by where it stands.
WEIGHTS: Final[Mapping[str, float]] = {
    "id": 4.0,
    "summary": 3.0,
    "clone": 2.0,
    "path": 1.5,
    "parameters": 1.0,
    "description": 0.5,
}
# How deep the fields of bodies are read.
DEPTH: Final = 4
# How much each further word of an id and its summary takes: who says less else is meant.
BREVITY: Final = 0.03


def words_of(text: str) -> list[str]:
    """Return the words of a text or a name, each in its plainest form."""
    found = (_singular(word.lower()) for word in WORD.findall(text))
    return [SAME.get(word, word) for word in found if word not in UNSAID]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@dataclass(frozen=True)
class IndexedOperation:
    """An operation and the words of each of its parts."""

    operation: Operation
    words: Mapping[str, frozenset[str]]
    length: int


def _indexed(operation: Operation) -> IndexedOperation:
    parameters = [*operation.parameters, *_fields(operation.query), *_fields(operation.body)]
    texts = {
        "id": operation.id,
        "summary": operation.summary,
        "clone": operation.clone,
        "path": operation.path,
        "parameters": " ".join(parameters),
        "description": inspect.getdoc(operation.view) or "",
    }
    words = {part: frozenset(words_of(text)) for part, text in texts.items()}
    return IndexedOperation(operation, words, len(words["id"]) + len(words["summary"]))


def _fields(kind: Any, depth: int = DEPTH) -> Iterator[str]:
    """Yield the names of a model's fields and of theirs; a schema would take far longer to make."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, field in kind.model_fields.items() if depth else ():
            yield field.alias or name
            yield from _fields(field.annotation, depth - 1)
        return
    for inner in get_args(kind):
        yield from _fields(inner, depth)


class OperationIndex:
    """The operations of some clones, to be found by words."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._entries = [_indexed(operation) for operation in operations]
        holding = Counter(
            word for entry in self._entries for word in frozenset().union(*entry.words.values())
        )
        count = len(self._entries)
        self._rarity = {word: math.log(1 + count / held) for word, held in holding.items()}

    def find(self, text: str, *, most: int) -> list[Operation]:
        """Return at most so many operations that the words of a text speak of, best first."""
        asked = sorted(frozenset(words_of(text)) & self._rarity.keys())
        named = text.strip()
        ranked = [
            (-self._score(entry, asked), flat_name(entry.operation), entry.operation)
            for entry in self._entries
            if named not in (entry.operation.id, flat_name(entry.operation))
        ]
        exact = [
            entry.operation
            for entry in self._entries
            if named in (entry.operation.id, flat_name(entry.operation))
        ]
        found = [
            operation
            for score, _, operation in sorted(ranked, key=lambda entry: entry[:2])
            if score < 0
        ]
        return [*exact, *found][:most]

    def _score(self, entry: IndexedOperation, asked: list[str]) -> float:
        met = sum(
            self._rarity[word] * WEIGHTS[part]
            for word in asked
            for part in WEIGHTS
            if word in entry.words[part]
        )
        return met / (1 + BREVITY * entry.length)
