"""What a careful admin makes of what the colleague wrote, from the texts alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

TITLE: Final = re.compile(r"(?:should be called|Name:|Please call it) (.+?)\.(?:\s|$)")
TEXT: Final = re.compile(r"^-----\s*\n(.*?)\n\s*-----\s*$", re.DOTALL | re.MULTILINE)
BRACKET: Final = re.compile(r"\[[^\]\n]+\]")
STATUS: Final = re.compile(r"\bstatus (?:becomes|to) ([A-Z][\w-]+)")
KEEP_STATUS: Final = re.compile(r"leave the status as it is|do not touch the status")
PRIORITY: Final = re.compile(r"\bpriority (?:becomes|to) (\w+)")
TYPE: Final = re.compile(r"\btype (?:becomes|to) (\w+)")
ADD: Final = re.compile(r"(?:add|put) the tag (\S+?)(?: on)?(?:,|$)")
DROP: Final = re.compile(r"(?:take|remove) the tag (\S+)")
GROUP: Final = re.compile(r"to the group (.+)$")
CATEGORY: Final = re.compile(r"\bcategory (?:becomes|to) (.+)$")
NAMED: Final = re.compile(
    r"(?:Only agents in|It is for the group|Please make it visible to) (.+?)"
    r"(?: should see it| and nobody else| only)\."
)
SAME: Final = re.compile(
    r"(?:The same group that has|It is for the group that) (.+?)"
    r"(?: should see it, and nobody else| is for, and for that group only)\."
)
STATUSES: Final = {"Open": "open", "Pending": "pending", "On-hold": "hold"}


@dataclass(slots=True)
class Wanted:
    """The macro as the mails describe it, by the labels that agents read.

    `group` is the name of whose macro it is; None with `ours` for the writer's own group, or with
    `same_as` for that of another macro. `text` has placeholders.
    """

    title: str = ""
    ours: bool = False
    same_as: str | None = None
    group: str | None = None
    status: str | None = None
    priority: str | None = None
    type: str | None = None
    to_group: str | None = None
    category: str | None = None
    add_tags: list[str] = field(default_factory=list)
    remove_tags: list[str] = field(default_factory=list)
    public: bool = True
    text: str = ""


def wanted_of(mails: Sequence[str]) -> Wanted:
    """Return what the mails ask for, oldest first: what is said later counts.

    Raises:
        LookupError: the first one describes no macro.
    """
    first = mails[0].replace("\r\n", "\n")
    body = TEXT.search(first)
    if body is None:
        raise LookupError(f"the mail gives no text: {first[:200]}")
    found = Wanted(text=with_placeholders(body.group(1).strip()))
    around = first[: body.start()] + first[body.end() :]
    _whose(found, around)
    for line in around.splitlines():
        if line.startswith("- "):
            _filed(found, line[2:].strip())
    for text in (around, *mails[1:]):
        _titled(found, text)
        _said(found, text)
    return found


def _titled(found: Wanted, text: str) -> None:
    title = TITLE.search(text)
    if title is not None:
        found.title = title.group(1)


def _whose(found: Wanted, text: str) -> None:
    same, named = SAME.search(text), NAMED.search(text)
    if "group I am in" in text or "my own group" in text or "group I work in" in text:
        found.ours = True
    elif same is not None:
        found.same_as = same.group(1)
    elif named is not None:
        found.group = named.group(1)
    else:
        raise LookupError(f"the mail does not say whose macro it is: {text[:200]}")


def _filed(found: Wanted, line: str) -> None:
    """Read one of the lines that say how tickets are filed."""
    added, dropped = ADD.search(line), DROP.search(line)
    group, category = GROUP.search(line), CATEGORY.search(line)
    priority, kind = PRIORITY.search(line), TYPE.search(line)
    if dropped is not None:
        found.remove_tags.append(dropped.group(1).rstrip(","))
    elif added is not None:
        found.add_tags.append(added.group(1))
    if group is not None:
        found.to_group = group.group(1)
    if category is not None:
        found.category = category.group(1)
    if priority is not None:
        found.priority = priority.group(1)
    if kind is not None:
        found.type = kind.group(1)


def _said(found: Wanted, text: str) -> None:
    """Read what a mail says of the status and of who sees the text."""
    status = STATUS.search(text)
    if status is not None:
        found.status = status.group(1)
    elif KEEP_STATUS.search(text):
        found.status = None
    if "internal note" in text:
        found.public = False
    elif "public reply" in text:
        found.public = True


def with_placeholders(text: str) -> str:
    """Return a text whose square brackets have become placeholders."""
    return BRACKET.sub(lambda found: "{{" + placeholder_of(found.group()) + "}}", text)


def placeholder_of(bracket: str) -> str:
    """Return the placeholder that a bracket stands for.

    Raises:
        LookupError: there is none.
    """
    words = bracket.lower()
    known: tuple[tuple[str, str], ...] = (
        ("organization", "ticket.organization.name"),
        ("agent", "current_user.first_name"),
        ("whoever", "current_user.first_name"),
        ("first name", "ticket.requester.first_name"),
        ("full name", "ticket.requester.name"),
        ("number", "ticket.id"),
        ("subject", "ticket.title"),
    )
    for part, placeholder in known:
        if part in words:
            return placeholder
    raise LookupError(f"nothing is known of {bracket}")


Action = dict[str, str]
Kind = Literal["status", "priority", "type"]


def plain_actions(wanted: Wanted) -> list[Action]:
    """Return the actions whose values need no looking up, in the order of an editor's rows."""
    found: list[Action] = [
        {"field": "comment_value", "value": wanted.text},
        {"field": "comment_mode_is_public", "value": "true" if wanted.public else "false"},
    ]
    if wanted.status is not None:
        found.append({"field": "status", "value": STATUSES[wanted.status]})
    if wanted.priority is not None:
        found.append({"field": "priority", "value": wanted.priority.lower()})
    if wanted.type is not None:
        found.append({"field": "type", "value": wanted.type.lower()})
    if wanted.add_tags:
        found.append({"field": "current_tags", "value": " ".join(wanted.add_tags)})
    if wanted.remove_tags:
        found.append({"field": "remove_tags", "value": " ".join(wanted.remove_tags)})
    return found
