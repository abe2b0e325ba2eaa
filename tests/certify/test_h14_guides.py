"""H14's guides: every variant is reached, and read as it was meant, whatever the words."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from episodes.families.h14 import words
from episodes.families.h14.arrange import _extras
from episodes.families.h14.guides import Writer, applies, holds
from episodes.families.h14.params import Params, params_of, structural_variants
from episodes.families.h14.reading import NotUnderstood, read_guide
from episodes.tasks.instances import InstanceId

TESTS = {
    "subject_word": ("subject", "word"),
    "first_word": ("first", "word"),
    "subject_part": ("subject", "part"),
    "subject_lacks": ("subject", "lacks"),
}
OPERATORS = {
    ("subject", "word"): ("Subject text", "includes"),
    ("first", "word"): ("Description", "includes"),
    ("subject", "part"): ("Subject text", "includes_string"),
    ("subject", "lacks"): ("Subject text", "not_includes"),
}


def plan_of(params: Params, chance: Random) -> dict[str, Any]:
    """Return a plan without a world behind it."""
    said = chance.sample(words.WORDS, 7)
    field, test = TESTS[params.text]
    some = [("subject", said[1]), ("first", said[2]), ("first", said[3])]
    some = some[: {"none": 0, "two": 2, "three": 3}[params.either]]
    extras, told = _extras(params, said[6])
    return {
        "topic": "spare lenses",
        "group_name": "Studio & Cloud",
        "conditions": [
            {
                "side": "all",
                "field": "source",
                "test": "from",
                "value": params.source,
                "address": f"{params.source}@kestrel-laser.example",
            },
            {"side": "all", "field": field, "test": test, "value": said[0]},
            *(
                {"side": "any", "field": place, "test": "word", "value": value}
                for place, value in some
            ),
        ],
        "extras": extras,
        "extra_words": told,
        "first_title": f"{said[4].capitalize()} goes to Billing" if params.yields else None,
        "beaten_title": f"All about {said[5]} to Support" if params.overrules else None,
    }


@pytest.mark.parametrize("flat", [False, True])
def test_every_variant_is_read_as_it_was_meant(flat: bool) -> None:
    for number, params in enumerate(structural_variants()):
        chance = Random(number)
        plan = plan_of(params, chance)
        text = words.guide(plan, [("a subject | a body (by email)", "as before")], chance)
        found = read_guide(" ".join(text.split()) if flat else text)
        assert found.group == "Studio & Cloud"
        assert (found.first, found.beaten) == (plan["first_title"], plan["beaten_title"])
        assert [(name, value) for name, value in found.extras] == sorted(
            plan["extra_words"], key=lambda each: ("priority", "type", "tag").index(each[0])
        )
        for each, meant in zip(found.conditions[1:], plan["conditions"][1:], strict=True):
            assert (each.field, each.operator) == OPERATORS[meant["field"], meant["test"]]
            assert (each.side, each.value) == (meant["side"], meant["value"])
        source = {"mail": "Email", "web": "Web", "customer": "(end user)"}.get(
            params.source, f"{params.source}@kestrel-laser.example"
        )
        assert found.conditions[0].value == source


def test_every_variant_is_reached() -> None:
    instances = [InstanceId("H14", 1, "kestrel", "tiny", 1, number) for number in range(1920)]
    assert len(structural_variants()) == 1920
    assert len({params_of(each) for each in instances}) == 1920


def test_what_is_no_guide_is_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        read_guide("Be kind to customers.")


def test_what_is_written_lies_on_both_sides_of_each_edge() -> None:
    for number, params in enumerate(structural_variants()[::41]):
        chance = Random(number)
        conditions = plan_of(params, chance)["conditions"]
        writer = Writer(conditions, ["recall"])
        inside, outside = writer.inside(chance, 20), writer.outside(chance, 20)
        assert len(inside) == len(outside) == 20
        assert all(applies(conditions, item) for item in inside)
        assert not any(applies(conditions, item) for item in outside)
        every = [each for each in conditions if each["side"] == "all"]
        for each in every:
            others = [other for other in every if other is not each]
            assert any(
                not holds(each, item) and all(holds(other, item) for other in others)
                for item in outside
            )
