"""The objects of the organization at hand: the standard ones, and what it defined itself."""

from __future__ import annotations

import json
from functools import lru_cache

from clones.core.strict_json import read_json
from clones.crm.models import CustomField, CustomObject
from clones.crm.queries.access.rights import Rights
from clones.crm.queries.access.viewing import viewer
from clones.crm.rules.access.views import opened_schema
from clones.crm.rules.schema import Field, OrgSchema, extended_schema, standard_schema
from clones.crm.rules.schema.custom import custom_field, custom_object

Definitions = tuple[tuple[str, str, str], ...]
FieldDefinitions = tuple[tuple[str, str | None, str], ...]


def org_schema() -> OrgSchema:
    """Return the objects of the organization as they are open to the user at hand.

    To the system, and to whom nothing is closed, they are the organization's whole objects.
    """
    asking = viewer()
    if asking is None or asking.rights.is_everything:
        return whole_schema()
    return _opened(whole_schema(), asking.rights)


def whole_schema() -> OrgSchema:
    """Return the objects of the organization, as they are defined at this moment.

    The same definitions give the same schema, whichever sandbox they are of; nothing is kept that
    they do not say.
    """
    objects: Definitions = tuple(
        (name, prefix, json.dumps(definition, sort_keys=True))
        for name, prefix, definition in CustomObject.objects.order_by("id").values_list(
            "name", "prefix", "definition"
        )
    )
    fields: FieldDefinitions = tuple(
        (of, slot, json.dumps(definition, sort_keys=True))
        for of, slot, definition in CustomField.objects.order_by("id").values_list(
            "object", "slot", "definition"
        )
    )
    return _schema(objects, fields) if objects or fields else standard_schema()


@lru_cache(maxsize=64)
def _opened(schema: OrgSchema, rights: Rights) -> OrgSchema:
    return opened_schema(schema, rights)


@lru_cache(maxsize=64)
def _schema(objects: Definitions, fields: FieldDefinitions) -> OrgSchema:
    defined = [
        custom_object(name, prefix, read_json(definition)) for name, prefix, definition in objects
    ]
    more: dict[str, list[Field]] = {}
    for of, slot, definition in fields:
        more.setdefault(of, []).append(custom_field(slot, read_json(definition)))
    return extended_schema(defined, more)
