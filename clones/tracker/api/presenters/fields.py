"""Fields, their contexts and options, and configurations of them, as the API shows them."""

from __future__ import annotations

from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.kinds import scope_of
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.domain.custom_fields import IN_TRASH
from clones.tracker.models import (
    CustomField,
    FieldConfiguration,
    FieldConfigurationItem,
    FieldConfigurationScheme,
    FieldContext,
    FieldOption,
)
from clones.tracker.rules.field_catalogue import SystemField, clause_names, custom_type

Json = dict[str, Any]
# Custom fields that no list can show as a column.
NO_COLUMN: Final = frozenset({"com.pyxis.greenhopper.jira:jsw-issue-color"})


def system_field_body(field: SystemField) -> Json:
    """Return a field that every site has, for the list of all fields."""
    found: Json = {
        "id": field.id,
        "key": field.id,
        "name": field.name,
        "custom": False,
        "orderable": field.on_screens,
        "navigable": field.is_column,
        "searchable": field.is_searched,
        "clauseNames": list(field.clauses),
    }
    if field.schema is not None:
        found["schema"] = field.schema
    return found


def custom_field_body(field: CustomField) -> Json:
    """Return a custom field, for the list of all fields."""
    return {
        "id": field.key,
        "key": field.key,
        "name": field.name,
        "custom": True,
        "orderable": True,
        "navigable": field.type not in NO_COLUMN,
        "searchable": field.searcher is not None,
        "clauseNames": clause_names(field.id, field.name, field.type),
        "schema": custom_type(field.type).schema(field.id),
        **scope_of(field.project_id),
    }


def searched_system_body(field: SystemField) -> Json:
    """Return a field that every site has, for the search for fields."""
    return {
        "id": field.id,
        "name": field.name,
        "schema": field.schema or {"type": "any", "system": field.id},
        "description": field.about,
    }


def searched_custom_body(field: CustomField) -> Json:
    """Return a custom field, for the search for fields."""
    return {
        "id": field.key,
        "name": field.name,
        "schema": custom_type(field.type).schema(field.id),
        "description": field.description,
        "typeDisplayName": custom_type(field.type).label,
    }


def trashed_field_body(field: CustomField, show: Show) -> Json:
    """Return a custom field in the trash: since when, by whom, and when it goes for good."""
    found = {**searched_custom_body(field), "key": field.key, "isLocked": field.is_locked}
    if field.trashed_at is not None:
        found["trashedDate"] = show.when(field.trashed_at)
        found["plannedDeletionDate"] = show.when(field.trashed_at + IN_TRASH)
    if field.trashed_by is not None:
        found["trashedBy"] = user_ref(field.trashed_by, show)
    return found


def context_body(context: FieldContext) -> Json:
    """Return a context of a custom field."""
    return {
        "id": str(context.id),
        "name": context.name,
        "description": context.description,
        "isGlobalContext": context.all_projects,
        "isAnyIssueType": context.all_issue_types,
    }


def option_body(option: FieldOption) -> Json:
    """Return an option of a context; of a cascading one, with the option above it."""
    found: Json = {
        "id": str(option.id),
        "value": option.value,
        "disabled": option.disabled,
    }
    if option.parent_id is not None:
        found["optionId"] = str(option.parent_id)
    return found


def configuration_body(configuration: FieldConfiguration) -> Json:
    """Return a field configuration."""
    found: Json = {
        "id": configuration.id,
        "name": configuration.name,
        "description": configuration.description,
    }
    if configuration.is_default:
        found["isDefault"] = True
    return found


def configured_system_body(field: SystemField, item: FieldConfigurationItem | None) -> Json:
    """Return what a configuration says of a field that every site has."""
    return _configured(field.id, field.about, field.renderer, item)


def configured_custom_body(field: CustomField, item: FieldConfigurationItem | None) -> Json:
    """Return what a configuration says of a custom field."""
    return _configured(field.key, field.description, custom_type(field.type).renderer, item)


def _configured(
    id: str, description: str, renderer: str, item: FieldConfigurationItem | None
) -> Json:
    found: Json = {
        "id": id,
        "description": description,
        "isHidden": False,
        "isRequired": False,
    }
    if item is not None:
        found["isHidden"], found["isRequired"] = item.is_hidden, item.is_required
        found["description"] = item.description or description
    shown = renderer if item is None else item.renderer or renderer
    if shown:
        found["renderer"] = WORDS[shown]
    return found


# How text fields show what they hold, in the API's words.
WORDS: Final = {
    "jira-text-renderer": "text-renderer",
    "atlassian-wiki-renderer": "wiki-renderer",
}


def configuration_scheme_body(scheme: FieldConfigurationScheme) -> Json:
    """Return a scheme of field configurations."""
    return {"id": str(scheme.id), "name": scheme.name, "description": scheme.description}
