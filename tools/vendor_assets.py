"""Fetch the front-end files that pages load, and record where each came from.

The list is `tools/vendor_assets.toml`. For each package the named files and the licence go to
`clones/core/static/vendor/<folder>-<version>/`; `VENDOR.toml` beside them records package,
version, licence, the archive's own hash, and the SHA-256 of every file. Needs `npm` and a
package registry; nothing else in the project does.

    python tools/vendor_assets.py [--check]

`--check` fetches nothing: it compares the files on disk with the record.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WISHES = ROOT / "tools" / "vendor_assets.toml"
VENDOR = ROOT / "clones" / "core" / "static" / "vendor"
RECORD = VENDOR / "VENDOR.toml"
LICENCES = frozenset({"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "0BSD"})
LICENCE_NAMES = ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING")


class VendorError(Exception):
    """A package cannot be vendored, or a vendored file is not what the record says."""


@dataclass(frozen=True)
class Wish:
    """One package of the list: where it comes from and which of its files are wanted."""

    npm: str
    folder: str
    version: str
    files: dict[str, str]
    icons: tuple[str, ...] = ()
    styles: frozenset[str] = frozenset()
    licence_file: str | None = None

    @property
    def target(self) -> str:
        """Name the folder under `static/vendor/`."""
        return f"{self.folder}-{self.version}"


@dataclass
class Vendored:
    """One package as it was written: what `VENDOR.toml` says of it."""

    wish: Wish
    licence: str
    integrity: str
    hashes: dict[str, str] = field(default_factory=dict)


def read_wishes(path: Path = WISHES) -> list[Wish]:
    """Read the list of packages."""
    wishes = []
    for row in tomllib.loads(path.read_text())["package"]:
        icons = tuple(row.get("icons", ()))
        files = dict(row.get("files", {}))
        ending = row.get("icons_to", ".svg")
        files.update({f"{row['icons_from']}/{name}{ending}": f"{name}.svg" for name in icons})
        styles = dict(row.get("styles", {}))
        wishes.append(
            Wish(
                row["npm"],
                row["folder"],
                row["version"],
                {**files, **styles},
                icons,
                frozenset(styles.values()),
                row.get("licence_file"),
            )
        )
    return wishes


def fetch_package(wish: Wish, folder: Path) -> tuple[Path, str]:
    """Download and unpack one package into `folder`.

    Returns the unpacked package and the archive's integrity string (`sha512-…`).
    Raises VendorError when the registry does not have it.
    """
    done = subprocess.run(
        ["npm", "pack", "--json", "--silent", f"{wish.npm}@{wish.version}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise VendorError(f"{wish.npm}@{wish.version}: {done.stderr.strip()}")
    answer: dict[str, Any] = json.loads(done.stdout)[0]
    with tarfile.open(folder / answer["filename"]) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    return folder / "unpacked" / "package", answer["integrity"]


def find_licence(wish: Wish, package: Path) -> tuple[str, bytes]:
    """Name the licence of an unpacked package and give its text.

    Raises VendorError when the licence is not one we may ship, or has no text.
    """
    name = json.loads((package / "package.json").read_text())["license"]
    if name not in LICENCES:
        raise VendorError(f"{wish.npm}: the licence {name} is not on the list")
    if wish.licence_file:
        return name, (ROOT / wish.licence_file).read_bytes()
    for candidate in LICENCE_NAMES:
        if (package / candidate).is_file():
            return name, (package / candidate).read_bytes()
    raise VendorError(f"{wish.npm}: no licence file; name one as licence_file")


def make_sprite(icons: dict[str, str], source: str) -> str:
    """Join icons into one SVG file: one `<symbol id="name">` each, in name order.

    Raises VendorError when a text is not one `<svg>` with a viewBox.
    """
    symbols = []
    for name, text in sorted(icons.items()):
        found = re.fullmatch(r"\s*<svg\b([^>]*)>(.*)</svg>\s*", text, re.DOTALL)
        box = found and re.search(r'viewBox="([^"]*)"', found[1])
        if not found or not box:
            raise VendorError(f"icon {name}: not one <svg> with a viewBox")
        symbols.append(f'<symbol id="{name}" viewBox="{box[1]}">{found[2].strip()}</symbol>')
    body = "\n".join(symbols)
    notice = f"<!-- Joined from the icons of {source}; each is unchanged. -->"
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{notice}\n{body}\n</svg>\n'


def taken_out(script: str, source: str) -> str:
    """Return the style sheet that a module of a theme exports as its one text.

    Raises VendorError when it exports anything else.
    """
    found = re.search(r"export default `([^`\\$]*)`;\s*$", script)
    if not found:
        raise VendorError(f"{source} does not export one plain text")
    return f"/* Taken out of {source}, unchanged. */\n{found[1].strip()}\n"


def vendor_package(wish: Wish, target: Path) -> Vendored:
    """Fetch one package and write its wanted files, its licence and its sprite to `target`.

    Raises VendorError when the package, a file or an acceptable licence is missing.
    """
    with tempfile.TemporaryDirectory() as folder:
        package, integrity = fetch_package(wish, Path(folder))
        licence, text = find_licence(wish, package)
        contents = {"LICENSE": text}
        for source, name in wish.files.items():
            if not (package / source).is_file():
                raise VendorError(f"{wish.npm}@{wish.version} has no file {source}")
            contents[name] = (package / source).read_bytes()
            if name in wish.styles:
                named = f"{source} of {wish.npm} {wish.version}"
                contents[name] = taken_out(contents[name].decode(), named).encode()
    if wish.icons:
        icons = {name: contents[f"{name}.svg"].decode() for name in wish.icons}
        source = f"{wish.npm} {wish.version}, {licence}"
        contents["sprite.svg"] = make_sprite(icons, source).encode()
    done = Vendored(wish, licence, integrity)
    target.mkdir(parents=True)
    for name, data in sorted(contents.items()):
        (target / name).write_bytes(data)
        done.hashes[name] = hashlib.sha256(data).hexdigest()
    return done


def write_record(packages: list[Vendored], path: Path) -> None:
    """Write `VENDOR.toml`."""
    lines = [
        "# Written by tools/vendor_assets.py; do not edit. Names, versions, licences, SHA-256."
    ]
    for done in packages:
        lines += [
            "",
            "[[package]]",
            f'npm = "{done.wish.npm}"',
            f'version = "{done.wish.version}"',
            f'licence = "{done.licence}"',
            f'integrity = "{done.integrity}"',
            f'folder = "{done.wish.target}"',
            "[package.files]",
            *(f'"{name}" = "{digest}"' for name, digest in done.hashes.items()),
        ]
    path.write_text("\n".join(lines) + "\n")


def find_differences(vendor: Path = VENDOR) -> list[str]:
    """Compare the vendored files with their record: one line per difference."""
    found = []
    recorded = {"VENDOR.toml"}
    for row in tomllib.loads((vendor / "VENDOR.toml").read_text())["package"]:
        for name, digest in row["files"].items():
            path = f"{row['folder']}/{name}"
            recorded.add(path)
            if not (vendor / path).is_file():
                found.append(f"{path}: missing")
            elif hashlib.sha256((vendor / path).read_bytes()).hexdigest() != digest:
                found.append(f"{path}: changed")
    on_disk = {str(p.relative_to(vendor)) for p in vendor.rglob("*") if p.is_file()}
    found += [f"{path}: not in the record" for path in sorted(on_disk - recorded)]
    return found


def vendor_all() -> None:
    """Fetch everything on the list, then put it in the place of what was there."""
    fresh = VENDOR.with_name("vendor.new")
    shutil.rmtree(fresh, ignore_errors=True)
    packages = []
    for wish in read_wishes():
        print(f"{wish.npm} {wish.version}", file=sys.stderr)
        packages.append(vendor_package(wish, fresh / wish.target))
    write_record(packages, fresh / RECORD.name)
    shutil.rmtree(VENDOR, ignore_errors=True)
    fresh.rename(VENDOR)


def main() -> int:
    """Fetch, or check with `--check`."""
    parser = argparse.ArgumentParser(description="Fetch or check the vendored front-end files.")
    parser.add_argument("--check", action="store_true", help="compare with the record only")
    try:
        if parser.parse_args().check:
            differences = find_differences()
            print("\n".join(differences) or "the vendored files are as recorded")
            return bool(differences)
        vendor_all()
    except VendorError as error:
        print(f"vendor_assets: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
