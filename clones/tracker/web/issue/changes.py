"""What the forms of an issue's page change: fields, assignee, status, and all that is small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.fieldset import Planned, fields_of, read_changes
from clones.tracker.domain.issues.deleting import delete_issue
from clones.tracker.domain.issues.editing import assign_issue, edit_issue, plan_type, require_edit
from clones.tracker.domain.issues.values import Stored
from clones.tracker.domain.issues.viewing import view_issue
from clones.tracker.domain.richtext import read_edited
from clones.tracker.domain.transitions import Move, find_move, move, plan_move, screen_of
from clones.tracker.domain.voting import add_vote, remove_vote
from clones.tracker.domain.watching import add_watcher, remove_watcher
from clones.tracker.models import Issue, User
from clones.tracker.queries.agile_fields import flag_field
from clones.tracker.queries.fieldsets import Fieldset, IssueField
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import find_issue
from clones.tracker.web.access import Visitor
from clones.tracker.web.issue.access import (
    form_of_issue,
    issue_address,
    page_of_issue,
    read_page_state,
)
from clones.tracker.web.issue.issue_page import show_issue
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.parts.choices import Choices
from clones.tracker.web.parts.controls import (
    control_of,
    initial,
    is_controlled,
    is_touched,
    payload,
    typed_of,
)
from clones.tracker.web.parts.rich import sent_text, typed_text
from clones.tracker.web.plain_pages import secured
from clones.tracker.web.shell import from_script, go, page


def settle(
    request: SandboxRequest,
    who: Visitor,
    issue: Issue,
    write: Callable[[], Any],
    place: str,
    *,
    edit: str = "",
    comment: str = "",
) -> HttpResponse:
    """Carry out what a form asks for, and show the issue: what was refused beside where it was.

    Args:
        request: the request at hand.
        who: who asks.
        issue: the issue.
        write: what is asked for.
        place: the part of the page that says why it was refused.
        edit: the field whose control stays open then.
        comment: the comment whose control stays open then.
    """
    asked = read_page_state(request)
    _, refusal = attempt(write)
    if refusal is None:
        return go(issue_address(find_issue(who.rights, issue.id), asked))
    again = replace(
        asked,
        place=place,
        edit=edit,
        comment=comment,
        typed=typed_of(request),
        refusal=refusal,
    )
    return show_issue(request, who, issue, again, status=422)


@form_of_issue
def set_field(request: SandboxRequest, who: Visitor, issue: Issue, field: str) -> HttpResponse:
    """Set one field."""
    found = fields_of(issue.project, issue.issue_type).fields.get(field)
    if found is None or not (is_controlled(found) or field == "issuetype"):
        raise Forbidden("This field cannot be changed here.")
    return settle(
        request, who, issue, lambda: _set(request, who, issue, found), "field", edit=field
    )


def _set(request: SandboxRequest, who: Visitor, issue: Issue, field: IssueField) -> None:
    typed = typed_of(request)
    if field.id == "issuetype":
        _retype(who, issue, "".join(typed.get("issuetype", ())))
        return
    value = payload(field, typed)
    if field.id == "assignee":
        account = value["accountId"] if value else None
        assign_issue(issue, _person(account), actor=who.rights)
        return
    require_edit(issue, who.rights)
    fieldset = fields_of(issue.project, issue.issue_type)
    planned = read_changes(
        fieldset,
        {"fields": {field.id: value}},
        issue,
        actor=who.rights,
        version="either",
        screen=fieldset.screen("edit"),
    )
    if isinstance(value, str) and field.kind.name == "rich" and field.id in planned.values:
        before = Stored(issue).value(field)
        planned.values[field.id] = read_edited(value, before, field.id)
    edit_issue(issue, planned, actor=who.rights, trusted=True)


def _retype(who: Visitor, issue: Issue, wanted: str) -> None:
    require_edit(issue, who.rights)
    kind = next((one for one in types_of(issue.project) if str(one.id) == wanted), None)
    if kind is None:
        raise Invalid(fields={"issuetype": "The issue type selected is invalid."})
    if kind.id == issue.issue_type_id:
        return
    planned = Planned(fields_of(issue.project, kind))
    plan_type(issue, kind, planned)
    edit_issue(issue, planned, actor=who.rights, trusted=True)


def _person(account: str | None) -> User | None:
    if account is None:
        return None
    found = User.objects.filter(account_id=account).first()
    if found is None:
        raise Invalid(fields={"assignee": f"User '{account}' does not exist."})
    return found


@form_of_issue
def assign_to_me(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Give the issue to the one who asks."""
    return settle(
        request,
        who,
        issue,
        lambda: assign_issue(issue, who.user, actor=who.rights),
        "field",
        edit="assignee",
    )


@page_of_issue
def transition(request: SandboxRequest, who: Visitor, issue: Issue, number: int) -> HttpResponse:
    """Take the issue through a transition; one that has a screen shows it first."""
    try:
        found = find_move(issue, number, actor=who.rights, remote=False)
    except Invalid as error:
        if request.method != "POST":
            return go(issue_address(issue))
        again = replace(
            read_page_state(request), place="status", refusal=FormErrors(error.messages)
        )
        return show_issue(request, who, issue, again, status=422)
    if not screen_of(found):
        if request.method != "POST":
            return go(issue_address(issue))
        return settle(
            request,
            who,
            issue,
            lambda: move(issue, number, actor=who.rights, found=found, remote=False),
            "status",
        )
    if request.method != "POST":
        return _screen(request, who, issue, found, FormErrors())
    _, refusal = attempt(lambda: _pass(request, who, issue, found))
    if refusal is not None:
        fresh = find_issue(who.rights, issue.id)
        return _screen(request, who, fresh, found, refusal)
    return from_script(request, go(issue_address(issue, read_page_state(request))))


def _fields(found: Move, fieldset: Fieldset) -> list[IssueField]:
    return [
        fieldset.fields[id]
        for id in fieldset.shown(screen_of(found))
        if is_controlled(fieldset.fields[id])
    ]


def _pass(request: SandboxRequest, who: Visitor, issue: Issue, found: Move) -> None:
    typed = typed_of(request)
    fieldset = fields_of(issue.project, issue.issue_type)
    held = Stored(issue)
    fields = {}
    for field in _fields(found, fieldset):
        # What nobody touched is no change: it may hold what can no longer be chosen.
        if is_touched(field, typed, initial(field, held.value(field), who.rights)):
            fields[field.id] = payload(field, typed)
    body: dict[str, Any] = {"fields": fields}
    said = sent_text(typed, "comment")
    if said not in ("", None):
        body["update"] = {"comment": [{"add": {"body": said}}]}
    planned = plan_move(found, issue, body, actor=who.rights, version="either")
    move(issue, found.number, actor=who.rights, found=found, planned=planned, remote=False)


def _screen(
    request: SandboxRequest, who: Visitor, issue: Issue, found: Move, refusal: FormErrors
) -> HttpResponse:
    fieldset = fields_of(issue.project, issue.issue_type)
    choices = Choices(fieldset, who.rights, issue)
    held = Stored(issue)
    posted = typed_of(request) if request.method == "POST" else None
    fields = _fields(found, fieldset)
    controls = []
    for field in fields:
        typed = posted or initial(field, held.value(field), who.rights)
        control = control_of(field, typed, choices, refusal.fields.get(field.id, ""))
        if field.id == "resolution":
            control = replace(control, required=True, none="Please select…")
        controls.append(control)
    context = {
        "issue": issue,
        "move": found,
        "controls": controls,
        "comment": typed_text(posted or {}, "comment"),
        "may_comment": who.rights.may_on("ADD_COMMENTS", issue),
        "problems": refusal.beside([control.id for control in controls]),
    }
    return page(
        request,
        who,
        "tracker/issue/transition.html",
        context,
        title=f"{found.name}: {issue.key}",
        project=issue.project,
        status=422 if refusal.sentences else 200,
    )


@form_of_issue
def watch(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Watch the issue or no longer do, oneself or, by those who manage that, somebody else."""
    account = posted_text(request, "account") or who.user.account_id
    if posted_text(request, "on") == "1":
        return settle(
            request, who, issue, lambda: add_watcher(issue, account, actor=who.rights), "watch"
        )
    return settle(
        request, who, issue, lambda: remove_watcher(issue, account, actor=who.rights), "watch"
    )


@form_of_issue
def vote(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Vote for the issue, or take the vote back."""
    way = add_vote if posted_text(request, "on") == "1" else remove_vote
    return settle(request, who, issue, lambda: way(issue, actor=who.rights), "watch")


@form_of_issue
def flag(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Say that something stands in the way of the issue, or no longer does."""
    return settle(
        request,
        who,
        issue,
        lambda: set_flag(issue, who, on=posted_text(request, "on") == "1"),
        "status",
    )


def set_flag(issue: Issue, who: Visitor, *, on: bool) -> None:
    """Set the flag of an issue, as boards show it, or take it away.

    Raises:
        Forbidden: they may not change the issue.
        Invalid: the site has no such field.
    """
    require_edit(issue, who.rights)
    field = flag_field()
    fieldset = fields_of(issue.project, issue.issue_type)
    known = fieldset.fields.get(field.key) if field is not None else None
    options = fieldset.options(known) if known is not None else ()
    if known is None or not options:
        raise Invalid("This issue cannot be flagged.")
    planned = Planned(fieldset, {known.id: (options[0],) if on else ()})
    edit_issue(issue, planned, actor=who.rights, trusted=True)


@page_of_issue
def delete(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Ask whether the issue is to be deleted, with its parts; then delete it."""
    if not who.rights.may_on("DELETE_ISSUES", issue):
        raise Forbidden("You do not have permission to delete issues in this project.")
    parts = Issue.objects.filter(parent=issue, issue_type__hierarchy_level__lt=0).count()
    if request.method == "POST":
        delete_issue(issue, actor=who.rights, delete_subtasks=True)
        text = f"{issue.key} has been deleted"
        return from_script(request, go(f"/browse/{issue.project.key}", text))
    said = f"You're about to permanently delete {issue.key}, its comments, attachments and data."
    if parts:
        said += f" Its {parts} subtasks are deleted with it."
    context = {
        "heading": f"Delete {issue.key}?",
        "said": said,
        "action": f"/browse/{issue.key}/delete",
        "button": "Delete",
        "cancel": issue_address(issue),
    }
    return page(
        request, who, "tracker/parts/confirm.html", context, title="Delete", project=issue.project
    )


@page_of_issue
def viewed(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Keep that somebody looks at the issue: their browser tells it when the page is there."""
    if request.method == "POST":
        view_issue(issue, who.user)
    return secured(HttpResponse(status=204))
