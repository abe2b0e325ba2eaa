"""Every act, on a real page."""

from __future__ import annotations

import base64

import pytest

from episodes.browser import BrowserSession, TreeOptions
from tests.browser.conftest import Opens, act, attempt, problem, ref_of
from tests.browser.site import Site

pytestmark = pytest.mark.browser


def tree(session: BrowserSession) -> str:
    return session.observe().tree


def test_a_click_by_ref_follows_a_link(opens: Opens, site: Site) -> None:
    session = opens("/")
    result = session.perform({"act": "click", "ref": ref_of(tree(session), 'link "Form"')})
    assert result.error is None
    seen = session.observe()
    assert (seen.url, seen.title) == (site.origin() + "/form", "Form")


def test_clicks_single_double_and_right(opens: Opens) -> None:
    session = opens("/mouse")
    act(session, "click", "button", "Button")
    assert "paragraph: click" in tree(session)
    act(session, "click", "button", "Button", double=True)
    assert "paragraph: click click click dblclick" in tree(session)
    act(session, "click", "button", "Button", button="right")
    assert "dblclick contextmenu" in tree(session)


def test_a_row_that_the_page_makes_clickable_can_be_clicked(opens: Opens) -> None:
    session = opens("/list")
    assert "- row [clickable]" in tree(session)
    session.perform({"act": "click", "ref": ref_of(tree(session), "3 | Refund")})
    assert session.observe().title == "row"


def test_hover_shows_what_the_pointer_shows(opens: Opens) -> None:
    session = opens("/mouse")
    assert "A hint" not in tree(session)
    act(session, "hover", "button", "Hold")
    assert "A hint" in tree(session)


def test_type_replaces_appends_and_submits(opens: Opens) -> None:
    session = opens("/form")
    act(session, "type", "textbox", "Subject", text="Double")
    act(session, "type", "textbox", "Subject", text=" charge", append=True)
    act(session, "type", "textbox", "Body", text="one\ntwo")
    assert 'textbox "Subject" [ref=' in tree(session)
    assert "Double charge" in tree(session)
    act(session, "type", "textbox", "Subject", text="Again", submit=True)
    assert "body=one two, priority=l, subject=Again" in tree(session)


def test_typing_slowly_presses_keys(opens: Opens) -> None:
    session = opens("/form")
    act(session, "type", "textbox", "Subject", text="ab")
    assert "key b" not in tree(session)
    act(session, "type", "textbox", "Subject", text="ab", slowly=True)
    assert "key b" in tree(session)
    assert "Subject" in tree(session)


def test_an_editor_is_typed_in_and_read_back(opens: Opens) -> None:
    session = opens("/form")
    assert 'textbox "Reply"' in tree(session)
    assert ": draft text" in tree(session)
    act(session, "type", "textbox", "Reply", text="Refunded today")
    assert ": Refunded today" in tree(session)
    act(session, "type", "textbox", "Reply", text=", thanks", append=True)
    assert ": Refunded today, thanks" in tree(session)


def test_select_by_label_and_by_value(opens: Opens) -> None:
    session = opens("/form")
    act(session, "select", "combobox", "Priority", options=["High"])
    assert 'option "High" [selected]' in tree(session)
    act(session, "select", "combobox", "Priority", options=["l"])
    assert 'option "Low" [selected]' in tree(session)
    unknown = attempt(session, "select", "combobox", "Priority", options=["Higher"])
    assert unknown.error is not None
    assert unknown.error.message == (
        "there is no option 'Higher'; there are 'Low', 'High', 'Urgent'"
    )
    assert problem(attempt(session, "select", "combobox", "Priority", options=["u"])) == "disabled"
    assert problem(attempt(session, "select", "button", "Save", options=["x"])) == "not_a_list"


def test_press_keys_on_the_page_and_on_an_element(opens: Opens) -> None:
    session = opens("/mouse")
    act(session, "press", key="Control+Alt+s")
    assert "Control+Alt+s" in tree(session)
    act(session, "press", "button", "Button", key="Enter")
    assert "Enter click" in tree(session)
    assert problem(attempt(session, "press", key="Hyper+q")) == "no_such_key"


def test_a_checkbox_is_clicked(opens: Opens) -> None:
    session = opens("/form")
    assert "[checked]" not in tree(session)
    act(session, "click", "checkbox", "Urgent")
    assert 'checkbox "Urgent" [checked]' in tree(session)


def test_scroll_the_page_a_pane_and_to_an_element(opens: Opens) -> None:
    session = opens("/tall", tree=TreeOptions(viewport_only=True))
    assert 'button "Top"' in tree(session)
    assert 'button "Bottom"' not in tree(session)
    assert problem(attempt(session, "scroll", direction="up")) == "at_the_end"
    act(session, "scroll", direction="down", pixels=100_000)
    seen = tree(session)
    assert 'button "Bottom"' in seen
    assert 'button "Top"' not in seen
    assert "more above: scroll to see them" in seen
    act(session, "scroll", direction="up", pixels=100_000)
    act(session, "scroll", "region", "Pane", direction="down", pixels=100)
    assert 'button "Top"' in tree(session)
    session.perform({"act": "scroll", "target": {"role": "button", "name": "Bottom"}})
    assert 'button "Bottom"' in tree(session)


def test_goto_back_and_forward(opens: Opens, site: Site) -> None:
    session = opens("/")
    assert problem(attempt(session, "back")) == "no_page"
    act(session, "goto", url="/list")
    act(session, "goto", url=site.origin("panel.sb") + "/panel")
    assert session.observe().title == "Panel"
    act(session, "back")
    assert session.observe().title == "List"
    act(session, "back")
    assert session.observe().title == "Home"
    act(session, "forward")
    assert session.observe().title == "List"
    assert problem(attempt(session, "goto", url="http://[")) == "bad_url"


def test_tabs_are_opened_switched_and_closed(opens: Opens) -> None:
    session = opens("/windows")
    act(session, "click", "link", "Popup")
    seen = session.observe()
    assert [(tab.title, tab.active) for tab in seen.tabs] == [("Windows", False), ("Popup", True)]
    act(session, "tab", do="switch", index=0)
    assert session.observe().title == "Windows"
    act(session, "tab", do="new", url="/form")
    assert session.observe().title == "Form"
    act(session, "tab", do="close")
    assert session.observe().title == "Popup"
    act(session, "click", "button", "Done")
    seen = session.observe()
    assert [tab.title for tab in seen.tabs] == ["Windows"]
    assert problem(attempt(session, "tab", do="close")) == "last_tab"
    assert problem(attempt(session, "tab", do="switch", index=4)) == "no_such_tab"


def test_a_ref_of_one_tab_does_nothing_in_another(opens: Opens) -> None:
    session = opens("/windows")
    ref = ref_of(tree(session), 'link "Popup"')
    act(session, "tab", do="new", url="/")
    assert problem(session.perform({"act": "click", "ref": ref})) == "stale_ref"


def test_upload_to_a_field_and_through_a_button(opens: Opens) -> None:
    session = opens("/files")
    act(
        session,
        "upload",
        "button",
        "Attachment",
        files=[{"name": "a.txt", "media_type": "text/plain", "text": "one"}],
    )
    assert "a.txt text/plain one" in tree(session)
    content = base64.b64encode(b"two").decode()
    act(
        session,
        "upload",
        "button",
        "Attach",
        files=[{"name": "b.bin", "base64": content}, {"name": "c.txt", "text": "three"}],
    )
    assert "b.bin application/octet-stream two, c.txt application/octet-stream three" in tree(
        session
    )
    bad = attempt(session, "upload", "button", "Attach", files=[{"name": "b", "base64": "?"}])
    assert problem(bad) == "bad_arguments"
    idle = attempt(session, "upload", "button", "Idle", files=[{"name": "b", "text": ""}])
    assert problem(idle) == "not_a_file_field"


def test_files_that_the_driver_does_not_carry_are_the_agents_mistake(
    opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("episodes.browser.act_parts.FILES_LIMIT", 10**9)
    session = opens("/files")
    files = [{"name": f"{number}.txt", "text": "x" * 20_000_000} for number in range(3)]
    for button in ("Attachment", "Attach"):
        refused = attempt(session, "upload", "button", button, files=files)
        assert problem(refused) == "bad_arguments"
        assert refused.error is not None
        assert "too large" in refused.error.message


def test_files_are_measured_in_bytes(opens: Opens) -> None:
    session = opens("/files")
    for text in ("x" * 15_000_001, "\u00e9" * 7_500_001):
        files = [{"name": f"{number}.txt", "text": text} for number in range(3)]
        refused = attempt(session, "upload", "button", "Attach", files=files)
        assert refused.error is not None
        assert "all files together have at most 45000000 bytes" in refused.error.message
    one = {"name": "a.txt", "text": "\u20ac" * 7_000_000}
    refused = attempt(session, "upload", "button", "Attach", files=[one])
    assert refused.error is not None
    assert "a file has at most 20000000 bytes" in refused.error.message


def test_downloads_are_kept_in_memory(opens: Opens) -> None:
    session = opens("/files")
    result = act(session, "click", "link", "Report")
    (download,) = result.downloads
    assert (download.name, download.size) == ("report.csv", 19)
    assert download.content == b"id,amount\n1,120.00\n"
    seen = session.observe()
    assert (seen.title, seen.downloads) == ("Files", (download,))
    assert session.observe().downloads == ()
    assert session.downloads == (download,)


def test_dialogs_are_dismissed_unless_the_act_accepts(opens: Opens) -> None:
    session = opens("/dialogs")
    result = act(session, "click", "button", "Delete")
    assert [(one.kind, one.message, one.accepted) for one in result.dialogs] == [
        ("confirm", "Delete it?", False)
    ]
    assert "paragraph: false" in tree(session)
    act(session, "click", "button", "Delete", accept_dialog=True)
    assert "paragraph: true" in tree(session)
    act(session, "click", "button", "Rename", accept_dialog="New name")
    assert "paragraph: New name" in tree(session)
    act(session, "click", "button", "Tell")
    assert "paragraph: told" in tree(session)
    assert len(session.dialogs) == 4


def test_a_page_that_asks_to_stay_is_left_only_by_accepting(opens: Opens) -> None:
    session = opens("/leaving")
    act(session, "type", "textbox", "Note", text="unsaved", slowly=True)
    assert problem(attempt(session, "goto", url="/")) == "kept"
    assert session.observe().title == "Leaving"
    act(session, "goto", url="/", accept_dialog=True)
    assert session.observe().title == "Home"


def test_what_cannot_be_acted_on_is_said_to_the_agent(opens: Opens) -> None:
    session = opens("/mouse")
    assert problem(attempt(session, "click", "button", "Nowhere")) == "stale_ref"
    assert problem(attempt(session, "click", "button", "Under")) == "not_visible"
    assert problem(attempt(session, "click", "button", "Ghost")) in {"stale_ref", "not_visible"}
    assert problem(attempt(session, "type", "button", "Button", text="x")) == "not_editable"
    act(session, "goto", url="/form")
    assert problem(attempt(session, "click", "button", "Approve")) == "disabled"


def test_what_is_no_act_is_said_to_the_agent(opens: Opens) -> None:
    session = opens("/")
    for wrong in (
        {"act": "evaluate", "script": "1"},
        {"act": "click"},
        {"act": "click", "ref": "e1", "target": {"role": "link"}},
        {"act": "click", "ref": "e1", "force": True},
        {"act": "press"},
        {"act": "scroll"},
        {"act": "tab", "do": "switch"},
        {"act": "upload", "ref": "e1", "files": [{"name": "../x", "text": ""}]},
        {},
    ):
        assert problem(session.perform(wrong)) == "bad_arguments"


def test_refs_are_stale_after_navigation_and_never_of_an_earlier_page(opens: Opens) -> None:
    session = opens("/")
    first = tree(session)
    ref = ref_of(first, 'link "List"')
    act(session, "goto", url="/list")
    assert problem(session.perform({"act": "click", "ref": ref})) == "stale_ref"
    second = tree(session)
    assert f"[ref={ref}]" not in second
    assert problem(session.perform({"act": "click", "ref": ref})) == "stale_ref"


def test_a_ref_of_an_element_that_the_page_removed_is_stale(opens: Opens) -> None:
    session = opens("/mouse")
    ref = ref_of(tree(session), 'button "Hold"')
    act(session, "click", "button", "Remove")
    assert problem(session.perform({"act": "hover", "ref": ref})) == "stale_ref"


def test_an_ambiguous_target_is_refused_and_an_ordinal_decides(opens: Opens) -> None:
    session = opens("/list")
    assert problem(attempt(session, "click", "link", "Open")) == "ambiguous"
    session.perform({"act": "click", "target": {"role": "link", "name": "Open", "ordinal": 1}})
    assert "n=2" in tree(session)
