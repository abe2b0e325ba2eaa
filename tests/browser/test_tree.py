"""What a page looks like to an agent, from snapshots written here and from real pages."""

from __future__ import annotations

import pytest

from episodes.browser import TreeOptions, canonical
from episodes.browser.aria import Handle, parse
from episodes.browser.tree import render
from tests.browser.conftest import Opens, act

SNAPSHOT = r"""
- generic [active] [ref=f2e1]:
  - banner [ref=f2e2]:
    - link "Home" [ref=f2e3] [cursor=pointer]:
      - /url: /x
  - generic [ref=f2e4]:
    - generic [ref=f2e5]:
      - text: Name
      - textbox "Name" [ref=f2e6]: "3"
    - combobox "Priority" [ref=f2e7]:
      - option "Low"
      - option "High" [selected]
    - searchbox [ref=f2e8]:
      - /placeholder: Find "it"
    - 'button "P''s: \"x\" [ref=f2e1]" [pressed] [ref=f2e9]'
    - generic [ref=f2e10] [cursor=pointer]: Card
  - paragraph [ref=f2e11]:
    - text: "Dear team:"
    - strong [ref=f2e12]: twice
    - text: "- really #1 \\ \x1b"
  - paragraph
  - table [ref=f2e13]:
    - rowgroup [ref=f2e14]:
      - row [ref=f2e15]:
        - columnheader "Id" [ref=f2e16]
        - columnheader "Subject" [ref=f2e17]
      - row [ref=f2e18] [cursor=pointer]:
        - cell "1" [ref=f2e19]
        - cell [ref=f2e20]:
          - link [ref=f2e21]:
            - /url: /t/1
            - heading "Broken lens" [level=3] [ref=f2e22]
        - cell "new" [ref=f2e33]
        - cell "today" [ref=f2e34]
      - row [ref=f2e23]:
        - cell "2" [ref=f2e24]
        - cell [ref=f2e25]
  - iframe "Billing" [ref=f2e26]:
    - generic [ref=f3e1]:
      - button "Refund" [ref=f3e2]
  - button "Refund" [disabled] [ref=f2e27]
  - list [ref=f2e28]:
    - listitem [ref=f2e29]:
      - link "Open" [ref=f2e30] [cursor=pointer]
    - listitem [ref=f2e31]:
      - link "Open" [ref=f2e32] [cursor=pointer]
"""

SHOWN = r"""
- banner [ref=f2e2]
  - link "Home" [ref=f2e3]
- textbox "Name" [ref=f2e6]: 3
- combobox "Priority" [ref=f2e7]
  - option "Low"
  - option "High" [selected]
- searchbox [placeholder="Find \"it\""] [ref=f2e8]
- button "P's: \"x\" [ref=f2e1]" [pressed] [ref=f2e9]
- generic [clickable] [ref=f2e10]: Card
- paragraph: Dear team: twice - really #1 \ ?
- table [ref=f2e13]
  - row: Id | Subject
  - row [clickable] [ref=f2e18]
    - cell "1"
    - link "Broken lens" [ref=f2e21]
    - cells: new | today
  - row: 2 |
- iframe "Billing" [ref=f2e26]
  - button "Refund" [ref=f3e2]
- button "Refund" [disabled] [ref=f2e27]
- list [ref=f2e28]
  - listitem
    - link "Open" [ref=f2e30]
  - listitem
    - link "Open" [ref=f2e32]
""".replace("?", "\x1b")


def test_a_snapshot_is_pruned() -> None:
    lines = render(parse(SNAPSHOT), TreeOptions()).split("\n")
    assert lines == SHOWN.strip().split("\n")


def test_the_canonical_tree_has_no_refs_and_keeps_words_that_look_like_refs() -> None:
    shown = canonical(render(parse(SNAPSHOT), TreeOptions()))
    assert "[ref=f2e6]" not in shown
    assert "[ref=f3" not in shown
    assert r'- button "P' in shown
    assert r'[ref=f2e1]" [pressed]' in shown
    later = (
        SNAPSHOT.replace("f3e", "f9e").replace("f2e", "f7e").replace('[ref=f7e1]"', '[ref=f2e1]"')
    )
    assert canonical(render(parse(later), TreeOptions())) == shown
    origins = ["http://a.b:1", "http://a.b:12"]
    assert (
        canonical("- text: http://a.b:12/x http://a.b:1", origins) == "- text: origin:1/x origin:0"
    )


def test_every_node_has_a_handle_that_tells_twins_apart() -> None:
    handles = {node.ref: node.handle for node in parse(SNAPSHOT).walk()}
    assert handles["f2e30"] == Handle("link", "Open", 0)
    assert handles["f2e32"] == Handle("link", "Open", 1)
    assert handles["f2e27"] == Handle("button", "Refund", 0)
    assert handles["f3e2"] == Handle("button", "Refund", 0, frame=(0,))
    assert handles["f2e6"] == Handle("textbox", "Name", 0)  # and not what was entered
    assert handles["f2e8"] == Handle("searchbox", 'Find "it"', 0)
    assert handles["f2e21"] == Handle("link", "Broken lens", 0)
    assert handles["f2e18"] == Handle("row", "1 Broken lens new today", 0)
    assert all(
        "f2e" not in str(one.as_json()) or "P's" in one.name for one in handles.values() if one
    )


def test_depth_and_length_are_capped_and_say_so() -> None:
    shallow = render(parse(SNAPSHOT), TreeOptions(max_depth=1))
    assert "Broken lens" not in shallow
    assert "    - note: 3 more below, too deep to show" in shallow
    short = render(parse(SNAPSHOT), TreeOptions(max_characters=100)).split("\n")
    assert short[-1] == "- note: 22 more lines, too long to show"
    assert len(short) == 4


def test_links_show_where_they_lead_when_asked() -> None:
    assert '- link "Home" [url="/x"] [ref=f2e3]' in render(parse(SNAPSHOT), TreeOptions(urls=True))


def test_the_viewport_hides_what_lies_outside_it() -> None:
    boxed = """
- button "Gone" [ref=e1] [box=0,-50,80,20]
- main [ref=e2] [box=0,0,1280,3000]:
  - combobox "Near" [ref=e3] [box=10,10,50,20]:
    - option "Low" [box=0,0,0,0]
  - combobox "Far" [ref=e4] [box=10,900,50,20]:
    - option "High" [box=0,0,0,0]
  - iframe [ref=e5] [box=0,100,300,100]:
    - button "In" [ref=f1e1] [box=0,10,80,20]
    - button "Below the frame" [ref=f1e2] [box=0,150,80,20]
  - paragraph [ref=e6] [box=0,2000,80,20]: far text
"""
    shown = render(parse(boxed), TreeOptions(viewport_only=True), (1280, 720))
    assert shown.split("\n") == [
        "- main [ref=e2]",
        '  - combobox "Near" [ref=e3]',
        '    - option "Low"',
        "  - iframe [ref=e5]",
        '    - button "In" [ref=f1e1]',
        "- note: 1 more above: scroll to see them",
        "- note: 3 more below: scroll to see them",
    ]


@pytest.mark.browser
def test_a_real_page_is_read_as_it_is_seen(opens: Opens) -> None:
    session = opens("/")
    assert canonical(session.observe().tree).split("\n") == [
        '- heading "Home" [level=1]',
        "- navigation",
        '  - link "Form"',
        '  - link "List"',
        "- paragraph: Dear team, I was charged twice. Yours",
    ]


@pytest.mark.browser
def test_passwords_are_not_shown(opens: Opens) -> None:
    session = opens("/form")
    act(session, "type", "textbox", "Secret", text="hunter2")
    tree = session.observe().tree
    assert "hunter2" not in tree
    assert ": \u2022\u2022\u2022\u2022\u2022\u2022\u2022" in tree


@pytest.mark.browser
def test_a_frame_on_another_origin_is_part_of_the_tree(opens: Opens) -> None:
    session = opens("/frames")
    assert canonical(session.observe().tree).split("\n") == [
        '- heading "Frames" [level=1]',
        '- button "Refund"',
        '- iframe "Billing"',
        '  - button "Refund"',
        "  - paragraph: Two charges of 120.00",
    ]
    session.perform({"act": "click", "target": {"role": "button", "name": "Refund", "frame": [0]}})
    assert "  - paragraph: refunded" in session.observe().tree


@pytest.mark.browser
def test_a_picture_is_taken_when_asked(opens: Opens) -> None:
    session = opens("/list", screenshots=True, viewport=(800, 600))
    first = session.observe()
    assert first.screenshot is not None
    assert first.screenshot[:8] == b"\x89PNG\r\n\x1a\n"
    assert first.screenshot[16:24] == (800).to_bytes(4) + (600).to_bytes(4)
    assert session.observe(screenshot=False).screenshot is None
    assert session.observe().screenshot == first.screenshot
