"""Which families are certified in full before a merge: the changed ones, and all in turn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from episodes.certify.inputs import FOLDER, sources_of
from episodes.certify.report import is_as_certified, report_path
from episodes.tasks.catalogue import known_families
from tests import crawled, turns
from tests.turns import (
    ALL,
    TURNS,
    chosen,
    crawled_whole,
    is_in_turn,
    is_swept,
    is_walked,
    number_of,
    one_of,
    summary_lines,
    why_made_apart,
)

FAMILIES = [family.id for family in known_families()]


@pytest.mark.parametrize("first", [0, 3, 998])
def test_in_so_many_turns_every_family_and_every_other_test_has_its_turn(first: int) -> None:
    numbers = range(first, first + TURNS)
    taken = [family for number in numbers for family in chosen(FAMILIES, FAMILIES, number)]
    assert sorted(taken) == sorted(FAMILIES)
    names = [f"tests/certify/test_spoilt_families.py::test_{number}" for number in range(40)]
    for name in names:
        assert [is_in_turn(name, number) for number in numbers].count(True) == 1
    shares = [sum(is_in_turn(name, number) for name in names) for number in numbers]
    assert min(shares) > 0


def test_parameters_are_dealt_out_evenly() -> None:
    for number in range(TURNS):
        made = [is_in_turn("tests/live/test_clients.py", number, place) for place in range(7)]
        assert made.count(True) in (1, 2)


def test_those_of_one_turn_are_made_in_that_turn_and_no_other() -> None:
    for at in range(TURNS):
        assert [is_in_turn("", number, at) for number in range(TURNS)].index(True) == at


def test_tests_apart_have_a_turn_each_unless_their_family_changed() -> None:
    names = [f"tests/certify/test_t10.py::test_{number}" for number in range(40)]
    made = {
        why: [[why_made_apart(name, why, turn) for name in names] for turn in range(TURNS)]
        for why in (None, turns.IS_ITS_TURN, turns.HAS_CHANGED)
    }
    assert made[None] == made[turns.IS_ITS_TURN]
    for one in zip(*made[None], strict=True):
        assert sorted(one, key=str) == [None] * (TURNS - 1) + [turns.IS_ITS_TURN]
    assert made[turns.HAS_CHANGED] == [[turns.HAS_CHANGED] * len(names)] * TURNS
    assert why_made_apart(names[0], turns.IS_EVERYTHING, None) == turns.IS_EVERYTHING


def test_a_turn_is_a_fair_share() -> None:
    for number in range(TURNS):
        taken = chosen(FAMILIES, FAMILIES, number)
        assert len(FAMILIES) // TURNS <= len(taken) <= len(FAMILIES) // TURNS + 1
        assert set(taken.values()) == {turns.IS_ITS_TURN}


def test_a_family_that_is_not_as_certified_is_always_chosen() -> None:
    for number in range(TURNS):
        found = chosen(FAMILIES, set(FAMILIES) - {"H01", "T10"}, number)
        assert {found["H01"], found["T10"]} == {turns.HAS_CHANGED}
        assert len(found) < len(FAMILIES)


def test_all_are_chosen_where_everything_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(chosen(FAMILIES, FAMILIES, None)) == set(FAMILIES)
    assert is_in_turn("any", None)
    assert number_of(ALL, "ff") is None
    monkeypatch.setattr(turns, "EVERYTHING", True)
    assert number_of("3", "ff") is None
    assert number_of(None, "ff") is None


def test_the_number_is_of_the_commit_unless_it_is_asked_for() -> None:
    assert number_of(None, "ff") == 255
    assert number_of("7", "ff") == 7
    assert number_of(None, "") == 0
    with pytest.raises(pytest.UsageError, match="SANDLOT_TURN=soon"):
        number_of("soon", "ff")


def test_walks_are_made_in_turn_where_the_pages_are_as_crawled() -> None:
    for place in range(7):
        made = [is_walked(place, number, as_crawled=True) for number in range(TURNS)]
        assert made.count(True) == 1
        assert is_walked(place, None, as_crawled=True)
        assert all(is_walked(place, number, as_crawled=False) for number in range(TURNS))


def test_sweeps_are_made_in_turn_where_the_pages_are_as_crawled() -> None:
    for clone in ("helpdesk", "tracker"):
        name = f"tests/live/test_odd_forms.py::test_no_form_breaks[{clone}]"
        made = [is_swept(name, number, as_crawled=True) for number in range(TURNS)]
        assert made.count(True) == 1
        assert is_swept(name, None, as_crawled=True)
        assert all(is_swept(name, number, as_crawled=False) for number in range(TURNS))


def test_the_pages_of_a_clone_that_is_not_crawled_are_swept_always() -> None:
    assert not crawled.is_as_crawled("mail")


def test_a_clone_is_crawled_whole_when_all_its_walks_passed() -> None:
    walks = [("mail", 2, True), ("mail", 2, True), ("crm", 2, True), ("desk", 1, False)]
    assert crawled_whole(walks) == ["mail"]


def test_what_pages_are_made_of_counts_as_crawled(tmp_path: Path) -> None:
    for name in (*crawled.CRAWLER, "tests/crm/web/test_crawl.py", "clones/crm/web/pages.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    found = {crawled.sources_of("crm", tmp_path)}
    for name in ("clones/crm/web/pages.py", "clones/core/static/a.css", "clones/crm/templates/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("2")
        found.add(crawled.sources_of("crm", tmp_path))
    assert len(found) == 4
    (tmp_path / "clones/crm/domain.py").write_text("3")
    assert crawled.sources_of("crm", tmp_path) in found


def test_another_cheat_comes_first_from_turn_to_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    first = set()
    for number in range(0, 3 * TURNS, TURNS):
        monkeypatch.setattr(turns, "NUMBER", number)
        assert sorted(one_of(("a", "b", "c"))) == ["a", "b", "c"]
        first.add(one_of(("a", "b", "c"))[0])
    assert first == {"a", "b", "c"}
    assert one_of(()) == ()


def test_each_file_of_a_family_counts_and_those_it_takes_from(tmp_path: Path) -> None:
    for name, text in (("h90", "A = 1"), ("h91", "from episodes.families.h90.a import A")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(text)
    before = {name: sources_of(name, tmp_path) for name in ("H90", "H91")}
    (tmp_path / "h91" / "goals.json").write_text("{}")
    assert sources_of("H90", tmp_path) == before["H90"]
    assert sources_of("H91", tmp_path) != before["H91"]
    second = sources_of("H91", tmp_path)
    (tmp_path / "h90" / "a.py").write_text("A = 2")
    assert sources_of("H90", tmp_path) != before["H90"]
    assert sources_of("H91", tmp_path) != second
    assert sources_of("H05", FOLDER) != sources_of("H04", FOLDER)


def test_a_report_says_which_files_it_is_of(tmp_path: Path) -> None:
    assert not is_as_certified("H90", 1, sources="now", folder=tmp_path)
    report_path("H90", 1, tmp_path).write_text(json.dumps({"sources": "now"}))
    assert is_as_certified("H90", 1, sources="now", folder=tmp_path)
    assert not is_as_certified("H90", 1, sources="then", folder=tmp_path)
    report_path("H90", 1, tmp_path).write_text("{")
    assert not is_as_certified("H90", 1, sources="now", folder=tmp_path)


def test_a_run_tells_how_far_each_family_was_certified() -> None:
    done = [
        ("H01", "oracle", None, True),
        ("H05", "oracle", "its turn", True),
        ("H05", "pages", "its turn", False),
        ("H03", "oracle", None, True),
    ]
    assert summary_lines(done) == ["H01 H03: oracle", "H05: oracle, pages (FAILED): its turn"]
    assert summary_lines([]) == []


def test_what_is_not_chosen_is_left_out_and_what_is_not_marked_is_not(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p tests.turns -p no:django -p no:cacheprovider")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    pytester.makeini("[pytest]")
    pytester.makepyfile("""
        import pytest
        from tests import turns

        turns.why_chosen = {"H01": "its turn"}.get

        @pytest.mark.certifies("H01", "pages")
        def test_one(): ...

        @pytest.mark.certifies("H03", "pages")
        def test_two(): ...

        @pytest.mark.certifies("H03", "oracle", always=True)
        def test_three(): ...

        def test_four(): ...
    """)
    monkeypatch.setenv("SANDLOT_TURN", "0")
    found = pytester.runpytest_subprocess("-W", "ignore::pytest.PytestUnknownMarkWarning")
    found.assert_outcomes(passed=3, deselected=1)
    found.stdout.fnmatch_lines(["certification: turn 0 of 5, SANDLOT_TURN=0;*"])
    found.stdout.fnmatch_lines(["H01: pages: its turn", "H03: oracle"])
    assert "H03: oracle" in (pytester.path / "reports" / "certified.txt").read_text()


pytest_plugins = ["pytester"]
