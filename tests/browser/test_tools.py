"""The acts as tools in a catalogue."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from episodes.browser import BadAct, act_from_tool, tools
from episodes.browser.acts import read_act


def test_the_action_space_needs_neither_the_clones_nor_their_framework() -> None:
    words = (
        "import sys, episodes.browser;"
        "print([name for name in sys.modules if name.partition('.')[0] in"
        " {'clones', 'seeds', 'snapshots', 'sandlot', 'django'}])"
    )
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_tools_are_the_acts() -> None:
    assert [tool["name"] for tool in tools()] == [
        "browser_click",
        "browser_hover",
        "browser_type",
        "browser_select",
        "browser_press",
        "browser_scroll",
        "browser_goto",
        "browser_back",
        "browser_forward",
        "browser_tab",
        "browser_upload",
    ]
    names = {name for tool in tools() for name in tool["input_schema"]["properties"]}
    assert not names & {"script", "function", "selector", "force"}


def test_schemas_stand_alone_and_ask_for_refs() -> None:
    for tool in tools():
        text = json.dumps(tool["input_schema"])
        assert "$ref" not in text
        assert "$defs" not in text
        assert '"null"' not in text
        assert tool["input_schema"]["additionalProperties"] is False
        assert not {"act", "target"} & set(tool["input_schema"]["properties"])
        assert tool["description"].endswith(".")
    schemas = {tool["name"]: tool["input_schema"] for tool in tools()}
    assert schemas["browser_click"]["required"] == ["ref"]
    assert schemas["browser_type"]["required"] == ["ref", "text"]
    assert schemas["browser_press"]["required"] == ["key"]
    assert schemas["browser_back"]["required"] == []
    files = schemas["browser_upload"]["properties"]["files"]
    assert files["items"]["required"] == ["name"]


def test_a_tool_call_becomes_an_act() -> None:
    act = act_from_tool("browser_type", {"ref": "e1", "text": "x"})
    assert act == {"act": "type", "ref": "e1", "text": "x"}
    assert read_act(act).act == "type"
    for name in ("browser_evaluate", "type"):
        with pytest.raises(BadAct) as error:
            act_from_tool(name, {})
        assert error.value.code == "no_such_tool"


def test_a_wrong_argument_is_named_in_one_line() -> None:
    with pytest.raises(BadAct) as error:
        read_act({"act": "scroll", "direction": "sideways"})
    assert error.value.message == ("direction: Input should be 'up', 'down', 'left' or 'right'")
