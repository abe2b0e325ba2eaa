"""Fragments are filled with what the template engine itself would have shown."""

from __future__ import annotations

import pytest
from django.template import engines
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from clones.core.parts import NoSuchSlot, TemplateFragment

TEXTS = (
    "plain",
    "<b>&\"'</b>",
    "{key} {} {{ key }} {0}",
    "\ue000key\ue001",
    "",
    "ä 漢 \u2028",
    "%s",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_filled_fragment_is_the_rendered_template(text: str) -> None:
    names = {"key": text, "title": text, "text": text}
    fragment = TemplateFragment(
        "helpdesk/_sla.html", ("k", "t", "x"),
        sla={"key": "\ue000k\ue001", "title": "\ue000t\ue001", "text": "\ue000x\ue001"},
    )  # fmt: skip
    for _ in range(2):
        filled = fragment.fill(k=text, t=text, x=text)
        assert filled == render_to_string("helpdesk/_sla.html", {"sla": names})
        assert isinstance(filled, SafeString)


def test_what_is_safe_already_and_numbers_are_shown_as_they_are() -> None:
    fragment = TemplateFragment(
        "helpdesk/_ticket_row.html", ("id", "badge", "cells"), selectable=True
    )
    filled = fragment.fill(id=8_765_432, badge=SafeString("<i>!</i>"), cells="<td>")
    assert 'data-ticket-id="8765432"' in filled
    assert "<i>!</i>" in filled
    assert "&lt;td&gt;" in filled
    engine = engines["django"]
    assert engine.from_string("{{ id }}").render({"id": 8_765_432}) == "8765432"


def test_a_template_shows_every_slot_and_a_fragment_is_filled_whole() -> None:
    with pytest.raises(NoSuchSlot, match="nowhere"):
        TemplateFragment("helpdesk/_ticket_row.html", ("id", "nowhere")).fill(id=1, nowhere=2)
    with pytest.raises(KeyError, match="badge"):
        TemplateFragment("helpdesk/_ticket_row.html", ("id", "badge", "cells")).fill(id=1, cells="")
