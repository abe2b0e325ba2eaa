"""Writing workflow schemes and their drafts.

A scheme that a space uses is active and cannot be changed as it is: changes go to its draft, which
takes its place when it is published. The update of whole schemes knows no drafts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from clones.core import clock
from clones.core.digits import is_digits
from clones.tracker.domain import audit
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.numbering import new_uuid, next_id, next_ids
from clones.tracker.models import (
    IssueType,
    Project,
    Workflow,
    WorkflowScheme,
    WorkflowSchemeItem,
)
from clones.tracker.queries.rights import Rights

NOT_FOUND: Final = "The workflow scheme was not found."
NO_DRAFT: Final = "Draft workflow scheme was not found."
NO_WORKFLOW: Final = "The workflow was not found."
NO_TYPE: Final = "The issue type was not found."
ACTIVE: Final = "The workflow scheme is active and cannot be edited directly."
NAME_LIMIT: Final = 255


def find_scheme(id: int) -> WorkflowScheme:
    """Return the scheme with an id; drafts have none of their own.

    Raises:
        NotFound: there is none.
    """
    rows = WorkflowScheme.objects.select_related("default_workflow__project", "updated_by")
    found = rows.filter(id=id, draft_of=None).first()
    if found is None:
        raise NotFound(NOT_FOUND)
    return found


def find_draft(scheme: WorkflowScheme) -> WorkflowScheme | None:
    """Return the draft of a scheme, None without one."""
    rows = WorkflowScheme.objects.select_related("default_workflow", "updated_by", "draft_of")
    return rows.filter(draft_of=scheme).first()


def workflow_named(name: str | None) -> Workflow:
    """Return the site's workflow of a name.

    Raises:
        NotFound: there is none.
    """
    found = Workflow.objects.filter(name=name or "", project=None).order_by("id").first()
    if found is None:
        raise NotFound(NO_WORKFLOW)
    return found


def type_of(id: str) -> IssueType:
    """Return the type with an id.

    Raises:
        NotFound: there is none.
    """
    known = is_digits(id)
    found = IssueType.objects.filter(id=int(id)).first() if known else None
    if found is None:
        raise NotFound(NO_TYPE)
    return found


def is_active(scheme: WorkflowScheme) -> bool:
    """Tell whether a space uses a scheme; the default one is always in use."""
    return scheme.is_default or Project.objects.filter(workflow_scheme=scheme).exists()


def create_scheme(
    name: str | None,
    description: str | None,
    default: str | None,
    mappings: Mapping[str, str],
    *,
    actor: Rights,
) -> WorkflowScheme:
    """Make a scheme; without a default workflow it has the site's own.

    Raises:
        Invalid: the name is missing or taken, or it names what there is not.
    """
    name = checked_name(name)
    flow = _named_default(default)
    items = _checked_mappings(mappings)
    scheme = WorkflowScheme.objects.create(
        id=next_id(WorkflowScheme),
        name=name,
        description=description or "",
        default_workflow=flow,
        version_uuid=new_uuid(WorkflowScheme),
        updated=clock.now(),
        updated_by=actor.user,
    )
    replace_items(scheme, items)
    _record("Workflow scheme created", scheme, actor)
    return scheme


def checked_name(name: str | None, *, but: WorkflowScheme | None = None) -> str:
    """Return a name that a scheme may have; `but` may have it already.

    Raises:
        Invalid: it is missing, too long or taken.
    """
    text = (name or "").strip()
    if not text:
        raise Invalid(fields={"name": "The name of the workflow scheme must be specified."})
    if len(text) > NAME_LIMIT:
        limit = f"The name of the workflow scheme must not exceed {NAME_LIMIT} characters."
        raise Invalid(fields={"name": limit})
    taken = WorkflowScheme.objects.filter(name__iexact=text, draft_of=None)
    if but is not None:
        taken = taken.exclude(id=but.id)
    if taken.exists():
        raise Invalid(fields={"name": "A workflow scheme with that name already exists."})
    return text


def _named_default(name: str | None) -> Workflow:
    if name is None:
        return system_workflow()
    found = Workflow.objects.filter(name=name, project=None).order_by("id").first()
    if found is None:
        raise Invalid(fields={"defaultWorkflow": f"Workflow with name '{name}' was not found."})
    return found


def system_workflow() -> Workflow:
    """Return the site's own workflow, which schemes name where they were told no other."""
    return Workflow.objects.filter(is_system=True).order_by("id")[:1].get()


def _checked_mappings(mappings: Mapping[str, str]) -> dict[int, int]:
    """Return workflows by types, from names by ids."""
    flows = dict(
        Workflow.objects.filter(name__in=mappings.values(), project=None)
        .order_by("-id")
        .values_list("name", "id")
    )
    kinds = {str(key) for key in IssueType.objects.values_list("id", flat=True)}
    for kind, name in mappings.items():
        text = None
        if kind not in kinds:
            text = f"Issue type with ID '{kind}' was not found."
        elif name not in flows:
            text = f"Workflow with name '{name}' was not found."
        if text is not None:
            raise Invalid(fields={"issueTypeMappings": text})
    return {int(kind): flows[name] for kind, name in mappings.items()}


def replace_items(scheme: WorkflowScheme, items: Mapping[int, int]) -> None:
    """Make types and workflows the whole of what a scheme names; equal rows stay."""
    before = {item.issue_type_id: item for item in scheme.items.all()}
    fresh = []
    for kind, flow in sorted(items.items()):
        row = before.pop(kind, None)
        if row is None:
            fresh.append(WorkflowSchemeItem(scheme=scheme, issue_type_id=kind, workflow_id=flow))
        elif row.workflow_id != flow:
            row.workflow_id = flow
            row.save(update_fields=["workflow_id"])
    for row in before.values():
        row.delete()
    for key, row in zip(next_ids(WorkflowSchemeItem, len(fresh)), fresh, strict=True):
        row.id = key
    WorkflowSchemeItem.objects.bulk_create(fresh)


def items_of(scheme: WorkflowScheme) -> dict[int, int]:
    """Return the workflows that a scheme names, by type."""
    return dict(scheme.items.order_by("issue_type_id").values_list("issue_type_id", "workflow_id"))


def editable(scheme: WorkflowScheme, *, draft: bool, actor: Rights) -> WorkflowScheme:
    """Return what takes a change of a scheme: itself, or its draft where that is wanted.

    Raises:
        Invalid: it is active, and no draft is wanted.
    """
    if not is_active(scheme):
        return scheme
    if not draft or scheme.is_default:
        raise Invalid(ACTIVE)
    return find_draft(scheme) or create_draft(scheme, actor=actor)


def create_draft(scheme: WorkflowScheme, *, actor: Rights) -> WorkflowScheme:
    """Make the draft of an active scheme.

    Raises:
        Invalid: it is not active, or has a draft.
    """
    if scheme.is_default or not is_active(scheme):
        raise Invalid("A draft can only be created for an active workflow scheme.")
    if find_draft(scheme) is not None:
        raise Invalid("The workflow scheme already has a draft.")
    draft = WorkflowScheme.objects.create(
        id=next_id(WorkflowScheme),
        name=scheme.name,
        description=scheme.description,
        default_workflow=scheme.default_workflow,
        draft_of=scheme,
        version_uuid=new_uuid(WorkflowScheme),
        updated=clock.now(),
        updated_by=actor.user,
    )
    replace_items(draft, items_of(scheme))
    return draft


def update_scheme(target: WorkflowScheme, changes: Mapping[str, Any], *, actor: Rights) -> None:
    """Change a scheme or a draft: name, description, defaultWorkflow, issueTypeMappings.

    Raises:
        Invalid: the name is taken, or it names what there is not.
    """
    if changes.get("name") is not None:
        but = target if target.draft_of is None else target.draft_of
        target.name = checked_name(changes["name"], but=but)
    if changes.get("description") is not None:
        target.description = changes["description"]
    if changes.get("defaultWorkflow") is not None:
        target.default_workflow = _named_default(changes["defaultWorkflow"])
    if changes.get("issueTypeMappings") is not None:
        replace_items(target, _checked_mappings(changes["issueTypeMappings"]))
    touch(target, actor)


def set_default(target: WorkflowScheme, workflow: Workflow, *, actor: Rights) -> None:
    """Make a workflow the one of all types that a scheme names no other for."""
    target.default_workflow = workflow
    touch(target, actor)


def set_types(
    target: WorkflowScheme,
    workflow: Workflow,
    types: Iterable[IssueType],
    *,
    whole: bool,
    default: bool,
    actor: Rights,
) -> None:
    """Give types a workflow; with `whole`, those that had it and are not named lose it."""
    items = items_of(target)
    if whole:
        items = {kind: flow for kind, flow in items.items() if flow != workflow.id}
    replace_items(target, items | {kind.id: workflow.id for kind in types})
    if default:
        target.default_workflow = workflow
    touch(target, actor)


def unset_type(target: WorkflowScheme, issue_type: IssueType, *, actor: Rights) -> None:
    """Leave a type to a scheme's default workflow.

    Raises:
        NotFound: the scheme does not name the type.
    """
    items = items_of(target)
    if items.pop(issue_type.id, None) is None:
        raise NotFound(NO_TYPE)
    replace_items(target, items)
    touch(target, actor)


def unset_workflow(target: WorkflowScheme, workflow: Workflow, *, actor: Rights) -> None:
    """Take a workflow out of a scheme; its types are left to the default one.

    Raises:
        NotFound: the scheme does not name the workflow.
    """
    items = items_of(target)
    rest = {kind: flow for kind, flow in items.items() if flow != workflow.id}
    if rest == items and target.default_workflow_id != workflow.id:
        raise NotFound(NO_WORKFLOW)
    replace_items(target, rest)
    if target.default_workflow_id == workflow.id:
        target.default_workflow = system_workflow()
    touch(target, actor)


def touch(target: WorkflowScheme, actor: Rights) -> None:
    """Count a change of a scheme, and write it."""
    target.version += 1
    target.version_uuid = new_uuid(WorkflowScheme)
    target.updated = clock.now()
    target.updated_by = actor.user
    target.save()
    _record("Workflow scheme updated", target, actor)


def delete_scheme(scheme: WorkflowScheme, *, actor: Rights) -> None:
    """Delete a scheme that no space uses.

    Raises:
        Invalid: it is active.
    """
    if is_active(scheme):
        raise Invalid("The workflow scheme is active and cannot be deleted.")
    _record("Workflow scheme deleted", scheme, actor)
    scheme.delete()


def _record(summary: str, scheme: WorkflowScheme, actor: Rights) -> None:
    audit.record(summary, "workflows", actor=actor, object=("SCHEME", str(scheme.id), scheme.name))
