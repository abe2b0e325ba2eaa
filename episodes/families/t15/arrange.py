"""Plant a queue at the service desk, and those who decide about what is in it."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Any

from clones.core import clock, jobs
from clones.core.journal import act
from clones.tracker.domain.roles import fill_role
from clones.tracker.domain.setup.access import TEAM, roles_by_name
from clones.tracker.models import (
    Approval,
    ChangeItem,
    Comment,
    DeskCustomer,
    Issue,
    Project,
    ServiceDesk,
    SlaMetric,
    User,
)
from clones.tracker.queries.rights import Rights
from episodes.families.t15 import words
from episodes.families.t15.params import Params, params_of
from episodes.families.t15.planting import Cast, Scenery, Written, write
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Persona, Stage
from episodes.tasks.tracker_allowances import ANY, INSERT, UPDATE, filling, working_on_issues
from episodes.tasks.tracker_people import (
    colleagues,
    listed_users,
    live_spaces,
    persona_on_tracker,
    user_of,
)
from episodes.tasks.tracker_planting import in_office_hours
from sandlot.service import Space
from seeds.people.approvers import cast_approver

JOINED = timedelta(days=45)


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no desk of its own, or too few people.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = persona_on_tracker("desk agent")
    own = user_of(persona)
    desk, metric = _desk(params, own)
    _join(own, desk.project, chance)
    cast = _cast(params, desk, own, chance)
    days = chance.choice(words.DAYS)
    scenery = Scenery(params, cast, desk, metric, chance, days)
    written = write(scenery)
    jobs.catch_up(clock.now())
    again = clock.now().date() + timedelta(days=chance.randrange(30, 120))
    cast_approver(
        cast.decider,
        written.approval.made,
        decision=params.decision,
        says=words.decision_text(params.decision, again, stage.chance("decision")),
        chance=stage.chance("approver"),
    )
    facts = _facts(scenery, written, again)
    return Arranged(
        goal=_goal(stage.chance("goal"), desk.project),
        persona=Persona("desk agent", persona.logins),
        facts=facts,
        allows=_allows(facts),
        start_path="/jira/for-you",
        oracle_steps=_oracle_steps(params),
    )


def _oracle_steps(params: Params) -> dict[Space, int]:
    """Return how many steps the oracle takes: reading, each request, the approval, finish."""
    deputy, approved = params.approver == "deputy", params.decision == "approved"
    api = 4 + params.running + 1 + 3 * params.running
    api += (2 if deputy else 1) + 2 + (3 if approved else 1) + 1
    # What is resolved has a screen of its own, the one that lacks something has none.
    browser = 7 + params.running + 2 + 8 * (params.running - 1) + 6
    browser += 4 + 2 + (6 if approved else 3) + 1
    return {"api": api, "browser": browser}


# Where and who


def _desk(params: Params, own: User) -> tuple[ServiceDesk, SlaMetric]:
    """Return the first desk at which the agent has nothing yet, and the promise that counts."""
    for space in live_spaces("service_desk"):
        desk = ServiceDesk.objects.select_related("project__lead").filter(project=space).first()
        if desk is None or Issue.objects.filter(project=space, assignee=own).exists():
            continue
        metric = SlaMetric.objects.filter(desk=desk, name=params.promise).order_by("id").first()
        if metric is not None and desk.project.lead_id != own.id and desk.project.lead.active:
            return desk, metric
    raise CannotArrange("this world has no service desk that the agent could join")


def _join(own: User, space: Project, chance: Random) -> None:
    """Let the agent have joined the desk's team some weeks ago."""
    at = in_office_hours(clock.now() - JOINED, chance.randrange(20, 400))
    with clock.at(at), act(actor="world", label="team"):
        fill_role(roles_by_name()[TEAM], space, [own], [])


def _cast(params: Params, desk: ServiceDesk, own: User, chance: Random) -> Cast:
    space = desk.project
    team = [user for user in colleagues(space) if user.id not in (own.id, space.lead_id)]
    helper = chance.choice(team) if team else space.lead
    buyer = chance.choice(team) if team else space.lead
    skipped = listed_users() | {own.id, space.lead_id, *(user.id for user in team)}
    names = list(User.objects.values_list("display_name", flat=True))
    people = [
        user
        for user in User.objects.filter(active=True).exclude(email=None).order_by("id")
        if user.id not in skipped and names.count(user.display_name) == 1
    ]
    staff = [user for user in people if user.account_type == "atlassian"]
    customers = set(DeskCustomer.objects.filter(desk=desk).values_list("user_id", flat=True))
    askers = [user for user in people if user.id in customers]
    if len(staff) < 3 or len(askers) < 2 or not Rights(space.lead).may("ASSIGN_ISSUES", space):
        raise CannotArrange("too few people have to do with the desk")
    named, other, former = chance.sample(staff, 3)
    decider = other if params.approver == "deputy" else named
    chance.shuffle(askers)
    return Cast(own, space.lead, helper, buyer, named, decider, former, tuple(askers))


# Facts and goal


def _facts(scenery: Scenery, written: Written, again: date) -> dict[str, Any]:
    params, cast = scenery.params, scenery.cast
    waiting = written.approval.made
    approval = Approval.objects.get(issue=waiting, decision=None)
    entries = [
        {
            "issue": one.planted.id,
            "key": one.planted.key,
            "kind": one.kind,
            "tell": one.tell,
            "need": one.need,
            "late": one.late,
            "note": one.planted.comments[0] if one.planted.comments else None,
        }
        for one in written.entries
    ]
    issues = [*(one["issue"] for one in entries), waiting.id]
    obligations = [
        {"id": f"{one['kind']}:{one['issue']}", "kind": one["kind"], "issue": one["issue"]}
        for one in entries
    ]
    obligations.append({"id": f"followed:{waiting.id}", "kind": "followed", "issue": waiting.id})
    return {
        "space": scenery.space.key,
        "guide": written.guide.id,
        "promise": params.promise,
        "metric": scenery.metric.id,
        "entries": entries,
        "issues": issues,
        "waiting": waiting.id,
        "waiting_key": waiting.key,
        "approval": approval.id,
        "named": cast.named.id,
        "decider": cast.decider.id,
        "decider_account": cast.decider.account_id,
        "wrong_accounts": _others(cast),
        "decision": params.decision,
        "days": scenery.days,
        "again": again.isoformat() if params.decision == "declined" else None,
        "buyer": cast.buyer.id,
        "resting": written.resting.key,
        "codes": sorted(written.codes),
        "own": cast.own.id,
        "own_account": cast.own.account_id,
        "said": _last(Comment),
        "changed": _last(ChangeItem),
        "neighbour": written.twin.key,
        "obligations": obligations,
        "giver_reply": "The guide to the queue has it all, I would only repeat it.",
    }


def _others(cast: Cast) -> list[str]:
    """Return the accounts of those whose approval does not count."""
    every = (cast.named, cast.former, cast.lead, cast.own)
    return [user.account_id for user in every if user.id != cast.decider.id]


def _last(model: type[Comment | ChangeItem]) -> int:
    return model.objects.order_by("-id").values_list("id", flat=True).first() or 0


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    waiting, approval = facts["waiting"], facts["approval"]
    return (
        *working_on_issues(facts["issues"]),
        *filling([waiting], "tracker_fieldvalue", field_id=10003),
        # By which the vendor's API keeps a comment among agents.
        Allow(
            "tracker_entityproperty",
            INSERT,
            where={"kind": "comment", "key": "sd.public.comment"},
        ),
        Allow("tracker_approver", ANY, where={"approval_id": approval}),
        Allow(
            "tracker_approval",
            UPDATE,
            keys=frozenset({approval}),
            columns=frozenset({"needed"}),
        ),
    )


def _goal(chance: Random, space: Project) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(template.format(space=space.name))
