"""What every write of an issue reads of its space, compiled once: fields, types and workflows.

`queries.fields`, `queries.kinds` and `queries.workflows` say what these rows mean. Keys are lists
as `clones.core.lookups.key_list` writes them.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from clones.core.prepared import Prepared
from clones.tracker.models import (
    CustomField,
    FieldConfiguration,
    FieldConfigurationItem,
    FieldConfigurationSchemeItem,
    FieldContext,
    FieldContextProject,
    FieldContextType,
    FieldOption,
    IssueTypeSchemeItem,
    IssueTypeScreenSchemeItem,
    Priority,
    PriorityScheme,
    ScreenTabField,
    Transition,
    WorkflowScheme,
    WorkflowSchemeItem,
)

DEFAULT_CONFIGURATION: Final[Prepared[FieldConfiguration]] = Prepared(
    lambda: FieldConfiguration.objects.filter(is_default=True).order_by("id")[:1]
)
# Scheme, type (None: the others), configuration; by the schemes.
CONFIGURATIONS: Final[Prepared[tuple[int, int | None, int]]] = Prepared(
    lambda schemes: FieldConfigurationSchemeItem.objects.filter(scheme__in_csv=schemes).values_list(
        "scheme_id", "issue_type_id", "configuration_id"
    ),
    str,
)
ITEMS_OF_CONFIGURATIONS: Final[Prepared[FieldConfigurationItem]] = Prepared(
    lambda keys: FieldConfigurationItem.objects.filter(configuration__in_csv=keys).order_by("id"),
    str,
)
# Those of the site and of the spaces; none from the trash.
CUSTOM_FIELDS: Final[Prepared[CustomField]] = Prepared(
    lambda spaces: (
        CustomField.objects.filter(trashed_at=None)
        .filter(Q(project=None) | Q(project__in_csv=spaces))
        .order_by("id")
    ),
    str,
)
CONTEXTS: Final[Prepared[FieldContext]] = Prepared(lambda: FieldContext.objects.order_by("id"))
# Context, space; by the spaces.
CONTEXT_SPACES: Final[Prepared[tuple[int, int]]] = Prepared(
    lambda spaces: FieldContextProject.objects.filter(project__in_csv=spaces).values_list(
        "context_id", "project_id"
    ),
    str,
)
# Context, type.
CONTEXT_TYPES: Final[Prepared[tuple[int, int]]] = Prepared(
    lambda: FieldContextType.objects.values_list("context_id", "issue_type_id")
)
OPTIONS_OF_CONTEXTS: Final[Prepared[FieldOption]] = Prepared(
    lambda keys: FieldOption.objects.filter(context__in_csv=keys).order_by("position", "id"), str
)
# Screen, field, in the order of tabs and places; by the screens.
FIELDS_OF_SCREENS: Final[Prepared[tuple[int, str]]] = Prepared(
    lambda screens: (
        ScreenTabField.objects.filter(tab__screen__in_csv=screens)
        .order_by("tab__position", "tab_id", "position", "id")
        .values_list("tab__screen_id", "field")
    ),
    str,
)
# Of custom fields, those that are not in the trash.
LIVE_AMONG: Final[Prepared[int]] = Prepared(
    lambda keys: (
        CustomField.objects.filter(trashed_at=None, id__in_csv=keys)
        .order_by("id")
        .values_list("id", flat=True)
    ),
    str,
)
SCREENS_OF_TYPES: Final[Prepared[IssueTypeScreenSchemeItem]] = Prepared(
    lambda schemes: IssueTypeScreenSchemeItem.objects.filter(scheme__in_csv=schemes).select_related(
        "screen_scheme"
    ),
    str,
)
TYPES_OF_SCHEMES: Final[Prepared[IssueTypeSchemeItem]] = Prepared(
    lambda schemes: (
        IssueTypeSchemeItem.objects.filter(scheme__in_csv=schemes)
        .select_related("issue_type")
        .order_by("position", "id")
    ),
    str,
)
PRIORITY_SCHEME: Final[Prepared[PriorityScheme]] = Prepared(
    lambda key: PriorityScheme.objects.filter(id=key).select_related("default_priority"), int
)
DEFAULT_PRIORITY: Final[Prepared[Priority]] = Prepared(
    lambda: Priority.objects.filter(is_default=True).order_by("position", "id")[:1]
)
# Scheme, the workflow of the types that it does not name; by the schemes.
DEFAULT_WORKFLOWS: Final[Prepared[tuple[int, int]]] = Prepared(
    lambda schemes: WorkflowScheme.objects.filter(id__in_csv=schemes).values_list(
        "id", "default_workflow_id"
    ),
    str,
)
# Scheme, type, workflow; by the schemes.
WORKFLOWS_OF_TYPES: Final[Prepared[tuple[int, int, int]]] = Prepared(
    lambda schemes: WorkflowSchemeItem.objects.filter(scheme__in_csv=schemes).values_list(
        "scheme_id", "issue_type_id", "workflow_id"
    ),
    str,
)
TRANSITIONS_OF_WORKFLOWS: Final[Prepared[Transition]] = Prepared(
    lambda keys: (
        Transition.objects.filter(workflow__in_csv=keys)
        .select_related("to_status", "screen")
        .order_by("number")
    ),
    str,
)


def _first_transition(scheme: int, kind: int) -> QuerySet[Transition]:
    items = WorkflowSchemeItem.objects.filter(scheme=scheme, issue_type=kind)
    default = WorkflowScheme.objects.filter(id=scheme).values("default_workflow")
    flow = Coalesce(Subquery(items.values("workflow")[:1]), Subquery(default[:1]))
    rows = Transition.objects.filter(type="INITIAL", workflow=flow).select_related("to_status")
    return rows.order_by("number")[:1]


# Of the issues of a type; by the workflow scheme and the type.
FIRST_TRANSITION: Final[Prepared[Transition]] = Prepared(_first_transition, int, int)
