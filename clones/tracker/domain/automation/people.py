"""People whom rules name: by account, address or name, by their part in an issue, by groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import Q

from clones.core.digits import is_digits
from clones.tracker.domain.automation.context import Run
from clones.tracker.models import Comment, Group, GroupMember, Issue, RoleActor, User
from clones.tracker.queries.automation_values import NamedParts
from clones.tracker.queries.recipients import voters_of, watchers_of
from clones.tracker.queries.rule_values import values_of


def user_called(text: str) -> User | None:
    """Return the active user with an account id, an address or a name; None of an unknown one."""
    said = text.strip()
    if not said or "\0" in said:
        return None
    rows = User.objects.filter(active=True).order_by("id")
    exact = rows.filter(account_id=said).first() if len(said) <= 128 else None
    if exact is not None:
        return exact
    return rows.filter(Q(email__iexact=said) | Q(display_name__iexact=said)).first()


def people_named(run: Run, line: Mapping[str, Any]) -> list[User]:
    """Return the people whom a line of a form names.

    `{"type", "value"}`: ID an account, COPY a part in the issue, SMART and FREE a text, GROUP and
    ROLE their people; `values` are several accounts.
    """
    kind, value = str(line.get("type", "FREE")), line.get("value")
    if isinstance(line.get("values"), list):
        return [user for one in line["values"] if (user := user_called(str(one))) is not None]
    if kind in ("COPY", "FIELD"):
        return people_with_part(run, str(value))
    if kind == "GROUP":
        return members_of_group(str(value))
    if kind == "ROLE":
        return members_of_role(run, str(value))
    found = run.value(value)
    items = found if isinstance(found, list | tuple) else [found]
    people = []
    for item in items:
        account = item.part("accountId") if isinstance(item, NamedParts) else None
        texts = (
            [account] if account else run.texts(value) if not isinstance(item, NamedParts) else []
        )
        people += [user for text in texts if (user := user_called(str(text))) is not None]
    return list(dict.fromkeys(people))


def members_of_group(name: str) -> list[User]:
    """Return the active people of a group, by name."""
    group = Group.objects.filter(Q(uuid=name) | Q(name=name)).order_by("id").first()
    rows = GroupMember.objects.filter(group=group).values("user")
    return list(_active().filter(id__in=rows)) if group is not None else []


def members_of_role(run: Run, role: str) -> list[User]:
    """Return the active people who fill a role in the run's space, by name."""
    if run.project is None:
        return []
    number = Q(role=int(role)) if is_digits(role, 17) else Q(pk__in=[])
    rows = RoleActor.objects.filter(number | Q(role__name=role), project=run.project)
    groups = GroupMember.objects.filter(group__in=rows.filter(group__isnull=False).values("group"))
    mine = Q(id__in=rows.filter(user__isnull=False).values("user"))
    return list(_active().filter(mine | Q(id__in=groups.values("user"))))


def _active() -> Any:
    return User.objects.filter(active=True).order_by("display_name", "id")


def people_with_part(run: Run, part: str) -> list[User]:
    """Return who has a part in the issue at hand: its assignee, its watchers, a field's people."""
    if part in ("initiator", "userWhoTriggeredEvent"):
        return [] if run.initiator is None else [run.initiator]
    if part == "actor":
        return [] if run.actor.user is None else [run.actor.user]
    if run.issue is None:
        lead = run.project.lead if part == "lead" and run.project is not None else None
        return [] if lead is None else [lead]
    issue = run.row()
    reader = _PARTS.get(part)
    if reader is not None:
        return [user for user in reader(issue) if user is not None and user.active]
    accounts = [one.id for one in values_of(part, [issue]).get(issue.id, ())]
    return list(_active().filter(account_id__in=accounts)) if accounts else []


def _ids(ids: set[int]) -> list[User]:
    return list(_active().filter(id__in=sorted(ids)))


def _component_leads(issue: Issue) -> list[User | None]:
    rows = issue.component_links.select_related("component__lead").order_by("id")
    return [row.component.lead for row in rows]


def _last_commenter(issue: Issue) -> list[User | None]:
    rows = Comment.objects.filter(issue=issue, author__isnull=False).select_related("author")
    found = rows.order_by("-created", "-id").first()
    return [] if found is None else [found.author]


_PARTS: Final[dict[str, Callable[[Issue], list[Any]]]] = {
    "assignee": lambda issue: [issue.assignee],
    "reporter": lambda issue: [issue.reporter],
    "creator": lambda issue: [issue.creator],
    "lead": lambda issue: [issue.project.lead],
    "componentLead": _component_leads,
    "lastCommenter": _last_commenter,
    "watchers": lambda issue: _ids(watchers_of(issue)),
    "voters": lambda issue: _ids(voters_of(issue)),
    "participants": lambda issue: [row.user for row in issue.participants.select_related("user")],
}
