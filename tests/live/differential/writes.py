"""Writes, made of a seed, of the operations' own schemas, and of what has to be refused."""

from __future__ import annotations

from typing import Any

from tests.live.differential.issues import IssueWriter
from tests.live.differential.questions import OF_IDS, Asker

NASTY = (
    "", " ", "\0", "a\0b", "x" * 300, "y" * 70_000, "\ud800", "\u202e", "\r\n", "1e999", "-0",
    "{{ticket.id}}", "<script>", "2026-02-30", "9999-12-31T23:59:59Z", "0001-01-01", "é" * 256,
)  # fmt: skip
STATES = {
    "status": ("new", "open", "pending", "hold", "solved", "closed"),
    "priority": ("low", "normal", "high", "urgent"),
    "type": ("question", "incident", "problem", "task"),
    "role": ("end-user", "agent", "admin"),
    "score": ("good", "bad", "offered"),
}
PEOPLE = dict.fromkeys(("requester_id", "assignee_id", "submitter_id", "author_id"), "user")
NUMBERS = (0, -1, 1, 3, 2**31, 2**63, 10**30, 0.1, -0.0, 1e308)


class Writer(Asker):
    """Makes requests that write: every operation that does, with what its schema allows or not."""

    def request(self, clone: Any) -> tuple[str, str, Any]:
        """Return method, path and body."""
        self.turn_to(clone)
        if clone.name == "tracker" and self._often(0.6):
            return IssueWriter(self, self.text).request()
        operations = [
            operation
            for _, operation in sorted(clone.operations.all.items())
            if operation.writes and not operation.raw_body
        ]
        # Deletions thin out what there is to write to.
        weights = [1 if operation.method == "DELETE" else 6 for operation in operations]
        (operation,) = self.chance.choices(operations, weights)
        schema = operation.schema()
        body = schema["properties"].get("body")
        made = self.made(body, schema.get("$defs", {})) if body is not None else None
        return operation.method, self.path(operation), made

    def made(
        self, schema: dict[str, Any], named: dict[str, Any], depth: int = 0, name: str = ""
    ) -> Any:
        """Return a value of a JSON schema for a property of that name, or nearly."""
        schema = self._chosen(schema, named, name)
        if self.chance.random() < 0.01:
            return self.chance.choice((None, [], {}, "", 5, True, "nonsense"))
        if "const" in schema or "enum" in schema:
            return schema["const"] if "const" in schema else self.chance.choice(schema["enum"])
        match schema.get("type"):
            case "object":
                return self._object(schema, named, depth)
            case "array":
                items, count = schema.get("items") or {}, self.chance.randint(0, 3)
                inner = name.removesuffix("s")
                return [self.made(items, named, depth + 1, inner) for _ in range(count)]
            case "boolean":
                return self.chance.random() < 0.5
            case "integer" | "number":
                return self._number(name)
        if name in STATES:
            return self.chance.choice(STATES[name])
        return self.key(name) if OF_IDS.search(name) and self._often(0.9) else self.text()

    def _chosen(self, schema: dict[str, Any], named: dict[str, Any], name: str) -> dict[str, Any]:
        """Follow references, and take one of what is allowed."""
        while True:
            if "$ref" in schema:
                schema = named[schema["$ref"].rpartition("/")[2]]
            elif several := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
                numbers = [kind for kind in several if kind.get("type") == "integer"]
                schema = self.chance.choice(numbers if numbers and name.endswith("id") else several)
            else:
                return schema

    def _object(self, schema: dict[str, Any], named: dict[str, Any], depth: int) -> dict[str, Any]:
        chance = self.chance
        properties = schema.get("properties", {})
        names = [name for name in schema.get("required", ()) if chance.random() < 0.97]
        if depth == 0 or len(properties) < 2:
            names += properties
        else:
            names += chance.sample(sorted(properties), chance.randint(1, min(3, len(properties))))
        found = {
            name: self.made(properties[name], named, depth + 1, name)
            for name in dict.fromkeys(names)
        }
        more = schema.get("additionalProperties")
        if chance.random() < (0.6 if isinstance(more, dict) else 0.03 if more else 0):
            inner = more if isinstance(more, dict) else {"type": "string"}
            found[self.word()[:20]] = self.made(inner, named, depth + 1)
        return found

    def _number(self, name: str) -> Any:
        if self.chance.random() < 0.05:
            return self.chance.choice(NUMBERS)
        found = self.key(PEOPLE.get(name, name))
        return int(found) if found.isdigit() else 7

    def _often(self, share: float) -> bool:
        return self.chance.random() < share

    def text(self) -> str:
        """Return a word, a sentence, a state, or something that has to be refused."""
        kind = self.chance.random()
        if kind < 0.12:
            return self.chance.choice(NASTY)
        if kind < 0.3:
            return self.chance.choice(self.stock.texts)[:2000]
        return self.word()
