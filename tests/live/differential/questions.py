"""Searches and list filters, made of a seed and of a world's own words and ids."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

KEYS = (
    "created", "updated", "solved", "due_date", "status", "priority", "ticket_type", "assignee",
    "requester", "submitter", "cc", "commenter", "group", "organization", "brand", "form", "tags",
    "via", "subject", "description", "comment", "satisfaction", "external_id", "recipient",
    "has_attachment", "fieldvalue", "id", "name", "email", "user", "role", "phone", "notes",
    "details", "is_verified", "is_suspended", "type",
)  # fmt: skip
ALWAYS = ("query", "filter[type]")
TEXTS = ("email", "name", "phone", "currency", "status", "customer", 'metadata["order"]')
OPERATORS = (":", ":", ":", ":", ">", "<", ">=", "<=")
SORTS = (
    "created_at", "updated_at", "priority", "status", "ticket_type", "id", "name", "subject",
    "assignee", "-created_at", "position", "nonsense",
)  # fmt: skip
WORDS = (
    "none", "*", "me", "true", "false", "open", "solved", "urgent", "low", "incident", "4hours",
    "2days", "1year", "2026-06-01", "2026-06-16T12:00:00Z", "2026-02-31", "email", "web", "good",
    "offered", "agent", "end-user", "ß", "ÉCOLE", "straße", "İstanbul", "ſ", "\u212a", "100%",
    "a_b", "\\", "'", "''", '"', "(", "[a-z]", "{2}", "$", "^", ".*", "½", "\u00a0", "\u2019s",
    "a\u0301", "\U0001f642", "\ud7ff", "--", "-", "|", "&",
)  # fmt: skip
# What arguments whose names begin so are given.
VALUES: tuple[tuple[tuple[str, ...], tuple[object, ...]], ...] = (
    (("filter[type]",), ("ticket", "user", "organization", "group")),
    (("page", "per_page", "limit"), (1, 2, 3, 5, 25, 100, 0, -1, 1000, "x")),
    (("sort_order",), ("asc", "desc", "sideways")),
    (("sort",), SORTS),
    (("start_time", "end_time", "created"), (0, 1750000000, 1781000000, -5, "soon", 10**20)),
    (("active", "default", "end_user_visible"), ("true", "false", "maybe")),
    (("include",), ("users", "groups", "organizations", "users,groups", "nonsense")),
)


def corpus() -> list[str]:
    """Return texts of the bound world's records, in one order on every engine."""
    from clones.helpdesk.models import Comment, Organization, Ticket, User  # noqa: PLC0415 - set up

    texts: list[str] = []
    for ticket in Ticket.objects.order_by("id"):
        texts += [ticket.subject, *ticket.tags]
    for comment in Comment.objects.order_by("id"):
        texts.append(comment.body)
    for user in User.objects.order_by("id"):
        texts += [user.name, user.email or "", user.phone or ""]
    texts += Organization.objects.order_by("id").values_list("name", flat=True)
    return [text for text in texts if text]


def identifiers() -> dict[str, list[str]]:
    """Return ids of the bound world's records by the names that paths give them."""
    from clones.core.journal.layout import record_models  # noqa: PLC0415 - needs Django set up

    found: dict[str, list[str]] = {}
    for model in record_models():
        label, keys = model._meta.model_name or "", model._default_manager.order_by("pk")
        found[label] = [str(key) for key in keys.values_list("pk", flat=True)[:400]]
    return {name: keys for name, keys in found.items() if keys}


class Asker:
    """Makes requests from a seed and a world's own texts and ids."""

    def __init__(self, seed: int, texts: list[str], keys: dict[str, list[str]]) -> None:
        self.chance = Random(seed)
        self.texts = texts
        self.keys = keys

    def word(self) -> str:
        """Return a word, a beginning, a phrase, or something odd."""
        chance = self.chance
        if chance.random() < 0.3:
            return chance.choice(WORDS)
        text = chance.choice(self.texts)
        parts = text.split() or [text]
        at = chance.randrange(len(parts))
        kind = chance.random()
        if kind < 0.5:
            found = parts[at]
        elif kind < 0.7:
            found = parts[at][: chance.randint(1, 6)] + "*"
        elif kind < 0.85:
            found = '"' + " ".join(parts[at : at + 3]) + '"'
        else:
            begin = chance.randrange(len(text))
            found = text[begin : begin + chance.randint(1, 12)]
        change = chance.choice((str, str, str.lower, str.upper, str.title, str.swapcase))
        return change(found)[:200]

    def query(self) -> str:
        """Return a search."""
        parts = []
        for _ in range(self.chance.randint(1, 3)):
            minus = "-" if self.chance.random() < 0.15 else ""
            if self.chance.random() < 0.6:
                key, operator = self.chance.choice(KEYS), self.chance.choice(OPERATORS)
                parts.append(f"{minus}{key}{operator}{self.word()}")
            else:
                parts.append(minus + self.word())
        if self.chance.random() < 0.5:
            parts.append(f"type:{self.chance.choice(('ticket', 'user', 'organization', 'group'))}")
        return " ".join(parts)

    def clauses(self) -> str:
        """Return a search in billing's language."""
        parts = []
        for _ in range(self.chance.randint(1, 3)):
            minus = "-" if self.chance.random() < 0.2 else ""
            if self.chance.random() < 0.4:
                field = self.chance.choice(("amount", "created"))
                number = self.chance.choice((0, 4900, 12900, 1770000000, 1780000000, 10**14))
                parts.append(f"{minus}{field}{self.chance.choice(OPERATORS)}{number}")
            else:
                field = self.chance.choice(TEXTS)
                word = self.word().replace('"', "")
                parts.append(f'{minus}{field}{self.chance.choice(":~")}"{word}"')
        return self.chance.choice((" AND ", " OR ")).join(parts)

    def value(self, name: str, clone: str) -> str:
        """Return a value for an argument of that name."""
        chance = self.chance
        if name == "query" and clone == "billing":
            return self.clauses()
        if name == "query":
            return self.query() if chance.random() < 0.7 else self.word()
        if name.endswith(("ids", "id")) and chance.random() < 0.8:
            keys = chance.choice(list(self.keys.values()))
            return ",".join(chance.choice(keys) for _ in range(chance.randint(1, 3)))
        for names, values in VALUES:
            if name.startswith(names):
                return str(chance.choice(values))
        return self.word()

    def requests(self, clone: Any) -> Iterator[str]:
        """Yield addresses of a clone's API without end: GET operations with random arguments."""
        operations = [
            operation
            for _, operation in sorted(clone.operations.all.items())
            if operation.method == "GET"
        ]
        # Searches have the most to differ in.
        weights = [12 if "search" in operation.path.lower() else 1 for operation in operations]
        while True:
            (operation,) = self.chance.choices(operations, weights)
            path = "/".join(self._segment(part) for part in operation.path.split("/"))
            names = sorted(operation.arguments - set(operation.parameters) - {"body"})
            chosen = [name for name in names if name in ALWAYS or self.chance.random() < 0.3]
            asked = [(name, self.value(name, clone.name)) for name in chosen]
            yield f"{path}?{urlencode(asked)}" if asked else path

    def _segment(self, part: str) -> str:
        if not part.startswith("{"):
            return part
        name = part.strip("{}").partition(":")[0].removesuffix("_id").replace("_", "")
        like = [keys for label, keys in self.keys.items() if name and label.endswith(name)]
        return quote(self.chance.choice(self.chance.choice(like or list(self.keys.values()))))
