"""What docs/fidelity/mail.md and helpdesk-mail.md say is there, and each guess has its test."""

from __future__ import annotations

import importlib
import re

from clones.mail.web.urls import urlpatterns
from tests.helpdesk.fidelity_pages import text_of

GUESSED_IN = ("tests.helpdesk.rules.test_mail", "tests.mail.test_threads", "tests.mail.test_pages")


def test_the_page_of_mail_lists_its_addresses() -> None:
    listed = set(re.findall(r"`(/[\w/{}]*)`", text_of("mail.md")))
    made = {
        f"/{pattern.pattern}".replace("<str:name>", "inbox")
        .replace("<int:key>", "{id}")
        .replace("<int:number>", "{n}")
        for pattern in urlpatterns
        if pattern.name not in (None, "home", "mark")
    }
    assert listed == made | {"/folders/sent"}


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    text = text_of("helpdesk-mail.md")
    listed = set(re.findall(r"`tests/([\w/]+)\.py::(test_unverified_\w+)`", text))
    made = {
        (module.removeprefix("tests.").replace(".", "/"), name)
        for module in GUESSED_IN
        for name in vars(importlib.import_module(module))
        if name.startswith("test_unverified_")
    }
    assert listed == made
