"""What oracles of two spaces are compared by: what they left behind, not how they came to it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from episodes.certify.runs import Run
from episodes.certify.scoring import essence
from episodes.tasks.footprint import Allow
from episodes.tasks.tracker_acts import document


def run_that_wrote(description: Any) -> Run:
    """Return a run that made one work item."""
    row = {"id": 7, "summary": "Release notes", "description": description}
    change = {
        "table": "tracker_issue",
        "operation": "insert",
        "key": 7,
        "before": None,
        "after": row,
    }
    allows = [Allow("tracker_issue", frozenset({"insert"}))]
    stub = SimpleNamespace(changes=(change,), arranged=SimpleNamespace(allows=allows))
    return cast("Run", stub)


def typed(text: str) -> dict[str, Any]:
    """Return a document of paragraphs, as an editor makes of a text that is filled in."""
    lines = [line for line in text.splitlines() if line]
    content = [{"type": "paragraph", "content": [{"type": "text", "text": line}]} for line in lines]
    return {"version": 1, "type": "doc", "content": content}


def test_a_list_and_lines_that_begin_with_hyphens_are_the_same_words() -> None:
    text = "Bug fixes\n\n- FWR-22 Crash in the import dialog\n- FWR-24 Wrong numbers"
    made, filled_in = document(text), typed(text)
    assert made != filled_in
    assert essence(run_that_wrote(made)) == essence(run_that_wrote(filled_in))


def test_other_words_are_another_text() -> None:
    text = "Bug fixes\n\n- FWR-22 Crash in the import dialog"
    left = essence(run_that_wrote(document(text)))
    assert left != essence(run_that_wrote(typed(text.replace("22", "23"))))
    assert left != essence(run_that_wrote(typed(f"{text}\n- FWR-24 Wrong numbers")))
    assert left != essence(run_that_wrote(None))


def test_another_kind_of_block_is_another_text() -> None:
    plain = typed("Bug fixes")
    heading = {**plain, "content": [{**plain["content"][0], "type": "heading"}]}
    assert essence(run_that_wrote(plain)) != essence(run_that_wrote(heading))
