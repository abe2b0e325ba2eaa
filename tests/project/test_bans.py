"""Lint refuses the machine's time, chance and identifiers where a sandbox's must be used."""

from __future__ import annotations

import json
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
