"""What is known of a kind of component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

InputKind = Literal[
    "line",  # a text
    "area",  # a longer one
    "jql",  # a query
    "number",
    "flag",  # yes or no
    "choice",  # one of `options`
    "named",  # something of the site: {"type": "ID", "value"}
    "several",  # some of them
    "operations",  # fields and what they are set to
    "pairs",  # names and values
    "people",  # those that mail goes to, or who watch
    "checks",  # what a user condition asks
    "lines",  # a text each
    "compare",  # what a field is compared with
]


@dataclass(frozen=True, slots=True)
class Input:
    """A control of a component's form.

    `path` leads to its place in the component's value, with slashes; "" is the value itself.
    `of` is from what something of the site is chosen: statuses, fields, types, users, groups,
    link types, sprints' boards, SLAs. `smart` says that smart values can be written.
    """

    path: str
    label: str
    kind: InputKind = "line"
    options: Sequence[tuple[str, str]] = ()
    of: str = ""
    required: bool = False
    smart: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ComponentKind:
    """A kind of component.

    `component` is TRIGGER, CONDITION, BRANCH, ACTION or CONDITION_BLOCK. `about` is one sentence
    for whoever chooses. `needs_issue` says that it acts on the issue at hand. `brings` is what a
    trigger brings: issue, version, sprint, nothing. Those not `offered` are made by others.
    """

    type: str
    component: str
    name: str
    group: str = ""
    about: str = ""
    value: Any = field(default_factory=dict)
    inputs: Sequence[Input] = ()
    schema_version: int = 1
    needs_issue: bool = True
    brings: str = "issue"
    offered: bool = True
    said: Mapping[str, str] = field(default_factory=dict)

    @property
    def icon(self) -> str:
        """The name of its picture."""
        return _ICONS.get(self.component, "automation")


_ICONS = {"TRIGGER": "automation", "CONDITION": "filter", "BRANCH": "tree", "ACTION": "task"}
