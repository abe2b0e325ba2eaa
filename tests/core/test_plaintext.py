"""HTML as plain text: what a reader sees of it, and nothing of scripts and style sheets."""

from __future__ import annotations

import pytest

from clones.core.plaintext import plain_of_html


def test_blocks_and_breaks_are_lines_and_source_lines_are_spaces() -> None:
    html = "<h1>Order\n 7</h1><p>Dear Ana,</p><div>one<br>two</div><ul><li>a</li><li>b</li></ul>"
    assert plain_of_html(html) == "Order 7\n\nDear Ana,\n\none\ntwo\n\na\n\nb"


def test_references_to_letters_are_read() -> None:
    assert plain_of_html("<p>5 &lt; 6 &amp;&nbsp;7 &#8364;</p>") == "5 < 6 & 7 €"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a</p><script>steal()</script><p>b</p>", "a\n\nb"),
        ("<style>p { color: red }</style><p>a</p>", "a"),
        ("<p>a<script>steal()</script> b</p>", "a b"),
        ("<SCRIPT type='module'>steal()</SCRIPT>a", "a"),
        ("<style media=print>p {}</style><script>x()</script><style>q {}</style>a", "a"),
        # The text of these two is no markup: tags in it neither hide nor show anything.
        ("<script>document.write('<p>no</p><style>')</script>a", "a"),
        ("<style>/* <script> */</style>a<script>no</script>b", "ab"),
        # An end without its beginning shows no later one.
        ("</script></style>a<script>no</script>b", "ab"),
        ("<p>a</p></style><style>no</style>", "a"),
    ],
)
def test_scripts_and_styles_are_no_text(html: str, text: str) -> None:
    assert plain_of_html(html) == text


@pytest.mark.parametrize("name", ["script", "style"])
@pytest.mark.parametrize("rest", ["no", "no <p>no</p>", "no </p>", "no <b", "no &lt;no", ""])
def test_what_is_never_closed_hides_the_rest(name: str, rest: str) -> None:
    assert plain_of_html(f"<p>a</p><{name}>{rest}") == "a"
