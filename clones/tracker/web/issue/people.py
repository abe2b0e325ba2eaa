"""Who watches an issue and who wants it, telling people of it, and naming them in texts."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q
from django.http import HttpResponse, JsonResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_lines, posted_text, posted_texts
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.notices import Notice, Recipients, send_notice
from clones.tracker.domain.notifications import HOME
from clones.tracker.domain.settings import setting
from clones.tracker.domain.watching import add_watcher, remove_watcher
from clones.tracker.models import Issue, User, Vote, Watcher
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.web.access import Visitor
from clones.tracker.web.issue.access import issue_address, page_of_issue
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.plain_pages import secured
from clones.tracker.web.shell import from_script, go, page, words

PEOPLE: Final = 500
OFFERED: Final = 10
MAY_NOT_LOOK: Final = "You do not have permission to view the voters and watchers of this issue."


def people_to_name() -> list[tuple[str, str]]:
    """Return the account ids and names of those who can be named: no customers, no apps."""
    rows = User.objects.filter(active=True, account_type="atlassian")
    found = rows.order_by("display_name", "id").values_list("account_id", "display_name")
    return list(found[:PEOPLE])


@page_of_issue
def watchers(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Show who watches the issue; those who manage that add people and take them away."""
    rights = who.rights
    _require_looking(rights, issue)
    refusal: FormErrors | None = None
    if request.method == "POST":
        add, remove = posted_text(request, "add"), posted_text(request, "remove")
        _, refusal = attempt(lambda: _change(issue, add, remove, rights))
        if refusal is None:
            issue = find_issue(rights, issue.id)
    rows = Watcher.objects.filter(issue=issue).select_related("user")
    manages = rights.may_on("MANAGE_WATCHERS", issue)
    people = [row.user for row in rows.order_by("user__display_name", "user_id")]
    there = {user.account_id for user in people}
    context = {
        "issue": issue,
        "heading": f"Watchers of {issue.key}",
        "people": people,
        "manages": manages,
        "others": [one for one in people_to_name() if one[0] not in there] if manages else [],
        "nobody": f"Nobody watches this {words().item}.",
        "problems": refusal.sentences if refusal is not None else [],
    }
    return _people_page(request, who, issue, context)


def _change(issue: Issue, add: str, remove: str, rights: Rights) -> None:
    if remove:
        remove_watcher(issue, remove, actor=rights)
    elif add:
        add_watcher(issue, add, actor=rights)
    else:
        raise Invalid("Select somebody to add.")


@page_of_issue
def voters(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Show who voted for the issue."""
    _require_looking(who.rights, issue)
    rows = Vote.objects.filter(issue=issue).select_related("user")
    context = {
        "issue": issue,
        "heading": f"Voters for {issue.key}",
        "people": [row.user for row in rows.order_by("user__display_name", "user_id")],
        "nobody": f"Nobody voted for this {words().item}.",
    }
    return _people_page(request, who, issue, context)


def _people_page(
    request: SandboxRequest, who: Visitor, issue: Issue, context: dict[str, Any]
) -> HttpResponse:
    return page(
        request, who, "tracker/issue/people.html", context,
        title=str(context["heading"]), project=issue.project,
        status=422 if context.get("problems") else 200,
    )  # fmt: skip


def _require_looking(rights: Rights, issue: Issue) -> None:
    if not rights.may_on("VIEW_VOTERS_AND_WATCHERS", issue):
        raise Forbidden(MAY_NOT_LOOK)


@page_of_issue
def share(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Ask with whom to share the issue; then mail them."""
    refusal: FormErrors | None = None
    if request.method == "POST":
        wanted = [one for one in posted_texts(request, "people") if one]
        said = posted_lines(request, "message")
        told, refusal = attempt(lambda: _tell(issue, who, wanted, said))
        if refusal is None:
            names = ", ".join(user.display_name for user in told or ())
            return from_script(request, go(issue_address(issue), f"Shared with {names}"))
    context = {
        "issue": issue,
        "people": people_to_name(),
        "chosen": posted_texts(request, "people"),
        "message": posted_text(request, "message", strip=False),
        "problems": refusal.sentences if refusal is not None else [],
    }
    return page(
        request, who, "tracker/issue/share.html", context,
        title=f"Share {issue.key}", project=issue.project,
        status=422 if refusal is not None else 200,
    )  # fmt: skip


def _tell(issue: Issue, who: Visitor, wanted: list[str], said: str) -> list[User]:
    """Mail people that somebody wants them to see an issue, and return who got it.

    Raises:
        Invalid: nobody is named, or nobody of them sees the issue.
    """
    if not wanted:
        raise Invalid("Select at least one person to share with.")
    name = who.user.display_name
    address = f"{setting('jira.baseurl', HOME)}/browse/{issue.key}"
    parts = [f"{name} shared a {words().item} with you", f"{issue.key} {issue.summary}", said]
    notice = Notice(
        Recipients(users=wanted),
        subject=f"{name} shared “{issue.key} {issue.summary}” with you",
        text="\n\n".join([*filter(None, parts), address]),
    )
    told = send_notice(issue, notice, actor=who.rights)
    if not told:
        raise Invalid(f"None of them can see this {words().item}.")
    return told


@page_of_issue
def mentionable(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Return, as JSON, people whose names begin as `q` says, to name them in a text.

    They stand as {"people": [{"id", "name"}]}; those who have to do with the issue come first.
    """
    text = request.GET.get("q", "").strip()
    rows = User.objects.filter(active=True, account_type="atlassian")
    if text:
        rows = rows.filter(
            Q(display_name__istartswith=text) | Q(display_name__icontains=f" {text}")
        )
    near = [issue.assignee_id, issue.reporter_id]
    found = list(rows.order_by("display_name", "id")[: 5 * OFFERED])
    found.sort(key=lambda user: user.id not in near)
    people = [{"id": user.account_id, "name": user.display_name} for user in found[:OFFERED]]
    return secured(JsonResponse({"people": people}))
