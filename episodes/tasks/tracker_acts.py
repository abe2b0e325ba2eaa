"""What oracles and cheats do at the tracker again and again, by API: from goal and acts alone.

    rows = search(space, "project = CLD AND status = 'To Do'", "summary", "status")
    issue = read_issue(space, "CLD-12", history=True)      # noted as looked at closely
    move(space, "CLD-12", "Close", fields={"resolution": {"name": "Done"}}, said="Shipped.")
    edit(space, "CLD-12", labels=["sync"]);  say(space, "CLD-12", "Done in 5.3.")

Refusals raise where the space's `act` raises. Texts are plain: `document` makes the vendor's
documents of them, `text_of` reads those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace

Json = dict[str, Any]

PAGE: Final = 100
# Nodes of a document that stand on lines of their own.
BLOCKS: Final = frozenset(
    {"paragraph", "heading", "codeBlock", "listItem", "tableRow", "blockquote", "panel", "rule"}
)


# Texts


def document(text: str) -> Json:
    """Return the document of a plain text: paragraphs where it has empty lines.

    Lines of a paragraph stay lines; those that begin with "- " in a paragraph of their own make a
    list.
    """
    parts = [part.strip("\n") for part in text.split("\n\n")]
    return {"version": 1, "type": "doc", "content": [_block(part) for part in parts if part]}


def _block(part: str) -> Json:
    lines = part.split("\n")
    if all(line.startswith("- ") for line in lines):
        items = [{"type": "listItem", "content": [_paragraph([line[2:]])]} for line in lines]
        return {"type": "bulletList", "content": items}
    return _paragraph(lines)


def _paragraph(lines: list[str]) -> Json:
    content: list[Json] = []
    for place, line in enumerate(lines):
        if place:
            content.append({"type": "hardBreak"})
        if line:
            content.append({"type": "text", "text": line})
    return {"type": "paragraph", "content": content}


def text_of(body: Any) -> str:
    """Return the words of a document, a line for each paragraph, item, row and heading."""
    if body is None or isinstance(body, str):
        return body or ""
    lines = "".join(_words(body)).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


def _words(node: Mapping[str, Any]) -> Iterator[str]:
    kind = node.get("type")
    if kind == "text":
        yield str(node.get("text", ""))
    elif kind == "hardBreak":
        yield "\n"
    elif kind in ("mention", "status", "emoji"):
        yield str(node.get("attrs", {}).get("text", ""))
    elif kind in ("inlineCard", "blockCard"):
        yield str(node.get("attrs", {}).get("url", ""))
    if kind in ("tableCell", "tableHeader"):
        inner = "".join(part for child in node.get("content", ()) for part in _words(child))
        yield " ".join(inner.split()) + " | "
        return
    for child in node.get("content", ()):
        yield from _words(child)
    if kind in BLOCKS:
        yield "\n"


def quoted(text: str) -> str:
    """Return a text as a value of a query."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# Reading


def search(space: ActingSpace, jql: str, *fields: str, most: int = 500) -> list[Json]:
    """Return the issues that a query finds, with their keys and these fields, page by page."""
    found: list[Json] = []
    asked: Json = {"jql": jql, "maxResults": min(PAGE, most)}
    asked["fields"] = ",".join(fields) if fields else "summary"
    while True:
        body = space.act("tracker_searchAndReconsileIssuesUsingJql", **asked)["body"]
        found += body["issues"]
        if body.get("isLast", True) or len(found) >= most:
            return found[:most]
        asked["nextPageToken"] = body["nextPageToken"]


def the_one(rows: list[Json], about: str) -> Json:
    """Return the only issue of several.

    Raises:
        LookupError: there is none, or more than one.
    """
    if len(rows) != 1:
        keys = ", ".join(str(row.get("key")) for row in rows[:5]) or "none"
        raise LookupError(f"{about}: expected one issue, found {keys}")
    return rows[0]


def read_issue(space: ActingSpace, key: str, *, history: bool = False) -> Json:
    """Return an issue with all its fields, and with its history if asked for."""
    expand = {"expand": "changelog"} if history else {}
    body: Json = space.act("tracker_getIssue", issueIdOrKey=key, **expand)["body"]
    return body


def comments_of(space: ActingSpace, key: str) -> list[Json]:
    """Return the comments of an issue, oldest first."""
    found: list[Json] = space.act("tracker_getComments", key=key)["body"]["comments"]
    return found


def history_of(space: ActingSpace, key: str) -> list[Json]:
    """Return the entries of an issue's history, oldest first, all pages of it."""
    found: list[Json] = []
    while True:
        shown = space.act("tracker_getChangeLogs", issueIdOrKey=key, startAt=str(len(found)))
        body = shown["body"]
        found += body["values"]
        if body.get("isLast", True) or not body["values"]:
            return found


def changes_of(entries: list[Json], field: str) -> list[tuple[str, str | None, str | None, str]]:
    """Return (when, from, to, by whom) of each change of a field among entries, oldest first.

    `field` is its name in histories (status, assignee, Fix Version).
    """
    found = [
        (
            entry["created"],
            item.get("fromString"),
            item.get("toString"),
            (entry.get("author") or {}).get("displayName", ""),
        )
        for entry in entries
        for item in entry["items"]
        if item["field"] == field
    ]
    return sorted(found, key=lambda change: change[0])


def own_account(space: ActingSpace) -> Json:
    """Return the agent's own account at the tracker: name, account_id, email, role."""
    return dict(space.accounts["tracker"]["accounts"][0])


def find_person(space: ActingSpace, name: str) -> Json:
    """Return the active user of a display name.

    Raises:
        LookupError: there is none, or several.
    """
    body = space.act("tracker_findUsers", query=name)["body"]
    named = [user for user in body if user.get("displayName") == name and user.get("active")]
    if len(named) != 1:
        raise LookupError(f"{len(named)} people are called {name}")
    return dict(named[0])


# Writing


def moves_of(space: ActingSpace, key: str) -> list[Json]:
    """Return the transitions that an issue can take now, with the fields of their screens."""
    found: list[Json] = space.act(
        "tracker_getTransitions", issueIdOrKey=key, expand="transitions.fields"
    )["body"]["transitions"]
    return found


def move(
    space: ActingSpace,
    key: str,
    name: str,
    *,
    fields: Mapping[str, Any] | None = None,
    said: str | None = None,
) -> None:
    """Take an issue through the transition of a name, or to the status of that name.

    Raises:
        LookupError: no such transition is offered.
    """
    chosen = named_move(moves_of(space, key), name)
    if chosen is None:
        raise LookupError(f"{key} has no transition {name}")
    take(space, key, chosen["id"], fields=fields, said=said)


def named_move(moves: list[Json], name: str) -> Json | None:
    """Return the transition of a name, else the first one to the status of that name."""
    by_name = [one for one in moves if one["name"] == name]
    to_status = [one for one in moves if one["to"]["name"] == name]
    return next(iter([*by_name, *to_status]), None)


def take(
    space: ActingSpace,
    key: str,
    number: str,
    *,
    fields: Mapping[str, Any] | None = None,
    said: str | None = None,
) -> None:
    """Take an issue through the transition of a number."""
    body: Json = {"transition": {"id": number}}
    if fields:
        body["fields"] = dict(fields)
    if said is not None:
        body["update"] = {"comment": [{"add": {"body": document(said)}}]}
    space.act("tracker_doTransition", issueIdOrKey=key, body=body)


def edit(space: ActingSpace, key: str, **fields: Any) -> None:
    """Set fields of an issue."""
    space.act("tracker_editIssue", issueIdOrKey=key, body={"fields": fields})


def assign(space: ActingSpace, key: str, account: str | None) -> None:
    """Give an issue to somebody, or to nobody."""
    space.act("tracker_assignIssue", issueIdOrKey=key, body={"accountId": account})


def say(space: ActingSpace, key: str, text: str) -> None:
    """Comment on an issue."""
    space.act("tracker_addComment", key=key, body={"body": document(text)})


def link(space: ActingSpace, kind: str, source: str, destination: str) -> None:
    """Link two issues: the outward words of the kind hold of `source` ("source blocks ...").

    The vendor calls the source the inward issue.
    """
    space.act(
        "tracker_linkIssues",
        body={
            "type": {"name": kind},
            "inwardIssue": {"key": source},
            "outwardIssue": {"key": destination},
        },
    )


def create(space: ActingSpace, project: str, kind: str, summary: str, **fields: Any) -> str:
    """Make an issue and return its key."""
    whole = {"project": {"key": project}, "issuetype": {"name": kind}, "summary": summary, **fields}
    body: Json = space.act("tracker_createIssue", body={"fields": whole})["body"]
    return str(body["key"])
