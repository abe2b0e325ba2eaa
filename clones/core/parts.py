"""Small templates that one answer fills many times: the rows and cells of tables.

Rendering a template for each cell of a table is most of what a page of tickets costs. A fragment
is rendered once per process, with a mark in each of its slots; from then on a row costs the filling
of its slots. What is kept is made of templates and code alone.
"""

from __future__ import annotations

import re
from functools import cached_property
from html import escape
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

# Characters of no text: they stand for nothing, and no template has them.
BEFORE, AFTER = "\ue000", "\ue001"
_MARK = re.compile(f"{BEFORE}(\\w+){AFTER}")


class NoSuchSlot(Exception):
    """Raised when a template does not show a slot of its fragment."""


def slot(name: str) -> str:
    """Return what stands in a fragment's context for a value that is filled in later."""
    return f"{BEFORE}{name}{AFTER}"


class TemplateFragment:
    """A template with slots.

    `context` is what the template is rendered with, once. Where it has a `slot`, the template may
    show the value, and do nothing else with it: no filter, no condition.

    Raises:
        NoSuchSlot: at the first use, if the template leaves out one of `slots`.
    """

    def __init__(self, template: str, slots: tuple[str, ...], **context: Any) -> None:
        self._template = template
        self._slots = slots
        self._context = {**{name: slot(name) for name in slots}, **context}

    def fill(self, **values: object) -> SafeString:
        """Return the fragment with values in its slots, escaped as the template engine does it.

        Raises:
            KeyError: a slot is left empty.
        """
        # As `format_html`, without looking for texts that are still to be translated.
        shown = {
            name: value if isinstance(value, SafeString) else escape(str(value))
            for name, value in values.items()
        }
        return SafeString(self._pattern.format_map(shown))

    @cached_property
    def _pattern(self) -> str:
        text = render_to_string(self._template, self._context)
        missing = set(self._slots) - set(_MARK.findall(text))
        if missing:
            raise NoSuchSlot(f"{self._template} does not show {', '.join(sorted(missing))}")
        return _MARK.sub(r"{\1}", text.replace("{", "{{").replace("}", "}}"))
