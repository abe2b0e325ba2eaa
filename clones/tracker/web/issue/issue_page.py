"""The page of an issue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.attachments import are_enabled
from clones.tracker.domain.transitions import available, screen_of
from clones.tracker.models import (
    Attachment,
    Group,
    Issue,
    IssueLink,
    IssueType,
    ProjectRole,
    RemoteLink,
    Vote,
    Watcher,
)
from clones.tracker.queries.agile_fields import flag_field
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import BROWSE, Rights, find_issue, visible_issues
from clones.tracker.queries.work_time import is_tracked
from clones.tracker.web.access import Visitor
from clones.tracker.web.automation.manual import manual_entries
from clones.tracker.web.desk.panels import desk_panels
from clones.tracker.web.frame.create import link_words
from clones.tracker.web.frame.entries import is_there
from clones.tracker.web.issue.access import (
    TABS,
    IssuePageState,
    page_of_issue,
    print_address,
    read_page_state,
)
from clones.tracker.web.issue.activity import IssueActivity
from clones.tracker.web.issue.details import Details
from clones.tracker.web.parts.choices import Choice
from clones.tracker.web.parts.rich import typed_text
from clones.tracker.web.parts.times import when
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.shell import page, words

CHILDREN = 200
# What an address of a page begins with.
WEB = ("http://", "https://", "mailto:")


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """Links of one kind and one way: what is said of the other ends, and these."""

    words: str
    ends: Sequence[tuple[int, Issue]]


@page_of_issue
def browse(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Show an issue."""
    return show_issue(request, who, issue, read_page_state(request))


def show_issue(
    request: SandboxRequest, who: Visitor, issue: Issue, asked: IssuePageState, *, status: int = 200
) -> HttpResponse:
    """Return the page of an issue; after a refusal, with what was refused and 422."""
    if status != 200:
        issue = find_issue(who.rights, issue.id)  # as it is, not as it nearly became
    context = issue_context(issue, who, asked)
    return page(
        request,
        who,
        "tracker/issue/issue.html",
        context,
        title=f"[{issue.key}] {issue.summary}",
        project=issue.project,
        status=status,
    )


def issue_context(issue: Issue, who: Visitor, asked: IssuePageState) -> dict[str, Any]:
    """Return what the templates of an issue need beside the frame's."""
    sightings.note(issue, "detail")
    rights = who.rights
    details = Details(issue, rights, asked)
    screen = set(details.fieldset.fields)
    kinds = types_of(issue.project)
    family = _family(issue, rights, kinds)
    return {
        "issue": issue,
        "asked": asked,
        "at": f"/browse/{issue.key}",
        "details": details,
        "summary": details.detail("summary"),
        "description": details.detail("description") if "description" in screen else None,
        "panel": details.panel,
        "moves": _moves(issue, rights),
        "tabs": TABS,
        "feed": IssueActivity(issue, rights, asked).feed(),
        "desk": desk_panels(issue, rights),
        "created": when(issue.created, rights.zone),
        "updated": when(issue.updated, rights.zone),
        "resolved": when(issue.resolution_date, rights.zone),
        "typed": asked.typed,
        "said": typed_text(asked.typed if asked.place == "comment" else {}, "body"),
        "problems": {asked.place: asked.refusal.sentences} if asked.refusal.sentences else {},
        **family,
        **_standing(issue, rights),
        **_abilities(issue, who),
        **_acts(issue, rights, details, kinds, family["children"]),
    }


def embedded(issue: Issue, who: Visitor) -> SafeString:
    """Return an issue as its page shows it, to stand in another page."""
    frame = {"token": who.token, "words": words(), "user": who.user}
    context = {**frame, **issue_context(issue, who, IssuePageState())}
    return render_to_string("tracker/issue/_whole.html", context)


def _moves(issue: Issue, rights: Rights) -> list[dict[str, Any]]:
    """Return the transitions that people are offered, and whether each asks for something."""
    found = available([issue], rights, remote=False)[issue.id]
    return [{"move": move, "asks": bool(screen_of(move))} for move in found]


def _family(issue: Issue, rights: Rights, kinds: Sequence[IssueType]) -> dict[str, Any]:
    """Return the issues above, below and beside, of those that are seen."""
    above: list[Issue] = []
    parent = issue.parent
    while parent is not None and len(above) < 5 and rights.may_on(BROWSE, parent):
        above.insert(0, parent)
        parent = parent.parent
    rows = visible_issues(rights).filter(parent=issue).order_by("rank", "id")
    children = list(
        rows.select_related("project", "issue_type", "status", "priority", "assignee")[:CHILDREN]
    )
    done = sum(child.status.category == "done" for child in children)
    return {
        "above": above,
        "children": children,
        "children_done": done,
        "child_types": below(issue, kinds) if rights.may("CREATE_ISSUES", issue.project) else [],
        "linked": _links(issue, rights),
        "web_links": _web_links(issue),
        "link_words": link_words({}) if rights.may_on("LINK_ISSUES", issue) else [],
    }


def child_types(issue: Issue) -> list[IssueType]:
    """Return the types that issues below an issue can have."""
    return below(issue, types_of(issue.project))


def below(issue: Issue, kinds: Sequence[IssueType]) -> list[IssueType]:
    """Return those of its space's types that issues below an issue can have."""
    if issue.archived_at is not None:
        return []
    level = issue.issue_type.hierarchy_level - 1
    return [one for one in kinds if one.hierarchy_level == level]


def _links(issue: Issue, rights: Rights) -> list[LinkGroup]:
    found: dict[str, list[tuple[int, Issue]]] = {}
    ends = ("project", "issue_type", "status", "priority", "assignee")
    for end, other, way in (
        ("source", "destination", "outward"),
        ("destination", "source", "inward"),
    ):
        rows = IssueLink.objects.filter(**{end: issue})
        related = [f"{other}__{name}" for name in ends]
        for link in rows.select_related("type", other, *related).order_by("type__name", "id"):
            far: Issue = getattr(link, other)
            if rights.may_on(BROWSE, far):
                found.setdefault(getattr(link.type, way), []).append((link.id, far))
    return [LinkGroup(words, rows) for words, rows in found.items()]


def _web_links(issue: Issue) -> list[dict[str, Any]]:
    """Return the links to pages elsewhere: key, address, and the words that stand for it."""
    rows = list(RemoteLink.objects.filter(issue=issue).order_by("id"))
    for row in rows:
        sightings.note(row, "list")
    return [
        {
            "id": row.id,
            "url": _safe(str(row.object.get("url", ""))),
            "title": str(row.object.get("title", "")),
            "from": str(row.application.get("name", "")),
        }
        for row in rows
    ]


def _safe(address: str) -> str:
    """Return an address that a page may lead to, "" for what is none of the web."""
    return address if address.startswith(WEB) else ""


def _standing(issue: Issue, rights: Rights) -> dict[str, Any]:
    """Return who watches and wants it, and its files."""
    watchers = list(Watcher.objects.filter(issue=issue).select_related("user").order_by("id"))
    votes = list(Vote.objects.filter(issue=issue).values_list("user_id", flat=True))
    me = rights.user.id if rights.user is not None else 0
    files = Attachment.objects.filter(issue=issue).defer("blob").select_related("author")
    field = flag_field()
    return {
        "watchers": watchers,
        "watching": any(row.user_id == me for row in watchers),
        "votes": len(votes),
        "voted": me in votes,
        "files": [
            {
                "row": row,
                "when": when(row.created, rights.zone),
                "deletable": _may_delete(row, issue, rights),
            }
            for row in files.order_by("-created", "-id")[:200]
        ],
        "is_flagged": field is not None and issue.field_values.filter(field=field).exists(),
        "can_flag": field is not None,
    }


def _may_delete(row: Attachment, issue: Issue, rights: Rights) -> bool:
    mine = rights.user is not None and row.author_id == rights.user.id
    if mine and rights.may_on("DELETE_OWN_ATTACHMENTS", issue):
        return True
    return rights.may_on("DELETE_ALL_ATTACHMENTS", issue)


def _abilities(issue: Issue, who: Visitor) -> dict[str, Any]:
    """Return what whoever looks may do beside changing fields."""
    rights = who.rights
    is_desk = issue.project.type == "service_desk"
    return {
        "may_comment": rights.may_on("ADD_COMMENTS", issue),
        "may_attach": are_enabled() and rights.may_on("CREATE_ATTACHMENTS", issue),
        "may_log": is_tracked() and rights.may_on("WORK_ON_ISSUES", issue),
        "may_delete": rights.may_on("DELETE_ISSUES", issue),
        "may_manage_watchers": rights.may_on("MANAGE_WATCHERS", issue),
        "sees_watchers": rights.may_on("VIEW_VOTERS_AND_WATCHERS", issue),
        "is_desk": is_desk,
        "is_mine": issue.assignee_id == who.user.id,
        "audiences": audiences(issue, rights),
    }


def _acts(
    issue: Issue,
    rights: Rights,
    details: Details,
    kinds: Sequence[IssueType],
    children: Sequence[Issue],
) -> dict[str, Any]:
    """Return which of the acts on an issue as a whole are offered to somebody."""
    archived = issue.archived_at is not None
    subtask = issue.issue_type.subtask
    level = 0 if subtask else -1
    other = any(one.hierarchy_level == level for one in kinds)
    alone = subtask or (issue.issue_type.hierarchy_level == 0 and not children)
    return {
        "archived": archived,
        "may_archive": rights.is_admin and not archived and not subtask,
        "may_restore": rights.is_admin and archived and not subtask,
        "may_clone": not archived and rights.may("CREATE_ISSUES", issue.project),
        "manual_rules": [] if archived else manual_entries(rights, issue),
        "may_move": rights.may_on("MOVE_ISSUES", issue),
        "may_convert": other and alone and rights.may_on("EDIT_ISSUES", issue),
        "may_reparent": any(one.field.id == "parent" and one.editable for one in details.panel),
        "print_address": print_address(issue),
        "configure_address": _configure_address(issue, rights),
    }


def _configure_address(issue: Issue, rights: Rights) -> str:
    """Return where those who run a space say which fields its issues show, "" for others."""
    page_of_fields = "issuetypes" if issue.project.simplified else "screens"
    address = settings_address(issue.project, page_of_fields)
    runs = rights.may("ADMINISTER_PROJECTS", issue.project)
    return address if runs and is_there(address) else ""


def audiences(issue: Issue, rights: Rights, chosen: str = "") -> list[Choice]:
    """Return the roles and groups of somebody to which they can restrict what they say."""
    roles = ProjectRole.objects.filter(id__in=sorted(rights.role_ids(issue.project_id)))
    groups = Group.objects.filter(uuid__in=sorted(rights.group_uuids))
    named = [(f"role:{row.id}", row.name, "Roles") for row in roles.order_by("name", "id")]
    named += [(f"group:{row.uuid}", row.name, "Groups") for row in groups.order_by("name", "id")]
    return [Choice(value, label, value == chosen, group) for value, label, group in named]
