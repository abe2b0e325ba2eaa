"""What the ticket form holds, and what of it an agent changed.

Values are kept under the names of the form's inputs, as text (lists for multiple choices), so that
what was loaded, what is on the page and what was sent compare as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.http import QueryDict

from clones.core.digits import is_digits
from clones.core.strict_json import read_json
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.domain.people import find_or_create_user
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.rules.system_fields import INPUTS
from clones.helpdesk.rules.tags import split_tags

CUSTOM = "custom_fields_"
# What the requester, the assignee and the like hold is put together; the rest are fields alone.
NAMES = ("requester", "requester_id", "assignee", "tags", "email_ccs", "followers", *INPUTS)
ADDRESS = re.compile(r"[^\s<>,;]+@[^\s<>,;]+")

Values = dict[str, Any]


def person_text(user: User) -> str:
    """Return a person as the requester field shows them."""
    return f"{user.name} <{user.email}>" if user.email else user.name


def values_of(ticket: Ticket) -> Values:
    """Return what the form shows of a ticket as it stands."""
    people = User.objects.in_bulk([*ticket.email_cc_ids, *ticket.follower_ids])
    values: Values = {
        "requester": person_text(ticket.requester),
        "requester_id": str(ticket.requester_id),
        "assignee": assignee_value(ticket.group_id, ticket.assignee_id),
        "tags": " ".join(ticket.tags),
        "email_ccs": _addresses(people, ticket.email_cc_ids),
        "followers": _addresses(people, ticket.follower_ids),
    }
    for name in INPUTS:
        value = getattr(ticket, name)
        values[name] = value.date().isoformat() if isinstance(value, datetime) else shown(value)
    for key, value in ticket.custom_fields.items():
        values[CUSTOM + key] = shown(value)
    return values


def assignee_value(group_id: int | None, user_id: int | None) -> str:
    """Return a group and an agent as one choice of the assignee field."""
    if group_id is None and user_id is None:
        return ""
    return f"{group_id or ''}:{user_id or ''}"


def posted_values(post: QueryDict, base: Mapping[str, Any]) -> Values:
    """Return what was sent, over `base`: a custom field that was shown and not sent is empty."""
    values: Values = dict(base)
    for name in NAMES:
        if name in post:
            values[name] = post.get(name, "").strip()
    for key in post.get("shown_fields", "").split(","):
        name = CUSTOM + key
        if is_digits(key):
            given = [item for item in post.getlist(name) if item]
            many = f"{name}_many" in post
            values[name] = given if many else (given[-1].strip() if given else "")
    return values


def loaded_values(post: QueryDict, fallback: Values) -> Values:
    """Return the values that the page was loaded with; what cannot be read is as it stands now."""
    try:
        found = read_json(post.get("loaded", ""))
    except ValueError:
        return fallback
    if not isinstance(found, dict):
        return fallback
    return {str(name): value for name, value in found.items()}


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> Values:
    """Return the values of `after` that differ; nothing, "" and [] are the same."""
    return {
        name: value for name, value in after.items() if (value or "") != (before.get(name) or "")
    }


def merged(loaded: Mapping[str, Any], mine: Mapping[str, Any], standing: Values) -> Values:
    """Return what a ticket stands at with one agent's changes upon it; lists take in both sides."""
    found: Values = {**standing, **differing(loaded, mine)}
    for name, parts, glue in (
        ("tags", split_tags, " "),
        ("email_ccs", addresses_in, ", "),
        ("followers", addresses_in, ", "),
    ):
        before, after = (parts(str(values.get(name, ""))) for values in (loaded, mine))
        kept = [item for item in parts(str(standing.get(name, ""))) if item not in before]
        both = [item for item in before if item in parts(str(standing.get(name, "")))]
        items = [item for item in both if item in after] + kept
        items += [item for item in after if item not in before]
        found[name] = glue.join(dict.fromkeys(items))
    return found


def ticket_changes(
    before: Mapping[str, Any], after: Mapping[str, Any], ticket: Ticket | None = None
) -> dict[str, Any]:
    """Return the changes between two states of the form, under the domain's names.

    `ticket` is the one that is there already: those who are on it are known by their addresses.

    Raises:
        RecordInvalid: the requester can neither be found nor made.
    """
    changed = differing(before, after)
    found: dict[str, Any] = {}
    for name, given in INPUTS.items():
        if name in changed and given.only_for in ("", after.get("type")):
            found[name] = changed[name] or None
    if "assignee" in changed:
        group, _, user = changed["assignee"].partition(":")
        found["group_id"], found["assignee_id"] = group or None, user or None
    if {"requester", "requester_id"} & set(changed):
        found["requester_id"] = requester_of(before, after).id
    if "tags" in changed:
        old, new = split_tags(before.get("tags")), split_tags(after["tags"])
        found["additional_tags"] = sorted(set(new) - set(old))
        found["remove_tags"] = sorted(set(old) - set(new))
    for name in ("email_ccs", "followers"):
        if name in changed:
            found[name] = _moves(before.get(name, ""), after[name], _on(ticket, name))
    custom = {
        name.removeprefix(CUSTOM): value or None
        for name, value in changed.items()
        if name.startswith(CUSTOM)
    }
    if custom:
        found["custom_fields"] = custom
    return found


def requester_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> User:
    """Return the person whom the requester field names: chosen, or typed as an address.

    Raises:
        RecordInvalid: nobody is named.
    """
    text = str(after.get("requester", ""))
    key = str(after.get("requester_id", ""))
    chosen = User.objects.filter(id=int(key), active=True).first() if _is_id(key) else None
    if chosen is not None and (text == person_text(chosen) or text == before.get("requester")):
        return chosen
    address = ADDRESS.search(text)
    if address is not None:
        name = text.partition("<")[0].strip(" \"'")
        return find_or_create_user(
            email=address.group(), name=name if name and "@" not in name else None
        )
    named = list(User.objects.filter(name__iexact=text, active=True).order_by("id")[:2])
    if text and len(named) == 1:
        return named[0]
    raise RecordInvalid.of("requester", "Requester: is invalid" if text else "Requester: is needed")


def addresses_in(text: str) -> list[str]:
    """Return the e-mail addresses in a text, in order, each once."""
    return list(dict.fromkeys(found.lower() for found in ADDRESS.findall(text)))


def _is_id(text: str) -> bool:
    return is_digits(text)


def _addresses(people: Mapping[int, User], keys: Sequence[int]) -> str:
    return ", ".join(people[key].email or "" for key in keys if key in people)


def shown(value: Any) -> Any:
    """Return a field's value as its input holds it."""
    if isinstance(value, bool):
        return "true" if value else ""
    if isinstance(value, list):
        return [str(item) for item in value]
    return "" if value is None else str(value)


def _on(ticket: Ticket | None, name: str) -> dict[str, int]:
    """Return those who are copied on a ticket, or follow it, by address."""
    if ticket is None:
        return {}
    keys = ticket.email_cc_ids if name == "email_ccs" else ticket.follower_ids
    people = User.objects.filter(id__in=keys).order_by("id")
    return {person.email.lower(): person.id for person in people if person.email}


def _moves(before: str, after: str, there: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return who comes in and who goes out of a list of people, as the domain takes it."""
    old, new = addresses_in(before), addresses_in(after)
    gone = [there[address] for address in old if address not in new and address in there]
    moves: list[dict[str, Any]] = [{"user_id": key, "action": "delete"} for key in gone]
    return moves + [
        {"user_email": address, "action": "put"} for address in new if address not in old
    ]
