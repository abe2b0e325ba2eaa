"""Admin Center's team members: who they are, their role, groups, and the tickets they reach."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk.domain import group_members, skills, users
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound
from clones.helpdesk.models import (
    AgentValue,
    CustomRole,
    Group,
    GroupMembership,
    RoutingValue,
    User,
)
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import area, checks, depending, line, select, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.times import Times

ACTIVE = "admin_members"
ROLES = (("agent", "Agent"), ("admin", "Administrator"))
RESTRICTIONS = (
    ("", "All tickets"),
    ("groups", "Tickets in the agent's groups"),
    ("organization", "Tickets of the agent's organization"),
    ("assigned", "Tickets assigned to the agent"),
)
STATES = (("", "Any status"), ("active", "Active"), ("suspended", "Suspended"))
# Inputs of the form that are called otherwise than the domain's attributes.
INPUTS = {"custom_role": "custom_role_id", "default_group": "default_group_id"}
TEXTS = ("name", "alias", "phone", "signature", "details", "notes")
AREAS = frozenset({"signature", "details", "notes"})


@admin_page
def members(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the team, or those who are searched for."""
    role = keys.filter_of(request, "role", "Role", [("", "Any role"), *ROLES])
    state = keys.filter_of(request, "status", "Status", STATES)
    rows = _team()
    text = pages.search_text(request)
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(email__icontains=text))
    if role.value:
        rows = rows.filter(role=role.value)
    if state.value:
        rows = rows.filter(suspended=state.value == "suspended")
    listing = ListPage(
        "Team members",
        ACTIVE,
        [
            Panel(
                ("Name", "Email", "Role", "Groups", "Status", "Last sign-in"),
                empty="No team members.",
            )
        ],
        acts=[pages.creating("Create team member", reverse("helpdesk:admin_member_new"))],
        search=pages.search(request, role, state),
    )
    found = rows.select_related("custom_role").prefetch_related("group_memberships__group")
    times = Times(agent.user)
    return pages.show_list(
        request, agent, listing, found.order_by("name", "id"), lambda user: _line(user, times)
    )


@admin_page
def new_member(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new team member, or take it."""

    def write(sent: PageForm) -> WriteResult:
        made = _invite(_sent(sent), agent.user)
        return made.name, reverse("helpdesk:admin_member", args=[made.id])

    who = (line("name", "Name", required=True), line("email", "Email", required=True))
    form = Form(
        ACTIVE,
        "New team member",
        reverse("helpdesk:admin_members"),
        (FormSection("Profile", who), _reach_part({"role": "agent"})),
        submit_label="Create team member",
    )
    return pages.ask(request, agent, form, write, names=INPUTS)


@admin_page
def member(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a team member's form, or take it."""
    found = _member(key)

    def write(sent: PageForm) -> WriteResult:
        values = _sent(sent)
        _change(found, values, agent.user)
        return values["name"], reverse("helpdesk:admin_member", args=[key])

    return pages.ask(request, agent, _form(agent, found), write, record=found, names=INPUTS)


@admin_page
def suspend(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a team member shall be kept out, or let in again, and do it."""
    found = _member(key)
    back = reverse("helpdesk:admin_member", args=[key])
    verb = "Unsuspend" if found.suspended else "Suspend"
    consequence = (
        "They can sign in and work on tickets again."
        if found.suspended
        else "They can no longer sign in. Their tickets stay as they are."
    )
    question = ConfirmPage(
        ACTIVE, f"{verb} {found.name}", consequence, back, back, found.name, verb, "saved"
    )

    def act() -> None:
        if found.id == agent.user.id:
            raise RecordInvalid.of("base", "You cannot suspend yourself")
        users.update_user(found, actor=agent.user, changes={"suspended": not found.suspended})

    return pages.ask_first(request, agent, question, act)


@admin_page
def downgrade(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a team member shall become an end user, and do it."""
    found = _member(key)
    question = ConfirmPage(
        ACTIVE,
        f"Downgrade {found.name} to end user",
        "They leave their groups and no longer work at the desk. Their tickets that are not"
        " closed become yours, or, in groups that you are not in, another agent's. Their personal"
        " views and macros are deleted.",
        reverse("helpdesk:admin_member", args=[key]),
        reverse("helpdesk:admin_members"),
        found.name,
        "Downgrade",
        "saved",
    )

    def act() -> None:
        if found.id == agent.user.id:
            raise RecordInvalid.of("base", "You cannot downgrade yourself")
        users.update_user(found, actor=agent.user, changes={"role": "end-user"})

    return pages.ask_first(request, agent, question, act)


def _team() -> QuerySet[User]:
    return User.objects.filter(role__in=("agent", "admin"), active=True)


def _member(key: int) -> User:
    found = _team().filter(id=key).select_related("custom_role").first()
    if found is None:
        raise RecordNotFound("team member", key)
    return found


def _line(user: User, times: Times) -> ListRow:
    groups = sorted(item.group.name for item in user.group_memberships.all())
    seen = user.last_login_at
    return linked_row(
        reverse("helpdesk:admin_member", args=[user.id]),
        user.name,
        user.email,
        role_name(user),
        ", ".join(groups),
        "Suspended" if user.suspended else "Active",
        f"{times.day(seen):%-d %B %Y}" if seen else "Never",
    )


def role_name(user: User) -> str:
    """Return what a team member's role is called."""
    if user.role == "admin":
        return "Administrator"
    return user.custom_role.name if user.custom_role is not None else "Agent"


def _invite(values: dict[str, Any], actor: User) -> User:
    if not values["email"]:
        raise RecordInvalid.of("email", "Email: cannot be blank", "BlankValue")
    made = users.create_user(
        actor=actor, changes={name: values[name] for name in ("name", "email", "role")}
    )
    return _set_reach(made, values, actor)


def _change(user: User, values: dict[str, Any], actor: User) -> User:
    if user.id == actor.id and values["role"] != user.role:
        raise RecordInvalid.of("role", "Role: you cannot change your own role", "InvalidValue")
    given = {name: values[name] or None for name in TEXTS if name != "name"}
    changes = {"name": values["name"], "role": values["role"], **given}
    users.update_user(user, actor=actor, changes=changes)
    _set_reach(user, values, actor)
    held = AgentValue.objects.filter(agent=user).values_list("value_id", flat=True)
    if set(held) != set(values["skills"]):
        skills.set_agent_values(user, values["skills"], actor=actor)
    return user


def _set_reach(user: User, values: dict[str, Any], actor: User) -> User:
    """Set role, restriction and groups: a new role has set them anew before."""
    if user.role == "agent":
        changes: dict[str, Any] = {"ticket_restriction": values["ticket_restriction"] or None}
        if values["custom_role_id"]:
            changes["custom_role_id"] = values["custom_role_id"]
        users.update_user(user, actor=actor, changes=changes)
    if values["groups"]:
        _set_groups(user, values["groups"], actor)
    elif GroupMembership.objects.filter(user=user).exists():
        raise RecordInvalid.of("groups", "Groups: a team member needs one", "BlankValue")
    standing = GroupMembership.objects.filter(user=user)
    wanted = standing.filter(group_id=values["default_group_id"] or 0).first()
    if wanted is not None and not wanted.default:
        group_members.make_group_default(wanted, actor=actor)
    return user


def _set_groups(user: User, wanted: list[int], actor: User) -> None:
    standing = {item.group_id: item for item in GroupMembership.objects.filter(user=user)}
    for key in sorted(set(wanted) - standing.keys()):
        group_members.add_group_member(actor=actor, user_id=user.id, group_id=key)
    for key in sorted(standing.keys() - set(wanted)):
        group_members.remove_group_member(
            GroupMembership.objects.get(id=standing[key].id), actor=actor
        )


def _reach_of(user: User) -> dict[str, Any]:
    held = GroupMembership.objects.filter(user=user).order_by("group_id")
    default = next((item.group_id for item in held if item.default), user.default_group_id)
    return {
        "role": user.role,
        "custom_role_id": user.custom_role_id,
        "ticket_restriction": user.ticket_restriction or "",
        "groups": [item.group_id for item in held],
        "default_group_id": default,
    }


def _sent(sent: PageForm) -> dict[str, Any]:
    return {
        **{name: sent.text(name).strip() for name in ("email", *TEXTS)},
        "role": sent.text("role"),
        "custom_role_id": keys.number(sent.text("custom_role_id")),
        "ticket_restriction": sent.text("ticket_restriction"),
        "groups": keys.numbers_in(sent.several("groups")),
        "default_group_id": keys.number(sent.text("default_group_id")),
        "skills": sent.several("skills"),
    }


def _form(agent: Agent, user: User) -> Form:
    profile = [
        area(name, name.capitalize(), getattr(user, name))
        if name in AREAS
        else line(name, name.capitalize(), getattr(user, name), required=name == "name")
        for name in TEXTS
    ]
    profile.insert(1, static("email", "Email", user.email or "-"))
    state = "Unsuspend" if user.suspended else "Suspend"
    place = [user.id]
    links = [
        Action("View profile", reverse("helpdesk:user", args=place), test_id="admin-member-profile")
    ]
    if user.id != agent.user.id:
        links += [
            Action(
                state, reverse("helpdesk:admin_member_suspend", args=place), test_id="admin-suspend"
            ),
            Action(
                "Downgrade to end user",
                reverse("helpdesk:admin_member_downgrade", args=place),
                test_id="admin-downgrade",
            ),
        ]
    return Form(
        ACTIVE,
        f"{user.name} (suspended)" if user.suspended else user.name,
        reverse("helpdesk:admin_members"),
        (
            _reach_part(_reach_of(user)),
            *_skills_part(user),
            FormSection("Profile", tuple(profile)),
        ),
        links=tuple(links),
    )


def _reach_part(now: dict[str, Any]) -> FormSection:
    groups = list(
        Group.objects.filter(deleted=False).order_by("name", "id").values_list("id", "name")
    )
    roles = CustomRole.objects.exclude(role_type=4).order_by("name", "id")
    held = now.get("default_group_id")
    return FormSection(
        "Role and access",
        (
            select("role", "Role", now["role"], ROLES),
            depending(
                select(
                    "custom_role_id",
                    "Agent role",
                    now.get("custom_role_id"),
                    [("", "-"), *roles.values_list("id", "name")],
                    hint="What agents may do; administrators may do everything",
                ),
                "role=agent",
            ),
            depending(
                select(
                    "ticket_restriction",
                    "Tickets agents can access",
                    now.get("ticket_restriction"),
                    RESTRICTIONS,
                ),
                "role=agent",
            ),
            checks("groups", "Groups", now.get("groups", ()), groups),
            select("default_group_id", "Default group", held, [("", "-"), *groups]),
        ),
    )


def _skills_part(user: User) -> tuple[FormSection, ...]:
    """Return the part of the skills, if the account has any."""
    held = AgentValue.objects.filter(agent=user).values_list("value_id", flat=True)
    rows = RoutingValue.objects.select_related("attribute").order_by("attribute__name", "name")
    options = [(item.id, f"{item.attribute.name}: {item.name}") for item in rows]
    return (FormSection("Skills", (checks("skills", "Skills", held, options),)),) if options else ()
