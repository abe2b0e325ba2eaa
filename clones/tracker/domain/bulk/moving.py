"""Moving many issues to other spaces or types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clones.tracker.domain.bulk.running import chosen, each, ids_of, joined, require_bulk, start
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.fieldset import Fieldset, fields_of
from clones.tracker.domain.moving import MoveDestination, move_issue
from clones.tracker.domain.tasks import carries_out
from clones.tracker.models import Issue, IssueType, Project, Task
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights, find_issue, find_project

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MoveInput:
    """Issues, and what becomes of them in the place to which they go.

    `statuses` maps statuses that are not there to ones that are, by id; `fields` are the API's
    {id: {"retain", "type", "value"}} for fields that are required there.
    """

    names: Sequence[str]
    statuses: Mapping[int, int] = field(default_factory=dict)
    infer_status: bool = True
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def start_move(inputs: Mapping[str, MoveInput], *, notify: bool, actor: Rights) -> Task:
    """Begin to move issues; the keys of `inputs` are "space,type" or "space,type,parent".

    Raises:
        Forbidden: the actor may not make bulk changes.
        Invalid: too many issues, one that is none, or a place that there is not.
    """
    require_bulk(actor)
    if not inputs:
        raise Invalid("The targetToSourcesMapping must not be empty.")
    parts = []
    for place, said in inputs.items():
        project, kind, parent = _place(place, actor)
        issues = chosen(said.names, actor)
        parts.append(
            {
                "project": project.id,
                "type": kind.id,
                "parent": None if parent is None else parent.id,
                "issues": ids_of(issues),
                "statuses": {str(old): new for old, new in said.statuses.items()},
                "infer_status": said.infer_status,
                "fields": {id: dict(value) for id, value in said.fields.items()},
            }
        )
    return start("move", {"inputs": parts, "notify": notify}, actor=actor)


@carries_out("bulk_issues_move")
def _move(task: Task, rights: Rights) -> Json:
    return joined(_moved(part, rights, task) for part in task.payload["inputs"])


def _moved(part: Json, rights: Rights, task: Task) -> Json:
    project = Project.objects.get(id=part["project"])
    kind = IssueType.objects.get(id=part["type"])
    parent = None if part["parent"] is None else find_issue(rights, part["parent"])
    fieldset = fields_of(project, kind)
    retained = frozenset(id for id, said in part["fields"].items() if said.get("retain", True))
    to = MoveDestination(
        project,
        kind,
        parent,
        statuses={int(old): new for old, new in part["statuses"].items()},
        infer_status=part["infer_status"],
        fields={id: _value(fieldset, id, said) for id, said in part["fields"].items()},
        retain=retained,
    )
    notify = task.payload["notify"]

    def move(issue: Issue) -> None:
        # A sub-task that came along with its parent is there already.
        if issue.project_id != project.id or issue.issue_type_id != kind.id or parent is not None:
            move_issue(issue, to, actor=rights, notify=notify)

    return each(part["issues"], rights, move)


def _place(text: str, rights: Rights) -> tuple[Project, IssueType, Issue | None]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in (2, 3):
        raise Invalid(f"The target '{text}' is not valid.")
    try:
        project = find_project(rights, parts[0])
        parent = find_issue(rights, parts[2]) if len(parts) == 3 else None
    except NotFound as error:
        raise Invalid(str(error)) from error
    kind = next((one for one in types_of(project) if str(one.id) == parts[1]), None)
    if kind is None:
        raise Invalid(f"The issue type '{parts[1]}' is not valid for the project '{parts[0]}'.")
    return project, kind, parent


def _value(fieldset: Fieldset, id: str, said: Mapping[str, Any]) -> Any:
    """Return the value of a field as an edit takes it, from the API's list of texts."""
    value = said.get("value")
    known = fieldset.fields.get(id)
    if said.get("type") == "adf" or not isinstance(value, list) or known is None:
        return value
    texts = [str(text) for text in value]
    name = known.kind.name
    if known.kind.several:
        return texts if name == "labels" else [_one(name, text) for text in texts]
    return _one(name, texts[0]) if texts else None


def _one(name: str, text: str) -> Any:
    match name:
        case "user" | "users":
            return {"accountId": text}
        case "group" | "groups":
            return {"name": text}
        case "number":
            return _number(text)
        case "text" | "url" | "day" | "moment" | "rich":
            return text
    return {"id": text}


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
