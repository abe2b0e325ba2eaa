"""The order in which the tracker's side of a world is made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from clones.core import jobs
from clones.core.models import Account, Credential
from clones.tracker import models as tracker
from clones.tracker.domain.project_removal import PURGE, RETENTION
from clones.tracker.domain.slas import JOB
from clones.tracker.queries.rights import Rights
from clones.tracker.rules import lexorank
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws
from seeds.kestrel.engineering.model import Engineer, Engineering
from seeds.kestrel.projection.tracker.issues import Issues
from seeds.kestrel.projection.tracker.saved import keep_saved, retire_spaces
from seeds.kestrel.projection.tracker.site import Numbers, Site, write_parts, write_site

KINDS = ("password", "api_token")


@dataclass(frozen=True, slots=True)
class Engineered:
    """What the rest of the world needs to know of the tracker."""

    site: Site
    keys: dict[int, str]
    timers: list[tuple[int, datetime]]
    trashed: list[int]

    def start_timers(self) -> None:
        """Set the timers of SLA clocks that run on, as they fall due, and of the trash."""
        for cycle, due in sorted(self.timers, key=itemgetter(1, 0)):
            jobs.enqueue(JOB, due=due, payload={"cycle": cycle}, key=f"{JOB}:{cycle}")
        for row in tracker.Project.objects.filter(id__in=self.trashed).order_by("id"):
            if row.deleted_at is not None:
                due = row.deleted_at + RETENTION
                key = f"{PURGE}:{row.id}"
                jobs.enqueue(PURGE, due=due, payload={"project": row.id}, key=key)


def write_tracker(
    writer: BulkWriter,
    ids: Identifiers,
    draws: Draws,
    engineering: Engineering,
    last: dict[str, int],
) -> Engineered:
    """Write the tracker's rows. `last` are the last numbers of the spaces' keys."""
    site, numbers = write_site(engineering), Numbers()
    for key, number in sorted(last.items()):
        tracker.Project.objects.filter(id=site.projects[key]).update(last_number=number)
    write_parts(writer, numbers, site, engineering)
    issues = Issues(writer, numbers, site, draws=draws, engineering=engineering)
    timers = issues.write(engineering, lexorank.spread(None, None, len(engineering.work)))
    for person in engineering.engineers:
        if person.email is not None:
            _account(writer, ids, site, person)
    writer.flush()
    numbers.store()
    owner = Rights(tracker.User.objects.get(id=site.users[0]))
    keep_saved(site, draws, engineering)
    trashed = retire_spaces(site, engineering, owner)
    named = {work.index: f"{work.space}-{work.number}" for work in engineering.work}
    return Engineered(site, named, timers, trashed)


def _account(writer: BulkWriter, ids: Identifiers, site: Site, person: Engineer) -> None:
    """Write somebody's sign-in; those who are handed out have secrets too."""
    number = ids.stamp(Account, person.since)
    writer.add(
        Account,
        {
            "id": number,
            "clone": "tracker",
            "subject": str(site.users[person.index]),
            "login": (person.email or "").lower(),
            "role": person.listed or "developer",
            "listed": person.listed is not None,
            "active": person.left_at is None,
        },
    )
    if person.listed is None:
        return
    for kind in KINDS:
        writer.add(
            Credential,
            {
                "id": ids.stamp(Credential, person.since),
                "account_id": number,
                "kind": kind,
                "created_at": person.since,
            },
        )
