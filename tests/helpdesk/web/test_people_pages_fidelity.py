"""The page of docs/fidelity on pages of people names every guess that their tests hold."""

from __future__ import annotations

import importlib
import re

from tests.helpdesk.fidelity_pages import text_of

MODULES = (
    "test_finding",
    "test_organization_page",
    "test_reporting",
    "test_suspended_pages",
    "test_user_page",
)


def test_every_guess_is_named() -> None:
    text = text_of("helpdesk-people-pages.md").partition("## What nobody recorded")[2]
    named = set(re.findall(r"`tests/helpdesk/web/(test_\w+)\.py::(test_\w+)`", text))
    held = {
        (module, name)
        for module in MODULES
        for name in vars(importlib.import_module(f"tests.helpdesk.web.{module}"))
        if name.startswith("test_unverified_")
    }
    assert named == held
    assert text.count("\n| ") - 1 == len(held)
