"""Distil what the vendor's descriptions say in prose into facts under tests/facts/tracker.

Reads `$SANDLOT_SPECS/tracker` and writes `prose.json`, without a text of the vendor's:

    parameters: by method and path, the query parameters with their defaults (null: none); of
        boards and service desks those of the list of 2026, too, which has no defaults
    expands: the operations whose body says what is shown beside the thing itself
    sentences:  by a mark, a hash of a sentence, where it stands: `GET /rest/... query:expand`

Sentences are kept that speak of defaults, of what is left out, ignored or empty, of what is
required after all, and of one thing instead of another: those that tell something in the
helpdesk's description, too, by the same words. Run it again when the sources change.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from tools.facts_helpdesk_prose import TELLING
from tools.facts_tracker_api import METHODS, described, write

NEWER: Final = "jira-agile-and-service-desk-operations-2026.json"
DESCRIPTIONS: Final = ("jira-platform-v3-oas-2025-12.json", "jira-software-oas-2022.json")
SAYING: Final = re.compile(
    r"""
    [Oo]therwise
    | \bIf\ .*\b(not|no|none|isn't|aren't|doesn't|empty|omitted|null|provided|specified|without
        |invalid)\b
    | has\ no\ effect | cannot\ be\ used\ (with|together) | ^Required | silently
    | [Rr]equired\b.*\b(when|if|unless|provided|specified|on\ create|in\ requests)
    | \b(must|has\ to)\ be\ (provided|specified|set|included|defined)
    | \bset\ to\ (`?null`?|unassigned) | \b(is|are|be)\ (`?null`?|cleared|removed|erased)\b
    | Providing\ null | \bto\ null\b | empty\ (list|array|string|page|object|response|search)
    | always\ (returned|included) | in\ all\ responses | even\ if | no\ (effect|results|ID)\b
    | left\ out | [Nn]ot\ (required|returned) | nothing\ is\ returned | are\ omitted
    | returns?\ any\ empty | must\ (contain|include|be\ unique) | exact\ match | case.(in)?sensitive
    """,
    re.VERBOSE | re.IGNORECASE,
)
# About what the service no longer does, or asks of apps and licences.
PASSED_BY: Final = re.compile(
    r"no longer available|deprecation notice|will be removed|privacy|Deprecation|OAuth|License req"
)
DEEPEST: Final = 4


def plain(text: str) -> str:
    """Return a description without links and tags."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text))


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a description."""
    for part in re.split(r"\n\s*\n|\n\s*[*-] ", plain(text)):
        yield from re.split(r"(?<=[.!?])\s+(?=[A-Z`*])", " ".join(part.split()))


def says(sentence: str) -> bool:
    """Tell whether a sentence is one of those that are kept."""
    if "ermission" in sentence and "required" in sentence.lower():
        return False
    telling = SAYING.search(sentence) or TELLING.search(sentence)
    return bool(telling) and not PASSED_BY.search(sentence)


def mark(sentence: str) -> str:
    """Return what stands for a sentence."""
    return hashlib.sha256(sentence.encode()).hexdigest()[:8]


class Description:
    """A description whose parts refer to each other."""

    def __init__(self, file: str) -> None:
        self.root = described(file)

    def found(self, part: Any) -> Any:
        """Return a part, or what it refers to."""
        while "$ref" in part:
            name, part = part["$ref"], self.root
            for key in name.removeprefix("#/").split("/"):
                part = part[key]
        return part

    def members(self, schema: Any, way: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
        """Yield the members of a body with what is said of them."""
        if depth > DEEPEST:
            return
        schema = self.found(schema)
        for name, part in (schema.get("properties") or {}).items():
            yield way + name, part.get("description") or ""
            yield from self.members(part, f"{way}{name}.", depth + 1)
        inner = [schema["items"]] if "items" in schema else []
        for key in ("allOf", "oneOf", "anyOf"):
            inner += schema.get(key) or []
        for part in inner:
            yield from self.members(part, way, depth + 1)

    def expands(self, operation: dict[str, Any]) -> bool:
        """Tell whether an operation's body has an `expand` that requests may send."""
        body = self.found(operation.get("requestBody", {}))
        schemas = [self.found(one.get("schema", {})) for one in body.get("content", {}).values()]
        found = [(schema.get("properties") or {}).get("expand") for schema in schemas]
        return any(one is not None and not one.get("readOnly") for one in found)

    def operations(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each operation by its method and path."""
        for path, methods in self.root["paths"].items():
            for method in METHODS:
                if method in methods:
                    yield f"{method.upper()} {path}", methods[method]

    def texts(self, operation: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield what is said of an operation: the place, "" for the whole, and the text."""
        yield "", operation.get("description") or ""
        for parameter in map(self.found, operation.get("parameters", ())):
            yield f"{parameter['in']}:{parameter['name']}", parameter.get("description") or ""
        body = self.found(operation.get("requestBody", {}))
        for content in body.get("content", {}).values():
            for name, text in self.members(content.get("schema", {})):
                yield f"body:{name}", text


def main() -> None:
    """Write the facts."""
    parameters: dict[str, dict[str, Any]] = {}
    expands: list[str] = []
    places: dict[str, set[str]] = defaultdict(set)
    for file in DESCRIPTIONS:
        description = Description(file)
        for name, operation in description.operations():
            parameters[name] = {
                one["name"]: one.get("schema", {}).get("default")
                for one in map(description.found, operation.get("parameters", ()))
                if one["in"] == "query" and "no longer available" not in one.get("description", "")
            }
            if description.expands(operation):
                expands.append(name)
            for place, text in description.texts(operation):
                for sentence in filter(says, sentences(text)):
                    places[mark(sentence)].add(f"{name} {place}".strip())
    for row in (one for rows in described(NEWER).values() for one in rows):
        known = parameters.setdefault(f"{row['method']} {row['path']}", {})
        known |= {name: None for name in row["query"] if name not in known}
    listed = {one: sorted(found) for one, found in places.items()}
    facts = {"parameters": parameters, "expands": sorted(expands), "sentences": listed}
    write("prose.json", facts)


if __name__ == "__main__":
    main()
