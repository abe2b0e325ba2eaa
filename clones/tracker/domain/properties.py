"""What integrations keep with things: JSON values under keys, of anything that has an id.

For all kinds of things: `kind` is a word of `models.EntityProperty`, `entity` the thing's id as the
API has it, as text. Whoever calls has checked that the caller may see or change the thing.

    list_keys(kind, entity) -> list[str]
    values_of(kind, entities, keys) -> {entity: {key: value}}      # one statement
    get_property(kind, entity, key) -> Any                         # NotFound
    set_property(kind, entity, key, value) -> bool                 # whether it is new; Invalid
    set_properties(kind, entity, checked_properties(pairs)) -> None
    set_for_many(kind, entities, key, value) -> None               # a few statements for all
    delete_property(kind, entity, key) -> None                     # NotFound
    forget_properties(kind, entities) -> None                      # when the things go
    read_value(body) -> Any                                        # the bytes of a request; Invalid
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from clones.core.strict_json import read_json
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import EntityProperty

KEY_LIMIT: Final = 255
AT_ONCE: Final = 500  # things whose properties one statement changes
VALUE_LIMIT: Final = 32_768
NO_JSON: Final = "The property value must be a valid JSON."
TOO_LONG: Final = f"The property value cannot be longer than {VALUE_LIMIT} characters."
KEY_TOO_LONG: Final = f"The property key cannot be longer than {KEY_LIMIT} characters."


def list_keys(kind: str, entity: str) -> list[str]:
    """Return the keys of a thing's properties, by key."""
    rows = EntityProperty.objects.filter(kind=kind, entity=entity)
    return list(rows.order_by("key").values_list("key", flat=True))


def values_of(
    kind: str, entities: Iterable[str], keys: Sequence[str] | None = None
) -> dict[str, dict[str, Any]]:
    """Return the properties of many things, by thing and key; `keys` restricts them."""
    rows = EntityProperty.objects.filter(kind=kind, entity__in=sorted(set(entities)))
    if keys is not None:
        rows = rows.filter(key__in=keys)
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for entity, key, value in rows.order_by("entity", "key").values_list("entity", "key", "value"):
        found[entity][key] = value
    return found


def get_property(kind: str, entity: str, key: str) -> Any:
    """Return the value of a property.

    Raises:
        NotFound: there is none under this key.
    """
    return _find(kind, entity, key).value


def set_property(kind: str, entity: str, key: str, value: Any) -> bool:
    """Set a property to a value, in place of what it was; tell whether it is new.

    Raises:
        Invalid: key or value are longer than they may be.
    """
    check_property(key, value)
    found = EntityProperty.objects.filter(kind=kind, entity=entity, key=key).first()
    if found is None:
        EntityProperty.objects.create(
            id=next_id(EntityProperty), kind=kind, entity=entity, key=key, value=value
        )
        return True
    if found.value != value or type(found.value) is not type(value):
        found.value = value
        found.save(update_fields=["value"])
    return False


def set_properties(kind: str, entity: str, properties: Mapping[str, Any]) -> None:
    """Set several properties; they have been checked."""
    for key, value in properties.items():
        set_property(kind, entity, key, value)


def set_for_many(kind: str, entities: Iterable[str], key: str, value: Any) -> None:
    """Set one checked property of many things to the same value."""
    wanted = sorted(set(entities))
    for start in range(0, len(wanted), AT_ONCE):
        part = wanted[start : start + AT_ONCE]
        rows = EntityProperty.objects.filter(kind=kind, entity__in=part, key=key)
        already = set(rows.values_list("entity", flat=True))
        rows.update(value=value)
        missing = [entity for entity in part if entity not in already]
        keys = next_ids(EntityProperty, len(missing))
        EntityProperty.objects.bulk_create(
            [
                EntityProperty(id=id, kind=kind, entity=entity, key=key, value=value)
                for id, entity in zip(keys, missing, strict=True)
            ]
        )


def delete_for_many(kind: str, entities: Iterable[str], key: str) -> None:
    """Delete the properties of many things under one key."""
    wanted = sorted(set(entities))
    for start in range(0, len(wanted), AT_ONCE):
        part = wanted[start : start + AT_ONCE]
        EntityProperty.objects.filter(kind=kind, entity__in=part, key=key).delete()


def delete_property(kind: str, entity: str, key: str) -> None:
    """Delete a property.

    Raises:
        NotFound: there is none under this key.
    """
    _find(kind, entity, key).delete()


def forget_properties(kind: str, entities: Iterable[str]) -> None:
    """Delete all properties of things that go."""
    EntityProperty.objects.filter(kind=kind, entity__in=sorted(set(entities))).delete()


def checked_properties(pairs: Any) -> dict[str, Any]:
    """Return properties that came as a list of {"key", "value"} with a new thing.

    Raises:
        Invalid: it is no such list, or a key or value is too long.
    """
    found: dict[str, Any] = {}
    for pair in pairs or ():
        if not isinstance(pair, Mapping) or not isinstance(pair.get("key"), str):
            raise Invalid(fields={"properties": "Entity property must have a key."})
        check_property(pair["key"], pair.get("value"))
        found[pair["key"]] = pair.get("value")
    return found


def check_property(key: str, value: Any) -> None:
    """Hold a property to its limits.

    Raises:
        Invalid: key or value are longer than they may be.
    """
    if not key.strip() or len(key) > KEY_LIMIT or "\0" in key:
        raise Invalid(KEY_TOO_LONG)
    if len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) > VALUE_LIMIT:
        raise Invalid(TOO_LONG)


def read_value(body: bytes) -> Any:
    """Return the value that the bytes of a request hold.

    Raises:
        Invalid: they are no JSON, nothing, or more than a value may be.
    """
    if len(body) > VALUE_LIMIT * 4:
        raise Invalid(TOO_LONG)
    try:
        text = body.decode("utf-8").strip()
        found = read_json(text)
    except ValueError as error:
        raise Invalid(NO_JSON) from error
    if len(text) > VALUE_LIMIT:
        raise Invalid(TOO_LONG)
    if "\\u0000" in json.dumps(found):
        raise Invalid(NO_JSON)
    return found


def _find(kind: str, entity: str, key: str) -> EntityProperty:
    rows = EntityProperty.objects.filter(kind=kind, entity=entity, key=key)
    found = rows.first() if "\0" not in key else None
    if found is None:
        raise NotFound(f"The property with key '{key}' does not exist.")
    return found
