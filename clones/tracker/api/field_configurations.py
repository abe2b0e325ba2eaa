"""Field configurations: which fields are hidden, and which must not be empty."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q
from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id
from clones.tracker.api.operations import Query, actor, flag, operation
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.fields import (
    configuration_body,
    configured_custom_body,
    configured_system_body,
)
from clones.tracker.api.resources import by_id, register_resource
from clones.tracker.domain import field_configurations as configurations
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import CustomField, FieldConfiguration
from clones.tracker.queries.fields import live_fields
from clones.tracker.rules.field_catalogue import SystemField, system_fields

PATH = "/rest/api/3/fieldconfiguration"
ASSOCIATION = "/rest/api/3/field/association"
MOST_FIELDS = 50
MOST_PROJECTS = 100


class ConfigurationQuery(Query):
    """Filters of the list of field configurations: ids, the default one, text."""

    id: CommaList[Id] | None = None
    default: str | None = Field(None, alias="isDefault")
    text: str | None = Field(None, alias="query")


class ConfigurationItem(AdminBody):
    """A field of a field configuration: hidden, required, renderer, description."""

    id: str
    hidden: bool | None = Field(None, alias="isHidden")
    required: bool | None = Field(None, alias="isRequired")
    description: str | None = None
    renderer: str | None = None


class Items(AdminBody):
    """The fields of a field configuration to change."""

    items: list[ConfigurationItem] = Field([], alias="fieldConfigurationItems")


class Identifier(AdminBody):
    """A field or a space, by the kind of its id and its id."""

    type: str
    identifier: str | None = None


class Association(AdminBody):
    """Fields, and the spaces with which they are associated, or no more."""

    contexts: list[Identifier] = Field(alias="associationContexts")
    fields: list[Identifier]


CONFIGURATIONS: Final = resources.ResourceApi(
    resource=configurations.FIELD_CONFIGURATION,
    path=PATH,
    one="/{id}",
    find=by_id(configurations.FIELD_CONFIGURATION, configurations.GONE),
    present=lambda configuration, _: configuration_body(configuration),
    body="ConfigurationWrite",
    about="The attributes of a field configuration that can be set.",
    reads="admin",
)


@operation(
    "getAllFieldConfigurations",
    "GET",
    PATH,
    summary="List the field configurations.",
    query=ConfigurationQuery,
    access="admin",
)
def list_configurations(call: Call) -> dict[str, Any]:
    """List configurations by id."""
    asked: ConfigurationQuery = call.query
    rows = FieldConfiguration.objects.order_by("id")
    if asked.id:
        rows = rows.filter(id__in=asked.id)
    if flag(asked.default):
        rows = rows.filter(is_default=True)
    if asked.text:
        rows = rows.filter(Q(name__icontains=asked.text) | Q(description__icontains=asked.text))
    return page_bean(call, rows, lambda found: [configuration_body(row) for row in found])


register_resource(
    CONFIGURATIONS,
    resources.creates("createFieldConfiguration", "Make a field configuration.", status=200),
    resources.updates(
        "updateFieldConfiguration",
        "Change the name and description of a field configuration.",
        status=204,
    ),
    resources.deletes(
        "deleteFieldConfiguration", "Remove a field configuration that no scheme has."
    ),
    module=__name__,
)


@operation(
    "getFieldConfigurationItems",
    "GET",
    PATH + "/{id}/fields",
    summary="List what a configuration says of all fields.",
    access="admin",
)
def list_items(call: Call) -> dict[str, Any]:
    """List all fields that can be configured, with what the configuration says of them."""
    configuration = CONFIGURATIONS.record(call)
    fields: list[SystemField | CustomField] = [
        field for field in system_fields().values() if field.on_screens
    ]
    fields += list(live_fields().filter(project=None))

    def present(rows: list[SystemField | CustomField]) -> list[Any]:
        ids = [row.id if isinstance(row, SystemField) else row.key for row in rows]
        items = {item.field: item for item in configuration.items.filter(field__in=ids)}
        return [
            configured_system_body(row, items.get(row.id))
            if isinstance(row, SystemField)
            else configured_custom_body(row, items.get(row.key))
            for row in rows
        ]

    return page_bean(call, fields, present)


@operation(
    "updateFieldConfigurationItems",
    "PUT",
    PATH + "/{id}/fields",
    summary="Change what a configuration says of fields.",
    body=Items,
    access="admin",
    status=204,
)
def update_items(call: Call) -> None:
    """Hide fields, show them, require them, describe them."""
    given: Items = call.body
    wanted = [
        configurations.ItemValues(
            item.id, item.hidden, item.required, item.description, item.renderer
        )
        for item in given.items
    ]
    configurations.set_items(CONFIGURATIONS.record(call), wanted, actor=actor(call))


def _associate(call: Call, *, hidden: bool) -> None:
    given: Association = call.body
    if not 0 < len(given.fields) <= MOST_FIELDS:
        raise Invalid(f"Between 1 and {MOST_FIELDS} fields have to be provided.")
    if not 0 < len(given.contexts) <= MOST_PROJECTS:
        raise Invalid(f"Between 1 and {MOST_PROJECTS} projects have to be provided.")
    for named, kind in ((given.fields, "FIELD_ID"), (given.contexts, "PROJECT_ID")):
        for one in named:
            if one.type != kind or one.identifier is None:
                raise Invalid(f"The identifier type '{one.type}' is invalid. Use '{kind}'.")
    configurations.set_associations(
        list(dict.fromkeys(str(one.identifier) for one in given.fields)),
        list(dict.fromkeys(key_of(one.identifier) for one in given.contexts)),
        hidden=hidden,
        actor=actor(call),
    )


@operation(
    "createAssociations",
    "PUT",
    ASSOCIATION,
    summary="Show custom fields in spaces.",
    body=Association,
    access="admin",
    status=204,
)
def associate(call: Call) -> None:
    """Show fields in all configurations that spaces use."""
    _associate(call, hidden=False)


@operation(
    "removeAssociations",
    "DELETE",
    ASSOCIATION,
    summary="Hide custom fields in spaces.",
    body=Association,
    access="admin",
    status=204,
)
def dissociate(call: Call) -> None:
    """Hide fields in all configurations that spaces use."""
    _associate(call, hidden=True)
