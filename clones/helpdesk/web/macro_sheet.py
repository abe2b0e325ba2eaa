"""Applying a macro to a ticket's form: what it would do goes onto the page, nothing is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clones.core.digits import is_digits
from clones.core.plaintext import plain_of_html
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.domain.macros import Preview, preview_macro, usable_macros
from clones.helpdesk.models import Macro, Ticket, User
from clones.helpdesk.rules.system_fields import INPUTS
from clones.helpdesk.rules.tags import split_tags
from clones.helpdesk.rules.text import html_of_plain
from clones.helpdesk.web import form_values
from clones.helpdesk.web.composer import Composer
from clones.helpdesk.web.form_values import CUSTOM, Values
from clones.helpdesk.web.sheet import PropertiesForm


def apply_macro(sheet: PropertiesForm, key: str, ticket: Ticket | None, actor: User) -> None:
    """Put what a macro would do onto the form; `ticket` is None for one that is being written.

    Raises:
        RecordNotFound: there is no such macro for the actor.
    """
    macro = _usable(key, actor)
    preview = preview_macro(macro, actor=actor, ticket=ticket)
    changes = preview.changes
    for name in INPUTS:
        if name in changes:
            sheet.values[name] = "" if changes[name] is None else str(changes[name])
    if {"group_id", "assignee_id"} & set(changes):
        sheet.values["assignee"] = _assignment(sheet.values, changes)
    if "tags" in changes:
        before = ticket.tags if ticket is not None else []
        sheet.values["tags"] = " ".join(_tags(sheet.values, before, changes["tags"]))
    for field, value in (changes.get("custom_fields") or {}).items():
        sheet.values[f"{CUSTOM}{field}"] = form_values.shown(value)
    for name in ("email_ccs", "followers"):
        if name in changes:
            sheet.values[name] = _with_people(sheet.values.get(name, ""), changes[name])
    if changes.get("status"):
        sheet.status = str(changes["status"])
    sheet.composer = _with_text(sheet.composer, preview, actor)
    if key not in sheet.macro_ids:
        sheet.macro_ids = (*sheet.macro_ids, key)


def _usable(key: str, actor: User) -> Macro:
    found: Macro | None = None
    if is_digits(key):
        found = usable_macros(actor).filter(id=int(key), active=True).first()
    if found is None:
        raise RecordNotFound("macro", key)
    return found


def _assignment(values: Values, changes: Mapping[str, Any]) -> str:
    group, _, user = str(values.get("assignee", "")).partition(":")
    if "group_id" in changes:
        group = str(changes["group_id"] or "")
        user = user if "assignee_id" in changes else ""
    if "assignee_id" in changes:
        user = str(changes["assignee_id"] or "")
    if user and not group:
        # The domain would choose the agent's default group: show what it would be.
        default = User.objects.filter(id=int(user)).values_list("default_group_id", flat=True)
        group = str(default.first() or "")
    return f"{group}:{user}" if group or user else ""


def _tags(values: Values, before: list[str], after: list[str]) -> list[str]:
    """Return the form's tags with what the macro would add to and take from the ticket's own."""
    now = set(split_tags(values.get("tags")))
    return sorted((now | (set(after) - set(before))) - (set(before) - set(after)))


def _with_people(text: str, moves: list[dict[str, Any]]) -> str:
    people = User.objects.in_bulk([move["user_id"] for move in moves if move.get("user_id")])
    more = [person.email for person in people.values() if person.email]
    return ", ".join(dict.fromkeys([*form_values.addresses_in(text), *more]))


def _with_text(composer: Composer, preview: Preview, actor: User) -> Composer:
    """Return the composer with the macro's text after what is written there."""
    if preview.public is not None:
        composer = replace(composer, public=preview.public and not actor.only_private_comments)
    if preview.html_body is not None or (preview.body is not None and composer.html):
        added = preview.html_body or html_of_plain(preview.body or "")
        html = composer.html or (html_of_plain(composer.body) if composer.body.strip() else "")
        return replace(composer, html=html + added, body=plain_of_html(html + added))
    if preview.body is None:
        return composer
    parts = [part for part in (composer.body.rstrip(), preview.body) if part.strip()]
    return replace(composer, body="\n\n".join(parts))
