"""Distil what the vendor's description says in prose into tests/facts/helpdesk/prose.json.

Reads `$SANDLOT_SPECS/helpdesk` (default ../shared/specs), and writes the names of its query
parameters into `parameters.json` beside it, by method and path. Of each operation's text, and of
what is said of its parameters, it takes the sentences on defaults, omissions, alternatives and
silent success, and writes no word of them: a digest, and the operations that say so. What each of
them means is a row of docs/fidelity/helpdesk-prose.md. Those of properties of bodies and records
go into `record_prose.json`, and their rows into helpdesk-prose-of-records.md. `--show` prints the
sentences, to be read. It needs PyYAML, which other development packages bring along.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from tools.facts_helpdesk import SPECS, TARGET

TELLING = re.compile(
    r"\bdefault|\bomit|\bnot (?:specified|provided|supplied|included|given|passed|set)\b"
    r"|\boptional|\bunless\b|\bignore|\bsilent|\beither\b|\binstead\b|\balternativ"
    r"|\bif you don.t|\bwithout\b|\bno effect|\bautomatically\b|\bwhether or not\b"
    r"|\bleft out\b|\bblank\b|\bempty\b|\bno longer\b|\botherwise\b|\bif not\b"
    r"|\bmust include\b|\bnull\b|\bpersists?\b",
    re.IGNORECASE,
)
COMBINED = ("allOf", "oneOf", "anyOf")
METHODS = frozenset({"get", "post", "put", "patch", "delete"})
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_PARTS = re.compile(r"\n\s*\n|\n\s*[*-] |\n\|")
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"])")


def described(text: str) -> dict[str, Any]:
    """Return a description as it was written."""
    yaml: Any = import_module("yaml")

    class Loader(yaml.CSafeLoader):  # type: ignore[misc] # the package has no types
        """Reads bare `=` as the text that it is."""

    Loader.add_constructor("tag:yaml.org,2002:value", lambda _, node: node.value)
    found: dict[str, Any] = yaml.load(text, Loader)
    return found


def operations_of(root: dict[str, Any]) -> Iterator[tuple[str, Any, list[Any]]]:
    """Yield each operation's method and path, what is described of it, and its parameters."""
    known = (root.get("components") or {}).get("parameters") or {}
    for path, item in root.get("paths", {}).items():
        shared = item.get("parameters", []) if isinstance(item, dict) else []
        for method, operation in item.items() if isinstance(item, dict) else ():
            if method in METHODS:
                named = [*shared, *operation.get("parameters", [])]
                told = [known.get(one.get("$ref", "").rpartition("/")[2], one) for one in named]
                yield f"{method.upper()} {path}", operation, told


def texts_of(operation: Any, parameters: list[Any]) -> list[str]:
    """Return the texts of an operation: its own, and its parameters'."""
    texts = [operation.get("description"), *(one.get("description") for one in parameters)]
    return [text for text in texts if text]


def resolved(root: dict[str, Any], schema: Any) -> dict[str, Any]:
    """Return what a schema refers to within its own description, nothing if that is elsewhere."""
    while isinstance(schema, dict) and "$ref" in schema:
        found: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found.get(part, {})
        schema = found
    return schema if isinstance(schema, dict) else {}


def properties(root: dict[str, Any], schema: Any, depth: int = 6) -> Iterator[str]:
    """Yield what is said of the properties of a body, and of those of the records in it."""
    found = resolved(root, schema)
    if depth == 0:
        return
    for part in (found.get("properties") or {}).values():
        yield resolved(root, part).get("description") or ""
        yield from properties(root, part, depth - 1)
    parts = [found["items"]] if isinstance(found.get("items"), dict) else []
    for part in [*parts, *(one for way in COMBINED for one in found.get(way, []))]:
        yield from properties(root, part, depth - 1)


def bodies_of(root: dict[str, Any], operation: Any) -> Iterator[str]:
    """Yield what is said of the properties of an operation's body and of its good answers."""
    answers = (one for code, one in operation.get("responses", {}).items() if str(code)[0] == "2")
    for body in (operation.get("requestBody", {}), *answers):
        for content in (resolved(root, body).get("content") or {}).values():
            yield from properties(root, content.get("schema", {}))


def parameters(roots: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the names of the query parameters by method and path; a path's own have no names."""
    found: dict[str, set[str]] = {}
    for root in roots:
        for address, _, told in operations_of(root):
            names = {one["name"] for one in told if one.get("in") == "query"}
            plain = re.sub(r"\{[^}]*\}", "{}", address).removesuffix(".json")
            found.setdefault(plain, set()).update(names)
    return {address: sorted(names) for address, names in sorted(found.items()) if names}


def sentences(text: str) -> Iterator[str]:
    """Yield the telling sentences of a text, each on one line."""
    for part in _PARTS.split(_FENCED.sub("", text)):
        for sentence in _ENDS.split(" ".join(part.split())):
            if TELLING.search(sentence):
                yield sentence


def descriptions() -> list[dict[str, Any]]:
    """Return the main description and its newer fragments."""
    files = [
        SPECS / "zendesk-support-oas-2024.yaml",
        *sorted((SPECS / "zendesk-support-newer-2026").glob("*-original.yml")),
    ]
    return [described(file.read_text(encoding="utf-8")) for file in files]


Told = dict[str, tuple[str, set[str]]]


def prose(roots: list[dict[str, Any]]) -> tuple[Told, Told]:
    """Return the sentences by their digest, each with the operations that say it.

    The second are of the properties of bodies and records alone, with the operations that have
    them.
    """
    found: Told = {}
    below: Told = {}
    for root in roots:
        for _, operation, told in operations_of(root):
            kinds = (found, texts_of(operation, told)), (below, bodies_of(root, operation))
            for kept, texts in kinds:
                for sentence in (one for text in texts for one in sentences(text)):
                    digest = hashlib.sha256(sentence.encode()).hexdigest()[:10]
                    kept.setdefault(digest, (sentence, set()))[1].add(operation["operationId"])
    return found, {digest: told for digest, told in below.items() if digest not in found}


def main() -> None:
    """Write the digests, or show the sentences."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", action="store_true", help="print the sentences, write nothing")
    roots = descriptions()
    found, below = prose(roots)
    if parser.parse_args().show:
        for digest, (sentence, names) in sorted(
            {**found, **below}.items(), key=lambda item: min(item[1][1])
        ):
            print(digest, ",".join(sorted(names)), "|", sentence)
        return
    for name, kept in (("prose.json", found), ("record_prose.json", below)):
        write(name, {digest: sorted(names) for digest, (_, names) in kept.items()})
    write("parameters.json", parameters(roots))


def write(name: str, facts: dict[str, list[str]]) -> None:
    """Write facts, and say how many there are."""
    text = json.dumps(facts, indent=1, sort_keys=True) + "\n"
    (TARGET / name).write_text(text, encoding="utf-8")
    print(f"tests/facts/helpdesk/{name}: {len(facts)}")


if __name__ == "__main__":
    main()
