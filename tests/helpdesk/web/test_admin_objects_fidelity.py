"""Each guess of docs/fidelity/helpdesk-admin-objects.md has its test, and each test is listed."""

from __future__ import annotations

import re

from tests.helpdesk.fidelity_pages import guesses_in, text_of

MODULES = ("test_admin_people", "test_admin_objects", "test_admin_integrations")


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    text = text_of("helpdesk-admin-objects.md")
    listed = re.findall(r"`tests/helpdesk/web/(test_\w+)\.py::(test_\w+)`", text)
    ours = guesses_in(f"web.{name}" for name in MODULES)
    assert {(f"web.{module}", name) for module, name in listed} == ours
