"""Ranks: always room for another, in an order that plain bytes have."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clones.tracker.rules import lexorank
from clones.tracker.rules.lexorank import DIGITS, after, before, between, first, is_rank, spread


@st.composite
def ranks(draw: st.DrawFn, bucket: str = "0") -> str:
    whole = draw(st.text(DIGITS, min_size=6, max_size=6))
    rest = draw(st.text(DIGITS, max_size=9)).rstrip("0")
    return f"{bucket}|{whole}:{rest}"


def is_rising(found: list[str]) -> bool:
    return all(low.encode() < high.encode() for low, high in pairwise(found))


def test_the_first_ranks_are_those_of_a_new_site() -> None:
    assert [first(), after(first()), after(after(first()))] == [
        "0|hzzzzz:",
        "0|i00007:",
        "0|i0000f:",
    ]
    assert before("0|i00007:") == "0|hzzzzz:"
    assert between("0|hzzzzz:", "0|i00007:") == "0|i00003:"
    assert between("0|i00007:", "0|i00008:") == "0|i00007:i"


@given(ranks(), ranks())
def test_there_is_a_rank_between_any_two(one: str, other: str) -> None:
    low, high = sorted([one, other])
    if low == high:
        with pytest.raises(ValueError, match="is not before"):
            between(low, high)
        return
    found = between(low, high)
    assert is_rising([low, found, high])
    assert is_rank(found)
    assert len(found) <= max(len(low), len(high)) + 1


@given(ranks(), st.integers(1, 60))
def test_many_fit_between_neighbours_and_at_either_end(rank: str, count: int) -> None:
    assert is_rising([rank, *spread(rank, after(rank), count), after(rank)])
    # Below the lowest of all there is nothing, as the vendor has it.
    if rank != "0|000000:":
        assert is_rising([*spread(None, rank, count), rank])
    assert is_rising([rank, *spread(rank, None, count)])


@given(st.lists(st.tuples(st.integers(0, 10**6), st.booleans()), max_size=120))
def test_ranks_never_collide_however_issues_are_put_among_others(
    acts: list[tuple[int, bool]],
) -> None:
    order = [first()]
    for place, at_an_end in acts:
        if at_an_end:
            order = [*order, after(order[-1])] if place % 2 else [before(order[0]), *order]
        else:
            at = place % (len(order) + 1)
            low = order[at - 1] if at else None
            high = order[at] if at < len(order) else None
            order.insert(at, between(low, high))
    assert is_rising(order)
    assert all(map(is_rank, order))


@pytest.mark.parametrize("upward", [True, False])
def test_ranks_grow_slowly_where_all_are_put_into_one_gap(upward: bool) -> None:
    low, high = "0|i00007:", "0|i0000f:"
    longest = []
    for _ in range(500):
        found = between(low, high)
        low, high = (found, high) if upward else (low, found)
        longest.append(len(found))
    assert longest[99] <= 9 + 100 // 5 + 1
    assert longest[-1] <= 9 + 500 // 5 + 1
    assert longest[-1] < lexorank.LONG


@given(st.integers(1, 3000), st.sampled_from([0, 1, 2]))
def test_rebalancing_keeps_the_order_and_makes_all_short(count: int, bucket: int) -> None:
    found = lexorank.rebalanced(count, bucket)
    assert is_rising(found)
    assert {rank[0] for rank in found} == {str((bucket + 1) % 3)}
    assert all(len(rank) == 9 for rank in found)


@pytest.mark.parametrize(
    "text", ["", "i00007", "0|i0007:", "3|i00007:", "0|i00007:i0", "0|I00007:"]
)
def test_what_is_no_rank_is_refused(text: str) -> None:
    assert not is_rank(text)
    with pytest.raises(ValueError, match="is no rank"):
        after(text)
