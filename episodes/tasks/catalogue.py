"""The families this build has, by their ids: each is imported when it is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from django.conf import settings

from clones.core.journal import table_versions
from episodes.certify.report import REQUIRED, why_uncertified
from episodes.grading import CHECKS_VERSION
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from sandlot.service.errors import NotFound

# Their certification is through: each has a valid report.
OF_THE_HELPDESK: Final = (
    "H01", "H03", "H04", "H05", "H07", "H08", "H11", "H13", "H14", "H16", "H17", "H21",
)  # fmt: skip
OF_THE_TRACKER: Final = (
    "T01", "T02", "T03", "T04", "T05", "T06", "T08", "T10", "T14", "T15", "X02",
)  # fmt: skip
CERTIFIED: Final = (*OF_THE_HELPDESK, *OF_THE_TRACKER)
# They are played and tested; not all instances and checks of their certification are through yet.
# Only those who write tasks load them (`SANDLOT_DEV=1`).
IN_THE_MAKING: Final[tuple[str, ...]] = ()


def known_ids() -> tuple[str, ...]:
    """Return the id of every family that this build has, certified or not, in order."""
    return tuple(sorted((*CERTIFIED, *IN_THE_MAKING)))


@cache
def known_family(id: str) -> Family:
    """Return the family with an id of `known_ids`, certified or not."""
    found: Family = import_module(f"episodes.families.{id.lower()}.family").FAMILY
    return found


def known_families() -> tuple[Family, ...]:
    """Return every family that this build has, certified or not, by id."""
    return tuple(known_family(id) for id in known_ids())


def families() -> dict[str, Family]:
    """Return the families that may be played, by id: the certified ones.

    With `SANDLOT_DEV=1` in the environment that is all of them.
    """
    return {id: known_family(id) for id in known_ids() if why_refused(id) is None}


@cache
def why_refused(id: str) -> str | None:
    """Return why the family with an id of `known_ids` may not be played, None if it may."""
    if settings.DEV:
        return None
    return why_uncertified(
        id,
        known_family(id).version,
        checks_version=CHECKS_VERSION,
        tables=table_versions(),
        required=REQUIRED,
    )


def resolve(task: str, seed: int, *, size: str = "tiny") -> tuple[Family, InstanceId]:
    """Return the family and instance that `task` names.

    A bare family id takes `seed` as the instance's number in the world of seed 1.

    Raises:
        NotFound: there is no such family, not in this version, or it is not certified.
    """
    family_id = task.partition("@")[0]
    if family_id not in known_ids():
        raise NotFound(f"there is no task {task}: see `sandlot task list`")
    family, why = known_family(family_id), why_refused(family_id)
    if why is not None:
        raise NotFound(f"{family_id} is not certified ({why}): run `sandlot task certify --write`")
    if "/" not in task:
        return family, InstanceId(family.id, family.version, family.world, size, 1, seed)
    instance = InstanceId.parse(task)
    if instance.version != family.version:
        raise NotFound(f"{family.id} has version {family.version}, not {instance.version}")
    return family, instance
