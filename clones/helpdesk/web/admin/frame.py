"""What every page of Admin Center stands in: who may open it, and its own navigation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent, agent_page

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of Admin Center's navigation: `key` is the name of its address, too."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Section:
    """Entries under one heading, as the product files them."""

    label: str
    entries: tuple[Entry, ...]


PEOPLE = Section("People", (Entry("admin_groups", "Groups"),))
SECTIONS: tuple[Section, ...] = (PEOPLE,)


def admin_page(
    view: Callable[Concatenate[SandboxRequest, Agent, P], HttpResponse],
) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
    """Open a page to admins only, and its forms only with their token."""

    def guarded(
        request: SandboxRequest, agent: Agent, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if agent.user.role != "admin":
            raise AccessDenied("Admin Center is for admins")
        return view(request, agent, *args, **kwargs)

    return agent_page(guarded)


def page(
    request: SandboxRequest,
    agent: Agent,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    active: str,
    status: int = 200,
) -> HttpResponse:
    """Return a page of Admin Center; `active` names the entry it belongs to."""
    own = {"sections": SECTIONS, "entry": active, "active_url": reverse(f"helpdesk:{active}")}
    return shell.page(
        request,
        agent,
        template,
        {**own, **context},
        title=title,
        active="admin",
        status=status,
    )


@admin_page
def home(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show what can be set up, section by section."""
    context = {"sections": SECTIONS}
    return shell.page(
        request, agent, "helpdesk/admin/home.html", context, title="Admin Center", active="admin"
    )
