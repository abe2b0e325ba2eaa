"""Style sheets and scripts with all that they import, as one file each.

A page is made of two dozen small files. A browser asks for every one, and a tool that drives it is
told of each. So pages name two, which are put together from the sources when they are first asked
for: `{% joined "helpdesk/desk.js" %}`. The name of a joined file tells its content, so a browser
asks for it once.

Sources are what the standards say: sheets with `@import "...";`, ES modules with
`import { a, b } from "./c.js";` and named exports, one to a line. A module that was vendored is
imported by the name of its package; such modules export lists and one default name as well.
Anything else is refused.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.http import HttpRequest, HttpResponse

KINDS = {".css": "text/css", ".js": "text/javascript"}
NAMED = re.compile(r"(?P<stem>.+)\.(?P<digest>[0-9a-f]{16})(?P<suffix>\.css|\.js)")
FOREVER = "max-age=31536000, public, immutable"
SHEET = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
# What a sheet would say of another place than its own, were it moved.
PLACED = re.compile(r"""@import|@charset|\burl\((?!["']?data:)""")
MODULE = re.compile(
    r"""^import (?:(\w+) from |\{ ([\w, ]+) \} from )?(["'])(\./[^"']+|[a-z][\w-]*)\3;\n""",
    re.MULTILINE,
)
EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function|class) (\w+)|(?:const|var) (\w+) =)", re.MULTILINE
)
LISTED = re.compile(r"^export (?:\{ ([\w, ]+) \}|default ([A-Za-z]\w*));\s*$", re.MULTILINE)
SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)
RECORD = "vendor/VENDOR.toml"
LEFT = re.compile(r"^\s*(?:import|export)\b.*|\bimport\(|^await\b", re.MULTILINE)

Get: TypeAlias = Callable[[HttpRequest], HttpResponse]


class CannotJoin(Exception):
    """Raised when a source is missing, or is written in a way that cannot be joined."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A file with all that it imports: UTF-8, and the beginning of its SHA-256."""

    content: bytes
    digest: str


def address_of(name: str) -> str:
    """Return where pages load a source and all that it imports from.

    Raises:
        CannotJoin: see `joined`.
    """
    stem, suffix = posixpath.splitext(name)
    return f"{settings.STATIC_URL}{stem}.{joined(name).digest}{suffix}"


@cache
def joined(name: str) -> Joined:
    """Return a source, by its name among the static files, with all that it imports.

    Raises:
        CannotJoin: it or what it imports is missing, or cannot be joined.
    """
    join = _sheet if name.endswith(".css") else _script
    content = join(name).encode()
    return Joined(content, hashlib.sha256(content).hexdigest()[:16])


class JoinedFiles:
    """Middleware: answers for joined files, whatever sandbox is asked; they are of no sandbox."""

    def __init__(self, get_response: Get) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer with a joined file if its address is asked for, else let others answer."""
        path = request.path_info
        if path.startswith(settings.STATIC_URL) and request.method in ("GET", "HEAD"):
            found = NAMED.fullmatch(path.removeprefix(settings.STATIC_URL))
            if found is not None:
                return self._answer(request, found)
        return self.get_response(request)

    def _answer(self, request: HttpRequest, asked: re.Match[str]) -> HttpResponse:
        try:
            file = joined(asked["stem"] + asked["suffix"])
        except CannotJoin:
            return self.get_response(request)
        if file.digest != asked["digest"]:
            return self.get_response(request)
        kind = f'{KINDS[asked["suffix"]]}; charset="utf-8"'
        return HttpResponse(file.content, content_type=kind, headers={"Cache-Control": FOREVER})


def _read(name: str) -> str:
    try:
        found = finders.find(name)
    except SuspiciousFileOperation:
        found = None
    if not isinstance(found, str):
        raise CannotJoin(f"there is no static file {name}")
    return Path(found).read_text(encoding="utf-8")


def _beside(name: str, other: str) -> str:
    """Return the name of what a source names from its place."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), other))


def _sheet(name: str) -> str:
    """Return a sheet behind those that it imports."""
    text = _read(name)
    head, brace, rules = text.partition("{")
    own = SHEET.sub("", head) + brace + rules
    if placed := PLACED.search(own):
        raise CannotJoin(f"{name}: {placed[0]!r} cannot be joined")
    imported = (_sheet(_beside(name, other)) for other in SHEET.findall(head))
    return "".join([*imported, f"/* {name} */\n{own}"])


def _script(name: str) -> str:
    """Return a module behind those that it imports, each once and in a scope of its own."""
    modules = dict[str, str]()
    _link(name, modules, ())
    return "".join(modules.values())


def _link(name: str, modules: dict[str, str], within: tuple[str, ...]) -> None:
    """Put a module among those that are linked, behind those that it imports."""
    if name in modules:
        return
    if name in within:
        raise CannotJoin(f"{name} imports itself by way of {within[-1]}")
    text = SOURCE_MAP.sub("", _read(name))
    for *_, other in MODULE.findall(text):
        _link(_named(name, other), modules, (*within, name))
    places = {linked: f"module_{number}" for number, linked in enumerate(modules)}

    def bound(found: re.Match[str]) -> str:
        default, names, _, other = found.groups()
        if default is None and names is None:
            return ""
        taken = f"default: {default}" if default else names.replace(" as ", ": ")
        return f"const {{ {taken} }} = {places[_named(name, other)]};\n"

    own = LISTED.sub("", EXPORT.sub("", MODULE.sub(bound, text)))
    if left := LEFT.search(own):
        raise CannotJoin(f"{name}: {left[0].strip()!r} cannot be joined")
    exports = ", ".join(_exports(text))
    scope = f"(() => {{\n{own}\nreturn {{ {exports} }};\n}})()"
    modules[name] = f"// {name}\nconst module_{len(modules)} = {scope};\n"


def _exports(text: str) -> list[str]:
    """Return what a module exports, as the members of an object are written."""
    found = [function or constant for function, constant in EXPORT.findall(text)]
    for names, default in LISTED.findall(text):
        if default:
            found.append(f"default: {default}")
        for one in filter(None, names.split(", ")):
            local, _, name = one.partition(" as ")
            found.append(f"{name}: {local}" if name else local)
    return found


def _named(name: str, other: str) -> str:
    """Return the name of a module that another imports: from its place, or of a package."""
    if other.startswith("./"):
        return _beside(name, other)
    folder = _vendored(_read(RECORD)).get(other)
    if folder is None:
        raise CannotJoin(f"{name}: there is no vendored module {other}")
    return f"vendor/{folder}/index.js"


@cache
def _vendored(record: str) -> dict[str, str]:
    """Return the folder of each vendored module by its package, as the record has them."""
    packages = tomllib.loads(record)["package"]
    return {one["npm"]: one["folder"] for one in packages if "index.js" in one["files"]}
