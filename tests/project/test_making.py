"""Clones that are still being made are served only where somebody asks for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.project.paths import ROOT

# A clone that this repository does not have, laid where clones are looked for.
FORGE = """
from dataclasses import replace

from django.apps import AppConfig


class ForgeConfig(AppConfig):
    name = "clones.forge"

    def ready(self):
        from clones.core.vendors import register
        from clones.mail.clone import MAIL

        register(replace(MAIL, name="forge"))
"""
PROGRAM = """
import sys
import clones
clones.__path__.append(sys.argv[1])
import django
django.setup()
from clones.core.vendors import clones
print(*(clone.name for clone in clones()))
"""
WHOLE = " ".join(settings.CLONES)


@pytest.mark.parametrize(("wanted", "served"), [("", WHOLE), ("forge", f"{WHOLE} forge")])
def test_a_clone_in_the_making_is_there_only_when_it_is_asked_for(
    wanted: str, served: str, tmp_path: Path
) -> None:
    (tmp_path / "forge").mkdir()
    (tmp_path / "forge" / "__init__.py").touch()
    (tmp_path / "forge" / "apps.py").write_text(FORGE)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "clones.config.settings.embedded",
            "SANDLOT_DATA": str(tmp_path / "data"),
            "SANDLOT_MAKING": wanted,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(done.stdout.split()) == sorted(served.split())
