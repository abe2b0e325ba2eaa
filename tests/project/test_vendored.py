"""The vendored front-end files are what the record says, licensed, and free of the network."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from tools.vendor_assets import (
    LICENCES,
    RECORD,
    VENDOR,
    VendorError,
    Wish,
    find_differences,
    make_sprite,
    read_wishes,
    taken_out,
)

RECORDED = tomllib.loads(RECORD.read_text())["package"]
FOLDERS = {row["folder"]: row for row in RECORDED}


def test_every_file_has_its_recorded_hash() -> None:
    assert find_differences() == []


def test_a_changed_a_missing_and_an_added_file_are_found(tmp_path: Path) -> None:
    copy = tmp_path / "vendor"
    shutil.copytree(VENDOR, copy)
    script = next(copy.glob("htmx-*/htmx.min.js"))
    script.write_text(script.read_text() + "\n")
    next(copy.glob("alpinejs-*/LICENSE")).unlink()
    (copy / "extra.js").touch()
    assert sorted(line.rpartition(": ")[2] for line in find_differences(copy)) == [
        "changed",
        "missing",
        "not in the record",
    ]


def test_everything_on_the_list_is_there_in_its_version() -> None:
    wished = {wish.target: {"LICENSE", *wish.files.values()} for wish in read_wishes()}
    assert wished.keys() == FOLDERS.keys()
    for folder, names in wished.items():
        assert names <= FOLDERS[folder]["files"].keys()


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_package_comes_with_a_licence_we_may_ship(folder: str) -> None:
    assert FOLDERS[folder]["licence"] in LICENCES
    assert len((VENDOR / folder / "LICENSE").read_text()) > 300


@pytest.mark.parametrize("path", sorted(VENDOR.rglob("*.css")), ids=lambda path: path.name)
def test_no_style_loads_from_elsewhere(path: Path) -> None:
    text = path.read_text()
    assert "@import" not in text
    assert all(url.startswith("data:") for url in re.findall(r"url\([\"']?([^)\"']*)", text))


def test_no_mark_of_a_vendor_is_shipped() -> None:
    marks = ("zendesk", "logo", "relationshape", "facebook", "twitter", "whatsapp", "slack")
    names = [path.name.lower() for path in VENDOR.rglob("*") if path.is_file()]
    assert [name for name in names if any(mark in name for mark in marks)] == []


@pytest.mark.parametrize(
    "wish", [wish for wish in read_wishes() if wish.icons], ids=lambda wish: wish.folder
)
def test_a_sprite_has_every_icon_by_name(wish: Wish) -> None:
    sprite = (VENDOR / wish.target / "sprite.svg").read_text()
    assert tuple(re.findall(r'<symbol id="([^"]*)"', sprite)) == tuple(sorted(wish.icons))
    assert "Apache-2.0" in sprite


def test_a_style_sheet_is_taken_out_of_a_module() -> None:
    assert taken_out("/* made */\nexport default `\na { b: c; }\n`;\n", "x.js").splitlines() == [
        "/* Taken out of x.js, unchanged. */",
        "a { b: c; }",
    ]
    for script in ("export default `${a}`;", "export default 'a';"):
        with pytest.raises(VendorError, match=r"x\.js"):
            taken_out(script, "x.js")


def test_what_is_no_icon_is_refused() -> None:
    with pytest.raises(VendorError, match="icon x"):
        make_sprite({"x": "<p>no</p>"}, "a source")
