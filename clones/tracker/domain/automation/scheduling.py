"""When scheduled rules run: each has a timer for its next time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock, jobs
from clones.tracker.domain.automation.recording import record_outcome
from clones.tracker.domain.automation.running import run_rule
from clones.tracker.models import AutomationRule, SlaCycle
from clones.tracker.queries import searching
from clones.tracker.queries.automation import counts_for, rights_of_actor
from clones.tracker.rules.automation.cron import BadCron, read_cron
from clones.tracker.rules.automation.documents import rate_seconds
from clones.tracker.rules.automation.events import SCHEDULED, SLA, Happened, fires
from clones.tracker.rules.jql import JqlError

TIMER: Final = "tracker.automation_timer"
MOST: Final = 999  # issues of one scheduled search, as the vendor has it
# How often rules look for SLAs that began meanwhile; those they know of they meet in time.
LOOK: Final = timedelta(minutes=30)
_EARLY: Final = ("WILL_BREACH", "HAS_BREACHED")


def set_timer(rule: AutomationRule) -> None:
    """Set the timer of a rule anew; rules that are off, or not scheduled, have none."""
    jobs.cancel(_key(rule))
    due = next_run(rule, clock.now()) if rule.enabled else None
    if rule.next_run != due:
        rule.next_run = due
        rule.save(update_fields=["next_run"])
    if due is not None:
        jobs.enqueue(TIMER, due=due, payload={"rule": rule.id}, key=_key(rule))


def drop_timer(rule: AutomationRule) -> None:
    """Drop the timer of a rule that goes."""
    jobs.cancel(_key(rule))


def next_run(rule: AutomationRule, after: datetime) -> datetime | None:
    """Return when a rule is due next, None if it is not scheduled."""
    value = rule.trigger.get("value")
    if rule.trigger_type == SLA and isinstance(value, dict):
        return _next_look(value, after) if value.get("threshold") in _EARLY else None
    if rule.trigger_type != SCHEDULED or not isinstance(value, dict):
        return None
    schedule = value.get("schedule") or {}
    if schedule.get("method") == "CRON":
        zone = ZoneInfo(str(schedule.get("timeZone") or rule.owner.time_zone or "UTC"))
        try:
            cron = read_cron(str(schedule.get("cronExpression") or ""))
        except BadCron:
            return None
        return cron.next_after(after, zone)
    seconds = rate_seconds(schedule)
    return after + timedelta(seconds=seconds) if seconds >= 60 else None


def _next_look(value: Mapping[str, Any], after: datetime) -> datetime:
    """Return when the next SLA comes near, or is long past, as far as that is known."""
    shift = _shift(value)
    rows = SlaCycle.objects.filter(stopped_at=None, breach_at__gt=after + shift)
    soonest = rows.order_by("breach_at").values_list("breach_at", flat=True).first()
    return after + LOOK if soonest is None else min(soonest - shift, after + LOOK)


def _shift(value: Mapping[str, Any]) -> timedelta:
    """Return how long before an SLA is missed a rule runs; less than nothing: after it."""
    minutes = timedelta(minutes=_minutes(value.get("minutes")))
    return minutes if value.get("threshold") == "WILL_BREACH" else -minutes


def _key(rule: AutomationRule) -> str:
    return f"{TIMER}:{rule.id}"


@jobs.handles(TIMER)
def ring(payload: dict[str, Any]) -> None:
    """Run a rule whose time has come, and set its timer for the next time."""
    rows = AutomationRule.objects.select_related("owner", "actor")
    rule = rows.filter(id=payload["rule"], enabled=True).first()
    if rule is None:
        return
    if rule.trigger_type == SLA:
        _look_for_slas(rule)
    else:
        _run_scheduled(rule)
    if rule.enabled:
        set_timer(rule)


def _run_scheduled(rule: AutomationRule) -> None:
    value: Mapping[str, Any] = rule.trigger.get("value") or {}
    query = str(value.get("jql") or "").strip()
    occasion: dict[str, Any] = {
        "issues": [],
        "project": rule.projects[0] if len(rule.projects) == 1 else None,
        "initiator": rule.actor_id,
    }
    if value.get("executionMode") == "nosearch" or not query:
        run_rule(rule, occasion)
        return
    try:
        found = searching.search(query, rights_of_actor(rule.actor))
    except JqlError as error:
        record_outcome(rule, "FAILURE", f"The JQL of the trigger failed: {' '.join(error.texts)}")
        return
    if rule.projects:
        found = found.filter(project__in=rule.projects)
    since = rule.memory.get("last")
    if value.get("onlyUpdatedIssues") and since:
        found = found.filter(updated__gt=datetime.fromisoformat(since))
    ids = list(found.values_list("id", flat=True)[:MOST])
    if ids:
        run_rule(rule, {**occasion, "issues": ids})


def _look_for_slas(rule: AutomationRule) -> None:
    """Run a rule for the requests whose SLAs are about to be missed, or were some time ago."""
    value: Mapping[str, Any] = rule.trigger.get("value") or {}
    way = str(value.get("threshold"))
    now = clock.now()
    shift = _shift(value)
    last = rule.memory.get("looked")
    since = datetime.fromisoformat(last) if last else now - LOOK
    rows = SlaCycle.objects.filter(
        stopped_at=None, breach_at__gt=since + shift, breach_at__lte=now + shift
    )
    rule.memory = {**rule.memory, "looked": now.isoformat()}
    rule.save(update_fields=["memory"])
    for cycle in rows.select_related("metric", "issue__project").order_by("breach_at", "id"):
        details = {"sla": cycle.metric_id, "name": cycle.metric.name, "threshold": way}
        happened = Happened("sla_breached", (), details)
        if counts_for(rule, cycle.issue.project_id) and fires(rule.trigger, happened):
            run_rule(
                rule,
                {
                    "issues": [cycle.issue_id],
                    "names": {"sla": {"name": cycle.metric.name}},
                },
            )


def _minutes(text: Any) -> int:
    try:
        return max(0, min(int(text or 0), 1_000_000))
    except (TypeError, ValueError):
        return 0
