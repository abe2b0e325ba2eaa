"""Kinds of links between issues: an admin makes, changes and deletes them."""

from __future__ import annotations

from typing import Final

from clones.core.digits import is_digits
from clones.core.resources import Resource, ResourceField
from clones.tracker.domain import audit
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import IssueLink, IssueLinkType
from clones.tracker.queries.rights import Rights

CATEGORY = "issue link types"
FIELDS: Final = (
    ResourceField("name", limit=60, required=True),
    ResourceField("inward", limit=60, required=True, label="Inward link description"),
    ResourceField("outward", limit=60, required=True, label="Outward link description"),
)


def create_link_type(
    name: str | None, inward: str | None, outward: str | None, *, actor: Rights
) -> IssueLinkType:
    """Make a kind of links.

    Raises:
        Invalid: a text is missing or too long.
        NotFound: the name is taken (the vendor answers 404).
    """
    kind = IssueLinkType(id=next_id(IssueLinkType))
    for attribute, text in (("name", name), ("inward", inward), ("outward", outward)):
        setattr(kind, attribute, (text or "").strip())
    _check(kind)
    kind.save(force_insert=True)
    item = ("ISSUE_LINK_TYPE", str(kind.id), kind.name)
    audit.record("Issue link type created", CATEGORY, actor=actor, object=item)
    return kind


def update_link_type(
    kind: IssueLinkType,
    *,
    actor: Rights,
    name: str | None = None,
    inward: str | None = None,
    outward: str | None = None,
) -> IssueLinkType:
    """Change a kind of links; None leaves a text as it is.

    Raises:
        Invalid: a text is empty or too long.
        NotFound: the name is taken (the vendor answers 404).
    """
    given = {"name": name, "inward": inward, "outward": outward}
    changes: list[tuple[str, str | None, str | None]] = []
    for attribute, text in given.items():
        before = getattr(kind, attribute)
        if text is not None and text.strip() != before:
            setattr(kind, attribute, text.strip())
            changes.append((attribute.capitalize(), before, text.strip()))
    _check(kind)
    if changes:
        kind.save(update_fields=[field.name for field in FIELDS])
        item = ("ISSUE_LINK_TYPE", str(kind.id), kind.name)
        audit.record("Issue link type updated", CATEGORY, actor=actor, object=item, changes=changes)
    return kind


def delete_link_type(kind: IssueLinkType, *, actor: Rights) -> None:
    """Delete a kind of links, and all links of it."""
    item = ("ISSUE_LINK_TYPE", str(kind.id), kind.name)
    IssueLink.objects.filter(type=kind).delete()
    kind.delete()
    audit.record("Issue link type deleted", CATEGORY, actor=actor, object=item)


def find_link_type(id: str) -> IssueLinkType:
    """Return the kind of links of an id.

    Raises:
        Invalid: it is no number (the vendor answers 400).
        NotFound: there is none.
    """
    if not is_digits(id):
        raise Invalid(f"The issue link type id '{id}' is not valid.")
    found = IssueLinkType.objects.filter(id=int(id)).first()
    if found is None:
        raise NotFound(f"No issue link type with id '{id}' found.")
    return found


def _check(kind: IssueLinkType) -> None:
    wrong = {}
    for field in FIELDS:
        text = getattr(kind, field.name)
        if not text:
            wrong[field.name] = f"You must specify the {field.name} of the issue link type."
        elif field.is_too_long(text):
            wrong[field.name] = f"The {field.name} cannot be longer than {field.limit} characters."
    if wrong:
        raise Invalid(fields=wrong)
    others = IssueLinkType.objects.exclude(id=kind.id).values_list("name", flat=True)
    if kind.name.casefold() in {name.casefold() for name in others}:
        raise NotFound(f"Issue link type with name '{kind.name}' already exists.")


LINK_TYPE: Final = Resource(
    IssueLinkType,
    "issue link type",
    FIELDS,
    order=("name", "id"),
    create=create_link_type,
    update=update_link_type,
    delete=delete_link_type,
)
