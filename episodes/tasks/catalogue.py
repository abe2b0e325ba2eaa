"""The families this build has."""

from __future__ import annotations

from functools import cache

from episodes.families.h05.family import FAMILY as H05
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from sandlot.service.errors import NotFound


@cache
def families() -> dict[str, Family]:
    """Return the families by id."""
    return {family.id: family for family in (H05,)}


def resolve(task: str, seed: int, *, size: str = "tiny") -> tuple[Family, InstanceId]:
    """Return the family and instance that `task` names.

    A bare family id takes `seed` as the instance's number in the world of seed 1.

    Raises:
        NotFound: there is no such family, or not in this version.
    """
    family_id = task.partition("@")[0]
    family = families().get(family_id)
    if family is None:
        raise NotFound(f"there is no task {task}: see `sandlot task list`")
    if "/" not in task:
        return family, InstanceId(family.id, family.version, family.world, size, 1, seed)
    instance = InstanceId.parse(task)
    if instance.version != family.version:
        raise NotFound(f"{family.id} has version {family.version}, not {instance.version}")
    return family, instance
