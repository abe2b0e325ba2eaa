"""Editors of records that have conditions as rules do, and nothing that they then do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.queries.definitions import condition_definitions
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import pages
from clones.helpdesk.web.admin.pages import ConfirmPage
from clones.helpdesk.web.admin.rule_editor import Editor
from clones.helpdesk.web.admin.rule_rows import RuleSection

ALL = "Meet ALL of the following conditions"
ANY = "Meet ANY of the following conditions"


class ConditionEditor(Editor):
    """The editor of one kind of record with conditions."""

    hint = ""

    def sections(self) -> tuple[RuleSection, ...]:
        """Return the conditions, which look at tickets at rest."""
        conditions = tuple(condition_definitions("sla"))
        return (
            RuleSection("all", ALL, self.hint, conditions),
            RuleSection("any", ANY, "", conditions),
        )


def confirm_of(
    request: SandboxRequest,
    agent: Agent,
    editor: Editor,
    consequence: str,
    act: Callable[[Any], object],
) -> HttpResponse:
    """Ask whether the record that the address names shall go, and let it go."""
    found = editor.find(request.GET.get("ids", ""), agent.user)
    name = editor.title_of(found)
    question = ConfirmPage(
        editor.entry,
        f"Delete {editor.noun} {name}",
        consequence,
        reverse(f"helpdesk:{editor.one}", args=[found.pk]),
        reverse(f"helpdesk:{editor.entry}"),
        name,
    )
    return pages.ask_first(request, agent, question, lambda: act(found))


def count_of(conditions: Any, names: Sequence[str] = ("all", "any")) -> str:
    """Return how many conditions there are, as a list shows it."""
    return str(sum(len((conditions or {}).get(name, ())) for name in names))
