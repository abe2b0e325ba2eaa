"""Which field a name stands for."""

from __future__ import annotations

from collections.abc import Sequence

from clones.tracker.rules.jql.catalogue import (
    FieldTypeLabel,
    FunctionType,
    custom_types,
    functions,
    system_fields,
)
from clones.tracker.rules.jql.nodes import Field
from clones.tracker.rules.jql.site import ResolvedField, SiteField, SiteView


def resolve_field(field: Field, site: SiteView) -> ResolvedField | None:
    """Return the field that is meant, None if the viewer has none of this name.

    A system field goes before custom fields of its name; of these, all of one kind are meant.
    """
    typed = typed_name(field)
    properties = tuple((part.key, part.path) for part in field.properties)
    if field.number is None and (system := system_fields().get(field.name.lower())) is not None:
        if system.type.product not in site.viewer.products:
            return None
        # An entity's properties can be asked for by their keys only, and other fields have none.
        if (system.type.kind == "property") != bool(properties):
            return None
        return ResolvedField(system.key, typed, system.type, (), properties)
    found = [pair for pair in visible_custom_fields(site) if _is_meant(field, *pair)]
    if not found:
        return None
    first = found[0][1].type
    if properties and first.product != "development":
        return None
    numbers = tuple(custom.number for custom, type_ in found if type_.type.kind == first.kind)
    return ResolvedField(f"customfield_{numbers[0]}", typed, first, numbers, properties)


def typed_name(field: Field) -> str:
    """Return a field's name as messages and the parsed structure show it."""
    return field.name + "".join(
        f"[{part.key}]" + (f".{part.path}" if part.path else "") for part in field.properties
    )


def _type(custom: SiteField, site: SiteView) -> FieldTypeLabel | None:
    type_ = custom_types().get(custom.type)
    return type_ if type_ is not None and type_.type.product in site.viewer.products else None


def _is_meant(field: Field, custom: SiteField, type_: FieldTypeLabel) -> bool:
    if field.number is not None:
        return field.number == custom.number
    name = field.name.lower()
    return name in {custom.name.lower(), f"{custom.name}[{type_.label}]".lower()}


def visible_custom_fields(site: SiteView) -> Sequence[tuple[SiteField, FieldTypeLabel]]:
    """Return the custom fields that can be searched, with their types."""
    return [(custom, type_) for custom in site.custom_fields() if (type_ := _type(custom, site))]


def resolve_function(name: str, site: SiteView) -> FunctionType | None:
    """Return the function of a name, None if the viewer's site has none."""
    function = functions().get(name.lower())
    return function if function is not None and function.product in site.viewer.products else None
