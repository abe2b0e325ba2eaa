"""Distil the vendor's description and recorded traffic into facts under tests/facts/helpdesk.

Reads `$SANDLOT_SPECS/helpdesk` (default ../shared/specs); writes names and types only, no texts and
no values: `operations.json` (method, path, operation id), `skeletons.json` (per method, path and
status: the keys of recorded bodies, with the types each was seen to have), and `requests.json`
(what was sent for them: keys, words of the vendor's own, and names in braces for the rest), and
`settings.json` (names of the account's settings by their part). Run it again when either source
changes.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

ROOT = Path(__file__).resolve().parents[1]
SPECS = Path(os.environ.get("SANDLOT_SPECS", ROOT.parent / "shared" / "specs")) / "helpdesk"
TARGET = ROOT / "tests" / "facts" / "helpdesk"
# Keys under these belong to whoever wrote them; they are no facts of the vendor's.
OPEN = frozenset({"user_fields", "organization_fields", "custom", "configuration"})
TYPES = {str: "text", bool: "flag", int: "number", float: "number", type(None): "null"}

_PATH = re.compile(r"""^  ["']?(/[^"':]*)["']?:\s*$""")
_METHOD = re.compile(r"^    (get|post|put|patch|delete):\s*$")
_ID = re.compile(r"^      operationId:\s*(\S+)")


def operations_in(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (method, path, operation id) of a description.

    Read line by line: the vendor's examples hold bare `=` scalars, which YAML readers refuse.
    """
    path = method = None
    for line in text.splitlines():
        found = _PATH.match(line)
        if found is not None:
            path, method = found.group(1), None
            continue
        found = _METHOD.match(line)
        if found is not None:
            method = found.group(1).upper()
            continue
        found = _ID.match(line)
        if found is not None and path is not None and method is not None:
            yield method, path, found.group(1)
            method = None


def operations() -> list[dict[str, str]]:
    """Return the operations of the main description and of its newer fragments, each once."""
    files = [
        SPECS / "zendesk-support-oas-2024.yaml",
        *sorted((SPECS / "zendesk-support-newer-2026").glob("*-original.yml")),
    ]
    found: dict[tuple[str, str], str] = {}
    for file in files:
        for method, path, name in operations_in(file.read_text(encoding="utf-8")):
            found.setdefault((method, re.sub(r"\{\w+\}", "{}", path)), name)
    return [
        {"method": method, "path": path, "id": name}
        for (method, path), name in sorted(found.items(), key=lambda item: (item[0][1], item[0][0]))
    ]


class Shape:
    """What bodies were seen to hold, by path, as `tickets[].id` or `events[Change].value`."""

    def __init__(self) -> None:
        self.types: dict[str, set[str]] = {}
        self.objects: Counter[str] = Counter()
        self.keys: Counter[str] = Counter()

    def add(self, value: Any, path: str = "") -> None:
        """Take in one body, or a part of one."""
        if isinstance(value, dict):
            self.types.setdefault(path, set()).add("object")
            self.objects[path] += 1
            for key, item in value.items():
                below = f"{path}.{key}".lstrip(".")
                self.keys[below] += 1
                if key in OPEN:
                    self.types.setdefault(below, set()).add("object")
                else:
                    self.add(item, below)
        elif isinstance(value, list):
            self.types.setdefault(path, set()).add("list")
            for item in value:
                # The events of an audit have the keys of their type.
                kind = item["type"] if path.endswith("events") else ""
                self.add(item, f"{path}[{kind}]")
        else:
            self.types.setdefault(path, set()).add(TYPES[type(value)])

    def facts(self) -> dict[str, str]:
        """Return the types by path, as `number|null`; `?` marks what was absent at times."""
        found: dict[str, str] = {}
        for path, types in sorted(self.types.items()):
            parent = path.rpartition(".")[0]
            inside = path and not path.endswith("]")
            optional = inside and self.keys[path] < self.objects[parent]
            found[path or "."] = "|".join(sorted(types)) + ("?" if optional else "")
        return found


def skeletons() -> dict[str, dict[str, str]]:
    """Return the shape of the recorded bodies by `METHOD path status`."""
    recorded = json.loads((SPECS / "zendesk-recorded-exchanges.json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, str]] = {}
    for name in sorted(recorded):
        shape = Shape()
        for exchange in recorded[name]:
            shape.add(exchange["resp"])
        found[name] = shape.facts()
    return found


# Where recorded requests hold words of the vendor's own.
WORDS = frozenset(
    {"field", "operator", "value", "type", "status", "status_category", "http_method"}
    | {"request_format", "subscriptions", "add_position", "include"}
)
MISSING = 9223372036854775807  # what the recorded clients asked for when it was not to be there
NAMED = {
    "ids": "{ids}",
    "page[after]": "{cursor}",
    "clone_webhook_id": "{id}",
    "uploads": "{token}",
}


def without_own_values(value: Any, key: str = "") -> Any:
    """Return what a request says, with its own texts and ids replaced."""
    if isinstance(value, dict):
        return {name: without_own_values(item, name) for name, item in value.items()}
    if isinstance(value, list):
        items = [without_own_values(item, key) for item in value]
        same = len(items) > 1 and all(item == items[0] for item in items)
        return {"times": len(items), "each": items[0]} if same else items
    if value == MISSING:
        return "{missing}"
    if key in NAMED:
        return NAMED[key]
    if key == "id":
        return "{id}" if value else ""
    if not isinstance(value, str) or (key in WORDS and re.fullmatch(r"[A-Za-z_-]{1,30}", value)):
        return value
    if key in ("email", "endpoint"):
        return f"{{{key}}}"
    return value if re.fullmatch(r"\d{1,5}", value) else "{text}"


def sent(text: str) -> Any:
    """Return a recorded body; a long one was cut off, and its list then has `times` null."""
    if not text:
        return None
    try:
        return without_own_values(json.loads(text))
    except json.JSONDecodeError:
        whole = text[: text.rindex("}, {") + 1] + "]}"
        body = without_own_values(json.loads(whole))
        for items in body.values():
            items["times"] = None
        return body


def requests() -> dict[str, list[dict[str, Any]]]:
    """Return the distinct requests that were recorded, by `METHOD path status`."""
    recorded = json.loads((SPECS / "zendesk-recorded-exchanges.json").read_text(encoding="utf-8"))
    found: dict[str, list[dict[str, Any]]] = {}
    for name in sorted(recorded):
        kept: list[dict[str, Any]] = []
        for exchange in recorded[name]:
            address = urlsplit(exchange["uri"])
            query = {key: without_own_values(value, key) for key, value in parse_qsl(address.query)}
            missing = str(MISSING) in address.path
            request = {"query": query, "body": sent(exchange["req"]), "missing": missing}
            if request not in kept:
                kept.append(request)
        found[name] = kept
    return found


_SCHEMA = re.compile(r"^    (\w+):\s*$")
_NAME = re.compile(r"^        (\w+):\s*$")
_REFERENCE = re.compile(r"^          \$ref: '#/components/schemas/(\w+)'")


def settings() -> dict[str, list[str]]:
    """Return the names of the account's settings by their part, as the description has them."""
    text = (SPECS / "zendesk-support-oas-2024.yaml").read_text(encoding="utf-8")
    names: dict[str, list[str]] = {}
    parts: dict[str, str] = {}
    schema = name = ""
    for line in text.splitlines():
        if found := _SCHEMA.match(line):
            schema = found.group(1)
        elif not schema.startswith("AccountSettings"):
            continue
        elif found := _NAME.match(line):
            name = found.group(1)
            names.setdefault(schema, []).append(name)
        elif schema == "AccountSettingsObject" and (found := _REFERENCE.match(line)):
            parts[name] = found.group(1)
    return {part: sorted(names[schema]) for part, schema in parts.items()}


def main() -> None:
    """Write the facts."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, facts in (
        ("operations", operations()),
        ("skeletons", skeletons()),
        ("requests", requests()),
        ("settings", settings()),
    ):
        text = json.dumps(facts, indent=1, sort_keys=True) + "\n"
        (TARGET / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"tests/facts/helpdesk/{name}.json: {len(facts)}")


if __name__ == "__main__":
    main()
