"""Field configurations: which fields are hidden, and which must not be empty.

And their schemes: which configuration counts for which type of a space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clones.core.resources import Resource
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.naming import NameRules
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.scheme_parts import (
    checked_ids,
    note_act,
    one_of,
)
from clones.tracker.models import (
    CustomField,
    FieldConfiguration,
    FieldConfigurationItem,
    FieldConfigurationScheme,
    FieldConfigurationSchemeItem,
    IssueType,
    Project,
)
from clones.tracker.queries.fields import live_fields
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_catalogue import custom_number, custom_type, system_fields

CATEGORY: Final = "fields"
GONE: Final = "The field configuration was not found."
SCHEME_GONE: Final = "The field configuration scheme was not found."
NAMING: Final = NameRules(
    FieldConfiguration,
    "Field configuration",
    CATEGORY,
    "A field configuration is using this name.",
)
NAMING_SCHEME: Final = NameRules(
    FieldConfigurationScheme,
    "Field configuration scheme",
    CATEGORY,
    "A field configuration scheme is using this name.",
    about_limit=1024,
)
DEFAULT: Final = "default"
# By the API's words: with which a text field shows what it holds.
RENDERERS: Final = {
    "text-renderer": "jira-text-renderer",
    "wiki-renderer": "atlassian-wiki-renderer",
}
AUTOCOMPLETE: Final = "frother-control-renderer"
# What no issue is without cannot be hidden.
NEVER_HIDDEN: Final = frozenset({"summary", "issuetype"})


@dataclass(frozen=True, slots=True)
class ItemValues:
    """What a configuration is to say of a field; None stays as it is."""

    field: str
    hidden: bool | None = None
    required: bool | None = None
    description: str | None = None
    renderer: str | None = None


def create_configuration(
    name: str | None, description: str | None, *, actor: Rights
) -> FieldConfiguration:
    """Make a configuration in which nothing is hidden and nothing required.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value is too long, or the name is empty or taken.
    """
    admins_only(actor)
    made = FieldConfiguration(id=next_id(FieldConfiguration))
    NAMING.set(made, name or "", description)
    made.save(force_insert=True)
    NAMING.note("created", made, actor=actor)
    return made


def update_configuration(
    configuration: FieldConfiguration, name: str | None, description: str | None, *, actor: Rights
) -> None:
    """Change the name and the description, both.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is the default one, a value is too long, or the name is empty or taken.
    """
    admins_only(actor)
    _no_default(configuration)
    NAMING.set(configuration, name or "", description or "")
    configuration.save()
    NAMING.note("updated", configuration, actor=actor)


def delete_configuration(configuration: FieldConfiguration, *, actor: Rights) -> None:
    """Remove a configuration that no scheme has.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is the default one, or a scheme has it.
    """
    admins_only(actor)
    _no_default(configuration)
    if FieldConfigurationSchemeItem.objects.filter(configuration=configuration).exists():
        raise Invalid("The field configuration is used in a field configuration scheme.")
    NAMING.note("deleted", configuration, actor=actor)
    configuration.delete()


def set_items(
    configuration: FieldConfiguration, wanted: Sequence[ItemValues], *, actor: Rights
) -> None:
    """Change what a configuration says of fields, all or none.

    A field that is hidden loses all else that was said of it, and gets it back by no later change.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a field does not exist, cannot be hidden, or cannot be shown as asked for.
    """
    admins_only(actor)
    if not wanted:
        raise Invalid("The fieldConfigurationItems have to be provided.")
    names = [values.field for values in wanted]
    if len(set(names)) < len(names):
        raise Invalid("The field configuration items must not contain duplicates.")
    _check_fields(names)
    have = {item.field: item for item in configuration.items.filter(field__in=names)}
    keys = iter(next_ids(FieldConfigurationItem, len(set(names) - set(have))))
    changed, new = [], []
    for values in wanted:
        item = have.get(values.field)
        if item is None:
            item = FieldConfigurationItem(
                id=next(keys), configuration=configuration, field=values.field
            )
            new.append(item)
        else:
            changed.append(item)
        _set_item(item, values)
    FieldConfigurationItem.objects.bulk_create(new)
    for item in changed:
        item.save()
    NAMING.note("updated", configuration, actor=actor)


def create_scheme(
    name: str | None, description: str | None, *, actor: Rights
) -> FieldConfigurationScheme:
    """Make a scheme in which the default configuration counts for all types.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value is too long, or the name is empty or taken.
    """
    admins_only(actor)
    made = FieldConfigurationScheme(id=next_id(FieldConfigurationScheme))
    NAMING_SCHEME.set(made, name or "", description)
    made.save(force_insert=True)
    default = FieldConfiguration.objects.filter(is_default=True).order_by("id")[0]
    _put(made, None, default)
    NAMING_SCHEME.note("created", made, actor=actor)
    return made


def update_scheme(
    scheme: FieldConfigurationScheme, name: str | None, description: str | None, *, actor: Rights
) -> None:
    """Change the name and the description, both.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value is too long, or the name is empty or taken.
    """
    admins_only(actor)
    NAMING_SCHEME.set(scheme, name or "", description or "")
    scheme.save()
    NAMING_SCHEME.note("updated", scheme, actor=actor)


def delete_scheme(scheme: FieldConfigurationScheme, *, actor: Rights) -> None:
    """Remove a scheme that no space uses.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: spaces use it.
    """
    admins_only(actor)
    if Project.objects.filter(field_scheme=scheme).exists():
        raise Invalid("The field configuration scheme is used by projects.")
    NAMING_SCHEME.note("deleted", scheme, actor=actor)
    scheme.delete()


def set_mappings(
    scheme: FieldConfigurationScheme, pairs: Sequence[tuple[str, str]], *, actor: Rights
) -> None:
    """Let configurations count for types, in place of those that did; `default`: for the others.

    Args:
        scheme: the scheme.
        pairs: the ids of types and configurations.
        actor: an admin.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is none, or a type is named twice.
        NotFound: a type or a configuration does not exist.
    """
    admins_only(actor)
    if not pairs:
        raise Invalid("The mappings have to be provided.")
    types = [kind for kind, _ in pairs]
    if len(set(types)) < len(types):
        raise Invalid("The issue types in the mappings must not contain duplicates.")
    checked = [
        (
            None if kind == DEFAULT else _type(kind),
            one_of(FieldConfiguration.objects.all(), configuration, GONE),
        )
        for kind, configuration in pairs
    ]
    for issue_type, configuration in checked:
        _put(scheme, issue_type, configuration)
    NAMING_SCHEME.note("updated", scheme, actor=actor)


def remove_mappings(
    scheme: FieldConfigurationScheme, type_ids: Sequence[str], *, actor: Rights
) -> None:
    """Take types out of a scheme: the configuration of all others counts for them.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is none, or one is named twice.
        NotFound: the scheme has no configuration for one.
    """
    admins_only(actor)
    ids = checked_ids(type_ids, "issueTypeIds", limit=100)
    items = scheme.items.filter(issue_type__in=ids)
    if len(items) < len(ids):
        raise NotFound("One or more issue types were not found in the field configuration scheme.")
    items.delete()
    NAMING_SCHEME.note("updated", scheme, actor=actor)


def assign_scheme(
    scheme: FieldConfigurationScheme | None, project: Project, *, actor: Rights
) -> None:
    """Let a space use a scheme; None: the default configuration for all its types.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: its own team manages the space.
    """
    admins_only(actor)
    if project.simplified:
        raise Invalid("Only classic projects can have field configuration schemes assigned.")
    project.field_scheme = scheme
    project.save(update_fields=["field_scheme_id"])
    note_act("Field configuration scheme added to project", CATEGORY, project, actor=actor)


def set_associations(
    fields: Sequence[str], project_ids: Sequence[int], *, hidden: bool, actor: Rights
) -> None:
    """Show fields in spaces, or hide them: in every configuration that the spaces use.

    So they are shown or hidden in other spaces, too, that use the same configurations.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: a field or a space does not exist.
    """
    admins_only(actor)
    projects = Project.objects.filter(deleted_at=None).in_bulk(project_ids)
    if len(projects) < len(set(project_ids)):
        raise NotFound("One or more projects were not found.")
    numbers = {custom_number(field) or 0 for field in fields}
    if live_fields().filter(id__in=numbers).count() < len(numbers):
        raise NotFound("One or more fields were not found.")
    schemes = {project.field_scheme_id for project in projects.values()}
    used = set(
        FieldConfigurationSchemeItem.objects.filter(scheme__in=schemes - {None}).values_list(
            "configuration_id", flat=True
        )
    )
    if None in schemes:
        default = FieldConfiguration.objects.filter(is_default=True)
        used |= set(default.values_list("id", flat=True))
    for configuration in FieldConfiguration.objects.filter(id__in=used).order_by("id"):
        items = [ItemValues(field, hidden=hidden) for field in fields]
        set_items(configuration, items, actor=actor)


def _no_default(configuration: FieldConfiguration) -> None:
    if configuration.is_default:
        raise Invalid("The default field configuration cannot be changed or deleted.")


def _type(id: str) -> IssueType:
    return one_of(
        IssueType.objects.filter(project=None), id, f"The issue type with ID {id} was not found."
    )


def _put(
    scheme: FieldConfigurationScheme, issue_type: IssueType | None, value: FieldConfiguration
) -> None:
    item = scheme.items.filter(issue_type=issue_type).first()
    if item is None:
        FieldConfigurationSchemeItem.objects.create(
            id=next_id(FieldConfigurationSchemeItem),
            scheme=scheme,
            issue_type=issue_type,
            configuration=value,
        )
    else:
        item.configuration = value
        item.save(update_fields=["configuration_id"])


def _check_fields(names: Sequence[str]) -> None:
    known = system_fields()
    numbers = {name: number for name in names if (number := custom_number(name)) is not None}
    live = set(live_fields().filter(id__in=numbers.values()).values_list("id", flat=True))
    gone = [name for name in names if name not in known and numbers.get(name) not in live]
    if gone:
        raise Invalid(f"These fields were not found: {', '.join(gone)}")


def _set_item(item: FieldConfigurationItem, values: ItemValues) -> None:
    if values.hidden:
        if values.field in NEVER_HIDDEN:
            raise Invalid(f"The field {values.field} cannot be hidden.")
        item.is_hidden, item.is_required, item.description, item.renderer = True, False, "", ""
        return
    if values.hidden is not None:
        item.is_hidden = False
    if values.required is not None:
        if item.is_hidden and values.required:
            raise Invalid(f"The hidden field {values.field} cannot be required.")
        item.is_required = values.required
    if values.description is not None:
        item.description = values.description
    if values.renderer is not None:
        item.renderer = _renderer(values)


def _renderer(values: ItemValues) -> str:
    """Return how a text field is to be shown, in the tables' words.

    Raises:
        Invalid: the field is no text, or there is no such way.
    """
    system = system_fields().get(values.field)
    own = "" if system is None else system.renderer
    number = custom_number(values.field)
    if number is not None:
        kind = CustomField.objects.filter(id=number).values_list("type", flat=True).first()
        own = "" if kind is None else custom_type(kind).renderer
    wanted = RENDERERS.get(str(values.renderer))
    if not own or wanted is None:
        raise Invalid(f"The renderer of the field {values.field} cannot be updated.")
    return wanted


FIELD_CONFIGURATION: Final = Resource(
    FieldConfiguration,
    "field configuration",
    NAMING.fields,
    create=create_configuration,
    update=update_configuration,
    delete=delete_configuration,
)
FIELD_CONFIGURATION_SCHEME: Final = Resource(
    FieldConfigurationScheme,
    "field configuration scheme",
    NAMING_SCHEME.fields,
    create=create_scheme,
    update=update_scheme,
    delete=delete_scheme,
)
