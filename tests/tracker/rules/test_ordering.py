"""Moving things of an ordered list."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clones.tracker.rules.ordering import Place, moved


@given(st.permutations(range(8)), st.data())
def test_what_moves_stands_together_and_the_rest_stays_as_it_was(
    order: list[int], data: st.DataObject
) -> None:
    ids = data.draw(st.lists(st.sampled_from(order), unique=True, max_size=7))
    rest = [one for one in order if one not in ids]
    after = data.draw(st.sampled_from([None, *rest]))
    places: list[Place] = ["First", "Last"]
    place = data.draw(st.sampled_from(places))
    found = moved(order, ids, after=after, place=place)
    assert sorted(found) == sorted(order)
    assert [one for one in found if one not in ids] == rest
    begin = found.index(ids[0]) if ids else 0
    assert found[begin : begin + len(ids)] == ids
    if ids and after is not None:
        assert found[begin - 1] == after
    if ids and after is None:
        assert begin == (0 if place == "First" else len(rest))
