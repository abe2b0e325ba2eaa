"""What is taken out of forms and queries of pages, because no store keeps it."""

from __future__ import annotations

from django.http import QueryDict

from clones.core.web.forms import clean


def test_nul_and_lone_surrogates_are_dropped_from_names_and_values() -> None:
    data = QueryDict(mutable=True)
    data.setlist("a\0", ["x\0y", "\ud800z"])
    data["b"] = "\U0001f525\ufffd"
    assert dict(clean(data).lists()) == {"a": ["xy", "z"], "b": ["\U0001f525\ufffd"]}


def test_what_can_be_kept_is_not_copied() -> None:
    data = QueryDict("a=1&a=2&b=")
    assert clean(data) is data
