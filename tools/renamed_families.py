"""Keep the reports of families whose files differ from a commit's by renamed names alone.

`python -m tools.renamed_families COMMIT`: where a name that families import is called otherwise,
their files are not those that were certified, though nothing they do has changed. A report that was
of a family's files at COMMIT is made one of its files as they are, if the program is the same but
for names: each name became one other, and no two became the same. Values, texts and what is
imported stay. Anything else is left to `sandlot task certify`.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from episodes.certify.inputs import FOLDER, packages_of, sources_of
from episodes.certify.report import keep_for

ROOT = Path(__file__).resolve().parents[1]
REPORTS = ROOT / "episodes" / "reports"
IMPORTS = (ast.Import, ast.ImportFrom)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Different(Exception):
    """Raised when two programs differ in more than names."""


class Renames:
    """What each name became: one other, and no two the same."""

    def __init__(self) -> None:
        self._new: dict[str, str] = {}
        self._old: dict[str, str] = {}

    def note(self, old: str, new: str) -> None:
        """Note that a name became another.

        Raises:
            Different: it became something else before, or something else became that.
        """
        if self._new.setdefault(old, new) != new or self._old.setdefault(new, old) != old:
            raise Different(f"{old} became {new} and {self._new[old]}, or {self._old[new]} did")

    def changed(self) -> dict[str, str]:
        """Return the names that became others."""
        return {old: new for old, new in self._new.items() if old != new}


def compare(old: str, new: str, renames: Renames) -> None:
    """Compare two programs, and note what names became.

    Raises:
        Different: they differ in more than names.
    """
    before, after = ast.parse(old), ast.parse(new)
    imports_before, imports_after = _imports(before), _imports(after)
    for tree in (before, after):
        _drop_docstrings(tree)
    _compare(before, after, renames)
    # The order of imports goes by their names.
    for name, place in imports_before.items():
        moved = imports_after.pop(renames.changed().get(name, name), None)
        if moved is None or (moved != place and not _is_moved(place, moved)):
            raise Different(f"{name} of {place} is {'no more' if moved is None else f'of {moved}'}")
    if imports_after:
        raise Different(f"{', '.join(sorted(imports_after))} are imported now")


def _imports(tree: ast.Module) -> dict[str, str]:
    """Take the imports out of a program, and return the names that they bind and their modules."""
    found = dict[str, str]()
    for node in ast.walk(tree):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list):
                for item in [item for item in body if isinstance(item, IMPORTS)]:
                    body.remove(item)
                    for alias in item.names:
                        module = item.module if isinstance(item, ast.ImportFrom) else None
                        found[alias.asname or alias.name] = module or alias.name
    return found


def _drop_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]


def _is_moved(old: str, new: str) -> bool:
    """Tell whether a module is there by its new name alone."""
    there = [
        (ROOT / name.replace(".", "/")).is_dir()
        or (ROOT / f"{name.replace('.', '/')}.py").is_file()
        for name in (old, new)
    ]
    return there == [False, True]


def _compare(old: object, new: object, renames: Renames, field: str = "") -> None:
    if type(old) is not type(new):
        raise Different(f"{old!r} became {new!r}")
    if isinstance(old, ast.AST) and isinstance(new, ast.AST):
        for (name, one), (_, other) in zip(ast.iter_fields(old), ast.iter_fields(new), strict=True):
            _compare(one, other, renames, "value" if isinstance(old, ast.Constant) else name)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            raise Different(f"{len(old)} {field} became {len(new)}")
        for one, other in zip(old, new, strict=True):
            _compare(one, other, renames, field)
    elif isinstance(old, str) and isinstance(new, str) and field != "value":
        renames.note(old, new)
    elif old != new:
        raise Different(f"{old!r} became {new!r}")


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder)


def kept_since(commit: str) -> tuple[list[Path], dict[str, str], list[str]]:
    """Make reports ones of the files as they are.

    Returns the reports, what names became, and why other families have to be certified anew.
    """
    command = ["git", "archive", commit, "episodes/families"]
    packed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    renamed, kept, others = dict[str, str](), list[Path](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        before = Path(folder) / "episodes" / "families"
        for path in sorted(REPORTS.glob("*.json")):
            family = path.stem.partition("@")[0]
            certified, now = json.loads(path.read_text()).get("sources"), sources_of(family)
            if certified == now or certified != sources_of(family, before):
                continue
            renames = Renames()
            try:
                for package in sorted(packages_of(family)):
                    _compare_packages(before / package, FOLDER / package, renames)
            except Different as error:
                others.append(f"{family} is to be certified anew: {error}")
            else:
                keep_for(path, now)
                kept.append(path)
                renamed |= renames.changed()
    return kept, renamed, others


def _compare_packages(before: Path, after: Path, renames: Renames) -> None:
    if [*_files(before)] != [*_files(after)]:
        raise Different(f"{after.name} has other files")
    for name in _files(before):
        old, new = (before / name).read_bytes(), (after / name).read_bytes()
        if old == new:
            continue
        if name.suffix != ".py":
            raise Different(f"{after.name}/{name} is no program")
        try:
            compare(old.decode(), new.decode(), renames)
        except Different as error:
            raise Different(f"{after.name}/{name}: {error}") from error


def main(arguments: list[str] | None = None) -> int:
    """Keep the reports; say which, and what was renamed."""
    parser = argparse.ArgumentParser(prog="renamed_families", description=__doc__)
    parser.add_argument("commit", help="what the files were certified as, such as HEAD~1")
    kept, renamed, others = kept_since(parser.parse_args(arguments).commit)
    for old, new in sorted(renamed.items()):
        print(f"{old} is {new} now")
    print("kept: " + (", ".join(path.stem for path in kept) or "none"))
    for line in others:
        print(line, file=sys.stderr)
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
