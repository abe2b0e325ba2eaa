"""`make setup` does each phase once, in the order promised, and says what it needs."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.project.paths import ROOT
from tools import setup

PAGE = "#!/bin/sh\necho '<html></html>'\n"
BROKEN = "#!/bin/sh\necho 'a shared library is missing' >&2\nexit 127\n"


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with nothing set up, on a machine with a shell and no browser."""
    root = tmp_path / "clone"
    (root / ".sandlot").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", root)
    script(tmp_path / "bin" / "sh", '#!/bin/false\nexec /bin/sh "$@"\n')
    for name in ("sh", "touch", "rm", "cat"):
        (tmp_path / "bin" / name).unlink(missing_ok=True)
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return root


def environment_python(clone: Path, *, playwright: str = "exit 1", pip: str = "exit 0") -> Path:
    """Stand in for `.venv/bin/python`: log each call, and answer as told."""
    return script(
        clone / ".venv" / "bin" / "python",
        f"""#!/bin/sh
echo "$*" >> {clone}/calls
case "$*" in
  "-c import pip") exit 0 ;;
  "-m pip"*) {pip} ;;
  "-m playwright"*) {playwright} ;;
  "-c from playwright"*) echo {clone}/theirs ;;
esac
""",
    )


def calls(clone: Path, what: str) -> int:
    log = clone / "calls"
    return sum(what in line for line in log.read_text().splitlines()) if log.exists() else 0


# The browser


def test_the_download_of_playwright_comes_first(clone: Path) -> None:
    environment_python(clone, playwright="exit 0")
    script(clone / "theirs", PAGE)
    script(clone.parent / "bin" / "chromium", PAGE)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{clone}/theirs\n"


def test_a_download_that_does_not_start_gives_way_to_the_machines_own(clone: Path) -> None:
    environment_python(clone, playwright="exit 0")
    script(clone / "theirs", BROKEN)
    script(clone.parent / "bin" / "chromium", BROKEN)
    own = script(clone.parent / "bin" / "google-chrome", PAGE)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{own}\n"


@pytest.mark.parametrize("package", ["chromium-headless-shell", "chromium"])
def test_debian_gets_a_chromium_installed_for_root(
    clone: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment_python(clone)
    made = clone.parent / "bin" / package
    offer(clone, package)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert setup.install_system_browser(package) is None
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{made}\n"


def test_the_one_without_windows_is_installed_beside_the_whole_one(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment_python(clone)
    script(clone.parent / "bin" / "chromium", PAGE)
    offer(clone, setup.SHELL)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{clone.parent}/bin/{setup.SHELL}\n"


def offer(clone: Path, package: str) -> None:
    """Let this machine's `apt-get` have one package, which is a program that opens a page."""
    made = clone.parent / "bin" / package
    page = script(clone.parent / "page", PAGE)
    have = f'*" {package}") cat {page} > {made}; chmod 755 {made} ;;'
    install = f'case "$*" in {have} *install*) exit 100 ;; esac'
    (clone.parent / "bin" / "chmod").symlink_to(shutil.which("chmod") or "/bin/chmod")
    script(clone.parent / "bin" / "apt-get", f"#!/bin/sh\n{install}\n")


def test_without_any_one_line_says_what_to_install(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment_python(clone)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    setup.find_browser(clone)
    assert not (clone / ".sandlot" / "browser").exists()
    assert (
        capsys.readouterr()
        .out.splitlines()[-1]
        .startswith("setup: browser: none found: install Chromium")
    )
    setup.find_browser(clone)
    assert calls(clone, "-m playwright") == 1, "the download is not tried again at each make"
    own = script(clone.parent / "bin" / "chromium", PAGE)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{own}\n"


def test_a_browser_that_is_there_is_not_looked_for_again(clone: Path) -> None:
    environment_python(clone)
    (clone / ".sandlot" / "browser").write_text(f"{script(clone / 'mine', PAGE)}\n")
    setup.find_browser(clone)
    assert calls(clone, "playwright") == 0
    (clone / "mine").unlink()
    own = script(clone.parent / "bin" / "chromium", PAGE)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{own}\n"


# The packages


def test_packages_are_installed_once_until_their_list_changes(clone: Path) -> None:
    environment_python(clone)
    setup.install_packages(clone)
    setup.install_packages(clone)
    assert calls(clone, "-m pip install") == 1
    project = clone / "pyproject.toml"
    project.write_text(project.read_text().replace("line-length = 100", "line-length = 99"))
    setup.install_packages(clone)
    assert calls(clone, "-m pip install") == 1, "the linter's settings install nothing"
    project.write_text(project.read_text().replace('"lark==', '"lark>='))
    setup.install_packages(clone)
    assert calls(clone, "-m pip install") == 2
    assert calls(clone, f"--editable {clone}[browser,stack,tls,dev]") == 2


def test_a_failed_install_is_shown_and_tried_again(clone: Path) -> None:
    environment_python(clone, pip="echo no matching distribution; exit 1")
    with pytest.raises(setup.SetupError, match="no matching distribution"):
        setup.install_packages(clone)
    environment_python(clone)
    setup.install_packages(clone)
    assert calls(clone, "-m pip install") == 2


def test_a_python_without_ensurepip_gets_one_line(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_none(name: str) -> None:
        assert name == "ensurepip"

    monkeypatch.setattr(importlib.util, "find_spec", find_none)
    with pytest.raises(setup.SetupError, match="install python3-venv") as error:
        setup.make_environment(clone)
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_an_environment_that_lost_its_python_is_made_anew(clone: Path) -> None:
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/no/such/python")
    setup.make_environment(clone)
    code, output = setup.run([python, "-c", "import pip, sys; print(sys.version)"], seconds=60)
    assert code == 0
    assert output.strip() == sys.version


def test_a_command_that_hangs_is_given_up() -> None:
    code, output = setup.run(["sleep", "30"], seconds=0.2)
    assert code == 124
    assert "gave up" in output
