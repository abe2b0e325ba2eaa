"""How tests set up what a service cloud does, and let time pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from clones.core import clock, jobs
from clones.core.journal import act
from clones.core.models import Message
from clones.core.tenancy import unit_of_work
from tests.conftest import bind
from tests.crm.conftest import ADA, Org

WORKING_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


@contextmanager
def writing(org: Org) -> Iterator[None]:
    """Open a write transaction with an act in it."""
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        yield


def make_queue(org: Org, name: str, *objects: str, **values: Any) -> str:
    """Make a queue for some objects, and return its id."""
    queue = org.make("Group", Name=name, DeveloperName=name, Type="Queue", **values)
    for one in objects:
        org.make("QueueSobject", QueueId=queue, SobjectType=one)
    return queue


def set_rule(
    org: Org,
    kind: Any,
    of: str,
    entries: Sequence[Mapping[str, Any]],
    *,
    name: str = "Standard",
    active: bool = True,
) -> str:
    """Set a rule, and return its id."""
    from clones.crm.domain.service import rules  # noqa: PLC0415 - the app may not be there

    with writing(org):
        return rules.set_rule(kind, of, name, entries, is_active=active, actor=org.users[ADA])


def set_process(org: Org, name: str, **given: Any) -> str:
    """Set an active entitlement process, and return its id."""
    from clones.crm.domain.service import processes  # noqa: PLC0415 - the app may not be there

    with writing(org):
        return processes.set_process(name, {"active": True, **given}, actor=org.users[ADA])


def set_hours(org: Org, name: str, *, holidays: Sequence[str] = (), default: bool = False) -> str:
    """Set hours from 9 to 17 on working days in New York, and return their id."""
    from clones.crm.domain.service import hours  # noqa: PLC0415 - the app may not be there

    week = dict.fromkeys(
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"), ("09:00", "17:00")
    )
    with writing(org):
        row = hours.set_hours(name, "America/New_York", week, is_default=default, holidays=holidays)
        return str(row.pk)


def make_template(org: Org, name: str, subject: str, body: str) -> str:
    """Make a template of letters, and return its id."""
    return org.make(
        "EmailTemplate",
        Name=name,
        DeveloperName=name,
        FolderId=org.users[ADA],
        TemplateStyle="none",
        TemplateType="text",
        Subject=subject,
        Body=body,
        IsActive=True,
    )


def pass_time(org: Org, **length: float) -> list[jobs.JobRun]:
    """Let time pass, and return the jobs that ran; none of them failed."""
    with bind(org.row), unit_of_work("write"):
        runs = jobs.advance(clock.now() + timedelta(**length))
    assert [run.error for run in runs if run.error] == []
    return runs


def reach(org: Org, moment: datetime) -> None:
    """Let time pass up to a moment."""
    with bind(org.row), unit_of_work("write"):
        runs = jobs.advance(moment)
    assert [run.error for run in runs if run.error] == []


def now_of(org: Org) -> datetime:
    """Return the present of the sandbox."""
    with org.reading():
        return clock.now()


def letters(org: Org) -> list[tuple[str, list[str], str]]:
    """Return what was written: subject, recipients and text, in the order in which it was sent."""
    with org.reading():
        rows = Message.objects.order_by("id")
        return [(one.subject, list(one.recipients), one.text) for one in rows]
