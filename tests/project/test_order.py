"""Slow tests begin early, and tests that share what is dear stay together."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
SERVER = """
import pytest

@pytest.fixture(scope="session")
def running(): ...

@pytest.fixture
def sandbox(running): ...
"""
FIRST = """
import pytest

def test_quick(): ...

def test_by_the_server(running): ...

@pytest.mark.slow
def test_alone(): ...
"""
SECOND = """
import pytest

@pytest.mark.parametrize("name", list("abcde"))
def test_fast(name): ...

@pytest.fixture(scope="module")
def made(): ...

@pytest.mark.slow(shares="made")
def test_of_what_is_made(made): ...

def test_in_a_sandbox(sandbox): ...

@pytest.mark.slow
def test_long_in_a_sandbox(sandbox): ...

@pytest.mark.slow(shares="made")
def test_more_of_it(made): ...
"""


@pytest.fixture(params=[2])
def names(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> list[str]:
    """The tests of a project with the plugin, in the order in which so many processes take them."""
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", str(request.param))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p tests.order -p no:django -p no:cacheprovider")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini("[pytest]\nmarkers = slow")
    pytester.makeconftest(SERVER)
    pytester.makepyfile(test_first=FIRST, test_second=SECOND)
    found = pytester.runpytest_inprocess("--collect-only", "-q")
    assert found.ret == pytest.ExitCode.OK
    return [line.partition("::")[2] for line in found.outlines if "::" in line]


def test_what_takes_long_is_first_in_each_share(names: list[str]) -> None:
    assert names == [
        "test_in_a_sandbox",
        "test_long_in_a_sandbox",
        "test_by_the_server",
        "test_quick",
        *(f"test_fast[{name}]" for name in "ab"),
        "test_of_what_is_made",
        "test_more_of_it",
        "test_alone",
        *(f"test_fast[{name}]" for name in "cde"),
    ]


@pytest.mark.parametrize("names", [3], indirect=True)
def test_a_third_process_begins_with_something_long_too(names: list[str]) -> None:
    assert names == [
        "test_in_a_sandbox",
        "test_long_in_a_sandbox",
        "test_by_the_server",
        "test_quick",
        "test_of_what_is_made",
        "test_more_of_it",
        *(f"test_fast[{name}]" for name in "ab"),
        "test_alone",
        *(f"test_fast[{name}]" for name in "cde"),
    ]
