"""The editor of rules: a form of fields and rows, the same for every kind of rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.core.web.inputs import PageForm
from clones.helpdesk.models import User
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import frame
from clones.helpdesk.web.admin.inputs import AdminInput
from clones.helpdesk.web.admin.rule_rows import (
    RowDraft,
    RuleRow,
    RuleSection,
    draft_of,
    patterns_of,
    posted_drafts,
    read_section,
    rows_of,
)
from clones.helpdesk.web.form_errors import RECORD_ATTEMPTS

Items = dict[str, list[dict[str, Any]]]
CONTROLS = ("add", "remove", "refresh")
ROWS_WRONG = "Look at the rows that are marked below"


@dataclass(slots=True)
class RuleForm:
    """A rule's form as it is to be shown: its inputs, its rows, and a look at its effect.

    `rule` is what the form was made of: the rule itself, or the one that a new one is a copy of.
    """

    rule: Any
    form: PageForm
    drafts: dict[str, list[RowDraft]]
    extra: dict[str, Any] = field(default_factory=dict)


class Editor(ABC):
    """The editor of one kind of rule. `entry` is the name of its list's address.

    Its inputs are those of any form. Its rows are no `RowTable`: which inputs a row has follows
    from the field and the operator chosen in it, scripts make rows of patterns, a row that nobody
    touched is written back as it was, and each says by itself what is wrong with it (`rule_rows`).
    """

    entry = ""
    one = ""
    noun = ""
    template = "helpdesk/admin/rules/editor.html"
    # Attributes that the domain names and this form has under other names.
    inputs: Mapping[str, str] = {}

    @abstractmethod
    def sections(self) -> tuple[RuleSection, ...]:
        """Return the sections of rows with what can be chosen in them."""

    @abstractmethod
    def find(self, key: Any, actor: User) -> Any:
        """Return the rule of a key.

        Raises:
            RecordNotFound: there is none for the actor.
        """

    @abstractmethod
    def items_of(self, rule: Any) -> Items:
        """Return a rule's conditions and actions by section."""

    @abstractmethod
    def fields(self, rule: Any, agent: Agent) -> list[AdminInput]:
        """Return the form's inputs above the rows, as they are of a rule, or of a new one."""

    def fields_below(self, rule: Any) -> list[AdminInput]:
        """Return the form's other inputs, which its own template draws."""
        return []

    @abstractmethod
    def changes(self, sent: PageForm, items: Items, rule: Any, actor: User) -> dict[str, Any]:
        """Return what the domain is to set of the form that was sent.

        Raises:
            RecordInvalid: what was sent is none of what can be set.
        """

    @abstractmethod
    def create(self, changes: dict[str, Any], actor: User) -> Any:
        """Create a rule."""

    @abstractmethod
    def update(self, rule: Any, changes: dict[str, Any], actor: User) -> Any:
        """Change a rule."""

    def context(
        self, request: SandboxRequest, agent: Agent, sheet: RuleForm, rule: Any
    ) -> dict[str, Any]:
        """Return what the template needs beside fields and rows."""
        return {}

    def preview(self, sent: PageForm, items: Items) -> dict[str, Any]:
        """Return what a look at the rule's effect needs; most rules have none.

        Raises:
            RecordInvalid: a value breaks a rule.
        """
        return {}

    def links(self, rule: Any) -> list[tuple[str, str]]:
        """Return pages about a rule beside its editor: address and label."""
        return []

    def title_of(self, rule: Any) -> str:
        """Return what a rule is called."""
        return str(rule.title)

    def new(self, request: SandboxRequest, agent: Agent) -> HttpResponse:
        """Show the form of a new rule, or take it; `clone` names one to begin with."""
        if request.method == "POST":
            return self._take(request, agent, None)
        source = request.GET.get("clone", "")
        sheet = self._sheet(None, agent)
        if source:
            rule = self.find(source, agent.user)
            sightings.note(rule, "detail")
            sheet = self._sheet(rule, agent)
            title = f"Copy of {self.title_of(rule)}"[:255]
            sheet.form.fields["title"].initial = title
        return self._show(request, agent, None, sheet)

    def edit(self, request: SandboxRequest, agent: Agent, key: Any) -> HttpResponse:
        """Show a rule's form, or take it."""
        rule = self.find(key, agent.user)
        if request.method == "POST":
            return self._take(request, agent, rule)
        sightings.note(rule, "detail")
        return self._show(request, agent, rule, self._sheet(rule, agent))

    def _sheet(self, rule: Any, agent: Agent) -> RuleForm:
        items = self.items_of(rule) if rule is not None else {}
        drafts = {
            section.name: [
                draft_of(item, section.definition(str(item["field"])), action=section.is_actions)
                for item in items.get(section.name, [])
            ]
            or ([] if section.name == "any" else [RowDraft()])
            for section in self.sections()
        }
        return RuleForm(rule, self._form(rule, agent), drafts)

    def _form(self, rule: Any, agent: Agent, data: QueryDict | None = None) -> PageForm:
        return PageForm([*self.fields(rule, agent), *self.fields_below(rule)], data)

    def _take(self, request: SandboxRequest, agent: Agent, rule: Any) -> HttpResponse:
        post, sections = request.POST, self.sections()
        drafts = {section.name: posted_drafts(post, section) for section in sections}
        sheet = RuleForm(rule, self._form(rule, agent, post), drafts)
        if any(name in post for name in CONTROLS):
            _carry_out(post, sheet)
            return self._show(request, agent, rule, sheet)
        items = {}
        for section in sections:
            items[section.name], told = read_section(sheet.drafts[section.name], section)
            sheet.drafts[section.name] = told
        if any(draft.error for drafts in sheet.drafts.values() for draft in drafts):
            sheet.form.refuse(FormErrors([ROWS_WRONG]))
            return self._show(request, agent, rule, sheet)
        if "preview" in post:
            seen, refusal = RECORD_ATTEMPTS.attempt(lambda: self.preview(sheet.form, items))
            if refusal is not None:
                sheet.form.refuse(refusal, self.inputs)
            sheet.extra = seen or {}
            return self._show(request, agent, rule, sheet)
        return self._write(request, agent, rule, sheet, items)

    def _write(
        self,
        request: SandboxRequest,
        agent: Agent,
        rule: Any,
        sheet: RuleForm,
        items: Items,
    ) -> HttpResponse:
        def write() -> Any:
            changes = self.changes(sheet.form, items, rule, agent.user)
            if rule is None:
                return self.create(changes, agent.user)
            return self.update(rule, changes, agent.user)

        written, refusal = RECORD_ATTEMPTS.attempt(write)
        if refusal is not None:
            sheet.form.refuse(refusal, self.inputs)
            fresh = self.find(rule.pk, agent.user) if rule is not None else None
            return self._show(request, agent, fresh, sheet)
        assert written is not None  # noqa: S101 - what is not refused is written
        address = reverse(f"helpdesk:{self.one}", args=[written.pk])
        return shell.go(address, "saved", self.title_of(written))

    def _show(
        self, request: SandboxRequest, agent: Agent, rule: Any, sheet: RuleForm
    ) -> HttpResponse:
        sections, form = self.sections(), sheet.form
        below = {one.name for one in self.fields_below(rule)}
        context = {
            "fields": [form[name] for name in form.fields if name not in below],
            "sections_of_rows": [
                (section, rows_of(sheet.drafts[section.name], section)) for section in sections
            ],
            "patterns": _patterns(sections),
            "problems": sheet.form.sentences,
            "back": reverse(f"helpdesk:{self.entry}"),
            "delete_url": self._delete_url(rule),
            "clone_url": self._clone_url(rule),
            "links": self.links(rule) if rule is not None else [],
            "submit_label": "Save" if rule is not None else "Create",
            **self.context(request, agent, sheet, rule),
        }
        title = self.title_of(rule) if rule is not None else f"New {self.noun}"
        return frame.page(
            request,
            agent,
            self.template,
            context,
            title=title,
            active=self.entry,
            status=422 if sheet.form.errors else 200,
        )

    def _delete_url(self, rule: Any) -> str | None:
        if rule is None:
            return None
        return f"{reverse(f'helpdesk:{self.entry}_delete')}?ids={rule.pk}"

    def _clone_url(self, rule: Any) -> str | None:
        return f"{reverse(f'helpdesk:{self.one}_new')}?clone={rule.pk}" if rule else None


def _carry_out(post: QueryDict, sheet: RuleForm) -> None:
    """Do on the rows what one of the form's own buttons asked for."""
    added, removed = post.get("add", ""), post.get("remove", "")
    if added in sheet.drafts:
        sheet.drafts[added].append(RowDraft())
    for name, drafts in sheet.drafts.items():
        sheet.drafts[name] = [draft for draft in drafts if not removed or draft.sent_as != removed]


def _patterns(sections: tuple[RuleSection, ...]) -> list[tuple[RuleSection, list[RuleRow]]]:
    """Return the patterns of rows, once for each list of fields that sections have."""
    found: dict[str, tuple[RuleSection, list[RuleRow]]] = {}
    for section in sections:
        if section.kind not in found:
            found[section.kind] = (section, patterns_of(section))
    return list(found.values())


def lines_of(sent: PageForm, name: str) -> str:
    """Return a text of several lines as rules keep it."""
    return sent.text(name).replace("\r\n", "\n")


def is_id(text: str) -> bool:
    """Tell whether a text can be the number of a record."""
    return is_digits(text)
