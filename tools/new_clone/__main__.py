"""`make new-clone NAME=crm RECORD=contact`: write the skeleton of a new clone, which runs at once.

    python -m tools.new_clone [--root FOLDER] NAME [RECORD [RECORDS]]

RECORD is what one of its first records is called (`item` if nothing is said), RECORDS what several
are (an s more). Nothing is written where a name will not do or something is in the way: that is
said in one line, and the exit is 2.
docs/how-to/add-a-clone.md says what comes next.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.new_clone.naming import Names, Refused, check_clone, check_record
from tools.new_clone.registration import changed
from tools.new_clone.skeleton import files

ROOT = Path(__file__).resolve().parents[2]
# Names that nothing else has: what the skeleton itself calls things is seen beside them.
OTHERS = Names("zzclone", "zzrecord", "zzrecords")


def make_clone(names: Names, root: Path) -> list[Path]:
    """Write a clone's files and tell the house of it; return what was written, then what changed.

    Raises:
        Refused: a name will not do, or something is in the way.
    """
    check_clone(names.clone, root)
    modules = [text for place, text in files(OTHERS) if place.suffix == ".py"]
    check_record(names, modules)
    made = {root / place: text for place, text in files(names)}
    for path in made:
        if path.exists():
            raise Refused(f"{path.relative_to(root)} is there already")
    told = changed(root, names)
    for path, text in {**made, **told}.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    _tidy([path for path in made if path.suffix == ".py"], root)
    page = root / "docs" / "data-model" / f"{names.clone}.md"
    if (root / "manage.py").exists():  # else there is no house whose tables could be drawn
        subprocess.run([sys.executable, "-m", "tools.data_model"], cwd=root, check=True)
        told[page] = page.read_text("utf-8")
    return [*made, *told]


def _tidy(modules: list[Path], root: Path) -> None:
    """Put imports in order and break lines: both hang on the length and the letters of a name."""
    for command in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--quiet", *modules], cwd=root, check=True
        )


def main(arguments: Sequence[str]) -> int:
    """Make a clone; return 0, or 2 where it was refused."""
    parser = argparse.ArgumentParser(prog="make new-clone")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("record", metavar="RECORD", nargs="?", default="item")
    parser.add_argument("records", metavar="RECORDS", nargs="?", default="")
    parser.add_argument("--root", type=Path, default=ROOT)
    options = parser.parse_args(arguments)
    names = Names(options.name, options.record, options.records or f"{options.record}s")
    try:
        written = make_clone(names, options.root)
    except Refused as error:
        print(f"new-clone: {error}", file=sys.stderr)
        return 2
    for path in written:
        print(path.relative_to(options.root))
    print(f"Next: .venv/bin/python -m pytest -n 0 tests/{options.name}; docs/how-to/add-a-clone.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
