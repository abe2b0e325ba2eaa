"""Searches and list filters, made of a seed and of a world's own words, ids and fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
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
# How likely an argument is given: some in each request, and few know the token of a page.
SHARES = {
    "query": 1.0,
    "filter[type]": 1.0,
    "jql": 1.0,
    "nextPageToken": 0.02,
    "reconcileIssues": 0.02,
}
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
    (("page", "per_page", "limit", "maxResults", "size"), (1, 2, 3, 5, 25, 100, 0, -1, 1000, "x")),
    (("startAt", "startingAfter", "offset"), (0, 1, 2, 5, 50, -1, "x")),
    (("sort_order",), ("asc", "desc", "sideways")),
    (("sort",), SORTS),
    (("start_time", "end_time", "created"), (0, 1750000000, 1781000000, -5, "soon", 10**20)),
    (("active", "default", "end_user_visible"), ("true", "false", "maybe")),
    (("include_", "only", "override", "show", "is"), ("true", "false", "maybe")),
    (("include",), ("users", "groups", "organizations", "users,groups", "true", "nonsense")),
    (("orderBy",), ("name", "-name", "key", "created", "-lastIssueUpdatedTime", "nonsense")),
    (("fields",), ("summary", "*all", "*navigable", "-comment", "status,assignee", "nonsense")),
    (("expand",), ("names", "renderedFields", "changelog,schema", "owner,jql", "nonsense")),
    (("state",), ("active", "future", "closed", "nonsense")),
    (("status", "requestStatus"), ("current", "To Do", "ALL_REQUESTS", "nonsense")),
)
# What is left of an id's name without these is the name of what it is of.
OF_IDS = re.compile(r"(_ids?|Ids?OrKeys?|KeyOrId|IdOrName|Ids?|Keys?|^ids?|^keys?)$")
ALIASES = {"parent": "issue", "lead": "account", "assignee": "account"}


@dataclass(frozen=True)
class Stock:
    """What requests to a clone are made of.

    `keys` are by the table that they are of; `queries` are searches in a language of its own.
    """

    texts: list[str] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)
    queries: list[str] = field(default_factory=list)

    def like(self, name: str) -> list[list[str]]:
        """Return the keys that something of that name may be, or all."""
        plain = OF_IDS.sub("", name).replace("_", "").lower()
        plain = ALIASES.get(plain, plain)
        exact = [self.keys[plain]] if plain in self.keys else []
        found = exact or [
            keys for label, keys in self.keys.items() if plain and label.endswith(plain)
        ]
        return found or list(self.keys.values())


def stocks(seed: int) -> dict[str, Stock]:
    """Return what there is in the bound world by clone, in one order on every engine."""
    from clones.core.journal.layout import record_models  # noqa: PLC0415 - needs Django set up

    found = {"helpdesk": Stock(_of_helpdesk()), "tracker": Stock(_of_tracker())}
    for model in record_models():
        meta, keys = model._meta, model._default_manager.order_by("pk").values_list("pk", flat=True)
        stock = found.setdefault(meta.app_label, Stock(found["helpdesk"].texts))
        if first := [str(key) for key in keys[:400]]:
            stock.keys[meta.model_name or ""] = first
    _add_names(found["tracker"], seed)
    return found


def _of_helpdesk() -> list[str]:
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


def _of_tracker() -> list[str]:
    from clones.tracker.models import Issue, IssueLabel, Project, User  # noqa: PLC0415 - set up

    columns = ((Issue, "summary"), (IssueLabel, "label"), (Project, "name"), (User, "display_name"))
    return [
        text
        for model, column in columns
        for text in model._default_manager.order_by("pk").values_list(column, flat=True)
        if text
    ]


def _add_names(stock: Stock, seed: int) -> None:
    """Add what issues, projects and accounts are named by besides ids, and queries of the site."""
    from clones.tracker.models import Issue, Project, User  # noqa: PLC0415 - set up
    from sandlot.cli.measures.tracker import drawn_queries  # noqa: PLC0415 - the same

    names = [issue.key for issue in Issue.objects.select_related("project").order_by("id")[:400]]
    stock.keys["issue"] += names
    epics = Issue.objects.filter(issue_type__hierarchy_level=1).order_by("id")
    stock.keys["epic"] = [str(key) for key in epics.values_list("id", flat=True)]
    stock.keys["project"] += Project.objects.order_by("id").values_list("key", flat=True)
    stock.keys["account"] = list(User.objects.order_by("id").values_list("account_id", flat=True))
    stock.queries.extend(drawn_queries(seed, 400, names))


class Asker:
    """Makes requests from a seed and what there is in a world."""

    def __init__(self, seed: int, stocks: dict[str, Stock]) -> None:
        self.chance = Random(seed)
        self.stocks = stocks
        self.stock = stocks["helpdesk"]

    def turn_to(self, clone: Any) -> None:
        """Make what follows for a clone."""
        self.stock = self.stocks[clone.name]

    def key(self, name: str) -> str:
        """Return a key of something that is named so, seldom of anything."""
        odd = self.chance.random() < 0.1
        some = list(self.stock.keys.values()) if odd else self.stock.like(name)
        return self.chance.choice(self.chance.choice(some))

    def word(self) -> str:
        """Return a word, a beginning, a phrase, or something odd."""
        chance = self.chance
        if chance.random() < 0.3:
            return chance.choice(WORDS)
        text = chance.choice(self.stock.texts)
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
        if name == "jql" and chance.random() < 0.9:
            return chance.choice(self.stock.queries)
        if name == "query" and clone == "helpdesk":
            return self.query() if chance.random() < 0.7 else self.word()
        if OF_IDS.search(name) and chance.random() < 0.8:
            several = chance.randint(1, 3) if name.endswith("s") else 1
            return ",".join(self.key(name) for _ in range(several))
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
        weights = [_weight(operation) for operation in operations]
        while True:
            self.turn_to(clone)
            (operation,) = self.chance.choices(operations, weights)
            path = self.path(operation)
            names = sorted(operation.arguments - set(operation.parameters) - {"body"})
            chosen = [name for name in names if self.chance.random() < SHARES.get(name, 0.3)]
            asked = [(name, self.value(name, clone.name)) for name in chosen]
            yield f"{path}?{urlencode(asked)}" if asked else path

    def path(self, operation: Any) -> str:
        """Return an operation's path to something that there is, mostly."""
        before, found = "", list[str]()
        for part in operation.path.split("/"):
            name = part.strip("{}").partition(":")[0]
            # A bare `id` is one of what stands before it.
            of = before.lower().removesuffix("s") if name in {"id", "key"} else name
            found.append(quote(self.key(of)) if part.startswith("{") else part)
            before = part
        return "/".join(found)


def _weight(operation: Any) -> int:
    """Return how often to ask an operation: searches have the most to differ in."""
    if "jql" in operation.arguments:
        return 120 if operation.path.endswith("/jql") else 4
    if operation.clone == "tracker":
        return 1
    return 12 if "search" in operation.path.lower() else 1
