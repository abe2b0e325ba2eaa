"""Nodes that wiki markup has no words for, carried in it as JSON."""

from __future__ import annotations

import json
import re

from clones.tracker.rules.richtext.document import Node, to_json

# In JSON a brace before a letter is inside a string. There it would look like a macro's.
_MACRO_LIKE = re.compile(r"\{(?=[A-Za-z])")


def verbatim(node: Node, *, block: bool) -> str:
    """Return the vendor's macro for a node that markup cannot say."""
    text = json.dumps(to_json(node), ensure_ascii=False, separators=(",", ":"))
    text = _MACRO_LIKE.sub("\\\\u007b", text)
    if block:
        return f"{{adf:display=block}}\n{text}\n{{adf}}"
    return f"{{adf:display=inline}}{text}{{adf}}"
