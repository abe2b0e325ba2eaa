"""Opening a service desk in a space, with what the vendor's template gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.setup import desk as template
from clones.tracker.domain.setup.fields import make_fields
from clones.tracker.models import (
    Calendar,
    CustomField,
    IssueType,
    Project,
    Queue,
    RequestType,
    RequestTypeField,
    RequestTypeGroup,
    RequestTypeStatus,
    Resolution,
    ServiceDesk,
    SlaGoal,
    SlaMetric,
    Status,
    Transition,
    WorkflowStatus,
)
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.desk import conditions

# Properties of transitions: whether customers may take it, and the resolution that it then sets.
SHOWN: Final = "servicedesk.customer.transition.active"
RESOLUTION: Final = "servicedesk.customer.transition.resolution"
FIELD_DESCRIPTION: Final = "How an SLA stands."


def open_desk(project: Project, *, actor: Rights) -> ServiceDesk:
    """Give a space its service desk: portal, forms, queues and SLAs of the template.

    The space has its types, workflows and screens by then. A second call returns the desk there is.
    """
    found = ServiceDesk.objects.filter(project=project).first()
    if found is not None:
        return found
    desk = ServiceDesk.objects.create(
        id=next_id(ServiceDesk),
        project=project,
        portal_name=project.name,
        portal_description="Welcome! You can raise a request from the options provided.",
    )
    statuses = _statuses(project)
    groups = _open_portal(desk)
    _offer_types(desk, groups, statuses)
    metrics = _add_slas(desk, statuses, zone=str(actor.zone))
    _open_queues(desk, metrics, statuses)
    _show_transitions(project)
    _field(template.APPROVALS, template.APPROVALS_TYPE, "The decisions that it waits for.")
    return desk


def _show_transitions(project: Project) -> None:
    """Offer customers the transitions of a desk's workflows that are theirs to take.

    The flag is a property of the transition, under the vendor's own name.
    """
    done = Resolution.objects.order_by("position", "id").values_list("id", flat=True).first()
    rows = Transition.objects.filter(
        workflow__in=_workflows(project),
        workflow__is_system=False,
        name__in=template.FOR_CUSTOMERS,
    )
    for row in rows.select_related("to_status").order_by("id"):
        row.properties = {**row.properties, SHOWN: "true"}
        ends = row.to_status is not None and row.to_status.category == "done"
        if ends and row.screen_id is not None and done is not None:
            row.properties |= {RESOLUTION: str(done)}
        row.save(update_fields=["properties"])


def _workflows(project: Project) -> set[int]:
    scheme = project.workflow_scheme
    return {scheme.default_workflow_id, *scheme.items.values_list("workflow_id", flat=True)}


def _open_portal(desk: ServiceDesk) -> Sequence[RequestTypeGroup]:
    keys = next_ids(RequestTypeGroup, len(template.GROUPS))
    return RequestTypeGroup.objects.bulk_create(
        [
            RequestTypeGroup(id=key, desk=desk, name=name, position=position)
            for position, (key, name) in enumerate(zip(keys, template.GROUPS, strict=True))
        ]
    )


def _offer_types(
    desk: ServiceDesk, groups: Sequence[RequestTypeGroup], statuses: Mapping[str, Status]
) -> None:
    kinds = [kind for kind in types_of(desk.project) if kind.hierarchy_level == 0]
    if not kinds:
        return
    by_name = {kind.name.lower(): kind for kind in kinds}
    made = (*template.REQUEST_TYPES, *template.AGENT_TYPES)
    for position, drawn in enumerate(made):
        named = (by_name.get(name.lower()) for name in drawn.kinds)
        kind: IssueType = next((one for one in named if one is not None), kinds[0])
        row = RequestType.objects.create(
            id=next_id(RequestType),
            desk=desk,
            issue_type=kind,
            name=drawn.name,
            description=drawn.about,
            help_text=drawn.about,
            icon_id=drawn.icon,
            groups=[groups[number].id for number in drawn.groups],
            position=position,
        )
        add_form(row, drawn.fields)
        name_statuses(row, statuses)


def add_form(row: RequestType, fields: Sequence[template.FormField]) -> None:
    """Write the form of a request type."""
    keys = next_ids(RequestTypeField, len(fields))
    RequestTypeField.objects.bulk_create(
        [
            RequestTypeField(
                id=key,
                request_type=row,
                field=field.field,
                display_name=field.label,
                help_text=field.about,
                required=field.required,
                position=position,
            )
            for position, (key, field) in enumerate(zip(keys, fields, strict=True))
        ]
    )


def name_statuses(row: RequestType, statuses: Mapping[str, Status]) -> None:
    """Write what customers read for statuses, where that is not the status's own name."""
    names = [
        (statuses[name], told)
        for name, told in template.PORTAL_STATUSES.items()
        if name in statuses and name != told
    ]
    keys = next_ids(RequestTypeStatus, len(names))
    RequestTypeStatus.objects.bulk_create(
        [
            RequestTypeStatus(id=key, request_type=row, status=status, name=told)
            for key, (status, told) in zip(keys, names, strict=True)
        ]
    )


def _statuses(project: Project) -> dict[str, Status]:
    """Return the statuses of a space's workflows by name."""
    rows = WorkflowStatus.objects.filter(workflow__in=_workflows(project)).select_related("status")
    return {row.status.name: row.status for row in rows.order_by("id")}


def _add_slas(
    desk: ServiceDesk, statuses: Mapping[str, Status], *, zone: str
) -> dict[str, SlaMetric]:
    calendar = Calendar.objects.create(
        id=next_id(Calendar),
        desk=desk,
        name=template.CALENDAR,
        time_zone=zone,
        hours=template.HOURS,
        holidays=[],
    )
    made: dict[str, SlaMetric] = {}
    for position, sla in enumerate(template.SLAS):
        metric = SlaMetric.objects.create(
            id=next_id(SlaMetric),
            desk=desk,
            field=sla_field(sla.name),
            name=sla.name,
            start=list(sla.start),
            pause=[
                conditions.in_status(statuses[name].id) for name in sla.pause if name in statuses
            ],
            stop=list(sla.stop),
            position=position,
        )
        _aim(metric, sla.goals, calendar)
        made[sla.name] = metric
    return made


def _aim(metric: SlaMetric, goals: Sequence[tuple[str, int]], calendar: Calendar) -> None:
    keys = next_ids(SlaGoal, len(goals))
    SlaGoal.objects.bulk_create(
        [
            SlaGoal(
                id=key,
                metric=metric,
                position=position,
                jql=jql,
                milliseconds=length,
                calendar=calendar,
            )
            for position, (key, (jql, length)) in enumerate(zip(keys, goals, strict=True))
        ]
    )


def sla_field(name: str) -> CustomField:
    """Return the field by which queries speak of an SLA: desks share those of one name."""
    return _field(name, template.SLA_TYPE, FIELD_DESCRIPTION)


def _field(name: str, kind: str, about: str) -> CustomField:
    """Return a field that queries speak of: one for all desks, made with the first."""
    rows = CustomField.objects.filter(name=name, type=kind, trashed_at=None)
    found = rows.order_by("id").first()
    if found is not None:
        return found
    number = next_id(CustomField)
    make_fields([(number, name, kind, True, about, ())])
    return CustomField.objects.get(id=number)


def _open_queues(
    desk: ServiceDesk, metrics: Mapping[str, SlaMetric], statuses: Mapping[str, Status]
) -> None:
    named = {name: metric.field.key for name, metric in metrics.items()}
    columns = [named.get(column, column) for column in template.QUEUE_COLUMNS]
    chosen = [
        (name, jql)
        for name, jql in template.QUEUES
        # A query that names a status which nobody has is an error wherever it is run.
        if all(status in statuses for status in _quoted(jql))
    ]
    keys = next_ids(Queue, len(chosen))
    Queue.objects.bulk_create(
        [
            Queue(
                id=key,
                desk=desk,
                name=name,
                jql=f"project = {desk.project.key} AND " + jql.format(order=template.ORDER),
                columns=columns,
                position=position,
            )
            for position, (key, (name, jql)) in enumerate(zip(keys, chosen, strict=True))
        ]
    )


def _quoted(jql: str) -> list[str]:
    return jql.split('"')[1::2]
