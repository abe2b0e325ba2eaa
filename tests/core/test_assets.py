"""Joined style sheets and scripts: what pages name, what is refused, how it is answered."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.test import Client

from clones.core import assets

TAG = re.compile(r"{% joined '([^']+)' %}")
# What pages of the clones that are installed name.
NAMES = sorted(
    {
        name
        for app in apps.get_app_configs()
        for path in Path(app.path).glob("templates/**/*.html")
        for name in TAG.findall(path.read_text())
    }
)
Sources = dict[str, str]


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sources]:
    """Sources of a test's own, by name."""
    found: Sources = {}

    def read(name: str) -> str:
        if name not in found:
            raise assets.CannotJoin(f"there is no static file {name}")
        return found[name]

    monkeypatch.setattr(assets, "_read", read)
    assets.joined.cache_clear()
    yield found
    assets.joined.cache_clear()


def run(script: str) -> object:
    """Return what a script leaves in `told`, run as a module."""
    import playwright  # noqa: PLC0415 - it brings a Node of its own

    node = Path(playwright.__file__).parent / "driver" / "node"
    done = subprocess.run(
        [node, "--input-type=module"],
        input=f"globalThis.told = [];\n{script}\nconsole.log(JSON.stringify(told));",
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_pages_name_joined_files() -> None:
    assert {"helpdesk/desk.css", "helpdesk/desk.js", "helpdesk/portal.js"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_pages_name_is_answered_for_good(name: str) -> None:
    address = assets.address_of(name)
    answer = Client().get(address, headers={"host": "helpdesk.nowhere.localhost"})
    assert answer.status_code == 200
    assert answer.content == assets.joined(name).content
    assert answer["Cache-Control"] == "max-age=31536000, public, immutable"
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    assert answer["Content-Type"] == f'{kind}; charset="utf-8"'
    assert not re.search(rb"^(?:@import|import|export)\b", answer.content, re.MULTILINE)


@pytest.mark.parametrize(
    "path",
    [
        "/static/helpdesk/desk.0123456789abcdef.js",
        "/static/helpdesk/none.0123456789abcdef.css",
        "/static/../../pyproject.0123456789abcdef.css",
        "/static/helpdesk/desk.0123.js",
        "/static/a%00b.0123456789abcdef.css",
        f"/static/{'a' * 5000}.0123456789abcdef.css",
    ],
)
def test_what_no_page_names_is_not_there(path: str) -> None:
    answer = Client().get(path, headers={"host": "helpdesk.nowhere.localhost"})
    assert answer.status_code == 404


def test_nothing_is_written_to_a_joined_file() -> None:
    address = assets.address_of("helpdesk/desk.js")
    answer = Client().post(address, headers={"host": "helpdesk.nowhere.localhost"})
    assert answer.status_code == 404


def test_a_sheet_stands_behind_those_it_imports(sources: Sources) -> None:
    sources["a/all.css"] = '/* All. */\n@import "../b/base.css";\n@import "./own.css";\n.c {}\n'
    sources["b/base.css"] = ".a {}\n"
    sources["a/own.css"] = '.b { background: url("data:image/png;base64,"); }\n'
    text = assets.joined("a/all.css").content.decode()
    assert re.findall(r"^(\.\w)", text, re.MULTILINE) == [".a", ".b", ".c"]


def test_another_content_has_another_address(sources: Sources) -> None:
    sources["a.css"] = '@import "./b.css";\n'
    sources["b.css"] = ".a {}\n"
    before = assets.address_of("a.css")
    sources["b.css"] = ".b {}\n"
    assets.joined.cache_clear()
    assert assets.address_of("a.css") != before


def test_modules_are_run_once_in_their_order_each_in_its_scope(sources: Sources) -> None:
    sources["a.js"] = (
        'import { Counter, one as first } from "./b.js";\n'
        'import "./c.js";\n'
        "const own = 3;\n"
        'told.push("a", new Counter().next(), first, own);\n'
    )
    sources["b.js"] = (
        'import { step } from "./d/d.js";\n'
        "const own = 1;\n"
        "export class Counter { next() { return own + step(); } }\n"
        "export const one = own;\n"
        'told.push("b");\n'
    )
    sources["c.js"] = (
        'import { step } from "./d/d.js";\nconst own = 2;\ntold.push("c", own, step());\n'
    )
    sources["d/d.js"] = (
        "let steps = 0;\nexport function step() { return (steps += 10); }\n"
        "export async function later() {}\ntold.push('d');\n"
    )
    told = run(assets.joined("a.js").content.decode())
    assert told == ["d", "b", "c", 2, 10, "a", 21, 1, 3]


def test_vendored_modules_are_imported_by_their_packages(sources: Sources) -> None:
    sources["a.js"] = (
        'import Rope from "rope";\n'
        "import { other as one, kept } from 'rope';\ntold.push(Rope, one, kept);\n"
    )
    sources["vendor/VENDOR.toml"] = (
        '[[package]]\nnpm = "rope"\nfolder = "rope-1.0"\nfiles = { "index.js" = "00" }\n'
    )
    sources["vendor/rope-1.0/index.js"] = (
        "const whole = 1, inner = 2;\nexport var kept = 3;\nexport default whole;\n"
        "export { whole, inner as other };\n//# sourceMappingURL=index.js.map\n"
    )
    text = assets.joined("a.js").content.decode()
    assert run(text) == [1, 2, 3]
    assert "sourceMappingURL" not in text


@pytest.mark.parametrize(
    ("name", "source", "said"),
    [
        ("a.css", '@charset "utf-8";\n', "@charset"),
        ("a.css", ".a { background: url(a.png); }\n", r"url\("),
        ("a.css", '.a {}\n@import "./b.css";\n', "@import"),
        ("a.css", '@import "./none.css";\n', "no static file none.css"),
        ("a.js", 'import * as b from "./b.js";\n', "import . as b"),
        ("a.js", 'import { b } from "./b.js"\n', "import { b }"),
        ("a.js", 'import { b } from "nobodys";\n', "no vendored module nobodys"),
        ("a.js", 'import {\n  b,\n} from "./b.js";\n', "import {"),
        ("a.js", 'import { b } from "https://elsewhere.example/b.js";\n', "elsewhere"),
        ("a.js", "export let a = 1;\n", "export let a"),
        ("a.js", "export default 1;\n", "export default"),
        ("a.js", "const a = 1;\nexport {\n  a,\n};\n", "export {"),
        ("a.js", 'const a = () => import("./b.js");\n', r"import\("),
        ("a.js", "await 1;\n", "await"),
        ("a.js", 'import "./none.js";\n', "no static file none.js"),
        ("a.js", 'import "./a.js";\n', "imports itself"),
    ],
)
def test_what_cannot_be_joined_is_refused(
    sources: Sources, name: str, source: str, said: str
) -> None:
    sources["vendor/VENDOR.toml"] = "package = []\n"
    sources[name] = source
    with pytest.raises(assets.CannotJoin, match=said):
        assets.joined(name)
