"""Processes of a run compile different files first, and come to the same list of tests."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("test_a", "test_b", "test_c", "test_d")
FILE = """
print("imported", __name__)

def test_second_by_name(): ...

def test_first_by_name(): ...
"""


def collected(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, worker: str
) -> tuple[list[str], list[str]]:
    """Return the files as one of two processes imports them, and the tests as it lists them."""
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "2")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", worker)
    found = pytester.runpytest_inprocess("--collect-only", "-q", "-s")
    assert found.ret == pytest.ExitCode.OK
    imported = [line.split()[1] for line in found.outlines if line.startswith("imported")]
    return imported, [line for line in found.outlines if "::" in line]


def test_processes_begin_apart_and_list_the_same_tests(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p tests.collecting -p no:django -p no:cacheprovider")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makepyfile(**dict.fromkeys(NAMES, FILE))
    first, listed = collected(pytester, monkeypatch, "gw0")
    second, also_listed = collected(pytester, monkeypatch, "gw1")
    assert first == list(NAMES)
    assert second == [*NAMES[2:], *NAMES[:2]]
    assert listed == also_listed
    assert listed == [
        f"{name}.py::{test}"
        for name in NAMES
        for test in ("test_second_by_name", "test_first_by_name")
    ]
