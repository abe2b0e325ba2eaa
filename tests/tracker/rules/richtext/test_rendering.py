"""Documents as HTML, in the vendor's shapes, and nothing in it that a text put there."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings

from clones.tracker.rules.richtext.html import HtmlContext, render
from clones.tracker.rules.richtext.validation import read_document
from tests.tracker.rules.richtext.documents import documents
from tests.tracker.rules.richtext.test_validation import document, leaf, line, mark, node, text

Json = dict[str, Any]

SITE = HtmlContext(
    address="https://s.example",
    names={"5b1:2": "Mia <Krystof>"},
    attachments={"m-1": ("10001", "plan.png")},
)
ITEM = node("listItem", line())
FRAME = '<div class="code panel" style="border-width: 1px;"><div class="codeContent panelContent">'
PREFORMATTED = (
    '<div class="preformatted panel" style="border-width: 1px;">'
    '<div class="preformattedContent panelContent">'
)
PANEL = (
    '<div class="panel" style="background-color: #fffae6;border-width: 1px;">'
    '<div class="panelContent" style="background-color: #fffae6;">'
)
OUTSIDE = 'class="external-link" rel="nofollow noreferrer"'
MIA = (
    '<a href="https://s.example/secure/ViewProfile.jspa?accountId=5b1%3A2" class="user-hover"'
    ' rel="5b1:2" data-account-id="5b1:2" accountid="5b1:2" rel="noreferrer">'
    "Mia &lt;Krystof&gt;</a>"
)
PICTURE = leaf("media", type="file", id="m-1", collection="", width=694, alt="A plan")


def html(*content: Any) -> str:
    return render(read_document(document(*content)), SITE)


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ([], ""),
        ([line()], "<p>words</p>"),
        ([line(), line()], "<p>words</p>\n\n<p>words</p>"),
        ([node("paragraph", text("a"), {"type": "hardBreak"}, text("b"))], "<p>a<br/>\nb</p>"),
        ([line(mark("strong"))], "<p><b>words</b></p>"),
        ([line(mark("em"), mark("strong"))], "<p><b><em>words</em></b></p>"),
        ([line(mark("strike"))], "<p><del>words</del></p>"),
        ([line(mark("underline"))], "<p><ins>words</ins></p>"),
        ([line(mark("subsup", type="sub"))], "<p><sub>words</sub></p>"),
        ([line(mark("subsup", type="sup"))], "<p><sup>words</sup></p>"),
        ([line(mark("code"))], "<p><tt>words</tt></p>"),
        (
            [line(mark("textColor", color="#bf2600"), mark("em"))],
            '<p><font color="#bf2600"><em>words</em></font></p>',
        ),
        (
            [line(mark("link", href="https://a.b/?c=1&d"), mark("underline"))],
            f'<p><a href="https://a.b/?c=1&amp;d" {OUTSIDE}><ins>words</ins></a></p>',
        ),
        (
            [node("paragraph", text("see https://a.b."))],
            f'<p>see <a href="https://a.b" {OUTSIDE}>https://a.b</a>.</p>',
        ),
        (
            [node("heading", text("Heading 1 "), text("bold", mark("strong")), level=1)],
            '<h1><a name="Heading1bold"></a>Heading 1 <b>bold</b></h1>',
        ),
        ([{"type": "rule"}], "<hr />"),
        (
            [node("bulletList", ITEM, node("listItem", line(), node("orderedList", ITEM))), line()],
            (
                "<ul>\n\t<li>words</li>\n\t<li>words\n\t<ol>\n\t\t<li>words</li>\n\t</ol>\n\t</li>\n</ul>"
                "\n\n\n<p>words</p>"
            ),
        ),
        (
            [node("blockquote", line(), node("bulletList", ITEM))],
            "<blockquote><p>words</p>\n\n<ul>\n\t<li>words</li>\n</ul>\n</blockquote>",
        ),
        (
            [node("panel", line(), line(), panelType="warning")],
            f"{PANEL}\n<p>words</p>\n\n<p>words</p>\n</div></div>",
        ),
        (
            [node("codeBlock", text("a < b"), language="javascript")],
            f'{FRAME}\n<pre class="code-javascript">a &lt; b</pre>\n</div></div>',
        ),
        ([node("codeBlock", text("a"))], f"{PREFORMATTED}\n<pre>a</pre>\n</div></div>"),
        (
            [
                node(
                    "table",
                    node("tableRow", node("tableHeader", line(mark("strong")))),
                    node("tableRow", node("tableCell", line())),
                )
            ],
            (
                "<div class='table-wrap'>\n<table class='confluenceTable'><tbody>\n<tr>\n"
                "<th class='confluenceTh'><b>words</b></th>\n</tr>\n<tr>\n"
                "<td class='confluenceTd'>words</td>\n</tr>\n</tbody></table>\n</div>"
            ),
        ),
        (
            [node("table", node("tableRow", node("tableCell", line(), colspan=2)))],
            "<!-- ADF macro (type = 'table') -->",
        ),
        ([node("paragraph", leaf("mention", id="5b1:2"))], f"<p>{MIA}</p>"),
        (
            [node("paragraph", leaf("status", text="My status", color="red"))],
            '<p><font color="#FF5630"><b>[ MY STATUS ]</b></font></p>',
        ),
        (
            [node("paragraph", leaf("date", timestamp="1758067200000"))],
            "<p><tt>2025-09-17</tt></p>",
        ),
        (
            [
                node(
                    "paragraph",
                    leaf("emoji", shortName=":smile:", id="1f604", text="😄"),
                    leaf("emoji", shortName=":custom:", id="x-y"),
                )
            ],
            "<p>😄:custom:</p>",
        ),
        (
            [node("paragraph", leaf("inlineCard", url="https://a.b"))],
            f'<p><a href="https://a.b" title="smart-link" {OUTSIDE}>https://a.b</a></p>',
        ),
        (
            [leaf("blockCard", url="https://a.b")],
            f'<p><a href="https://a.b" title="smart-card" {OUTSIDE}>https://a.b</a></p>',
        ),
        (
            [node("mediaSingle", PICTURE, layout="center")],
            (
                '<p><span class="image-wrap" style="">'
                '<img src="/rest/api/3/attachment/content/10001"'
                ' alt="A plan" width="694" style="border: 0px solid black" /></span></p>'
            ),
        ),
        ([node("expand", line(), title="Expand")], "<p><b>Expand</b></p>\n\n<p>words</p>"),
        (
            [
                node(
                    "decisionList",
                    node("decisionItem", text("a"), localId="1", state="D"),
                    localId="2",
                )
            ],
            "<ul>\n\t<li>&lt;&gt; a</li>\n</ul>",
        ),
    ],
    ids=lambda value: json.dumps(value)[:60],
)
def test_documents_are_shown_as_the_vendor_shows_them(content: list[Json], shown: str) -> None:
    assert html(*content) == shown


def test_unverified_what_is_shown_of_files_keys_and_unknown_people() -> None:
    files = node(
        "mediaGroup",
        leaf("media", type="file", id="m-1", collection=""),
        leaf("media", type="file", id="m-2", collection=""),
    )
    assert html(files) == (
        '<p><span class="nobr"><a href="/rest/api/3/attachment/content/10001" title="plan.png">'
        "plan.png</a></span><br/>m-2</p>"
    )
    key = leaf("inlineCard", url="https://s.example/browse/KEY-1#icft=KEY-1")
    assert html(node("paragraph", key)) == (
        '<p><a href="https://s.example/browse/KEY-1" class="issue-link" data-issue-key="KEY-1">'
        "KEY-1</a></p>"
    )
    assert html(node("paragraph", leaf("mention", id="x"))) == "<p>[~accountid:x]</p>"


@pytest.mark.parametrize("href", ["javascript:alert(1)", "data:text/html,x", " javascript:x", "x"])
def test_nobody_is_led_to_other_addresses(href: str) -> None:
    assert html(line(mark("link", href=href))) == "<p>words</p>"
    assert html(leaf("blockCard", url=href)) == f"<p>{href}</p>"
    outside = leaf("media", type="external", url=href, alt="<x>")
    assert html(node("mediaSingle", outside, layout="center")) == "<p>&lt;x&gt;</p>"


TAGS = frozenset(
    "p b em del ins sub sup tt cite font a h1 h2 h3 h4 h5 h6 hr br ul ol li blockquote div pre"
    " table tbody tr th td span img".split()
)
NAMES = frozenset(
    "href title class rel data-account-id accountid data-issue-key name style color src alt height"
    " width".split()
)


class Reader(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.strange: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS or not {name for name, _ in attrs} <= NAMES:
            self.strange.append(f"{tag} {attrs}")
        for name, value in attrs:
            led = name in ("href", "src")
            if led and not str(value).startswith(("http", "/", "#", "mailto:", "ftp", "tel:")):
                self.strange.append(str(value))
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.strange.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        if not data.startswith(" ADF macro (type = '"):
            self.strange.append(data)


HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "--><b>", "&lt;"]


@settings(max_examples=100, deadline=None)
@given(documents())
def test_html_is_whole_and_of_known_parts(value: Json) -> None:
    reader = Reader()
    reader.feed(render(read_document(value), SITE))
    reader.close()
    assert (reader.strange, reader.open) == ([], [])


@pytest.mark.parametrize("words", HOSTILE)
def test_no_text_gets_out_unescaped(words: str) -> None:
    everywhere = document(
        line(mark("link", href=f"https://a.b/{words}")),
        node(
            "paragraph",
            text(words),
            leaf("mention", id=words),
            leaf("status", text=words, color="red"),
        ),
        node("paragraph", leaf("emoji", shortName=words), leaf("inlineCard", url=words)),
        node("paragraph", leaf("date", timestamp=words)),
        node("heading", text(words), level=1),
        node("codeBlock", text(words), language=words),
        node("expand", line(), title=words),
        node("mediaSingle", leaf("media", type="file", id=words, collection=""), layout="center"),
        leaf("blockCard", url=words),
    )
    reader = Reader()
    reader.feed(render(read_document(everywhere), SITE))
    reader.close()
    assert (reader.strange, reader.open) == ([], [])
