"""The families this build has."""

from __future__ import annotations

from functools import cache
from typing import Final

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
from episodes.families.t01.family import FAMILY as T01
from episodes.families.t02.family import FAMILY as T02
from episodes.families.t03.family import FAMILY as T03
from episodes.families.t04.family import FAMILY as T04
from episodes.families.t05.family import FAMILY as T05
from episodes.families.t06.family import FAMILY as T06
from episodes.families.t08.family import FAMILY as T08
from episodes.families.t10.family import FAMILY as T10
from episodes.families.t14.family import FAMILY as T14
from episodes.families.t15.family import FAMILY as T15
from episodes.families.x02.family import FAMILY as X02
from episodes.grading import CHECKS_VERSION
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from sandlot.service.errors import NotFound

# Their certification is through: each has a valid report.
OF_THE_HELPDESK: Final = (H01, H03, H04, H05, H07, H08, H11, H13, H14, H16, H17, H21)
OF_THE_TRACKER: Final = (T01, T02, T03, T04, T05, T06, T08, T10, T14, T15, X02)
CERTIFIED: Final[tuple[Family, ...]] = (*OF_THE_HELPDESK, *OF_THE_TRACKER)
# They are played and tested; not all instances and checks of their certification are through yet.
# Only those who write tasks load them (`SANDLOT_DEV=1`).
IN_THE_MAKING: Final[tuple[Family, ...]] = ()


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
