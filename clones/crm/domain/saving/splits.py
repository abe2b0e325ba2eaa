"""Who gets credit for an opportunity: its team, and the splits of its sum.

Splits are made once a kind of them is switched on (`OpportunitySplitType.IsActive`). Those of a
kind that has to add up do so by what the owner of the opportunity has: the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.pipeline import create_record, write_values
from clones.crm.domain.saving.stages import Stage, after_recycling, step
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow, rows_of
from clones.crm.rules.schema import OrgSchema

WHOLE: Final = 100.0
_MOST: Final = 1000.0
_CENTS: Final = 2
_MEMBERS: Final = ("OpportunityTeamMember", "AccountTeamMember")


@step(Stage.FILLING_IN)
def fill_in_member(change: Change) -> None:
    """Call a member of a team what the user is called; one is in a team once.

    Raises:
        RecordError: the user is in it already.
    """
    if change.of.name not in _MEMBERS or not change.is_new:
        return
    user = rows_of("User").filter(Id=change.get("UserId")).first()
    if user is None:
        return
    change.set("Title", user.Title)
    via = change.of.name.removesuffix("TeamMember") + "Id"
    if change.of.field("Name") is not None:
        change.set("Name", user.Name)
    same = rows_of(change.of).filter(
        **{via: change.get(via), "UserId": user.pk, "IsDeleted": False}
    )
    if same.exists():
        raise RecordError(
            "DUPLICATE_VALUE",
            f"duplicate value found: UserId duplicates value on record with id: {same[0].pk[:15]}",
            ["UserId"],
        )


@step(Stage.FILLING_IN)
def fill_in_split(change: Change) -> None:
    """Work out the sum of a split; take the kind that is meant where none is said.

    Raises:
        RecordError: the kind is not switched on, or the share is none.
    """
    if change.of.name != "OpportunitySplit":
        return
    kinds = rows_of("OpportunitySplitType").filter(IsActive=True)
    if change.get("SplitTypeId") is None:
        kind = kinds.filter(IsTotalValidated=True).order_by("Id").first()
        change.set("SplitTypeId", None if kind is None else kind.pk)
    else:
        kind = kinds.filter(Id=change.get("SplitTypeId")).first()
    share = change.get("SplitPercentage")
    if kind is None:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION", "Opportunity splits are not enabled", ["SplitTypeId"]
        )
    if share is None:
        return
    if not 0 <= share <= (WHOLE if kind.IsTotalValidated else _MOST):
        raise RecordError(
            "NUMBER_OUTSIDE_VALID_RANGE",
            f"Percent (%): value outside of valid range on numeric field: {share}",
            ["SplitPercentage"],
        )
    rows = rows_of("Opportunity").filter(Id=change.get("OpportunityId"))
    change.set("SplitAmount", _part(rows.values_list("Amount", flat=True).first(), share))


@step(Stage.FOLLOW_UPS)
def follow_split(change: Change) -> None:
    """Let whoever gets a split be of the team, and the owner have the rest.

    Raises:
        RecordError: the shares of a kind that has to add up do not.
    """
    if change.of.name == "OpportunitySplit":
        schema, opportunity = change.of.schema, change.get("OpportunityId")
        _add_to_team(schema, opportunity, change.get("SplitOwnerId"), change.actor)
        if change.has_changed("SplitPercentage", "SplitOwnerId", "SplitTypeId"):
            _add_up(schema, opportunity, change.actor)
    elif change.of.name == "Opportunity" and change.has_changed("OwnerId", "Amount"):
        _split_opportunity(change)


@after_recycling
def add_up_deleted(rows: Sequence[SObjectRow], actor: str) -> None:
    """Give what a deleted split had to the owner of its opportunity."""
    gone = {row.pk for row in rows}
    for row in rows:
        if row.sobject.name == "OpportunitySplit" and row.OpportunityId not in gone:
            _add_up(row.sobject.schema, row.OpportunityId, actor)


def _part(amount: float | None, share: float) -> float | None:
    return None if amount is None else round(amount * share / 100, _CENTS)


def _split_opportunity(change: Change) -> None:
    """Give a new opportunity to its owner; bring the sums of an older one's splits up to date."""
    schema, id = change.of.schema, change.get("Id")
    if change.is_new:
        kinds = rows_of("OpportunitySplitType").filter(IsActive=True, IsTotalValidated=True)
        for kind in kinds.order_by("Id"):
            said = {"OpportunityId": id, "SplitOwnerId": change.get("OwnerId")}
            _give(schema, {**said, "SplitTypeId": kind.pk}, actor=change.actor)
        return
    splits = rows_of("OpportunitySplit").filter(OpportunityId=id, IsDeleted=False)
    if change.has_changed("Amount"):
        for split in splits.order_by("Id"):
            split.SplitAmount = _part(change.get("Amount"), split.SplitPercentage)
            split.SystemModstamp = change.now
            split.save()
    if change.has_changed("OwnerId"):
        owned = splits.filter(SplitOwnerId=change.was("OwnerId")).order_by("Id")
        for split in [one for one in owned if _is_validated(one.SplitTypeId)]:
            values = {"SplitOwnerId": change.get("OwnerId")}
            of = schema.objects["OpportunitySplit"]
            write_values(of, split.pk, values, actor=change.actor)


def _is_validated(kind: str) -> bool:
    found: bool = rows_of("OpportunitySplitType").filter(Id=kind, IsTotalValidated=True).exists()
    return found


def _give(schema: OrgSchema, said: dict[str, Any], *, actor: str, share: float = WHOLE) -> None:
    """Make a split of an opportunity's sum: whose and of which kind it is is said."""
    of = schema.objects["OpportunitySplit"]
    create_record(of, {**said, "SplitPercentage": share}, actor=actor)


def _add_to_team(schema: OrgSchema, opportunity: str, user: str, actor: str) -> None:
    of = schema.objects["OpportunityTeamMember"]
    if rows_of(of).filter(OpportunityId=opportunity, UserId=user, IsDeleted=False).exists():
        return
    is_owner = rows_of("Opportunity").filter(Id=opportunity, OwnerId=user).exists()
    said = {"OpportunityId": opportunity, "UserId": user}
    more = {"TeamMemberRole": "Opportunity Owner", "OpportunityAccessLevel": "All"}
    create_record(
        of, {**said, **(more if is_owner else {"OpportunityAccessLevel": "Read"})}, actor=actor
    )


def _add_up(schema: OrgSchema, opportunity: str, actor: str) -> None:
    """Let the owner of an opportunity have what is left of each kind that has to add up."""
    owner = rows_of("Opportunity").filter(Id=opportunity).values_list("OwnerId", flat=True).first()
    kinds = rows_of("OpportunitySplitType").filter(IsActive=True, IsTotalValidated=True)
    for kind in kinds.order_by("Id"):
        splits = list(
            rows_of("OpportunitySplit")
            .filter(OpportunityId=opportunity, SplitTypeId=kind.pk, IsDeleted=False)
            .order_by("Id")
        )
        others = sum(one.SplitPercentage for one in splits if one.SplitOwnerId != owner)
        rest = round(WHOLE - others, 6)
        if rest < 0:
            raise RecordError(
                "FIELD_INTEGRITY_EXCEPTION",
                "Split percentages must total 100%.",
                ["SplitPercentage"],
            )
        own = next((one for one in splits if one.SplitOwnerId == owner), None)
        if own is None:
            if owner is not None and rest:
                said = {"OpportunityId": opportunity, "SplitOwnerId": owner}
                _give(schema, {**said, "SplitTypeId": kind.pk}, actor=actor, share=rest)
        elif own.SplitPercentage != rest:
            values = {"SplitPercentage": rest}
            write_values(schema.objects["OpportunitySplit"], own.pk, values, actor=actor)
