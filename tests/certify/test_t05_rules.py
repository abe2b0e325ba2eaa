"""T05: its variants, its rule as written and as read, and its goals. No sandbox is needed."""

from __future__ import annotations

import pytest

from episodes.families.t05 import words
from episodes.families.t05.kinds import KINDS, kind_of
from episodes.families.t05.params import Params, structural_variants
from episodes.families.t05.reading import named_in, rule_of, space_in
from episodes.tasks.goals import goals_of


def test_each_variant_is_met_once_and_carries_some_kinds_but_not_all() -> None:
    variants = structural_variants()
    assert len(set(variants)) == len(variants) == 84
    assert {(number * 37) % 84 for number in range(84)} == set(range(84))
    assert all(0 < len(one.carried) < len(KINDS) for one in variants)


@pytest.mark.parametrize("variant", structural_variants(), ids=str)
def test_the_rule_that_is_written_is_the_rule_that_is_read(variant: Params) -> None:
    table = variant.table()
    right = words.rule_text(table, variant.weeks)
    other = words.rule_text({kind: not held for kind, held in table.items()}, 4)
    rule = rule_of([other, "Thanks!", f"{words.REPLACED}\n\n{right}", "Seen."])
    assert rule.carried == set(variant.carried)
    assert rule.weeks == variant.weeks


def test_the_first_line_that_fits_tells_the_kind() -> None:
    assert kind_of(labels=frozenset({"blocked"}), bug=True, started=True) == "blocked"
    assert kind_of(labels=frozenset({"ui"}), bug=True, started=True) == "bug"
    assert kind_of(labels=frozenset(), bug=False, started=True) == "started"
    assert kind_of(labels=frozenset(), bug=False, started=False) == "untouched"


def test_a_guide_without_a_rule_is_refused() -> None:
    with pytest.raises(LookupError, match="no rule"):
        rule_of(["Be on time.", "Yes."])


def test_every_goal_names_both_sprints_and_the_space() -> None:
    for goal in goals_of(words.__file__):
        text = goal["text"].format(old="Harbour 1", new="Harbour 2", space="Cloud Sync")
        assert set(named_in(text, ["Harbour 1", "Harbour 2", "Harbor 1"])) == {
            "Harbour 1",
            "Harbour 2",
        }
        assert space_in(text, ["Cloud", "Cloud Sync", "Desktop"]) == "Cloud Sync"
