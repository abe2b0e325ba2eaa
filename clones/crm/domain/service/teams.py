"""Case teams: the members of a predefined team join a case with it, and go with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, after_recycling, step
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow, model_of, rows_of

# What of one of these there is once: the parent, and what is at most once in it.
_ONCE: Final = {
    "CaseTeamMember": ("ParentId", "MemberId"),
    "CaseTeamTemplateMember": ("TeamTemplateId", "MemberId"),
    "CaseTeamTemplateRecord": ("ParentId", "TeamTemplateId"),
}


@step(Stage.REQUIRED)
def check_once(change: Change) -> None:
    """See that nobody is in a team twice.

    Raises:
        RecordError: they are in it already.
    """
    names = _ONCE.get(change.of.name)
    if names is None or not change.is_new:
        return
    same = {name: change.get(name) for name in names}
    other = rows_of(change.of).filter(**same).values_list("Id", flat=True).first()
    if other is not None:
        raise RecordError(
            "DUPLICATE_VALUE",
            "duplicate value found: <unknown> duplicates value on record with id: <unknown>",
            [],
        )


@step(Stage.FOLLOW_UPS)
def join_case(change: Change) -> None:
    """Let the members of a predefined team join the case that it is given; who is there stays."""
    if change.of.name != "CaseTeamTemplateRecord" or not change.is_new:
        return
    case, team = change.get("ParentId"), change.get("TeamTemplateId")
    model = model_of("CaseTeamMember")
    there = set(rows_of("CaseTeamMember").filter(ParentId=case).values_list("MemberId", flat=True))
    stamps: dict[str, Any] = {"CreatedById": change.actor, "LastModifiedById": change.actor}
    stamps |= dict.fromkeys(("CreatedDate", "LastModifiedDate", "SystemModstamp"), change.now)
    for row in rows_of("CaseTeamTemplateMember").filter(TeamTemplateId=team).order_by("Id"):
        if row.MemberId in there:
            continue
        model(
            Id=new_id(model.sobject.prefix, model),
            ParentId=case,
            MemberId=row.MemberId,
            TeamRoleId=row.TeamRoleId,
            TeamTemplateId=team,
            TeamTemplateMemberId=row.pk,
            **stamps,
        ).save(force_insert=True)


@after_recycling
def leave_case(rows: Sequence[SObjectRow], actor: str) -> None:
    """Take the members of a predefined team from a case that the team is taken from."""
    for row in rows:
        if row.sobject.name == "CaseTeamTemplateRecord":
            members = rows_of("CaseTeamMember").filter(ParentId=row.ParentId)
            members.filter(TeamTemplateId=row.TeamTemplateId).delete()
