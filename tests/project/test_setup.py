"""`make setup` does each phase once, in the order promised, and says what it needs."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from episodes.browser import find_browser, why_none
from episodes.browser.trial import NO_FONTS
from tests.project.paths import ROOT
from tools import distribution, setup

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
  "-m episodes.browser.trial"*) exec "$3" ;;
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
    assert not distribution.install(package)
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


def test_a_browser_that_opens_no_page_is_quoted(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment_python(clone)
    own = script(clone.parent / "bin" / "chromium", BROKEN)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    setup.find_browser(clone)
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("setup: browser: a shared library is missing: install another (Debian")
    script(own, PAGE)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{own}\n"


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


def test_a_browser_that_was_tried_is_not_tried_again_until_the_packages_change(
    clone: Path,
) -> None:
    environment_python(clone, playwright="exit 0")
    script(clone / "theirs", PAGE)
    setup.find_browser(clone)
    setup.find_browser(clone)
    assert calls(clone, "-m playwright") == calls(clone, "-m episodes.browser.trial") == 1
    project = clone / "pyproject.toml"
    project.write_text(project.read_text().replace('"lark==', '"lark>='))
    setup.find_browser(clone)
    assert calls(clone, "-m episodes.browser.trial") == 2
    (clone / "theirs").unlink()
    own = script(clone.parent / "bin" / "chromium", PAGE)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{own}\n"


# What the browser and Playwright's driver need


LOADER = "error while loading shared libraries: libatomic.so.1: cannot open shared object file"


def without_libatomic(clone: Path, program: Path, *, packages: tuple[str, ...] = ()) -> None:
    """Let a program lack a library, and this machine's `apt-get` have some packages."""
    there, bin_ = clone.parent / "libatomic", clone.parent / "bin"
    text = program.read_text() if program.exists() else "#!/bin/sh\n"
    words = f"[ -e {there} ] || {{ echo '{program.name}: {LOADER}' >&2; exit 127; }}\n"
    script(program, text.replace("#!/bin/sh\n", f"#!/bin/sh\n{words}"))
    script(bin_ / "ldd", f"#!/bin/sh\n[ -e {there} ] || echo '\tlibatomic.so.1 => not found'\n")
    have = "".join(f'*" {package}") touch {there} ;; ' for package in packages)
    log = f'echo "$*" >> {clone.parent}/apt\n'
    script(bin_ / "apt-get", f'#!/bin/sh\n{log}case "$*" in {have}*install*) exit 100 ;; esac\n')


def driver(clone: Path) -> Path:
    return clone / ".venv/lib/python3.11/site-packages/playwright/driver/node"


@pytest.mark.parametrize("package", ["libatomic1", "libatomic1t64"])
def test_root_gets_what_the_driver_lacks(
    clone: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment_python(clone, playwright="exit 0")
    script(clone / "theirs", PAGE)
    without_libatomic(clone, driver(clone), packages=(package,))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{clone}/theirs\n"


@pytest.mark.parametrize("user", [0, 1000])
def test_a_driver_that_lacks_a_library_gets_one_line(
    clone: Path, user: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who is not root may not install it; root finds none to install, and asks but once."""
    environment_python(clone, playwright="exit 0")
    script(clone / "theirs", PAGE)
    without_libatomic(clone, driver(clone))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    setup.find_browser(clone)
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == (
        "setup: browser: Playwright's driver lacks libatomic.so.1: install what has it (Debian,"
        " Ubuntu, as root: apt-get install libatomic1), then run `make setup` again; the browser"
        " part is skipped until then"
    )
    assert len(said) == (2 if user == 0 else 1)
    assert find_browser(note=clone / ".sandlot" / "browser") is None
    assert f"setup: browser: {why_none(clone / '.sandlot' / 'browser')}" == said[-1]
    log = clone.parent / "apt"
    before = log.read_text() if log.exists() else ""
    setup.find_browser(clone)
    assert capsys.readouterr().out.splitlines() == said[-1:]
    assert (log.read_text() if log.exists() else "") == before
    assert calls(clone, "playwright") == 0
    (clone.parent / "libatomic").touch()
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{clone}/theirs\n"
    assert find_browser(note=clone / ".sandlot" / "browser") == clone / "theirs"


def test_a_driver_that_fails_otherwise_is_quoted(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment_python(clone)
    script(driver(clone), "#!/bin/sh\necho 'Illegal instruction'\nexit 132\n")
    setup.find_browser(clone)
    (said,) = capsys.readouterr().out.splitlines()
    assert "Playwright's driver does not start: Illegal instruction" in said


def test_who_has_no_home_is_told_to_set_one(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    environment_python(clone, playwright="exit 0")
    script(clone / "theirs", PAGE)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "home", homeless)
        setup.find_browser(clone)
    (said,) = capsys.readouterr().out.splitlines()
    assert "set HOME, then run `make setup` again" in said
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{clone}/theirs\n"


@pytest.mark.parametrize("user", [0, 1000])
def test_a_download_gets_what_it_lacks_where_no_package_is_to_be_had(
    clone: Path, user: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment_python(clone, playwright="exit 0")
    without_libatomic(clone, script(clone / "theirs", PAGE), packages=("libatomic1",))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").exists() == (user == 0)
    told = f"{clone}/theirs lacks libatomic.so.1: install what has it"
    assert (told in capsys.readouterr().out) == (user != 0)
    setup.find_browser(clone)
    assert (told in capsys.readouterr().out) == (user != 0), "it is told each time"
    (clone.parent / "libatomic").touch()
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").read_text() == f"{clone}/theirs\n"
    assert calls(clone, "-m playwright") == 1


@pytest.mark.parametrize("user", [0, 1000])
def test_a_browser_without_fonts_gets_some(
    clone: Path, user: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fonts = clone.parent / "bin" / setup.FONTS
    environment_python(clone, playwright="exit 0")
    script(clone / "theirs", f"#!/bin/sh\n[ -e {fonts} ] || {{ echo '{NO_FONTS}'; exit 1; }}\n")
    offer(clone, setup.FONTS)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    setup.find_browser(clone)
    assert (clone / ".sandlot" / "browser").exists() == (user == 0)
    told = f"{NO_FONTS}: install some (Debian: apt-get install fonts-dejavu-core), then run"
    assert (told in capsys.readouterr().out) == (user != 0)


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libatomic.so.1", "libatomic1"),
        ("libnss3.so", "libnss3"),
        ("libX11.so.6", "libx11-6"),
        ("libgcc_s.so.1", "libgcc-s1"),
        ("libstdc++.so.6", "libstdc++6"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libpango-1.0.so.0", "libpango-1.0-0"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libatk-bridge-2.0.so.0", "libatk-bridge2.0-0"),
        ("libasound.so.2", "libasound2t64"),
    ],
)
def test_the_package_of_a_library_has_its_name(library: str, package: str) -> None:
    assert package in list(distribution.packages_of(library))


def test_the_packages_that_apt_knows_come_first(clone: Path) -> None:
    known = 'case "$*" in *libglib2.0-0t64) echo "Package: libglib2.0-0t64" ;; esac'
    script(clone.parent / "bin" / "apt-cache", f"#!/bin/sh\n{known}\n")
    assert distribution.package_of("libglib-2.0.so.0") == "libglib2.0-0t64"
    assert distribution.package_of("libatomic.so.1") == "libatomic1"
    assert distribution.package_of("strange") == "strange"


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


@pytest.mark.parametrize("words", setup.NO_NETWORK)
def test_a_machine_without_a_network_gets_one_line(clone: Path, words: str) -> None:
    environment_python(clone, pip=f"echo 'WARNING: Retrying: {words}: /simple/a'; exit 1")
    with pytest.raises(setup.SetupError) as failed:
        setup.install_packages(clone)
    log = clone / ".sandlot" / "pip.log"
    assert str(failed.value) == f"pip reaches no package index: is there a network? (see {log})"
    assert words in log.read_text()


def test_a_python_without_ensurepip_gets_one_line(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_none(name: str) -> None:
        assert name == "ensurepip"

    monkeypatch.setattr(importlib.util, "find_spec", find_none)
    with pytest.raises(setup.SetupError, match="install python3-venv") as error:
        setup.make_environment(clone)
    assert "\n" not in str(error.value)


def test_root_gets_what_debian_parts_from_its_python(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    offer(clone, package)
    made = clone.parent / "bin" / package
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: made if made.exists() else None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(sys, "executable", "/opt/python/bin/python3")
    assert not setup.install_ensurepip(), "a Python of another maker has no such package"
    monkeypatch.setattr(sys, "executable", "/usr/bin/no-such-python")
    assert setup.install_ensurepip()


def test_a_python_whose_sqlite_is_not_enough_gets_one_line(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = 'echo "sqlite3.OperationalError: no such module: fts5"; exit 1'
    monkeypatch.setattr(sys, "executable", str(script(clone / "python", f"#!/bin/sh\n{old}\n")))
    with pytest.raises(setup.SetupError, match="no such module: fts5") as error:
        setup.make_environment(clone)
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_an_environment_that_lost_its_python_is_made_anew(clone: Path) -> None:
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/no/such/python")
    setup.make_environment(clone)
    code, output = distribution.run(
        [python, "-c", "import pip, sys; print(sys.version)"], seconds=60
    )
    assert code == 0
    assert output.strip() == sys.version


def test_a_command_that_hangs_is_given_up() -> None:
    code, output = distribution.run(["sleep", "30"], seconds=0.2)
    assert code == 124
    assert "gave up" in output
