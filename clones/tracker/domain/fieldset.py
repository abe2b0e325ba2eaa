"""What the fields of issues are, and how they are changed; API, pages and rules all use it.

A `Fieldset` knows the fields that count for a space and a type of issues:

    fieldset = fields_of(project, issue_type)
    fieldset.fields["summary"]           -> Field(id, name, kind, required, options...)
    fieldset.screen("create")            -> ids in their order; also "edit" and "view"

A request's JSON is read whole, and refused whole, before anything is written:

    planned = read_changes(fieldset, {"fields": {...}, "update": {...}}, issue,
                           actor=rights, version="3", screen=fieldset.screen("edit"))
    check_required(planned, issue, screen)
    changes = Changes(issue, rights)
    apply(planned, issue, changes)       # columns of `issue` are set, other rows are written
    group = changes.save(metadata)
    issue.save()                         # the columns that changed
    act(planned, issue, actor=rights)    # comments, work logs and links of `update`

`screen` is an iterable of ids that may be set, None for all (automation, desks). `issue` is None
for an issue yet to be made. Values may be planned in Python too: `Planned(fieldset, values={...})`
or `planned.values[id] = value`; what a value is, by the kind of its field:

    text, url, readonly   str | None          rich            an ADF document as dict | None
    number                float | None        day, moment     date, aware datetime | None
    option, cascade       FieldOption | None  options         tuple of FieldOption
    user, group           User, Group | None  users, groups   tuples of them
    version               Version | None      versions        tuple of Version
    components            tuple of Component  labels          tuple of str
    project               Project | None      parent          Issue | None
    issuetype, priority, resolution, security                 the row (or None)
    timetracking          Estimates(original, remaining) in seconds, each int | None
    sprint                Sprint | None: the one that is to come or runs; closed ones stay
    sla, request_type, rank: not set by this way

Whole acts on issues are in `clones.tracker.domain.issues`: `creating.create_issue`,
`editing.edit_issue`, `editing.assign_issue`, `deleting.delete_issue`, `archiving.archive_issues`.
"""

from __future__ import annotations

from clones.tracker.domain.issues.applying import apply
from clones.tracker.domain.issues.planning import Planned, check_required, read_changes
from clones.tracker.domain.issues.side_effects import act
from clones.tracker.queries.fieldsets import Fieldset, IssueField, fields_of
from clones.tracker.rules.field_kinds.kinds import Estimates

__all__ = [
    "Estimates",
    "Fieldset",
    "IssueField",
    "Planned",
    "act",
    "apply",
    "check_required",
    "fields_of",
    "read_changes",
]
