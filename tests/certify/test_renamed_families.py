"""Reports are kept where names were changed, and where anything else was they are not."""

from __future__ import annotations

import pytest

from tools.renamed_families import Different, Renames, compare

BEFORE = """
from episodes.tasks.acting import ActingSpace
from episodes.hands import Bench

def solve(space: ActingSpace) -> int:
    bench = Bench(space)
    return bench.done("twice") + 2
"""


def renamed(after: str) -> dict[str, str]:
    renames = Renames()
    compare(BEFORE, after, renames)
    return renames.changed()


def test_names_and_moved_modules_may_differ() -> None:
    after = BEFORE.replace("Bench", "Executor").replace("episodes.hands", "episodes.loop")
    lines = after.splitlines()
    lines[1], lines[2] = lines[2], lines[1]
    assert renamed("\n".join(lines)) == {"Bench": "Executor"}


def test_docstrings_may_differ() -> None:
    body = "    bench = Bench(space)\n"
    assert renamed(BEFORE.replace(body, f'    """Work."""\n{body}')) == {}
    assert renamed(f'"""Works."""\n{BEFORE}') == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"twice"', '"once"'),
        ("+ 2", "+ 3"),
        ("+ 2", "- 2"),
        ("bench.done", "space.done"),
        ("    bench = Bench(space)\n", "    bench = Bench(space)\n    bench.more()\n"),
        ("episodes.tasks.acting import", "episodes.hands import"),
        ("episodes.hands", "episodes.nowhere"),
        ("import ActingSpace", "import ActingSpace, Other"),
        ("from episodes.hands import Bench", "import Bench"),
    ],
)
def test_nothing_else_may_differ(old: str, new: str) -> None:
    assert old in BEFORE
    with pytest.raises(Different):
        renamed(BEFORE.replace(old, new))
