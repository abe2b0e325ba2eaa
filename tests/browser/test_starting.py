"""What hinders the driver or the browser from starting is one line that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from episodes.browser import BrowserError, BrowserLost, BrowserMissing, BrowserPool, trial
from tests.browser.conftest import browser

REMEDY = ": `rm -f .sandlot/tried && make setup` says what to do"
LOADER = "error while loading shared libraries: {}: cannot open shared object file: No such file"


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def failing(path: Path, library: str) -> Path:
    return script(path, f"echo '{path}: {LOADER.format(library)}' >&2; exit 127")


def why(program: Path | None) -> BrowserError:
    with BrowserPool(program) as pool:
        with pytest.raises(BrowserError) as error:
            pool.start()
        with pytest.raises(BrowserError) as again:
            pool.start()
    assert type(again.value) is type(error.value)
    assert "\n" not in str(error.value)
    return error.value


def test_a_driver_without_a_library_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    node = failing(tmp_path / "node", "libatomic.so.1")
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(node))
    error = why(Path("/bin/true"))
    assert isinstance(error, BrowserMissing)
    said = "Playwright's driver does not start: libatomic.so.1 is not installed"
    assert str(error) == said + REMEDY
    assert trial.main(["/bin/true"]) == 1
    assert capfd.readouterr() == (said + "\n", ""), "the driver's own words are not printed"


@pytest.mark.parametrize("text", ['[ "$1" = --version ] || exit 3', "exec /no/such/program"])
def test_a_driver_that_ends_is_no_traceback(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(script(tmp_path / "node", text)))
    assert str(why(Path("/bin/true"))).startswith("Playwright's driver does not start: ")
    assert capfd.readouterr().err == ""


def test_a_driver_that_is_not_there_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/no/such/node")
    assert "/no/such/node" in str(why(Path("/bin/true")))


def test_who_has_no_home_is_told_to_set_one(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert str(why(Path("/bin/true"))).endswith(", and its user has none: set HOME")
    assert capfd.readouterr().err == ""


def test_a_browser_without_a_library_names_it(tmp_path: Path) -> None:
    program = failing(tmp_path / "chromium", "libnss3.so")
    error = why(program)
    assert isinstance(error, BrowserLost)
    said = f"the browser did not start: {program}: libnss3.so is not installed"
    assert str(error) == said + REMEDY


def test_a_browser_that_is_not_there_is_one_line() -> None:
    assert "install Chromium" in str(why(None))
    assert "/no/such/chromium" in str(why(Path("/no/such/chromium")))


@pytest.mark.browser
def test_the_trial_opens_a_page_with_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trial.main([str(browser())]) == 0
    assert capsys.readouterr().out == ""
    none = tmp_path / "fonts.conf"
    none.write_text('<!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>')
    monkeypatch.setenv("FONTCONFIG_FILE", str(none))
    assert trial.main([str(browser())]) == 1
    assert capsys.readouterr().out == f"{trial.NO_FONTS}\n"
