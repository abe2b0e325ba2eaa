"""Clones that are still being made are served only where somebody asks for them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.project.paths import ROOT

PROGRAM = """
import django
django.setup()
from clones.core.vendors import clones
print(*(clone.name for clone in clones()))
"""


@pytest.mark.parametrize(
    ("wanted", "served"),
    [("", "billing helpdesk mail"), ("tracker", "billing helpdesk mail tracker")],
)
def test_a_clone_in_the_making_is_there_only_when_it_is_asked_for(
    wanted: str, served: str, tmp_path: object
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "clones.config.settings.embedded",
            "SANDLOT_DATA": str(tmp_path),
            "SANDLOT_MAKING": wanted,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == served
