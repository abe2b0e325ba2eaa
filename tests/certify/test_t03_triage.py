"""T03: every variant is reached, and guides and reports are read as they were meant."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

from episodes.families.t03 import words
from episodes.families.t03.params import (
    CATEGORIES,
    EFFECTS,
    REACHES,
    Category,
    Params,
    params_of,
    structural_variants,
)
from episodes.families.t03.reading import Guide, Incoming, Known, guide_of, sort_out
from episodes.tasks.instances import InstanceId

VERSIONS = ["5.1", "5.2", "5.3"]
COMPONENTS: dict[Category, str] = {
    "saving": "Import",
    "display": "Account & licensing",
    "speed": "Job planner",
    "access": "Editor",
}


def numbered(number: int) -> Params:
    return params_of(InstanceId("T03", 1, "kestrel", "tiny", 1, number))


def guide(params: Params) -> Guide:
    meant = [one[0] for one in words.INTENDED]
    return guide_of(words.guide_text(params, COMPONENTS, meant))


def test_the_instances_reach_all_400_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(400)]
    assert len(set(structural_variants())) == 400
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert (one.size, one.mix) != (other.size, other.mix)


def test_every_batch_has_its_size_and_one_report_of_each_kind() -> None:
    for params in structural_variants():
        assert len(params.kinds) == params.size
        assert set(params.kinds) >= {"new", "namesake", "regression", "intended"}
        assert len(words.FAULTS) >= params.size
        assert params.kinds.count("intended") <= len(words.INTENDED)


def test_every_report_gets_the_component_and_priority_of_the_guide() -> None:
    chance = Random(3)
    for params in structural_variants()[:40]:
        rules = guide(params)
        for fault, effect, reach in product(words.FAULTS, EFFECTS, REACHES):
            said = words.said_of(effect, reach, chance)
            text = words.report(fault.text, "5.2", "BPX1001", said)
            found = sort_out(Incoming("STU-1", fault.title, text), rules, {}, VERSIONS)
            assert found.component == COMPONENTS[fault.category], fault.title
            assert found.priority == params.priority(effect, reach)
            assert found.link is None
            assert found.resolution is None


def test_the_code_tells_what_is_the_same_and_the_version_what_came_back() -> None:
    rules, fault = guide(structural_variants()[0]), words.FAULTS[0]
    said = words.said_of("lost", "one", Random(1))
    known = {"BPX1001": Known("STU-7", None), "CQX1002": Known("STU-8", "5.2")}

    def sort(code: str, version: str) -> tuple[str | None, str | None, str | None]:
        text = words.report(fault.text, version, code, said)
        found = sort_out(Incoming("STU-9", fault.title, text), rules, known, VERSIONS)
        return found.link, found.record, found.resolution

    assert sort("BPX1001", "5.3") == ("Duplicate", "STU-7", "Duplicate")
    assert sort("CQX1002", "5.1") == ("Duplicate", "STU-8", "Duplicate")
    assert sort("CQX1002", "5.2") == ("Relates", "STU-8", None)
    assert sort("CQX1002", "5.3") == ("Relates", "STU-8", None)
    assert sort("DRX1003", "5.3") == (None, None, None)


def test_what_is_meant_to_be_so_is_known_from_the_guide() -> None:
    rules = guide(structural_variants()[0])
    for _, title, text, _ in words.INTENDED:
        written = words.report(text, "5.3", None, words.said_of("nuisance", "one", Random(2)))
        found = sort_out(Incoming("STU-9", title, written), rules, {}, VERSIONS)
        assert found.resolution == "Won't Do", title
    assert set(COMPONENTS) == set(CATEGORIES)
