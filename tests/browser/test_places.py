"""Acts at places of the picture, on a real page, by somebody who sees no tree."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from episodes.browser import COMPUTER, BadAct, BrowserSession, act_from_tool, tools
from tests.browser.conftest import Opens, attempt, problem, ref_of

pytestmark = pytest.mark.browser


def done(session: BrowserSession, kind: str, **given: Any) -> str:
    """Do an act that must succeed and return what the page says that it saw."""
    result = attempt(session, f"computer_{kind}", **given)
    assert result.error is None, result.error
    assert result.settled.ok, result.settled
    return said(session)


def said(session: BrowserSession) -> str:
    tree = session.observe(tree=True, screenshot=False).tree
    return next(line for line in tree.split("\n") if "paragraph" in line).partition(": ")[2]


def test_clicks_by_button_count_and_held_keys(opens: Opens) -> None:
    session = opens("/places")
    assert done(session, "click", x=700, y=500, button="right") == "menu"
    assert done(session, "click", x=700, y=500, hold=["Shift"]) == "shift"
    assert done(session, "click", x=700, y=500, count=2) == "double"
    assert done(session, "move", x=260, y=200) == "over"


def test_text_is_typed_where_the_cursor_is(opens: Opens) -> None:
    session = opens("/places")
    done(session, "click", x=100, y=130, count=3)
    done(session, "type", text="Zwei Ä")
    done(session, "key", key="ArrowLeft", times=2)
    done(session, "type", text="!")
    assert "Zwei! Ä" in session.observe(tree=True).tree


def test_a_long_text_is_put_in_at_once(opens: Opens) -> None:
    session = opens("/places")
    done(session, "click", x=100, y=130, count=3)
    done(session, "type", text="word " * 400)
    assert "word word" in session.observe(tree=True).tree


def test_a_list_within_a_frame_of_elsewhere_tells_its_choices(opens: Opens) -> None:
    session = opens("/framed_list")
    place = session.point(ref_of(session.observe().tree, "combobox"))
    opened = attempt(session, "computer_click", x=place[0], y=place[1])
    assert opened.listed == ("Duplicate", "Fraud")


def test_a_list_is_chosen_from_by_keys(opens: Opens) -> None:
    session = opens("/places")
    opened = attempt(session, "computer_click", x=60, y=70)
    assert opened.listed == ("Open", "Pending", "Solved")
    assert attempt(session, "computer_key", key="ArrowDown", times=2).listed == ()
    assert done(session, "key", key="Enter") == "chose Solved"


def test_what_can_be_dragged_is(opens: Opens) -> None:
    session = opens("/places")
    path = [{"x": 60, "y": 200}, {"x": 150, "y": 210}, {"x": 260, "y": 210}]
    assert done(session, "drag", path=path) == "dropped card"
    path = [{"x": 80, "y": 300}, {"x": 460, "y": 300}]
    assert done(session, "drag", path=path) == "own at 400px"


def test_the_wheel_turns_what_lies_under_the_pointer(opens: Opens) -> None:
    session = opens("/places")
    assert done(session, "scroll", x=100, y=460, dy=120) == "scrolled 120"
    assert done(session, "scroll", x=100, y=460, dy=-50) == "scrolled 70"


def test_files_are_given_to_what_asks_for_them(opens: Opens) -> None:
    session = opens("/places")
    files = [{"name": "a.txt", "text": "a"}, {"name": "b.bin", "base64": "AAE="}]
    assert done(session, "upload", x=430, y=70, files=files) == "files a.txt b.bin"
    assert problem(attempt(session, "computer_upload", x=700, y=600, files=files)) == (
        "not_a_file_field"
    )


def test_a_dialog_is_dismissed_unless_it_is_to_be_accepted(opens: Opens) -> None:
    session = opens("/places")
    assert done(session, "click", x=410, y=130) == "false"
    assert done(session, "click", x=410, y=130, accept_dialog=True) == "true"


@pytest.mark.parametrize(
    ("kind", "given", "code"),
    [
        ("click", {"x": 1280, "y": 5}, "off_screen"),
        ("drag", {"path": [{"x": 1, "y": 1}, {"x": 1, "y": 720}]}, "off_screen"),
        ("click", {"x": -1, "y": 5}, "bad_arguments"),
        ("click", {"x": 1.5, "y": 5}, "bad_arguments"),
        ("click", {"y": 5}, "bad_arguments"),
        ("scroll", {"x": 1, "y": 1}, "bad_arguments"),
        ("drag", {"path": [{"x": 1, "y": 1}]}, "bad_arguments"),
        ("key", {"key": "NoSuchKey"}, "no_such_key"),
        ("type", {"text": ""}, "bad_arguments"),
    ],
)
def test_mistakes_are_told(opens: Opens, kind: str, given: dict[str, Any], code: str) -> None:
    session = opens("/places")
    result = attempt(session, f"computer_{kind}", **given)
    assert problem(result) == code
    assert said(session) == "nothing"


def test_a_session_without_trees_has_pictures_alone(opens: Opens) -> None:
    session = opens("/places", screenshots=True, trees=False)
    seen = session.observe()
    assert seen.tree == ""
    assert seen.screenshot is not None
    assert seen.screenshot.startswith(b"\x89PNG")
    done(session, "click", x=100, y=130)
    after = session.observe().screenshot
    assert after != seen.screenshot
    assert base64.b64encode(after or b"")


def test_a_place_is_that_of_an_element(opens: Opens) -> None:
    session = opens("/places")
    place = session.point(ref_of(session.observe().tree, 'link "Form"'))
    done_at = attempt(session, "computer_click", x=place[0], y=place[1])
    assert done_at.error is None
    assert session.observe().title == "Form"
    with pytest.raises(BadAct):
        session.point("e999")


def test_a_recorded_act_is_done_again_at_the_same_places(opens: Opens) -> None:
    session, again = opens("/places"), opens("/places")
    asked: dict[str, Any] = {"path": [{"x": 80, "y": 300}, {"x": 460, "y": 300}]}
    result = attempt(session, "computer_drag", **asked)
    assert result.recorded == {"act": "computer_drag", **asked}
    assert again.replay(result.recorded).error is None
    assert said(again) == "own at 400px"


def test_each_surface_has_its_tools_and_no_others() -> None:
    names = {
        surface: {tool["name"] for tool in tools(surface)} for surface in (None, COMPUTER, "hybrid")
    }
    bars = {"browser_goto", "browser_back", "browser_forward", "browser_tab"}
    assert {name for name in names[COMPUTER] if not name.startswith("computer_")} == bars
    assert not any(name.startswith("computer_") for name in names[None])
    assert names["hybrid"] == names[None] | names[COMPUTER]
    for surface, tool in ((None, "computer_click"), (COMPUTER, "browser_click")):
        with pytest.raises(BadAct):
            act_from_tool(tool, {}, surface)
    for entry in tools(COMPUTER):
        assert entry["input_schema"]["additionalProperties"] is False
        assert "$ref" not in str(entry["input_schema"])
