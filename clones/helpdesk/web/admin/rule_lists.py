"""Lists of rules: found, put in order, switched, cloned, deleted; the same for every kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_of
from clones.helpdesk.models import User
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import frame, pages
from clones.helpdesk.web.admin.pages import ConfirmPage
from clones.helpdesk.web.form_errors import RECORD_ATTEMPTS

STATES = {"": "All", "active": "Active", "inactive": "Inactive"}
Ends = tuple[dict[str, Any], dict[str, Any]]
NONE_CHOSEN = "Select at least one first"


@dataclass(frozen=True, slots=True)
class RuleItem:
    """A rule in its list. It moves only among those of its `part`, where lists have parts."""

    key: str
    title: str
    about: str
    active: bool | None
    cells: tuple[str, ...]
    url: str
    clone_url: str
    part: str
    first: bool
    last: bool


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Lines under one heading; lists without headings have one part without a name."""

    key: str
    name: str
    lines: tuple[RuleItem, ...]


class RuleListing(ABC):
    """The list of one kind of rule. `entry` is the name of its address, `one` of a rule's.

    It is no `ListPage`: rules are chosen together and switched or deleted at once, stand in parts
    within which they move, by a script too, and a button that is refused says so on the list.
    """

    entry = ""
    one = ""
    title = ""
    nouns = ""
    create_label = ""
    columns: tuple[str, ...] = ()
    template = "helpdesk/admin/rules/list.html"
    consequence = "This cannot be undone."
    can_be_inactive = True
    can_be_cloned = True

    @abstractmethod
    def rows(self, agent: Agent) -> QuerySet[Any]:
        """Return the rules that the list shows, in order."""

    @abstractmethod
    def reorder(self, keys: Sequence[Any], actor: User) -> None:
        """Put the rules of one part into an order; all of them are named."""

    @abstractmethod
    def delete(self, keys: Sequence[Any], actor: User) -> None:
        """Remove rules."""

    def switch(self, keys: Sequence[Any], actor: User, *, active: bool) -> None:
        """Make rules active or inactive. Only asked of lists whose rules can be inactive."""
        raise NotImplementedError

    def names(self) -> dict[int, str]:
        """Return the names that the list's own columns need, looked up once."""
        return {}

    def cells(self, rule: Any, names: dict[int, str]) -> tuple[str, ...]:
        """Return what the list's own columns show of a rule."""
        return ()

    def part_of(self, rule: Any) -> str:
        """Return the part that a rule stands in."""
        return ""

    def parts(self) -> list[tuple[str, str]]:
        """Return the list's parts in order, key and name; "" for a list without."""
        return [("", "")]

    def context(self, request: SandboxRequest, agent: Agent) -> dict[str, Any]:
        """Return what the template needs beside the lines."""
        return {}

    def key_of(self, text: str) -> Any:
        """Return a rule's key from a form, None for what is none."""
        return int(text) if is_digits(text) else None

    def show(self, request: SandboxRequest, agent: Agent) -> HttpResponse:
        """Show the list, or those of it whose title holds a text."""
        return self._page(request, agent)

    def change(self, request: SandboxRequest, agent: Agent) -> HttpResponse:
        """Do what one of the list's buttons asked for."""
        post = request.POST
        if request.method != "POST":
            return shell.go(reverse(f"helpdesk:{self.entry}"))
        chosen = self._keys(post.getlist("ids"))
        if "delete" in post and chosen:
            query = urlencode([("ids", key) for key in chosen])
            return shell.go(f"{reverse(f'helpdesk:{self.entry}_delete')}?{query}")
        said, refusal = RECORD_ATTEMPTS.attempt(lambda: self._carry_out(request, agent, chosen))
        if refusal is not None:
            said = "; ".join(refusal.sentences)
        if said:
            return self._page(request, agent, said=said)
        return shell.go(self._back(request), "rules", self.title)

    def _carry_out(self, request: SandboxRequest, agent: Agent, chosen: list[Any]) -> str:
        post, actor = request.POST, agent.user
        if "up" in post:
            self._move(post["up"], agent, by=-1)
        elif "down" in post:
            self._move(post["down"], agent, by=1)
        elif "order" in post:
            self._arrange(post["order"].split(","), agent)
        elif not chosen:
            return NONE_CHOSEN
        elif self.can_be_inactive and ("activate" in post or "deactivate" in post):
            self.switch(chosen, actor, active="activate" in post)
        return ""

    def _move(self, text: str, agent: Agent, *, by: int) -> None:
        """Move a rule by one place among the rules of its part, shown or not."""
        key, part = self.key_of(text), None
        rules = list(self.rows(agent))
        part = next((self.part_of(rule) for rule in rules if rule.pk == key), None)
        keys = [rule.pk for rule in rules if self.part_of(rule) == part]
        if part is None:
            return
        at = keys.index(key)
        if 0 <= at + by < len(keys):
            keys[at], keys[at + by] = keys[at + by], keys[at]
            self.reorder(keys, agent.user)

    def _arrange(self, texts: Iterable[str], agent: Agent) -> None:
        """Let the rules that are named take each other's places, in the order they are named."""
        named = list(dict.fromkeys(self._keys(texts)))
        parts: dict[str, list[Any]] = {}
        for rule in self.rows(agent):
            parts.setdefault(self.part_of(rule), []).append(rule.pk)
        for keys in parts.values():
            moved = iter([key for key in named if key in keys])
            wanted = [next(moved) if key in named else key for key in keys]
            if wanted != keys:
                self.reorder(wanted, agent.user)

    def confirm(self, request: SandboxRequest, agent: Agent) -> HttpResponse:
        """Ask whether rules shall go, and let them go."""
        keys = self._keys(request.GET.getlist("ids"))
        found = [rule for rule in self.rows(agent) if rule.pk in keys]
        back = reverse(f"helpdesk:{self.entry}")
        if not found:
            return shell.go(back)
        names = ", ".join(str(rule.title) for rule in found)
        question = ConfirmPage(self.entry, f"Delete {names}", self.consequence, back, back, names)
        return pages.ask_first(
            request,
            agent,
            question,
            lambda: self.delete([rule.pk for rule in found], agent.user),
        )

    def _page(self, request: SandboxRequest, agent: Agent, *, said: str = "") -> HttpResponse:
        wanted = request.GET.get("q", "").strip()
        state = request.GET.get("state", "")
        rows = self.rows(agent)
        ends = self._ends(rows)
        if wanted:
            rows = rows.filter(title__icontains=wanted)
        if self.can_be_inactive and state in ("active", "inactive"):
            rows = rows.filter(active=state == "active")
        shown = page_of(request, self.narrowed(request, rows))
        names = self.names()
        lines = [self._line(rule, agent, ends, self.cells(rule, names)) for rule in shown.rows]
        parts = [
            RuleGroup(key, name, tuple(line for line in lines if line.part == key))
            for key, name in self.parts()
        ]
        context = {
            "page": shown,
            "parts": [
                part for part in parts if part.lines or (part.key and part.key not in ends[0])
            ],
            "wanted": wanted,
            "state": state,
            "states": STATES if self.can_be_inactive else {},
            "columns": self.columns,
            "width": len(self.columns) + 5,
            "said": said,
            "nouns": self.nouns,
            "create_url": reverse(f"helpdesk:{self.one}_new"),
            "create_label": self.create_label,
            "change_url": reverse(f"helpdesk:{self.entry}_change"),
            "can_be_inactive": self.can_be_inactive,
            "movable": not set(request.GET) - {"page"},
            "query": request.GET.urlencode(),
            **self.context(request, agent),
        }
        status = 422 if said else 200
        return frame.page(
            request,
            agent,
            self.template,
            context,
            title=self.title,
            active=self.entry,
            status=status,
        )

    def narrowed(self, request: SandboxRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that a list's own filters leave."""
        return rows

    def _ends(self, rows: QuerySet[Any]) -> Ends:
        """Return the first and the last rule of each part that has any."""
        first: dict[str, Any] = {}
        last: dict[str, Any] = {}
        for rule in rows:
            part = self.part_of(rule)
            first.setdefault(part, rule.pk)
            last[part] = rule.pk
        return first, last

    def _line(
        self,
        rule: Any,
        agent: Agent,
        ends: Ends,
        cells: tuple[str, ...],
    ) -> RuleItem:
        sightings.note(rule, "list")
        clone = f"{reverse(f'helpdesk:{self.one}_new')}?clone={rule.pk}"
        part = self.part_of(rule)
        return RuleItem(
            key=str(rule.pk),
            title=translated(rule.title, agent.user.locale),
            about=getattr(rule, "description", None) or "",
            active=rule.active if self.can_be_inactive else None,
            cells=cells,
            url=reverse(f"helpdesk:{self.one}", args=[rule.pk]),
            clone_url=clone if self.can_be_cloned else "",
            part=part,
            first=rule.pk == ends[0][part],
            last=rule.pk == ends[1][part],
        )

    def _keys(self, texts: Iterable[str]) -> list[Any]:
        found = [self.key_of(text) for text in texts]
        return [key for key in found if key is not None]

    def _back(self, request: SandboxRequest) -> str:
        """Return the list's address as it was when the button was pressed."""
        query = request.GET.urlencode()
        address = reverse(f"helpdesk:{self.entry}")
        return f"{address}?{query}" if query else address


def positions(keys: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the places 1, 2, 3... of rules in this order, as batches of the domain take them."""
    return [{"id": key, "position": place} for place, key in enumerate(keys, 1)]


def changed_positions(keys: Sequence[Any], standing: dict[Any, int]) -> list[dict[str, Any]]:
    """Return the places of those rules of an order that do not have theirs yet."""
    return [item for item in positions(keys) if standing.get(item["id"]) != item["position"]]
