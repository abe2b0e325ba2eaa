"""A desk to test: a fresh account with a few people, cloned for each test in a millisecond."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
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
from clones.helpdesk.api.handouts import authorization
from clones.helpdesk.domain import accounts, people
from clones.helpdesk.domain.setup import install_defaults
from clones.helpdesk.models import Organization, User
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT, bind
from tests.helpdesk.calls import CALLS, WatchedClient, named
from tests.helpdesk.help_center import Shelf, fill
from tests.sandbox_pool import SandboxPool


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the API: status, JSON body and headers."""

    status: int
    body: Any
    headers: Any
    raw: bytes


class Desk:
    """A sandbox's helpdesk, driven through HTTP."""

    def __init__(self, row: SandboxRow) -> None:
        self.row = row
        host = f"helpdesk.{row.id}.localhost:8800"
        self.client = WatchedClient(CALLS, headers={"host": host, "user-agent": "tests/1"})
        with bind(row), unit_of_work("read"):
            cards = [card for card in account_cards(row) if card.clone == "helpdesk"]
        self.cards = {card.login.partition("@")[0]: card for card in cards}
        self.ids = {name: int(card.subject) for name, card in self.cards.items()}

    def call(
        self, method: str, path: str, body: Any = None, *, by: str | None = "ana", **headers: str
    ) -> Answer:
        """Call the API as somebody (`None`: without a credential)."""
        if by is not None:
            headers = {**authorization(self.cards[by]), **headers}
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body)
        response: Any = self.client.generic(
            method,
            path if path.startswith("/") else f"/api/v2/{path}",
            data,
            content_type=headers.pop("Content-Type", "application/json"),
            headers=headers,
        )
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        parsed = json.loads(response.content) if is_json and response.content else None
        return Answer(response.status_code, parsed, response.headers, response.content)

    def get(self, path: str, *, by: str | None = "ana", **headers: str) -> Any:
        """Return the body of a GET that must succeed."""
        answer = self.call("GET", path, by=by, **headers)
        assert answer.status == 200, answer.body
        return answer.body

    def post(self, path: str, body: Any, *, by: str = "ana", status: int = 201) -> Any:
        """Return the body of a POST that must succeed."""
        answer = self.call("POST", path, body, by=by)
        assert answer.status == status, answer.body
        return answer.body

    def put(self, path: str, body: Any, *, by: str = "ana", status: int = 200) -> Any:
        """Return the body of a PUT that must answer with `status`."""
        answer = self.call("PUT", path, body, by=by)
        assert answer.status == status, answer.body
        return answer.body

    def ticket(self, *, by: str = "ana", body: str = "It does not start.", **values: Any) -> Any:
        """Create a ticket for Rosa and return it."""
        given = {"subject": "Laser does not start", "requester_id": self.ids["rosa"], **values}
        given.setdefault("comment", {"body": body})
        return self.post("tickets.json", {"ticket": given}, by=by)["ticket"]

    def bound(self) -> AbstractContextManager[Binding]:
        """Bind the sandbox's store."""
        return bind(self.row)

    @contextmanager
    def writing(self, actor: str = "test") -> Iterator[None]:
        """Write into the sandbox directly, as an act of its own."""
        with bind(self.row), unit_of_work("write"), act(actor=actor, label="test"):
            yield

    def advance(self, **span: float) -> list[jobs.JobRun]:
        """Move the clock and run what falls due."""
        with bind(self.row), unit_of_work("write"):
            return jobs.advance(now() + timedelta(**span))

    def drain(self) -> list[jobs.JobRun]:
        """Run what is due."""
        return self.advance()


def _people(owner: User) -> None:
    acme = Organization.objects.create(
        id=900,
        name="Acme Engraving",
        domain_names=["acme.example"],
        created_at=PRESENT,
        updated_at=PRESENT,
    )
    accounts.open_account(owner, listed=True)
    agents = {"ana": "Ana Costa", "ben": "Ben Ode"}
    for login, name in agents.items():
        agent = people.add_user(
            name=name, email=f"{login}@desk.example", role="agent", verified=True
        )
        agent.default_group = owner.default_group
        agent.save()
        assert owner.default_group is not None
        people.join_group(agent, owner.default_group, default=True)
        accounts.open_account(agent, listed=True)
    customers = {"rosa": ("Rosa Diaz", acme), "tom": ("Tom Berg", None)}
    for login, (name, organization) in customers.items():
        customer = people.add_user(
            name=name, email=f"{login}@acme.example", role="end-user", organization=organization
        )
        accounts.open_account(customer, listed=True)


@pytest.fixture(scope="session")
def desk_image(library: Library) -> Manifest:
    """An image of a fresh account with an admin (olga), two agents and two customers."""
    store = server().data / "desk-world.sqlite"
    engine().new_store(store)
    with server().stores.bind(store), unit_of_work("write"):
        SandboxState.objects.create(id=1, now=PRESENT, seed="desk")
        with act(actor="system", label="install"):
            installed = install_defaults(
                name="Kestrel",
                subdomain="kestrel",
                owner_name="Olga Rey",
                owner_email="olga@desk.example",
                support_email="support@kestrel.example",
            )
            _people(installed.owner)
    server().stores.discard(store)
    engine().seal(store)
    return library.add(store, world="desk", size="tiny", seed=1, parent=None)


@pytest.fixture
def desk(sandbox_pool: SandboxPool, desk_image: Manifest) -> Iterator[Desk]:
    """A sandbox of the fresh account."""
    with sandbox_pool.borrow(desk_image) as row:
        yield Desk(row)


def image_after(
    work: Callable[[Desk], None], name: str, desk_image: Manifest, sandboxes: Sandboxes
) -> Manifest:
    """Return an image of what a fresh account is after some work over HTTP, under a name.

    For fixtures of a session: what many tests of a file begin with is done once for all of them.
    """
    row = sandboxes.create(desk_image)
    work(Desk(row))
    image = sandboxes.capture(row.id, name)
    sandboxes.delete(row.id)
    return image


@pytest.fixture(scope="session")
def shelf_image(desk_image: Manifest, sandboxes: Sandboxes) -> Manifest:
    """An image of a desk whose help center is filled."""
    return image_after(fill, "help-center", desk_image, sandboxes)


@pytest.fixture
def shelf(sandbox_pool: SandboxPool, shelf_image: Manifest) -> Iterator[Shelf]:
    """A desk whose help center is filled."""
    with sandbox_pool.borrow(shelf_image) as row:
        yield Shelf(Desk(row))


@pytest.fixture(autouse=True)
def vouched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hold a test to what `witnesses.json` says that it sees."""
    CALLS.seen.clear()
    yield
    missed = CALLS.broken_promises(named(request.node.nodeid))
    assert not missed, f"{missed}: no longer seen here. `make coverage-report` finds other tests."
