"""What the editor of rich texts makes of documents: all of each comes out as it went in."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from clones.core import assets
from tests.core.test_assets import run
from tests.tracker.issues import doc
from tests.tracker.rules.richtext.documents import documents

Json = dict[str, Any]


def edited(found: list[Json], change: str = "") -> Any:
    """Return what documents become in the editor; `change` is a script that makes `doc` another."""
    script = assets.joined("tracker/richtext/documents.js").content.decode()
    module = re.findall(r"^const (module_\d+) =", script, re.MULTILINE)[-1]
    texts = json.dumps([json.dumps(one) for one in found])
    return run(
        f"{script}\nconst {{ readDocument, writeDocument }} = {module};\n"
        f"for (const text of {texts}) {{ let doc = readDocument(text); {change}\n"
        "doc.check(); const sent = writeDocument(doc); told.push(sent && JSON.parse(sent)); }"
    )


def plain(value: Any) -> Any:
    """Return a document as it is read: texts joined, marks in one order, what is empty left out."""
    if isinstance(value, list):
        parts = [plain(one) for one in value]
        joined: list[Any] = []
        for is_text, group in groupby(parts, key=_marks):
            texts = list(group)
            if is_text is None:
                joined += texts
            elif words := "".join(one["text"] for one in texts):
                joined.append({**texts[0], "text": words})
        return joined
    if not isinstance(value, dict):
        return value
    found = {name: plain(one) for name, one in value.items() if name != "localId"}
    if "marks" in found:
        found["marks"] = sorted(found["marks"], key=lambda mark: json.dumps(mark, sort_keys=True))
    return {name: one for name, one in found.items() if one not in ([], {})}


def words_of(value: Any) -> str:
    """Return the texts of a document, one after the other."""
    if not isinstance(value, dict):
        return ""
    return str(value.get("text", "")) + "".join(map(words_of, value.get("content", ())))


def _marks(value: Any) -> str | None:
    if not isinstance(value, dict) or value.get("type") != "text":
        return None
    return json.dumps(value.get("marks", []), sort_keys=True)


@settings(max_examples=20, deadline=None, phases=[Phase.generate])  # each asks Node
@given(st.data())
def test_documents_come_out_as_they_went_in(data: st.DataObject) -> None:
    found = [data.draw(documents()) for _ in range(10)]
    for before, after in zip(found, edited(found), strict=True):
        if after == "":
            assert not words_of(before).strip()
        else:
            assert plain(after) == plain(before)


def test_what_is_not_edited_stands_whole_beside_what_is() -> None:
    odd: list[Json] = [
        {"type": "mediaSingle", "attrs": {"layout": "center"}, "content": [
            {"type": "media", "attrs": {"id": "1", "type": "file", "collection": ""}}]},
        {"type": "decisionList", "attrs": {"localId": "7"}, "content": [
            {"type": "decisionItem", "attrs": {"localId": "8", "state": "DECIDED"}}]},
        {"type": "paragraph", "marks": [{"type": "alignment", "attrs": {"align": "center"}}],
         "attrs": {"localId": "9"}, "content": [
            {"type": "text", "text": "seen", "marks": [
                {"type": "annotation", "attrs": {"id": "a", "annotationType": "inlineComment"}}]},
            {"type": "status", "attrs": {"text": "LATE", "color": "red", "localId": "s"}},
            {"type": "date", "attrs": {"timestamp": "1700000000000"}},
            {"type": "mention", "attrs": {"id": "x", "text": "@Mia", "accessLevel": ""}}]},
        {"type": "someday", "attrs": {"any": [1, {"b": None}]}},
        {"type": "bulletList", "content": [
            {"type": "listItem", "content": [{"type": "panel", "attrs": {"panelType": "note"},
             "content": [{"type": "paragraph", "content": [{"type": "text", "text": "in"}]}]}]}]},
    ]  # fmt: skip
    add = "doc = doc.copy(doc.content.append(readDocument(" + json.dumps(json.dumps(doc("New")))
    (found,) = edited([{**doc("Old"), "content": odd}], f"{add}).content));")
    assert found["content"][:-1] == odd
    assert found["content"][-1] == doc("New")["content"][0]


def test_a_document_that_shows_nothing_is_none() -> None:
    blank: Json = {"type": "paragraph", "content": [{"type": "text", "text": "  "}]}
    rule: Json = {"type": "rule"}
    assert edited([{**doc("x"), "content": content} for content in ([], [blank], [rule])]) == [
        "",
        "",
        {"type": "doc", "version": 1, "content": [rule]},
    ]


def test_what_is_no_document_is_edited_as_none() -> None:
    add = "doc = doc.copy(doc.content.append(readDocument(" + json.dumps(json.dumps(doc("New")))
    odd: list[Any] = [{"content": 1}, {"content": [1]}, [], {"content": [{"type": "text"}]}, None]
    for found in edited(odd, f"{add}).content));"):
        assert found["content"][-1] == doc("New")["content"][0]


def test_nodes_that_were_copied_have_ids_of_their_own() -> None:
    item: Json = {"type": "taskItem", "attrs": {"localId": "1", "state": "TODO"}, "content": []}
    tasks: Json = {"type": "taskList", "attrs": {"localId": "b"}, "content": [item, item]}
    (found,) = edited([{**doc("x"), "content": [*doc("x")["content"], tasks, tasks]}])
    ids = [one["attrs"]["localId"] for one in found["content"][1:]]
    ids += [one["attrs"]["localId"] for two in found["content"][1:] for one in two["content"]]
    assert ids == ["b", "3", "1", "2", "4", "5"]
