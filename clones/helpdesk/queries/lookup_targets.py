"""What lookup fields refer to: users, tickets, organizations, records of custom objects.

A target type is the vendor's: `zen:user`, `zen:ticket`, `zen:organization`, or
`zen:custom_object:` and an object's key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from clones.core.digits import is_digits
from clones.helpdesk.models import (
    CustomObjectField,
    CustomObjectRecord,
    Organization,
    Ticket,
    User,
)
from clones.helpdesk.queries import can_be
from clones.helpdesk.rules.custom_objects import OBJECT_TARGET

BY_EXTERNAL_ID, BY_NAME = "external_id:", "name:"


def targets(target_type: str) -> QuerySet[Any]:
    """Return the records that a lookup of a target type may refer to.

    Raises:
        ValueError: there is no such type.
    """
    if target_type == "zen:user":
        return User.objects.filter(active=True)
    if target_type == "zen:ticket":
        return Ticket.objects.filter(deleted_at=None)
    if target_type == "zen:organization":
        return Organization.objects.all()
    if target_type.startswith(OBJECT_TARGET):
        key = target_type.removeprefix(OBJECT_TARGET)
        return CustomObjectRecord.objects.filter(
            custom_object__key=key, custom_object__deleted_at=None
        )
    raise ValueError(f"{target_type} is no target")


def target_key(target_type: str, given: Any) -> str | None:
    """Return the id, as text, of the record that a value stands for, None for an empty value.

    The value is an id, `external_id:` and an external id, or, where an object's names are unique,
    `name:` and a name.

    Raises:
        ValueError: there is no such record.
    """
    if given in (None, "") or isinstance(given, (bool, list, dict, float)):
        if given in (None, ""):
            return None
        raise ValueError("a single record is wanted")
    text = str(given)
    rows = targets(target_type)
    if not can_be(text):
        raise ValueError("no record has that id")
    if text.startswith(BY_EXTERNAL_ID):
        found = rows.filter(external_id=text.removeprefix(BY_EXTERNAL_ID))
    elif text.startswith(BY_NAME) and _has_unique_names(target_type):
        found = rows.filter(name=text.removeprefix(BY_NAME))
    else:
        found = rows.filter(pk__in=_keys(target_type, [text]))
    key = found.order_by("pk").values_list("pk", flat=True).first()
    if key is None:
        raise ValueError(f"{text} is no record")
    return str(key)


def target_exists(target_type: str, key: str) -> bool:
    """Tell whether there is a record of an id, of a type that lookups can refer to."""
    if not (can_be(target_type) and can_be(key)):
        return False
    try:
        return targets(target_type).filter(pk__in=_keys(target_type, [key])).exists()
    except ValueError:
        return False


def titles_of(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return what records are called, by target type and id: one query per type.

    Those that are gone are left out.
    """
    by_type: dict[str, set[str]] = defaultdict(set)
    for target_type, key in wanted:
        by_type[target_type].add(key)
    found: dict[tuple[str, str], str] = {}
    for target_type, keys in sorted(by_type.items()):
        name = "subject" if target_type == "zen:ticket" else "name"
        rows = targets(target_type).filter(pk__in=_keys(target_type, sorted(keys)))
        for key, title in rows.order_by("pk").values_list("pk", name):
            found[target_type, str(key)] = str(title or "")
    return found


def target_of_title(target_type: str, title: str) -> str | None:
    """Return the id of the only record of a name, None if there is none or several."""
    if not title or not can_be(title):
        return None
    rows = targets(target_type).filter(name__iexact=title).order_by("pk")
    found = list(rows.values_list("pk", flat=True)[:2])
    return str(found[0]) if len(found) == 1 else None


def _keys(target_type: str, texts: list[str]) -> list[Any]:
    """Return ids as the table of a target type keeps them, without those that cannot be one."""
    if target_type.startswith(OBJECT_TARGET):
        return list(texts)
    return [int(text) for text in texts if is_digits(text)]


def _has_unique_names(target_type: str) -> bool:
    fields = CustomObjectField.objects.filter(
        custom_object__key=target_type.removeprefix(OBJECT_TARGET),
        custom_object__deleted_at=None,
        key=CustomObjectField.NAME,
    )
    field = fields.order_by("id").first() if target_type.startswith(OBJECT_TARGET) else None
    return field is not None and field.properties.get("is_unique") is True
