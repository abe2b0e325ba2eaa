"""A small site to test: a few people and spaces, cloned for each test in a millisecond."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from clones.core import jobs
from clones.core.accounts import account_cards
from clones.core.clock import now
from clones.core.journal import act
from clones.core.models import SandboxState
from clones.core.server import server
from clones.core.tenancy import Binding, SandboxRow, unit_of_work
from clones.tracker.api.entry import operations
from clones.tracker.api.handouts import authorization
from clones.tracker.domain import people
from clones.tracker.domain.projects import create_project
from clones.tracker.domain.setup import install_site
from clones.tracker.models import User
from clones.tracker.queries.rights import Rights
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT, bind
from tests.odd_calls import are_asked
from tests.sandbox_pool import SandboxPool
from tests.tracker import shapes
from tests.tracker.calls import CALLS, named
from tests.tracker.rounds import ROUNDS, OddClient

JSON = ("application/json", "application/problem+json")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the API: status, JSON body and headers."""

    status: int
    body: Any
    headers: Any
    raw: bytes


class Site:
    """A sandbox's tracker, driven through HTTP."""

    def __init__(self, row: SandboxRow) -> None:
        self.row = row
        host = f"tracker.{row.id}.localhost:8800"
        self.client = OddClient(CALLS, row, headers={"host": host, "user-agent": "tests/1"})
        with bind(row), unit_of_work("read"):
            cards = [card for card in account_cards(row) if card.clone == "tracker"]
            users = {user.id: user.account_id for user in User.objects.all()}
        self.cards = {card.login.partition("@")[0]: card for card in cards}
        self.ids = {name: users[int(card.subject)] for name, card in self.cards.items()}

    def call(
        self, method: str, path: str, body: Any = None, *, by: str | None = "ada", **headers: str
    ) -> Answer:
        """Call the API as somebody (`None`: without a credential)."""
        if by is not None:
            headers = {**authorization(self.cards[by]), **headers}
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body)
        response: Any = self.client.generic(
            method,
            path if path.startswith("/") else f"/rest/api/3/{path}",
            data,
            content_type=headers.pop("Content-Type", "application/json"),
            headers=headers,
        )
        is_json = response.headers.get("Content-Type", "").startswith(JSON)
        parsed = json.loads(response.content) if is_json and response.content else None
        self._check(method, response, parsed)
        return Answer(response.status_code, parsed, response.headers, response.content)

    def _check(self, method: str, response: Any, body: Any) -> None:
        """Hold a success to the vendor's description of its operation."""
        found = operations().all.get(response.wsgi_request.operation_id or "")
        if found is not None:
            status = response.status_code
            wrong = shapes.problems(method, found.path, found.id, status, body)
            assert not wrong, "\n".join(wrong)

    def get(self, path: str, *, by: str | None = "ada", status: int = 200, **headers: str) -> Any:
        """Return the body of a GET that must answer with `status`."""
        return self._expect("GET", path, None, by, status, headers)

    def post(
        self,
        path: str,
        body: Any = None,
        *,
        by: str | None = "ada",
        status: int = 201,
        **headers: str,
    ) -> Any:
        """Return the body of a POST that must answer with `status`."""
        return self._expect("POST", path, body, by, status, headers)

    def put(
        self,
        path: str,
        body: Any = None,
        *,
        by: str | None = "ada",
        status: int = 204,
        **headers: str,
    ) -> Any:
        """Return the body of a PUT that must answer with `status`."""
        return self._expect("PUT", path, body, by, status, headers)

    def delete(
        self,
        path: str,
        body: Any = None,
        *,
        by: str | None = "ada",
        status: int = 204,
        **headers: str,
    ) -> Any:
        """Return the body of a DELETE that must answer with `status`."""
        return self._expect("DELETE", path, body, by, status, headers)

    def _expect(
        self,
        method: str,
        path: str,
        body: Any,
        by: str | None,
        status: int,
        headers: dict[str, str],
    ) -> Any:
        answer = self.call(method, path, body, by=by, **headers)
        assert answer.status == status, answer.body or answer.raw
        return answer.body

    def issue(self, summary: str = "It stops", *, by: str = "ada", **fields: Any) -> str:
        """Create an issue (in LAS, a task) and return its key."""
        given = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": summary}
        found: str = self.post("issue", {"fields": {**given, **fields}}, by=by)["key"]
        return found

    def store(self) -> AbstractContextManager[Binding]:
        """Bind the sandbox's store, to look into it."""
        return bind(self.row)

    @contextmanager
    def writing(self, actor: str = "test") -> Iterator[None]:
        """Write into the sandbox directly, as an act of its own."""
        with bind(self.row), unit_of_work("write"), act(actor=actor, label="test"):
            yield

    def advance(self, seconds: float = 0) -> list[jobs.JobRun]:
        """Move the clock and run what falls due."""
        with bind(self.row), unit_of_work("write"):
            runs = jobs.advance(now() + timedelta(seconds=seconds))
        assert not [run for run in runs if run.error], runs
        return runs


PEOPLE = {
    "dev": ("Dev Anand", "developer", ("jira-users", "jira-software-users")),
    "dana": ("Dana Ruiz", "developer", ("jira-users", "jira-software-users")),
    "cara": ("Cara Holm", "customer", ()),
    "guest": ("Guy Est", "developer", ()),
}


def furnish() -> None:
    """Make the site in the store at hand."""
    ada = install_site(owner_name="Ada Brandt", owner_email="ada@site.example")
    people.open_account(ada, role="admin", listed=True)
    for login, (name, role, belongs) in PEOPLE.items():
        kind = "customer" if role == "customer" else "atlassian"
        email = f"{login}@site.example"
        user = people.create_user(name, email, account_type=kind, groups=belongs)
        people.open_account(user, role=role, listed=True)
    actor = Rights(ada)
    scrum = "com.pyxis.greenhopper.jira:gh-simplified-scrum-classic"
    kanban = "com.pyxis.greenhopper.jira:gh-simplified-kanban-classic"
    create_project("LAS", "Laser control", type="software", template=scrum, actor=actor)
    create_project("OPS", "Operations", type="software", template=kanban, actor=actor)
    desk = "com.atlassian.servicedesk:simplified-it-service-management"
    create_project("IT", "IT help", type="service_desk", template=desk, actor=actor)


@pytest.fixture(scope="session")
def site_image(library: Library) -> Manifest:
    """An image of a site with an admin (ada), developers, a customer, and three spaces."""
    store = server().data / "tracker-site.sqlite"
    engine().new_store(store)
    with server().stores.bind(store), unit_of_work("write"):
        SandboxState.objects.create(id=1, now=PRESENT, seed="site")
        with act(actor="system", label="install"):
            furnish()
    server().stores.discard(store)
    engine().seal(store)
    return library.add(store, world="site", size="tiny", seed=1, parent=None)


@pytest.fixture
def site(sandbox_pool: SandboxPool, site_image: Manifest) -> Iterator[Site]:
    """A sandbox of the small site."""
    with sandbox_pool.borrow(site_image) as row:
        yield Site(row)


@pytest.fixture(autouse=True)
def vouched(request: pytest.FixtureRequest, sandboxes: Sandboxes) -> Iterator[None]:
    """Hold a test to what `witnesses.json` says that it sees; ask oddly beside it.

    Those of an operation are made in the test that sees it succeed (`tests.tracker.rounds`).
    """
    CALLS.seen.clear()
    promised = CALLS.promised.get(named(request.node.nodeid), set())
    succeeding = {seen.operation for seen in promised if seen.answer == "2xx"}
    ROUNDS.begin(filter(are_asked, succeeding), sandboxes)
    yield
    missed = CALLS.broken_promises(named(request.node.nodeid))
    assert not missed, f"{missed}: no longer seen here. `make coverage-report` finds other tests."
    assert not ROUNDS.wrong, "\n".join(ROUNDS.wrong)
