"""What an issue's values become in the place to which it is moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.fieldset import Planned, read_changes
from clones.tracker.domain.issues.assigning import assignee_of_space
from clones.tracker.domain.issues.values import Stored
from clones.tracker.models import (
    Component,
    FieldOption,
    FieldValue,
    Issue,
    IssueType,
    Project,
    SecurityScheme,
    Version,
)
from clones.tracker.queries.fieldsets import Fieldset
from clones.tracker.queries.rights import Rights


@dataclass(frozen=True, slots=True)
class MoveDestination:
    """Where an issue goes.

    Args:
        project: the space.
        issue_type: a type that the space offers.
        parent: its new parent; sub-tasks need one.
        statuses: for statuses that the new workflow has not, which take their place (by id).
        infer_status: whether such a status becomes the first of the new workflow, unless it is
            mapped; if not, it has to be.
        fields: values of fields as the API sends them, for fields that are required there.
        retain: those of `fields` that count only where the issue has no value.
        subtask_type: what sub-tasks become whose type the space does not offer; None: its first.
    """

    project: Project
    issue_type: IssueType
    parent: Issue | None = None
    statuses: Mapping[int, int] = field(default_factory=dict)
    infer_status: bool = True
    fields: Mapping[str, Any] = field(default_factory=dict)
    retain: frozenset[str] = frozenset()
    subtask_type: IssueType | None = None


def carried_values(
    issue: Issue,
    to: MoveDestination,
    fieldset: Fieldset,
    components: Sequence[Component],
    versions: Mapping[str, Sequence[Version]],
    *,
    away: bool,
) -> dict[str, Any]:
    """Return the values that another space has in place of an issue's own."""
    if not away:
        return {}
    values: dict[str, Any] = {}
    if components:
        names = {component.name for component in components}
        there = Component.objects.filter(project=to.project, name__in=names)
        values["components"] = tuple(there.order_by("name"))
    for name, found in versions.items():
        if found:
            rows = Version.objects.filter(project=to.project, name__in=[one.name for one in found])
            values[name] = tuple(rows.order_by("position", "id"))
    if issue.assignee is not None and not Rights(issue.assignee).may("ASSIGNABLE_USER", to.project):
        values["assignee"] = assignee_of_space(to.project, values.get("components", ()))
    if issue.security_level is not None and (
        to.project.security_scheme_id != issue.security_level.scheme_id
    ):
        rows_of = SecurityScheme.objects.select_related("default_level")
        scheme = rows_of.filter(id=to.project.security_scheme_id or -1).first()
        level = None if scheme is None else scheme.default_level
        if "security" in fieldset.fields:
            values["security"] = level
        else:
            issue.security_level = level
    return values


def drop_values(issue: Issue, fieldset: Fieldset) -> None:
    """Take away values of fields that do not count any more; options find those of their name."""
    rows = FieldValue.objects.filter(issue=issue).select_related("field", "option")
    for row in rows.order_by("id"):
        known = fieldset.fields.get(row.field.key)
        if known is None:
            row.delete()
            continue
        option = row.option
        if option is None or known.context is None or option.context_id == known.context.id:
            continue
        same = FieldOption.objects.filter(context=known.context, value=option.value, parent=None)
        found = same.order_by("position", "id").first() if option.parent_id is None else None
        if found is None:
            row.delete()
        else:
            row.option = found
            row.save(update_fields=["option_id"])


def sent_values(issue: Issue, to: MoveDestination, fieldset: Fieldset, actor: Rights) -> Planned:
    """Return the values that were sent for required fields.

    Raises:
        Invalid: a field cannot have its value.
    """
    stored = Stored(issue)
    wanted = {
        id: value
        for id, value in to.fields.items()
        if id in fieldset.fields
        and not (id in to.retain and stored.value(fieldset.fields[id]) not in (None, (), ""))
    }
    sent = {"fields": wanted, "update": {}}
    return read_changes(fieldset, sent, issue, actor=actor, version="3", screen=None, trusted=True)


def check_filled(fieldset: Fieldset, issue: Issue, values: Mapping[str, Any]) -> None:
    """Hold an issue to the fields that are required where it goes.

    Raises:
        Invalid: some would be empty.
    """
    stored = Stored(issue)
    wrong = {}
    for id, known in fieldset.fields.items():
        if not known.required or id in ("issuetype", "project") or not known.kind.operations:
            continue
        value = values[id] if id in values else stored.value(known)
        if value in (None, (), ""):
            wrong[id] = f"{known.name} is required."
    if wrong:
        raise Invalid(fields=wrong)
