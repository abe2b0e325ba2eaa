"""Who the desk knows, and what of theirs it keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from clones.core.privacy import KnownPerson, PrivateFact, WorldRows, codes_in, texts_in
from clones.helpdesk.models import (
    CustomObjectRecord,
    Identity,
    Organization,
    OrganizationMembership,
    Ticket,
    User,
)

# A number of a record: texts that look like one and are none are found by no look-up.
NUMBER: Final = re.compile(r"[1-9]\d{0,17}", re.ASCII)


def user_name(number: int) -> str:
    """Return the name by which the desk tells of one of its people."""
    return f"helpdesk.user:{number}"


def firm_name(number: int) -> str:
    """Return the name by which the desk tells of an organization."""
    return f"helpdesk.organization:{number}"


def people(rows: WorldRows) -> Iterator[KnownPerson]:
    """Yield customers and staff, each with all their addresses, and the firms that share."""
    for key, shared in rows.each(Organization, "id", "shared_tickets"):
        if shared:
            firm = frozenset({firm_name(key)})
            yield KnownPerson(firm, shares=firm)
    columns = ("user_id", "organization_id", "view_tickets")
    for user, number, views in rows.each(OrganizationMembership, *columns):
        firm = frozenset({firm_name(number)})
        shares = firm if views else frozenset[str]()
        yield KnownPerson(frozenset({user_name(user)}), firms=firm, shares=shares)
    for user, kind, value in rows.each(Identity, "user_id", "type", "value"):
        if kind == "email":
            yield KnownPerson(frozenset({user_name(user), value.lower()}))
    for key, called, email, role, number in rows.each(
        User, "id", "name", "email", "role", "organization_id"
    ):
        yield KnownPerson(
            names=frozenset({user_name(key), *([email.lower()] if email else [])}),
            called=called,
            inside=role != "end-user",
            firms=frozenset() if number is None else frozenset({firm_name(number)}),
        )


def facts(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield what the desk keeps of people and firms: addresses, numbers, notes, codes."""
    for model in (User, Organization):
        for texts in rows.each(model, "details", "notes"):
            yield from (PrivateFact("note", note) for note in texts if note)
    yield from _reached_at(rows)
    yield from _codes(rows)


def _reached_at(rows: WorldRows) -> Iterator[PrivateFact]:
    for key, email, phone in rows.each(User, "id", "email", "phone"):
        owner = frozenset({user_name(key)})
        if email:
            yield PrivateFact("email", email, owner)
        if phone:
            yield PrivateFact("phone", phone, owner)
    for user, kind, value in rows.each(Identity, "user_id", "type", "value"):
        if kind in ("email", "phone_number"):
            owner = frozenset({user_name(user)})
            yield PrivateFact("email" if kind == "email" else "phone", value, owner)


def _codes(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield the serial and order numbers in fields, and of the machines that firms have."""
    for key, fields in rows.each(User, "id", "user_fields"):
        yield from codes_in(fields, frozenset({user_name(key)}))
    for key, fields in rows.each(Organization, "id", "organization_fields"):
        yield from codes_in(fields, frozenset({firm_name(key)}))
    columns = ("requester_id", "organization_id", "custom_fields")
    for requester, firm, fields in rows.each(Ticket, *columns):
        owners = {user_name(requester)} | ({firm_name(firm)} if firm else set())
        yield from codes_in(fields, frozenset(owners))
    yield from _codes_of_objects(rows)


def _codes_of_objects(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield the codes by which records are called that name a firm in a field."""
    records = [
        (name, {int(text) for text in texts_in(fields) if NUMBER.fullmatch(text)})
        for name, fields in rows.each(CustomObjectRecord, "name", "custom_object_fields")
    ]
    numbers = {number for _, named in records for number in named}
    firms = {key for (key,) in rows.of(Organization, "id", id=numbers)} if numbers else set()
    for name, named in records:
        owners = frozenset(map(firm_name, named & firms))
        if owners:
            yield from codes_in(name, owners)
