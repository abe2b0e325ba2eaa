"""The examples of docs/how-to, written into a copy of the house."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.project.paths import ROOT
from tools.new_clone.naming import Names
from tools.new_clone.registration import PLACES, changed
from tools.new_clone.skeleton import files

FOLDER = ROOT / "docs" / "how-to"
# A whole file, with its path; a change of files that are there.
FILE = re.compile(r"^```\w+ title=(\S+)\n(.*?\n)```$", re.DOTALL | re.MULTILINE)
DIFF = re.compile(r"^```diff\n(.*?\n)```$", re.DOTALL | re.MULTILINE)
CHANGED = re.compile(r"^\+\+\+ b/(\S+)$", re.MULTILINE)
# What is made beside the house's own files, at its top.
LEFT_OUT = {".git", ".venv", ".venvs", ".sandlot", "data", "reports"}


class Copy:
    """A copy of the house in which folders of links stand for what nobody changes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def take(self, page: str) -> None:
        """Write the files of a page, and make its changes.

        Raises:
            subprocess.CalledProcessError: what a page would change is not there.
        """
        text = (FOLDER / page).read_text("utf-8")
        # Python looks for modules beside the file that a link leads to.
        self._place("manage.py").write_bytes((ROOT / "manage.py").read_bytes())
        for path, content in FILE.findall(text):
            self._place(path).write_text(content, encoding="utf-8")
            for parent in Path(path).parents:
                inside = parent.parts[:1] in {("clones",), ("seeds",), ("episodes",), ("tests",)}
                if inside and not (self.folder / parent / "__init__.py").exists():
                    (self.folder / parent / "__init__.py").touch()
        for diff in DIFF.findall(text):
            for path in CHANGED.findall(diff):
                self._place(path).write_bytes((ROOT / path).read_bytes())
            subprocess.run(
                ["git", "apply", "-C1", "-"],
                input=diff,
                cwd=self.folder,
                env={**os.environ, "GIT_DIR": str(self.folder / "none")},
                text=True,
                check=True,
            )

    def insert(self, path: str, after: str, text: str) -> None:
        """Write a text behind another one, which the house's file has once."""
        self._place("manage.py").write_bytes((ROOT / "manage.py").read_bytes())
        found = (ROOT / path).read_text("utf-8")
        assert found.count(after) == 1, (path, after)
        self._place(path).write_text(found.replace(after, after + text), encoding="utf-8")

    def add_clone(self, names: Names) -> None:
        """Write the files of a new clone, and name it where clones are named."""
        self._place("manage.py").write_bytes((ROOT / "manage.py").read_bytes())
        for place in PLACES:
            self._place(place.file).write_bytes((ROOT / place.file).read_bytes())
        for path, text in changed(self.folder, names).items():
            path.write_text(text, encoding="utf-8")
        for written, text in files(names):
            self._place(str(written)).write_text(text, encoding="utf-8")

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run Python on the copy: `-m pytest ...`."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def _place(self, path: str) -> Path:
        """Return a file's place in the copy: no link leads to it any more."""
        here, there = self.folder, ROOT
        for name in ("", *Path(path).parts[:-1]):
            here, there = here / name, there / name
            if here.is_symlink():
                here.unlink()
            here.mkdir(exist_ok=True)
            for entry in there.iterdir() if there.is_dir() else ():
                left_out = entry.name == "__pycache__" or (name == "" and entry.name in LEFT_OUT)
                if not left_out and not (here / entry.name).exists():
                    (here / entry.name).symlink_to(entry)
        found = self.folder / path
        if found.is_symlink():
            found.unlink()
        return found
