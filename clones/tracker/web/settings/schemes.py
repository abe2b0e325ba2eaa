"""The schemes that say who may what in a space, who is told of what, and who sees which issues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text, was_sent
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.permission_schemes import assign_permission_scheme
from clones.tracker.domain.projects import update_project
from clones.tracker.domain.security_schemes import associate_scheme
from clones.tracker.models import (
    Issue,
    Notification,
    NotificationScheme,
    PermissionGrant,
    PermissionScheme,
    Project,
    SecurityLevel,
    SecurityMember,
    SecurityScheme,
)
from clones.tracker.queries.holder_names import holder_names
from clones.tracker.rules.notification_events import EVENTS
from clones.tracker.rules.permission_catalogue import PERMISSIONS
from clones.tracker.web.access import Visitor
from clones.tracker.web.frame.entries import is_there
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.access import done, page_of_settings, settings_page
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of
from clones.tracker.web.settings.sheets import ask, sheet_page
from clones.tracker.web.vocabulary import say, speaker

PERMISSION: Final = "permissions"
NOTIFICATION: Final = "notifications"
SECURITY: Final = "issuesecurity"
ADMIN: Final = "/jira/settings/issues"


@dataclass(frozen=True, slots=True)
class SchemeEntry:
    """What a scheme says of one thing: a permission, an event, a level."""

    name: str
    about: str
    holders: Sequence[str]
    usual: bool = False


def editor_of(kind: str, key: int, who: Visitor) -> str:
    """Return where the site's admins edit a scheme, "" for others and where no page does."""
    address = f"{ADMIN}/{kind}/{key}"
    return address if who.rights.is_admin and is_there(address) else ""


def scheme_page(
    request: SandboxRequest,
    who: Visitor,
    project: Project,
    context: dict[str, Any],
    *,
    title: str,
    current: str,
) -> HttpResponse:
    """Return a page of a scheme in force.

    Args:
        request: the request at hand.
        who: who looks.
        project: the space.
        context: `scheme` or None, `kind` (what it is called), `editor` (where it is edited), and
            what the template of the page needs.
        title: of the page.
        current: its path among the settings.
    """
    frame = {"switch": who.rights.is_admin and not project.simplified}
    if project.simplified:
        # Its schemes are its own: the site's administration does not know them.
        context = {**context, "editor": ""}
    return settings_page(
        request, who, project, f"tracker/settings/{current}.html", {**frame, **context},
        title=title, current=current,
    )  # fmt: skip


@page_of_settings
def permissions(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show who holds which permission."""
    scheme = project.permission_scheme
    grants = list(PermissionGrant.objects.filter(scheme=scheme).order_by("id"))
    names = holder_names(((one.holder_type, one.parameter) for one in grants), spoken=speaker())
    held: dict[str, list[str]] = defaultdict(list)
    for one in grants:
        held[one.permission].append(names[one.holder_type, one.parameter])
    rows = [
        SchemeEntry(one.name, one.description, sorted(held[one.key]))
        for one in PERMISSIONS.values()
        if one.kind == "PROJECT"
    ]
    context = {
        "scheme": scheme,
        "kind": "permission scheme",
        "rows": rows,
        "editor": editor_of("permission-schemes", scheme.id, who),
    }
    return scheme_page(request, who, project, context, title="Permissions", current=PERMISSION)


@page_of_settings
def notifications(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show who is told of what."""
    scheme = project.notification_scheme
    told = list(Notification.objects.filter(scheme=scheme).order_by("id")) if scheme else []
    names = holder_names(((one.type, one.parameter) for one in told), spoken=speaker())
    heard: dict[int, list[str]] = defaultdict(list)
    for one in told:
        heard[one.event].append(names[one.type, one.parameter])
    rows = [SchemeEntry(name, about, sorted(heard[key])) for key, (name, about) in EVENTS.items()]
    context = {
        "scheme": scheme,
        "kind": "notification scheme",
        "rows": rows if scheme else [],
        "editor": editor_of("notification-schemes", scheme.id, who) if scheme else "",
    }
    return scheme_page(request, who, project, context, title="Notifications", current=NOTIFICATION)


@page_of_settings
def security(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the levels by which issues are hidden, and who sees what they hide."""
    scheme = project.security_scheme
    levels = list(SecurityLevel.objects.filter(scheme=scheme).order_by("name", "id"))
    members = list(SecurityMember.objects.filter(level__in=levels).order_by("id"))
    names = holder_names(((one.holder_type, one.parameter) for one in members), spoken=speaker())
    seen: dict[int, list[str]] = defaultdict(list)
    for one in members:
        seen[one.level_id].append(names[one.holder_type, one.parameter])
    usual = None if scheme is None else scheme.default_level_id
    context = {
        "scheme": scheme,
        "kind": "work item security scheme",
        "rows": [
            SchemeEntry(one.name, one.description, sorted(seen[one.id]), one.id == usual)
            for one in levels
        ],
        "editor": editor_of("security-schemes", scheme.id, who) if scheme else "",
    }
    return scheme_page(request, who, project, context, title="Issue security", current=SECURITY)


def switch_page(
    request: SandboxRequest,
    who: Visitor,
    project: Project,
    switch: Input,
    assign: Callable[[str], object],
    *,
    title: str,
    current: str,
) -> HttpResponse:
    """Show the form that gives a space another scheme, or take it.

    Args:
        request: the request at hand.
        who: who asks: an admin of the site.
        project: the space.
        switch: the choice of the scheme.
        assign: gives the space the one with the key that was chosen, "" for none.
        title: of the form.
        current: the path of the page that it belongs to.
    """
    back = settings_address(project, current)
    sheet = FormPage(title, request.path, back, [switch], button="Use scheme")

    def write(sent: PageForm) -> str:
        assign(sent.text(switch.name))
        return "Scheme changed"

    return ask(request, who, project, sheet, write, current=current)


@page_of_settings
def use_permissions(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Let the space use another permission scheme."""
    admins_only(who.rights)
    own = Project.objects.filter(style="next-gen").values("permission_scheme")
    rows = PermissionScheme.objects.exclude(id__in=own).order_by("name", "id")
    now = str(project.permission_scheme_id)
    switch = Input(
        "scheme",
        "Permission scheme",
        "select",
        choices=chosen(rows.values_list("id", "name"), [now]),
    )

    def assign(key: str) -> None:
        assign_permission_scheme(project, _one(rows, key or now), actor=who.rights)

    return switch_page(
        request, who, project, switch, assign,
        title="Use a different permission scheme", current=PERMISSION,
    )  # fmt: skip


@page_of_settings
def use_notifications(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Let the space use another notification scheme, or none."""
    admins_only(who.rights)
    rows = NotificationScheme.objects.order_by("name", "id")
    before = "" if project.notification_scheme_id is None else str(project.notification_scheme_id)
    switch = Input(
        "scheme",
        "Notification scheme",
        "select",
        choices=chosen(rows.values_list("id", "name"), [before]),
        none="None",
    )

    def assign(key: str) -> None:
        found = _one(rows, key) if key else None
        update_project(project, {"notification_scheme": found}, actor=who.rights)

    return switch_page(
        request, who, project, switch, assign,
        title="Use a different notification scheme", current=NOTIFICATION,
    )  # fmt: skip


@page_of_settings
def use_security(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Let the space use another security scheme: its issues get the levels that are said.

    The scheme is chosen first; where issues have levels, what becomes of each is asked then.
    """
    admins_only(who.rights)
    rows = SecurityScheme.objects.order_by("name", "id")
    before = "" if project.security_scheme_id is None else str(project.security_scheme_id)
    now = posted_text(request, "scheme") if request.method == "POST" else before
    switch = Input(
        "scheme",
        "Work item security scheme",
        "select",
        choices=chosen(rows.values_list("id", "name"), [now]),
        none="None",
    )
    sheet = FormPage(
        "Use a different security scheme",
        request.path,
        settings_address(project, SECURITY),
        [switch],
        button="Next" if _used_levels(project) else "Use scheme",
    )
    if request.method != "POST":
        return sheet_page(request, who, project, sheet, current=SECURITY)
    scheme = rows.filter(id=number_of(now) or 0).first()
    used = _used_levels(project)
    if used and not was_sent(request, "mapped") and now != before:
        return sheet_page(
            request, who, project, _mapping(sheet, scheme, now, used), current=SECURITY
        )
    mappings: dict[int | None, int | None] = {
        one.id: number_of(posted_text(request, f"level-{one.id}")) for one in used
    }
    _, refusal = attempt(lambda: associate_scheme(project, scheme, mappings, actor=who.rights))
    if refusal is not None:
        return sheet_page(request, who, project, sheet.refused(refusal), current=SECURITY)
    return done(request, project, SECURITY, "The scheme is being changed")


def _used_levels(project: Project) -> list[SecurityLevel]:
    """Return the levels that issues of a space have."""
    issues = Issue.objects.filter(project=project).exclude(security_level=None)
    keys = issues.order_by().values("security_level")
    return list(SecurityLevel.objects.filter(id__in=keys).order_by("name", "id"))


def _mapping(
    sheet: FormPage, scheme: SecurityScheme | None, now: str, used: Sequence[SecurityLevel]
) -> FormPage:
    levels = [] if scheme is None else list(scheme.levels.order_by("name", "id"))
    rows = [(one.id, one.name) for one in levels]
    inputs = [
        Input("scheme", "", "hidden", now),
        Input("mapped", "", "hidden", "1"),
        *(
            Input(
                f"level-{one.id}",
                f"Work items with {one.name}",
                "select",
                choices=chosen(rows, [next((key for key, name in rows if name == one.name), "")]),
                none="None",
            )
            for one in used
        ),
    ]
    said = say("Work items of this space have security levels. Say which they get.")
    return replace(sheet, inputs=inputs, button="Use scheme", said=said)


def _one(rows: Any, text: str) -> Any:
    found = rows.filter(id=number_of(text) or 0).first()
    if found is None:
        raise Invalid(fields={"scheme": "Choose a scheme."})
    return found
