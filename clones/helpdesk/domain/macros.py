"""Macros: what they would do to a ticket (never doing it), and their upkeep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import QuerySet

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import apply_changes, plain_text, snapshot
from clones.helpdesk.domain.errors import AccessDenied, HelpdeskError, RecordInvalid
from clones.helpdesk.domain.notifications import placeholder_values
from clones.helpdesk.domain.positions import position_of
from clones.helpdesk.models import GroupMembership, Macro, Ticket, User
from clones.helpdesk.rules import actions
from clones.helpdesk.rules.placeholders import names_in, render
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS, arranged
from clones.helpdesk.rules.tags import add_tags, drop_tags, split_tags

REPLICATED = tuple(
    arranged(
        {item.name: item for item in SYSTEM_FIELDS if item.rules and item.rules.replicated},
        ("status", "priority", "type", "group_id", "assignee_id"),
    )
)


@dataclass(slots=True)
class Preview:
    """What a macro would change: ticket attributes, and the comment it would start."""

    changes: dict[str, Any] = field(default_factory=dict)
    body: str | None = None
    html_body: str | None = None
    public: bool | None = None


def preview_macro(macro: Macro, *, actor: User, ticket: Ticket | None = None) -> Preview:
    """Return what a macro would do for the actor, on a ticket or on none. Nothing is written.

    Tags are returned as the ticket would have them; placeholders are filled from the ticket.
    """
    values = snapshot(ticket) if ticket is not None else {}
    effect = actions.effect_of(
        macro.actions,
        values=values,
        actor_id=actor.id,
        actor_group=actor.default_group_id,
    )
    found = Preview(dict(effect.changes), public=effect.comment_is_public)
    if ticket is not None:
        _settle(found, ticket)
    else:
        _settle_on_none(found.changes)
    text, html = effect.comment, effect.comment_html
    wanted = names_in(text or "") | names_in(html or "")
    filled = (
        placeholder_values(ticket, actor=actor, wanted=wanted)
        if ticket is not None
        else {"current_user.name": actor.name, "current_user.email": actor.email or ""}
    )
    found.body = render(text, filled) if text is not None and ticket is not None else text
    found.html_body = render(html, filled) if html is not None and ticket is not None else html
    return found


def _settle_on_none(changes: dict[str, Any]) -> None:
    """Name the tags that a ticket without any would have."""
    added = changes.pop("additional_tags", None)
    removed = changes.pop("remove_tags", None)
    if added is not None or "tags" in changes:
        changes["tags"] = drop_tags(add_tags(split_tags(changes.get("tags")), added), removed)


def _settle(found: Preview, ticket: Ticket) -> None:
    """Work out the tags by making the changes on a copy in memory."""
    copy = Ticket.objects.get(id=ticket.id)
    names = [name for name in ("tags", "additional_tags", "remove_tags") if name in found.changes]
    for name in names:
        try:
            apply_changes(copy, {name: found.changes.pop(name)}, actor=None)
        except HelpdeskError:
            continue
    if names:
        found.changes["tags"] = list(copy.tags)


def usable_macros(actor: User) -> QuerySet[Macro]:
    """Return the macros that an agent may use: shared ones, their groups', their own."""
    groups = set(GroupMembership.objects.filter(user=actor).values_list("group_id", flat=True))
    rows = Macro.objects.order_by("position", "title", "id")
    usable = [macro.id for macro in rows if _may_use(macro, actor, groups)]
    return Macro.objects.filter(id__in=usable)


def macros_of_group(rows: QuerySet[Macro], key: int) -> QuerySet[Macro]:
    """Return those of some macros that are restricted to a group, or to several with it."""
    shared = rows.filter(restriction__type="Group").order_by("id")
    held = [one.id for one in shared if one.restriction and key in _groups_of(one.restriction)]
    return rows.filter(id__in=held)


def _groups_of(restriction: Mapping[str, Any]) -> list[int]:
    return list(restriction.get("ids") or [restriction["id"]])


def _may_use(macro: Macro, actor: User, groups: set[int]) -> bool:
    rule = macro.restriction
    if not rule:
        return True
    if rule["type"] == "User":
        return bool(rule["id"] == actor.id)
    if actor.role == "admin":
        return True
    return bool(groups & set(_groups_of(rule)))


@logged("create")
def create_macro(*, actor: User, changes: Mapping[str, Any]) -> Macro:
    """Create a macro; agents make personal ones only.

    Raises:
        AccessDenied: an agent makes one for others.
        RecordInvalid: it has no title or no action, or an unknown one.
    """
    now = clock.now()
    macro = Macro(id=ids.next_stamp(Macro), created_at=now, updated_at=now)
    _set(macro, actor, {"title": None, "actions": [], **changes})
    macro.save(force_insert=True)
    return macro


@logged("update")
def update_macro(macro: Macro, *, actor: User, changes: Mapping[str, Any]) -> Macro:
    """Change a macro.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: a value breaks a rule.
    """
    _check_owner(macro.restriction, actor)
    _set(macro, actor, changes)
    macro.updated_at = clock.now()
    macro.save()
    return macro


@logged("destroy")
def delete_macro(macro: Macro, *, actor: User) -> None:
    """Remove a macro.

    Raises:
        AccessDenied: the actor may not.
    """
    _check_owner(macro.restriction, actor)
    macro.delete()


def replica_of_macro(macro: Macro) -> Macro:
    """Return a macro like this one that is not kept: no id, no place, open to the same people."""
    return Macro(
        title=macro.title,
        description=macro.description,
        actions=[dict(item) for item in macro.actions],
        restriction=macro.restriction,
    )


def replica_of_ticket(ticket: Ticket) -> Macro:
    """Return a macro that is not kept and would bring other tickets to where this one is.

    It has the ticket's values that macros can set and that are set, and what was last said.
    """
    values = snapshot(ticket)
    # Nothing can be made new again.
    found: list[dict[str, Any]] = [
        {"field": name, "value": str(values[name])}
        for name in REPLICATED
        if values[name] is not None and (name, values[name]) != ("status", "new")
    ]
    if ticket.tags:
        found.append({"field": "current_tags", "value": " ".join(ticket.tags)})
    for key, value in sorted(ticket.custom_fields.items()):
        if value not in (None, "", [], False):
            found.append({"field": f"custom_fields_{key}", "value": value})
    last = ticket.comments.order_by("-created_at", "-id").first()
    if last is not None:
        found.append({"field": "comment_value", "value": last.body})
        mode = "true" if last.public else "false"
        found.append({"field": "comment_mode_is_public", "value": mode})
    return Macro(title=ticket.subject or "", actions=found)


def _set(macro: Macro, actor: User, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        macro.title = (plain_text("title", changes["title"], 255) or "").strip()
        if not macro.title:
            raise RecordInvalid.of("title", "Title: cannot be blank", "BlankValue")
    if "actions" in changes:
        macro.actions = checked_actions(changes["actions"])
    if "description" in changes:
        macro.description = plain_text("description", changes["description"], 65_535)
    if changes.get("active") is not None:
        macro.active = bool(changes["active"])
    if changes.get("position") is not None:
        macro.position = position_of(changes["position"])
    if "restriction" in changes:
        macro.restriction = restriction_of(changes["restriction"])
    _check_owner(macro.restriction, actor)


def restriction_of(value: Any) -> dict[str, Any] | None:
    """Return a restriction in the form it is kept in.

    Raises:
        RecordInvalid: it is none.
    """
    if not value:
        return None
    kind, key = value.get("type"), value.get("id")
    keys = value.get("ids") or ([key] if key is not None else [])
    if kind not in ("Group", "User") or not keys:
        raise RecordInvalid.of("restriction", "Restriction: is invalid", "InvalidValue")
    if kind == "User":
        return {"type": "User", "id": int(keys[0])}
    return {"type": "Group", "id": int(keys[0]), "ids": [int(item) for item in keys]}


def checked_actions(value: Any) -> list[dict[str, Any]]:
    """Return a rule's actions in the form they are kept in.

    Raises:
        RecordInvalid: there are none, or one is unknown.
    """
    found = []
    for item in value if isinstance(value, list) else []:
        name = str(item.get("field", "")) if isinstance(item, Mapping) else ""
        if not actions.is_known(name):
            raise RecordInvalid.of(
                "actions", f"Actions: {name} is not a valid action", "InvalidValue"
            )
        found.append({"field": name, "value": item.get("value")})
    if not found:
        raise RecordInvalid.of("actions", "Actions: must have at least one action", "BlankValue")
    return found


def _check_owner(restriction: Any, actor: User) -> None:
    personal = bool(restriction) and restriction["type"] == "User" and restriction["id"] == actor.id
    if actor.role == "admin" or (personal and actor.keeps_own("macro_access")):
        return
    raise AccessDenied("only admins keep shared macros" if not personal else "macros are read only")


MACRO: Final = Resource(
    Macro,
    "macro",
    order=("position", "title", "id"),
    create=create_macro,
    update=update_macro,
    delete=delete_macro,
)
