"""Rules of automation: which there are, who may see and change them, what they did.

Admins of the site manage all of them; those who administer a space, the rules of that space alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.db.models import QuerySet

from clones.core.prepared import Prepared
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import AutomationRule, AutomationRun, Group, Issue, Project, User
from clones.tracker.queries.desks import DeskRights
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.automation.events import MANUAL, named

ADMINISTER: Final = "ADMINISTER_PROJECTS"
RULE_GONE: Final = "The rule does not exist or you do not have permission to view it."
APP_NAME: Final = "Automation for Jira"
_LISTENING: Prepared[tuple[int, str]] = Prepared(
    lambda: (
        AutomationRule.objects.filter(enabled=True).order_by("id").values_list("id", "trigger_type")
    )
)


def automation_user() -> User | None:
    """Return the app in whose name rules act unless they say otherwise."""
    rows = User.objects.filter(account_type="app", display_name=APP_NAME)
    return rows.order_by("id").first()


def rights_of_actor(user: User) -> Rights:
    """Return what somebody may as the actor of a rule: the app of automation may do everything."""
    is_app = user.account_type == "app" and user.display_name == APP_NAME
    return DeskRights(user) if is_app else Rights(user)


def may_manage(rights: Rights, project: Project | None) -> bool:
    """Tell whether somebody manages the rules of a space, or (None) of the site."""
    if rights.is_admin:
        return True
    return project is not None and rights.may(ADMINISTER, project)


def may_see_rule(rights: Rights, rule: AutomationRule) -> bool:
    """Tell whether somebody sees a rule: who manages one of its spaces does."""
    if rights.is_admin:
        return True
    mine = rights.projects_with(ADMINISTER)
    return any(project in mine for project in rule.projects)


def may_change_rule(rights: Rights, rule: AutomationRule) -> bool:
    """Tell whether somebody may change a rule: of several spaces only admins of the site do.

    One that only its owner changes is theirs, their collaborators' and the admins'.
    """
    if rights.is_admin:
        return True
    mine = rights.projects_with(ADMINISTER)
    if not (len(rule.projects) == 1 and rule.projects[0] in mine):
        return False
    if rule.write_access != "OWNER_ONLY" or rights.user is None:
        return rights.user is not None
    return rule.owner_id == rights.user.id or rights.user.account_id in rule.collaborators


def rules_seen(rights: Rights, project: Project | None = None) -> list[AutomationRule]:
    """Return the rules that somebody sees, by name: of a space, with those of the whole site.

    Rules are few, and a JSON list has no operator that both engines know.
    """
    rows = AutomationRule.objects.select_related("owner", "actor").order_by("name", "id")
    if project is None:
        return [rule for rule in rows if may_see_rule(rights, rule)]
    if not may_manage(rights, project):
        return []
    return [rule for rule in rows if counts_for(rule, project.id)]


def counts_for(rule: AutomationRule, project: int | None) -> bool:
    """Tell whether a rule is about a space; without spaces it is about all."""
    return not rule.projects or project in rule.projects


def find_rule(rights: Rights, uuid: str) -> AutomationRule:
    """Return the rule with a uuid.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    rows = AutomationRule.objects.select_related("owner", "actor")
    found = rows.filter(uuid=uuid).first() if len(uuid) <= 36 else None
    if found is None or not may_see_rule(rights, found):
        raise NotFound(RULE_GONE)
    return found


def listening(triggers: Iterable[str]) -> Sequence[AutomationRule]:
    """Return the enabled rules with one of these triggers, by id; one statement if none has."""
    wanted = frozenset(triggers)
    ids = [id for id, trigger in _LISTENING.all() if trigger in wanted]
    if not ids:
        return ()
    rows = AutomationRule.objects.filter(id__in=ids).select_related("owner", "actor")
    return list(rows.order_by("id"))


def manual_rules(rights: Rights, issue: Issue) -> list[AutomationRule]:
    """Return the rules that somebody can run on an issue, by name."""
    rows = AutomationRule.objects.filter(enabled=True, trigger_type=MANUAL)
    return [
        rule
        for rule in rows.select_related("actor").order_by("name", "id")
        if counts_for(rule, issue.project_id) and may_run(rights, rule)
    ]


def may_run(rights: Rights, rule: AutomationRule) -> bool:
    """Tell whether somebody is in a group whose people run a manual rule; without, all do."""
    value = rule.trigger.get("value")
    wanted = named(value.get("groups")) if isinstance(value, dict) else []
    if not wanted or rights.user is None:
        return rights.user is not None
    held = rights.group_uuids | rights.group_names
    return any(text in held for _, text in wanted)


def group_names(uuids: Iterable[str]) -> dict[str, str]:
    """Return the names of groups by their uuids."""
    rows = Group.objects.filter(uuid__in=sorted(uuids))
    return dict(rows.values_list("uuid", "name"))


def runs_of(rules: Sequence[AutomationRule]) -> QuerySet[AutomationRun]:
    """Return what the audit log has of rules, the newest first."""
    rows = AutomationRun.objects.filter(rule__in=[rule.id for rule in rules])
    return rows.select_related("rule", "author").order_by("-id")


def last_runs(rules: Sequence[AutomationRule]) -> dict[int, AutomationRun]:
    """Return the newest run of each of some rules, changes of the rules left out."""
    found: dict[int, AutomationRun] = {}
    for run in runs_of(rules).exclude(outcome="CONFIG_CHANGE").defer("steps")[:2000]:
        found.setdefault(run.rule_id, run)
    return found
