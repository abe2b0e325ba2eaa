"""Who the desk knows, and what of theirs it keeps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from clones.core.privacy import FactKind, KnownPerson, PrivateFact, WorldRows, codes_in, texts_in
from clones.helpdesk.models import (
    CustomObjectRecord,
    Identity,
    Organization,
    OrganizationMembership,
    Ticket,
    User,
)


def user_name(number: int) -> str:
    """Return the name by which the desk tells of one of its people."""
    return f"helpdesk.user:{number}"


def firm_name(number: int) -> str:
    """Return the name by which the desk tells of an organization."""
    return f"helpdesk.organization:{number}"


def people(rows: WorldRows) -> Iterator[KnownPerson]:
    """Yield customers and staff, each with all their addresses."""
    sharing = {
        key for key, shared in rows.of(Organization, "id", "shared_tickets") if shared
    }  # who reads the tickets of all of their firm
    firms: defaultdict[int, set[int]] = defaultdict(set)
    shares: defaultdict[int, set[int]] = defaultdict(set)
    columns = ("user_id", "organization_id", "view_tickets")
    for user, firm, views in rows.of(OrganizationMembership, *columns):
        firms[user].add(firm)
        if views:
            shares[user].add(firm)
    names: defaultdict[int, set[str]] = defaultdict(set)
    for user, kind, value in rows.of(Identity, "user_id", "type", "value"):
        if kind == "email":
            names[user].add(value.lower())
    for key, called, email, role, firm in rows.of(
        User, "id", "name", "email", "role", "organization_id"
    ):
        if firm is not None:
            firms[key].add(firm)
        if email:
            names[key].add(email.lower())
        yield KnownPerson(
            names=frozenset({user_name(key), *names[key]}),
            called=called,
            inside=role != "end-user",
            firms=frozenset(map(firm_name, firms[key])),
            shares=frozenset(map(firm_name, shares[key] | (firms[key] & sharing))),
        )


def facts(rows: WorldRows, kinds: frozenset[FactKind]) -> Iterator[PrivateFact]:
    """Yield what the desk keeps of people and firms: addresses, numbers, notes, codes."""
    for model in (User, Organization):
        for texts in rows.of(model, "details", "notes"):
            yield from (PrivateFact("note", note) for note in texts if note)
    if kinds & {"email", "phone"}:
        yield from _reached_at(rows)
    if "code" in kinds:
        yield from _codes(rows)


def _reached_at(rows: WorldRows) -> Iterator[PrivateFact]:
    for key, email, phone in rows.of(User, "id", "email", "phone"):
        owner = frozenset({user_name(key)})
        if email:
            yield PrivateFact("email", email, owner)
        if phone:
            yield PrivateFact("phone", phone, owner)
    for user, kind, value in rows.of(Identity, "user_id", "type", "value"):
        if kind in ("email", "phone_number"):
            owner = frozenset({user_name(user)})
            yield PrivateFact("email" if kind == "email" else "phone", value, owner)


def _codes(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield the serial and order numbers in fields, and of the machines that firms have."""
    for key, fields in rows.of(User, "id", "user_fields"):
        yield from codes_in(fields, frozenset({user_name(key)}))
    firms = set()
    for key, fields in rows.of(Organization, "id", "organization_fields"):
        firms.add(str(key))
        yield from codes_in(fields, frozenset({firm_name(key)}))
    columns = ("requester_id", "organization_id", "custom_fields")
    for requester, firm, fields in rows.of(Ticket, *columns):
        owners = {user_name(requester)} | ({firm_name(firm)} if firm else set())
        yield from codes_in(fields, frozenset(owners))
    for name, fields in rows.of(CustomObjectRecord, "name", "custom_object_fields"):
        owners = {firm_name(int(value)) for value in texts_in(fields) if value in firms}
        if owners:
            yield from codes_in(name, frozenset(owners))
