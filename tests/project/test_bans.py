"""Lint refuses the machine's time, chance and identifiers where a sandbox's must be used."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from tests.project.paths import ROOT

REFUSED = [
    "from django.utils import timezone\n\nprint(timezone.now())",
    "from django.utils.timezone import now\n\nprint(now())",
    "from datetime import UTC, datetime\n\nprint(datetime.now(UTC))",
    "from datetime import datetime\n\nprint(datetime.utcnow())",
    "from datetime import date\n\nprint(date.today())",
    "import random\n\nprint(random.choice([1]))",
    "from random import randint\n\nprint(randint(1, 2))",
    "import random\n\nrandom.shuffle([1])",
    "from random import SystemRandom\n\nprint(SystemRandom())",
    "import uuid\n\nprint(uuid.uuid4())",
    "from uuid import uuid1\n\nprint(uuid1())",
    "import time\n\nprint(time.time())",
    "import os\n\nprint(os.urandom(1))",
    "import secrets\n\nprint(secrets.token_hex())",
]
RUFF = [sys.executable, "-m", "ruff", "check", "--quiet", "--output-format", "json"]
GUARDED = ["clones/helpdesk/domain/x.py", "clones/billing/rules/x.py", "seeds/kestrel/x.py"]
FREE = ["clones/core/x.py", "snapshots/x.py", "episodes/x.py", "sandlot/cli/x.py", "tests/x.py"]


def refused(filename: str, code: str, rule: str = "TID251") -> bool:
    done = subprocess.run(
        [*RUFF, "--stdin-filename", filename, "-"],
        cwd=ROOT,
        input=code + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return rule in {finding["code"] for finding in json.loads(done.stdout)}


@pytest.mark.parametrize("code", REFUSED)
@pytest.mark.parametrize("filename", GUARDED)
def test_the_machine_is_banned_from_sandboxes(filename: str, code: str) -> None:
    assert refused(filename, code)


@pytest.mark.parametrize("filename", FREE)
def test_what_stands_outside_sandboxes_may_use_it(filename: str) -> None:
    assert not any(refused(filename, code) for code in REFUSED)


def test_the_sources_of_a_sandbox_are_allowed() -> None:
    code = (
        "import random\n\nfrom clones.core import clock\n"
        "from clones.core.randomness import stream\n\n"
        'chance: random.Random = stream("x")\nprint(clock.now(), chance)'
    )
    assert not refused("clones/helpdesk/domain/x.py", code)


@pytest.mark.parametrize("filename", GUARDED)
def test_a_generator_of_ones_own_is_refused(filename: str) -> None:
    assert refused(filename, "import random\n\nprint(random.Random())", rule="S311")


# Who reads the data of a form itself: other pages have a form on `django.forms` (`core.web.inputs`)
# or read what a button sent (`core.web.posted`).
READ_FORMS_THEMSELVES = {
    "accounts say which inputs there are": [
        "helpdesk/web/custom_records.py",
        "helpdesk/web/drafts.py",
        "helpdesk/web/form_controls.py",
        "helpdesk/web/new_profiles.py",
        "helpdesk/web/organization_page.py",
        "helpdesk/web/portal/new_request.py",
        "helpdesk/web/sheet.py",
        "helpdesk/web/user_page.py",
    ],
    "several inputs stand beside one another, each group of its own button": [
        "helpdesk/web/bulk_edit.py",
        "helpdesk/web/portal/profile.py",
        "helpdesk/web/portal/request_page.py",
        "helpdesk/web/user_actions.py",
        "tracker/web/boards/backlog_actions.py",
        "tracker/web/boards/backlog_page.py",
        "tracker/web/boards/board_actions.py",
        "tracker/web/boards/sprint_pages.py",
        "tracker/web/issue/talk.py",
        "tracker/web/portal/request_actions.py",
    ],
    "what is sent is rows, named by what stands in them": [
        "helpdesk/web/admin/pages.py",
        "helpdesk/web/admin/rule_editor.py",
        "helpdesk/web/admin/rule_lists.py",
        "helpdesk/web/admin/slas.py",
        "helpdesk/web/admin/trigger_categories.py",
        "tracker/web/admin/priority_schemes.py",
        "tracker/web/automation/building.py",
        "tracker/web/automation/rule_pages.py",
        "tracker/web/dashboards/gadgets.py",
        "tracker/web/dashboards/pages.py",
        "tracker/web/filters/pages.py",
        "tracker/web/navigator/bulk.py",
    ],
    "a form of the kit is handed what was sent": [
        "billing/web/panel.py",
        "tracker/web/admin/directory.py",
        "tracker/web/admin/field_contexts.py",
    ],
}
CLONES = ROOT / "clones"


def web_files() -> dict[str, str]:
    """Return the texts of the modules of clones' pages, without the kit's, by their paths."""
    files = {path.relative_to(CLONES).as_posix(): path for path in CLONES.glob("*/web/**/*.py")}
    return {name: path.read_text() for name, path in files.items() if not name.startswith("core/")}


def test_forms_are_read_by_the_kit_but_for_a_listed_few() -> None:
    known = [name for names in READ_FORMS_THEMSELVES.values() for name in names]
    assert len(known) == len(set(known))
    assert sorted(known) == sorted(
        name for name, text in web_files().items() if "request.POST" in text
    )


def test_the_errors_of_forms_are_of_one_class() -> None:
    declared = re.compile(r"^class (\w*(?:Errors|Complaints|Refusals?))\b", re.MULTILINE)
    assert [name for name, text in web_files().items() if declared.search(text)] == []


def test_pages_are_guarded_by_the_kit() -> None:
    # A board whose query cannot be read is found out by its view.
    wraps = {name for name, text in web_files().items() if "@wraps(" in text}
    assert wraps == {"tracker/web/boards/access.py"}


def test_pages_of_lists_are_made_by_the_kit() -> None:
    counted = re.compile(r"GET\.get\(\"(?:page|startAt|startIndex)\"")
    assert [name for name, text in web_files().items() if counted.search(text)] == []
