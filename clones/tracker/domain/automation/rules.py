"""Rules: made, changed, turned on and off, copied, deleted, brought in and out as JSON."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from clones.core import clock, ids
from clones.tracker.domain.automation.recording import record_change
from clones.tracker.domain.automation.scheduling import drop_timer, set_timer
from clones.tracker.domain.errors import Conflict, Forbidden, Invalid, NotFound
from clones.tracker.domain.numbering import new_uuid, next_id
from clones.tracker.domain.people import create_user
from clones.tracker.models import AutomationRule, Project, User
from clones.tracker.queries.automation import (
    ADMINISTER,
    APP_NAME,
    automation_user,
    may_change_rule,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.automation.documents import (
    TRIGGER_ID,
    BadRule,
    Component,
    numbered,
    problems,
    read_components,
    read_trigger,
)
from clones.tracker.rules.automation.events import INCOMING

LONGEST_NAME: Final = 255
MOST_LABELS: Final = 20
NOTIFY: Final = ("FIRSTERROR", "EVERYERROR", "NEVER")
ACCESS: Final = ("UNRESTRICTED", "OWNER_ONLY")
NOT_ALLOWED: Final = "You do not have permission to manage automation rules here."
NOT_YOURS: Final = "You do not have permission to change this rule."
# What of a rule can be changed, as the audit log calls it.
_FIELDS: Final = {
    "name": "Name",
    "description": "Description",
    "labels": "Labels",
    "allow_chains": "Allow rule trigger",
    "notify_on_error": "Notify on error",
    "write_access": "Who can edit this rule",
    "collaborators": "Collaborators",
    "projects": "Scope",
    "trigger": "Trigger",
    "components": "Components",
    "owner": "Owner",
    "actor": "Actor",
}


@dataclass(frozen=True, slots=True)
class RuleDraft:
    """A rule to be made, in plain data.

    `trigger` and `components` are the vendor's JSON; of each only type and value are needed.
    `projects` are the spaces it is about, none for the whole site. Without an actor it is the app
    of automation, without an owner whoever makes it.
    """

    name: str
    trigger: Mapping[str, Any] | None
    components: Sequence[Mapping[str, Any]] = ()
    description: str = ""
    projects: Sequence[Project] = ()
    labels: Sequence[str] = ()
    owner: User | None = None
    actor: User | None = None
    enabled: bool = True
    allow_chains: bool = False
    notify_on_error: str = "FIRSTERROR"
    write_access: str = "UNRESTRICTED"
    collaborators: Sequence[str] = field(default_factory=tuple)
    uuid: str | None = None


def ensure_automation_user() -> User:
    """Return the app in whose name rules act, made when the first rule is."""
    return automation_user() or create_user(APP_NAME, None, account_type="app", time_zone="UTC")


def create_rule(draft: RuleDraft, *, actor: Rights) -> AutomationRule:
    """Make a rule.

    Raises:
        Forbidden: the actor manages no rules of these spaces, or of the site.
        Invalid: the name is missing, a component is none, or one that is to be turned on lacks
            something.
        Conflict: the uuid is another rule's.
    """
    spaces = [project.id for project in draft.projects]
    _require(actor, spaces)
    maker = actor.user
    if maker is None:
        raise Forbidden(NOT_ALLOWED)
    trigger, components = read_rule(draft.trigger, draft.components)
    _check_ready(trigger, components, enabled=draft.enabled)
    uuid = draft.uuid or new_uuid(AutomationRule)
    if AutomationRule.objects.filter(uuid=uuid).exists():
        raise Conflict(f"A rule with the UUID {uuid} exists already.")
    now = clock.now()
    rule = AutomationRule.objects.create(
        id=next_id(AutomationRule),
        uuid=uuid,
        name=_name(draft.name),
        description=draft.description.strip(),
        enabled=draft.enabled,
        owner=draft.owner or maker,
        actor=_actor(draft.actor, actor),
        projects=spaces,
        labels=_labels(draft.labels),
        trigger_type="" if trigger is None else trigger["type"],
        trigger=trigger or {},
        components=components,
        allow_chains=draft.allow_chains,
        notify_on_error=_one_of(draft.notify_on_error, NOTIFY, "notifyOnError"),
        write_access=_one_of(draft.write_access, ACCESS, "writeAccessType"),
        collaborators=list(draft.collaborators),
        hook=_hook(trigger),
        created=now,
        updated=now,
    )
    record_change(rule, maker, "Rule created")
    set_timer(rule)
    return rule


def update_rule(
    rule: AutomationRule, changes: Mapping[str, Any], *, actor: Rights
) -> AutomationRule:
    """Change a rule.

    Args:
        rule: with owner and actor.
        changes: by the names of `RuleDraft`; what is not named stays.
        actor: who changes it.

    Raises:
        Forbidden: the actor may not change it, or not put it there.
        Invalid: as for a new one.
    """
    _require_change(rule, actor)
    given = dict(changes)
    if "projects" in given:
        given["projects"] = [project.id for project in given["projects"]]
        if given["projects"] != rule.projects:
            _require(actor, given["projects"])
    if "trigger" in given or "components" in given:
        trigger, components = read_rule(
            given.get("trigger", rule.trigger or None), given.get("components", rule.components)
        )
        given |= {"trigger": trigger or {}, "components": components}
        _check_ready(trigger, components, enabled=rule.enabled)
    for name, read in _READERS.items():
        if name in given:
            given[name] = read(given[name])
    if given.get("actor") is not None and given["actor"].id != rule.actor_id:
        given["actor"] = _actor(given["actor"], actor)
    changed = _apply(rule, given)
    if changed:
        rule.trigger_type = str(rule.trigger.get("type", ""))
        if rule.trigger_type == INCOMING and not rule.hook:
            rule.hook = _hook(rule.trigger)
        rule.updated = clock.now()
        rule.save()
        if rule.enabled or set(given) - {"trigger", "components"}:
            # While it is being built, every step of that is of no interest.
            record_change(rule, actor.user, "Rule updated", changed)
        set_timer(rule)
    return rule


def _apply(rule: AutomationRule, given: Mapping[str, Any]) -> list[str]:
    """Set what is given, and return what the log says of it."""
    said = []
    for name, label in _FIELDS.items():
        if name not in given or (name in ("owner", "actor") and given[name] is None):
            continue
        before, after = getattr(rule, name), given[name]
        if before == after:
            continue
        setattr(rule, name, after)
        if name in ("trigger", "components"):
            said.append(f"{label} changed")
        else:
            said.append(f"{label}: {_shown(before)} → {_shown(after)}")
    return said


def _shown(value: Any) -> str:
    if isinstance(value, User):
        return value.display_name
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "None"
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return str(value)[:200] or "None"


def set_state(rule: AutomationRule, *, enabled: bool, actor: Rights) -> AutomationRule:
    """Turn a rule on or off.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: it lacks something without which it cannot be on.
    """
    _require_change(rule, actor)
    if rule.enabled == enabled:
        return rule
    _check_ready(rule.trigger or None, rule.components, enabled=enabled)
    rule.enabled = enabled
    rule.memory = {**rule.memory, "failures": 0}
    rule.updated = clock.now()
    rule.save(update_fields=["enabled", "memory", "updated"])
    record_change(rule, actor.user, "Rule enabled" if enabled else "Rule disabled")
    set_timer(rule)
    return rule


def copy_rule(rule: AutomationRule, *, actor: Rights) -> AutomationRule:
    """Make a copy of a rule, turned off and the actor's own.

    Raises:
        Forbidden: the actor manages no rules of its spaces.
    """
    spaces = list(Project.objects.filter(id__in=rule.projects).order_by("id"))
    draft = RuleDraft(
        name=f"Copy of {rule.name}"[:LONGEST_NAME],
        trigger=copy.deepcopy(rule.trigger) or None,
        components=copy.deepcopy(rule.components),
        description=rule.description,
        projects=spaces,
        labels=rule.labels,
        actor=rule.actor,
        enabled=False,
        allow_chains=rule.allow_chains,
        notify_on_error=rule.notify_on_error,
    )
    return create_rule(draft, actor=actor)


def delete_rule(rule: AutomationRule, *, actor: Rights) -> None:
    """Delete a rule, with its audit log.

    Raises:
        Forbidden: the actor may not change it.
    """
    _require_change(rule, actor)
    drop_timer(rule)
    rule.delete()


def read_rule(trigger: Any, components: Any) -> tuple[Component | None, list[Component]]:
    """Return a rule's trigger and components in their whole form, each with an id.

    Raises:
        Invalid: a component is none.
    """
    try:
        first = None if not trigger else read_trigger(dict(trigger))
        rest = read_components([dict(one) for one in components])
    except BadRule as error:
        raise Invalid(*error.messages) from error
    except (TypeError, ValueError) as error:
        raise Invalid("The components of a rule must be objects.") from error
    numbered(rest)
    if first is not None:
        first["id"] = TRIGGER_ID
    return first, rest


def spaces_named(ids_of: Iterable[int]) -> list[Project]:
    """Return the live spaces with these ids, in this order.

    Raises:
        NotFound: one is not there.
    """
    wanted = list(ids_of)
    rows = Project.objects.filter(deleted_at=None).in_bulk(wanted)
    for id in wanted:
        if id not in rows:
            raise NotFound(f"No project could be found with id '{id}'.")
    return [rows[id] for id in wanted]


def _require(actor: Rights, spaces: Sequence[int]) -> None:
    if actor.is_admin:
        return
    if len(spaces) != 1 or spaces[0] not in actor.projects_with(ADMINISTER):
        raise Forbidden(NOT_ALLOWED)


def _require_change(rule: AutomationRule, actor: Rights) -> None:
    if not may_change_rule(actor, rule):
        raise Forbidden(NOT_YOURS)


def _check_ready(
    trigger: Component | None, components: Sequence[Component], *, enabled: bool
) -> None:
    found = problems(trigger, components) if enabled else {}
    if found:
        raise Invalid(*dict.fromkeys(found.values()))


def _name(text: Any) -> str:
    name = str(text or "").strip()
    if not name:
        raise Invalid(fields={"name": "The rule needs a name."})
    if len(name) > LONGEST_NAME:
        raise Invalid(fields={"name": f"The name cannot be longer than {LONGEST_NAME}."})
    return name


def _labels(given: Any) -> list[str]:
    found = list(dict.fromkeys(text for one in given if (text := " ".join(str(one).split())[:64])))
    if len(found) > MOST_LABELS:
        raise Invalid(fields={"labels": f"A rule can have {MOST_LABELS} labels."})
    return found


def _one_of(text: Any, known: Sequence[str], name: str) -> str:
    if text not in known:
        raise Invalid(fields={name: f"'{str(text)[:40]}' is not one of {', '.join(known)}."})
    return str(text)


def _actor(wanted: User | None, by: Rights) -> User:
    """Return the actor of a rule: the app, whoever writes it, or with admins anybody."""
    app = ensure_automation_user()
    if wanted is None or wanted.id == app.id:
        return app
    if not by.is_admin and (by.user is None or wanted.id != by.user.id):
        raise Forbidden("You can only choose yourself or Automation for Jira as the actor.")
    if not wanted.active or wanted.account_type == "customer":
        raise Invalid(fields={"actor": "The actor of a rule must be an active user."})
    return wanted


def _hook(trigger: Mapping[str, Any] | None) -> str:
    """Return the secret of an incoming webhook, "" for other triggers."""
    if trigger is None or trigger.get("type") != INCOMING:
        return ""
    return ids.next_code("", AutomationRule, length=32)


_READERS: Final[dict[str, Any]] = {
    "name": _name,
    "labels": _labels,
    "description": lambda text: str(text or "").strip(),
    "notify_on_error": lambda text: _one_of(text, NOTIFY, "notifyOnError"),
    "write_access": lambda text: _one_of(text, ACCESS, "writeAccessType"),
    "collaborators": lambda given: [str(one) for one in given],
    "allow_chains": bool,
}
