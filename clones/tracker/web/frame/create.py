"""Making an issue: a page, and a dialog over the page at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.attachments import Upload, add_attachments
from clones.tracker.domain.fieldset import Fieldset, fields_of, read_changes
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.defaults import default_values
from clones.tracker.domain.issues.planning import PERMISSIONS
from clones.tracker.models import Issue, IssueLinkType, IssueType, Project
from clones.tracker.queries.createmeta import creatable_projects
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import find_project
from clones.tracker.web.access import Visitor, page_of_staff, safe_return
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.parts.choices import Choice, Choices
from clones.tracker.web.parts.controls import (
    Control,
    Typed,
    control_of,
    initial,
    is_controlled,
    payload,
    typed_of,
)
from clones.tracker.web.parts.rich import SUFFIX
from clones.tracker.web.shell import from_script, go, page, words

# Shown above the other fields, or as parts of their own.
APART: Final = frozenset({"project", "issuetype", "attachment", "issuelinks"})
AUTOMATIC: Final = Choice("-1", "Automatic")


@dataclass(frozen=True, slots=True)
class CreateForm:
    """What is asked for: where, of which type, with what; `typed` is what its controls hold."""

    project: Project
    issue_type: IssueType
    fieldset: Fieldset
    typed: Typed
    back: str


@page_of_staff
def create(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the form of a new issue, or make it."""
    typed = typed_of(request)
    projects = creatable_projects(who.rights, ids=(), keys=())
    form = _form(projects, typed, who, fresh=request.method != "POST")
    if form is None:
        return page(request, who, "tracker/create/nowhere.html", {}, title="Create", status=403)
    if request.method != "POST" or "reload" in typed:
        return _show(request, who, form, projects)
    made, refusal = attempt(lambda: _make(form, who, _uploads(request)))
    if made is None:
        return _show(request, who, form, projects, refusal)
    flag = f'You\'ve created "{made.key}" {words().item}'
    if "another" in typed:
        again = {"pid": [str(form.project.id)], "issuetype": [str(form.issue_type.id)]}
        fresh = _form(projects, {**again, "another": ["1"], "back": [form.back]}, who, fresh=True)
        return _show(request, who, fresh or form, projects, made=made)
    return from_script(request, go(form.back or f"/browse/{made.key}", flag, f"/browse/{made.key}"))


def _form(
    projects: Sequence[Project], typed: Typed, who: Visitor, *, fresh: bool
) -> CreateForm | None:
    """Return the form for the space and the type that are asked for, else for the first ones."""
    asked = _first(typed, "pid")
    project = next((one for one in projects if str(one.id) == asked), None)
    if project is None:
        project = projects[0] if projects else None
    if project is None:
        return None
    kinds = types_of(project)
    wanted = _first(typed, "issuetype")
    kind = next((one for one in kinds if str(one.id) == wanted), None)
    if kind is None:
        plain = [one for one in kinds if one.hierarchy_level == 0]
        kind = next((one for one in plain if one.name == "Task"), (plain or kinds)[0])
    fieldset = fields_of(project, kind)
    defaults = _defaults(fieldset, who)
    known = {**_without(defaults, typed), **typed} if fresh or "reload" in typed else dict(typed)
    back = _first(typed, "back")
    return CreateForm(project, kind, fieldset, known, safe_return(back) if back else "")


def _defaults(fieldset: Fieldset, who: Visitor) -> dict[str, list[str]]:
    """Return what the form shows before anything is typed."""
    values = default_values(fieldset, who.rights)
    values.setdefault("reporter", who.user)
    found = {"assignee": ["-1"]}
    for id, value in values.items():
        field = fieldset.fields.get(id)
        if field is not None and is_controlled(field):
            found |= initial(field, value, who.rights)
    return found


def _without(defaults: Typed, typed: Typed) -> Typed:
    """Return defaults without the documents of texts that were written otherwise."""
    written = {name + SUFFIX for name in typed}
    return {name: values for name, values in defaults.items() if name not in written}


def _placed(form: CreateForm, who: Visitor) -> list[str]:
    """Return the fields of the form in their order: the create screen's, and a part's parent.

    Those that whoever fills it in may not set are left out.
    """
    fieldset = form.fieldset
    screen = [id for id in fieldset.screen("create") if id not in APART]
    if form.issue_type.subtask and "parent" not in screen:
        screen.insert(0, "parent")
    return [
        id
        for id in screen
        if is_controlled(fieldset.fields[id])
        and _may_set(id, form.project, who)
        and (fieldset.fields[id].kind.name != "epic_name" or form.issue_type.hierarchy_level == 1)
    ]


def _may_set(id: str, project: Project, who: Visitor) -> bool:
    permission = PERMISSIONS.get(id)
    return permission is None or who.rights.may(permission, project)


def _make(form: CreateForm, who: Visitor, uploads: Sequence[Upload]) -> Issue:
    fieldset, typed = form.fieldset, form.typed
    fields = {id: payload(fieldset.fields[id], typed) for id in _placed(form, who)}
    sent = {
        id: value
        for id, value in fields.items()
        if not _is_unsaid(value) or id in ("summary", "assignee", "priority")
    }
    update = _links(typed)
    planned = read_changes(
        fieldset,
        {"fields": sent, "update": update},
        None,
        actor=who.rights,
        version="either",
        screen=fieldset.screen("create"),
    )
    project = find_project(who.rights, form.project.id)
    issue = create_issue(project, form.issue_type, planned, actor=who.rights)
    if uploads:
        add_attachments(issue, uploads, actor=who.rights)
    return issue


def _is_unsaid(value: Any) -> bool:
    return value in (None, "", []) or value == {"originalEstimate": "", "remainingEstimate": ""}


def _links(typed: Typed) -> dict[str, Any]:
    """Return the link that is asked for: the words of a kind, and a key."""
    other, chosen = _first(typed, "issuelinks-key").strip().upper(), _first(typed, "issuelinks")
    if not other or not chosen:
        return {}
    kind, _, way = chosen.partition(":")
    end = "inwardIssue" if way == "inward" else "outwardIssue"
    return {"issuelinks": [{"add": {"type": {"id": kind}, end: {"key": other}}}]}


def _uploads(request: SandboxRequest) -> list[Upload]:
    return [
        Upload(str(file.name or ""), str(file.content_type or ""), file.read())
        for file in request.FILES.getlist("file")
    ]


def _show(  # noqa: PLR0917 - what a form is shown after
    request: SandboxRequest,
    who: Visitor,
    form: CreateForm,
    projects: Sequence[Project],
    refusal: FormErrors | None = None,
    made: Issue | None = None,
) -> HttpResponse:
    said = refusal or FormErrors()
    controls = _controls(form, who, said)
    names = [control.id for control in controls]
    screen = form.fieldset.screen("create")
    context = {
        "form": form,
        "projects": [Choice(str(one.id), one.name, one.id == form.project.id) for one in projects],
        "kinds": [
            Choice(str(one.id), one.name, one.id == form.issue_type.id)
            for one in types_of(form.project)
        ],
        "controls": controls,
        "problems": said.beside(names),
        "made": made,
        "another": "another" in form.typed,
        "takes_files": "attachment" in screen
        and who.rights.may("CREATE_ATTACHMENTS", form.project),
        "link_words": link_words(form.typed)
        if "issuelinks" in screen and _may_set("issuelinks", form.project, who)
        else [],
        "link_key": _first(form.typed, "issuelinks-key"),
        "focus": next((id for id in names if id in said.fields), "summary"),
    }
    status = 422 if refusal is not None else 200
    return page(request, who, "tracker/create/create.html", context, title="Create", status=status)


def _controls(form: CreateForm, who: Visitor, said: FormErrors) -> list[Control]:
    choices = Choices(form.fieldset, who.rights)
    found = []
    for id in _placed(form, who):
        field = form.fieldset.fields[id]
        error = said.fields.get(id, "") or (
            said.fields.get("parentId", "") if id == "parent" else ""
        )
        control = control_of(field, form.typed, choices, error)
        if id == "assignee":
            automatic = Choice("-1", AUTOMATIC.label, "-1" in form.typed.get(id, ()))
            control = _with(control, automatic)
        found.append(control)
    return found


def _with(control: Control, first: Choice) -> Control:
    return replace(control, choices=[first, *control.choices])


def link_words(typed: Typed) -> list[Choice]:
    """Return the words of all kinds of links, each way once."""
    chosen = _first(typed, "issuelinks")
    found: dict[str, Choice] = {}
    for kind in IssueLinkType.objects.order_by("name", "id"):
        for way, label in (("outward", kind.outward), ("inward", kind.inward)):
            value = f"{kind.id}:{way}"
            if label not in found:
                found[label] = Choice(value, label, value == chosen)
    return list(found.values())


def _first(typed: Typed, name: str) -> str:
    return (typed.get(name) or [""])[0]
