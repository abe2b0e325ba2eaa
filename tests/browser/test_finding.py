"""Which browser is driven."""

from __future__ import annotations

import json
from pathlib import Path

import playwright
import pytest

from episodes.browser import BrowserMissing, find_browser, finding, why_none


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def revision() -> str:
    manifest = Path(playwright.__file__).parent / "driver" / "package" / "browsers.json"
    (found,) = [
        entry["revision"]
        for entry in json.loads(manifest.read_text())["browsers"]
        if entry["name"] == "chromium"
    ]
    return str(found)


def test_the_order_is_setting_note_download_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "_installed", lambda: Path("system"))
    named, noted = program(tmp_path / "named"), program(tmp_path / "noted")
    note = tmp_path / "browser"
    note.write_text(f"{noted}\n")
    downloads = tmp_path / "downloads"
    download = program(downloads / f"chromium-{revision()}" / "chrome-linux64" / "chrome")
    everything = {"note": note, "downloads": downloads}
    assert find_browser(named=named, **everything) == named
    assert find_browser(**everything) == noted
    noted.unlink()
    assert find_browser(**everything) == download
    assert find_browser(note=tmp_path / "none", downloads=tmp_path / "none") == Path("system")


def test_a_download_for_another_playwright_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "_installed", lambda: None)
    program(tmp_path / "chromium-1" / "chrome-linux64" / "chrome")
    assert find_browser(note=tmp_path / "none", downloads=tmp_path) is None


def test_who_has_no_home_has_no_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setattr(finding, "_installed", lambda: Path("system"))
    assert find_browser(note=tmp_path / "none") == Path("system")


def test_where_set_up_found_none_what_merely_lies_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "_installed", lambda: Path("system"))
    note, told = tmp_path / "browser", tmp_path / "no-browser"
    told.write_text("it lacks a library: install it\n")
    assert find_browser(note=note) is None
    assert why_none(note) == "it lacks a library: install it"
    told.unlink()
    assert find_browser(note=note, downloads=tmp_path) == Path("system")
    assert "install Chromium" in why_none(note)


def test_a_named_browser_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BrowserMissing):
        find_browser(named=tmp_path / "chromium")
