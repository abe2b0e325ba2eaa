"""What public clients ask for and is not there stands on a page of docs/fidelity, by its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.live import test_jira_js, test_node_zendesk_resources

FOLDER = Path(__file__).parents[2] / "docs" / "fidelity"
PAGES = {"helpdesk": "helpdesk-clients.md", "tracker": "tracker-clients.md"}
NAMES = {
    "helpdesk": test_node_zendesk_resources.NOT_BUILT,
    "tracker": test_jira_js.NOT_BUILT | test_jira_js.NOT_BUILT_EITHER,
}
ROW = re.compile(r"^\| (`.+`) \| (.+) \|$", re.MULTILINE)


@pytest.mark.parametrize("clone", NAMES)
def test_what_a_client_does_not_find_is_listed_by_name(clone: str) -> None:
    rows = ROW.findall((FOLDER / PAGES[clone]).read_text(encoding="utf-8"))
    listed = [name for names, _ in rows for name in re.findall(r"`([^`]+)`", names)]
    assert len(listed) == len(set(listed))
    assert set(listed) == NAMES[clone]
    assert all(len(reason) > 10 for _, reason in rows)
