"""The order of issues: one for the whole site, which boards, backlogs and `ORDER BY Rank` show.

    rank_at_end() -> str                                       # of an issue yet to be made
    ranks_at_end(count) -> list[str]
    rank_before(issues, other, actor=...) -> list[Outcome]     # right before it, in their order
    rank_after(issues, other, actor=...) -> list[Outcome]
    note_rank(issues, RankPosition(...), changes) -> None      # as a part of a greater change

Only the issues that are moved get new ranks. Where so many were put between two that ranks grow
long, their neighbours are spread anew, with as few of them as will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.models import Issue
from clones.tracker.queries.agile_fields import rank_field
from clones.tracker.queries.rights import Rights
from clones.tracker.rules import lexorank

MOST: Final = 50  # issues that may be ranked, or moved, at once
# How many neighbours on either side are spread anew: the fewest that make room enough.
_REACHES: Final = (16, 128, 1024)
_SHORT: Final = 24


@dataclass(frozen=True, slots=True)
class RankOutcome:
    """What became of one issue of a request: `status` is an HTTP status, as the vendor tells it."""

    issue: Issue
    status: int = 200
    errors: tuple[str, ...] = field(default=())


def rank_at_end(issue: Issue | None = None) -> str:
    """Return the rank of a new issue: below all others, for ranks are the whole site's."""
    return ranks_at_end(1)[0]


def ranks_at_end(count: int) -> list[str]:
    """Return the ranks of so many new issues: below all others, rising."""
    last = Issue.objects.order_by("-rank", "-id").values_list("rank", flat=True).first()
    if last is None or not lexorank.is_rank(last):
        first = lexorank.first()
        return [first, *lexorank.spread(first, None, count - 1)][:count]
    return lexorank.spread(last, None, count)


@dataclass(frozen=True, slots=True)
class RankPosition:
    """Where issues go: right before another, or right after it."""

    other: Issue
    after: bool


def rank_before(issues: Sequence[Issue], other: Issue, *, actor: Rights) -> list[RankOutcome]:
    """Put issues right before another, in their order.

    Those on which the actor may not schedule stay where they are, and their outcome says so. An
    issue put before itself stays too.

    Raises:
        Invalid: they are too many.
    """
    return rank_issues(issues, RankPosition(other, after=False), actor=actor)


def rank_after(issues: Sequence[Issue], other: Issue, *, actor: Rights) -> list[RankOutcome]:
    """Put issues right after another, in their order; else as `rank_before`.

    Raises:
        Invalid: they are too many.
    """
    return rank_issues(issues, RankPosition(other, after=True), actor=actor)


def rank_issues(
    issues: Sequence[Issue], place: RankPosition, *, actor: Rights
) -> list[RankOutcome]:
    """Put issues somewhere, in their order; as `rank_before`.

    Raises:
        Invalid: they are too many.
    """
    check_number(issues)
    unique = list({issue.id: issue for issue in issues}.values())
    outcomes = [_permitted(issue, actor) for issue in unique]
    moved = [outcome.issue for outcome in outcomes if outcome.status == 200]
    changes = {issue.id: Changes(issue, actor) for issue in moved}
    note_rank(moved, place, changes)
    for issue in moved:
        group = changes[issue.id].save()
        if group is not None:
            issue.save(update_fields=["rank", "updated"])
            publish(Event("issue_updated", actor, issue=issue, changes=group))
    return outcomes


def note_rank(issues: Sequence[Issue], place: RankPosition, changes: Mapping[int, Changes]) -> None:
    """Give issues their new ranks and note it; the caller writes them, and has checked all.

    Args:
        issues: in the order in which they are to stand.
        place: where.
        changes: the entry of the history of each issue, by its id.
    """
    other = place.other
    moved = [issue for issue in issues if issue.id != other.id]
    if not moved or _already(moved, place):
        return
    ranks = _new_ranks(moved, place)
    if lexorank.too_long(ranks):
        _make_room(other.rank)
        other.refresh_from_db(fields=["rank"])
        ranks = _new_ranks(moved, place)
    field_id = rank_field()
    for issue, rank in zip(moved, ranks, strict=True):
        told = "Ranked higher" if rank < issue.rank else "Ranked lower"
        issue.rank = rank
        changes[issue.id].note("Rank", field_id, "", "", "", told, custom=True)


def check_number(issues: Sequence[object]) -> None:
    """Hold a request to the number of issues that may be moved at once.

    Raises:
        Invalid: it names more, or none.
    """
    if not issues:
        raise Invalid(fields={"issues": "At least one issue is required."})
    if len(issues) > MOST:
        raise Invalid(fields={"issues": f"A maximum of {MOST} issues can be moved at once."})


def _permitted(issue: Issue, actor: Rights) -> RankOutcome:
    if actor.may_on("SCHEDULE_ISSUES", issue):
        return RankOutcome(issue)
    text = f"You do not have permission to rank issue {issue.key}."
    return RankOutcome(issue, 403, (text,))


def _already(moved: Sequence[Issue], place: RankPosition) -> bool:
    """Tell whether issues stand where they are to go: then nothing has changed."""
    rank = place.other.rank
    if place.after:
        rows = Issue.objects.filter(rank__gt=rank).order_by("rank", "id")
        wanted = [issue.id for issue in moved]
    else:
        rows = Issue.objects.filter(rank__lt=rank).order_by("-rank", "-id")
        wanted = [issue.id for issue in reversed(moved)]
    return list(rows.values_list("id", flat=True)[: len(wanted)]) == wanted


def _new_ranks(moved: Sequence[Issue], place: RankPosition) -> list[str]:
    others = Issue.objects.exclude(id__in=[issue.id for issue in moved])
    rank = place.other.rank
    if place.after:
        high = others.filter(rank__gt=rank).order_by("rank", "id").values_list("rank", flat=True)
        return lexorank.spread(rank, high.first(), len(moved))
    low = others.filter(rank__lt=rank).order_by("-rank", "-id").values_list("rank", flat=True)
    return lexorank.spread(low.first(), rank, len(moved))


def _make_room(rank: str) -> None:
    """Spread the neighbours of a rank anew; nobody's history tells of it."""
    for reach in _REACHES:
        below = list(Issue.objects.filter(rank__lte=rank).order_by("-rank", "-id")[: reach + 1])
        above = list(Issue.objects.filter(rank__gt=rank).order_by("rank", "id")[: reach + 1])
        low = below.pop().rank if len(below) > reach else None
        high = above.pop().rank if len(above) > reach else None
        rows = [*below[::-1], *above]
        if low is None and high is None:
            break
        ranks = lexorank.spread(low, high, len(rows))
        if max(map(len, ranks)) <= _SHORT:
            _write(rows, ranks)
            return
    everything = list(Issue.objects.order_by("rank", "id"))
    bucket = int(rank[0])
    _write(everything, lexorank.rebalanced(len(everything), bucket))


def _write(rows: Sequence[Issue], ranks: Sequence[str]) -> None:
    for issue, rank in zip(rows, ranks, strict=True):
        if issue.rank != rank:
            issue.rank = rank
            issue.save(update_fields=["rank"])
