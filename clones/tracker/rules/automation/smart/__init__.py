"""Smart values: texts with `{{values}}` in them, filled from what a rule knows.

    render(text, Scope({"issue": ...})) -> str
    evaluate(text, scope) -> Any           # the value itself where the text is one smart value

Values are None (which shows as nothing), texts, numbers, booleans, days, moments, lists, mappings
and `SmartRecord`s: records whose parts are read when a text names them.
"""

from __future__ import annotations

from clones.tracker.rules.automation.smart.parsing import SmartValueError
from clones.tracker.rules.automation.smart.rendering import Scope, evaluate, render
from clones.tracker.rules.automation.smart.values import SmartRecord, text_of

__all__ = ["Scope", "SmartRecord", "SmartValueError", "evaluate", "render", "text_of"]
