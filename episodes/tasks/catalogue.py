"""The families this build has."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from django.apps import apps
from django.conf import settings

from clones.core.journal import table_versions
from episodes.certify.report import REQUIRED, why_uncertified
from episodes.families.h01.family import FAMILY as H01
from episodes.families.h03.family import FAMILY as H03
from episodes.families.h04.family import FAMILY as H04
from episodes.families.h05.family import FAMILY as H05
from episodes.families.h07.family import FAMILY as H07
from episodes.families.h08.family import FAMILY as H08
from episodes.families.h11.family import FAMILY as H11
from episodes.families.h13.family import FAMILY as H13
from episodes.families.h14.family import FAMILY as H14
from episodes.families.h16.family import FAMILY as H16
from episodes.families.h17.family import FAMILY as H17
from episodes.families.h21.family import FAMILY as H21
from episodes.grading import CHECKS_VERSION
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from sandlot.service.errors import NotFound

# Their certification is through: each has a valid report.
OF_THE_HELPDESK: Final = (H01, H03, H04, H05, H07, H08, H11, H13, H14, H16, H17, H21)
# Families of the tracker, which are there only where it is installed (see decision 0029). Those in
# the first list have a valid report.
TRACKER_CERTIFIED: Final[tuple[str, ...]] = (
    *("t01", "t02", "t03", "t04", "t05", "t06", "t08", "t14", "t15", "x02"),
)
TRACKER_IN_THE_MAKING: Final[tuple[str, ...]] = ("t10",)


def _of_the_tracker(names: tuple[str, ...]) -> tuple[Family, ...]:
    if not apps.is_installed("clones.tracker"):
        return ()
    return tuple(import_module(f"episodes.families.{name}.family").FAMILY for name in names)


CERTIFIED: Final[tuple[Family, ...]] = (*OF_THE_HELPDESK, *_of_the_tracker(TRACKER_CERTIFIED))
# They are played and tested; not all instances and checks of their certification are through yet.
# Only those who write tasks load them (`SANDLOT_DEV=1`).
IN_THE_MAKING: Final[tuple[Family, ...]] = _of_the_tracker(TRACKER_IN_THE_MAKING)


def known_families() -> tuple[Family, ...]:
    """Return every family that this build has, certified or not, by id."""
    return tuple(sorted((*CERTIFIED, *IN_THE_MAKING), key=lambda family: family.id))


@cache
def families() -> dict[str, Family]:
    """Return the families that may be played, by id: the certified ones.

    With `SANDLOT_DEV=1` in the environment that is all of them.
    """
    return {family.id: family for family in known_families() if why_refused(family) is None}


def why_refused(family: Family) -> str | None:
    """Return why a family may not be played, None if it may."""
    if settings.DEV:
        return None
    return why_uncertified(
        family.id,
        family.version,
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
    known = {family.id: family for family in known_families()}
    if family_id not in known:
        raise NotFound(f"there is no task {task}: see `sandlot task list`")
    family = families().get(family_id)
    if family is None:
        why = why_refused(known[family_id])
        raise NotFound(f"{family_id} is not certified ({why}): run `sandlot task certify --write`")
    if "/" not in task:
        return family, InstanceId(family.id, family.version, family.world, size, 1, seed)
    instance = InstanceId.parse(task)
    if instance.version != family.version:
        raise NotFound(f"{family.id} has version {family.version}, not {instance.version}")
    return family, instance
