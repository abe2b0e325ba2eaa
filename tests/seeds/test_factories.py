"""Factories make rows from the sandbox's own chance and identifiers."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps

from clones.core.journal import act
from clones.core.tenancy import SandboxRow, unit_of_work
from seeds import factories as made_by
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.determinism import no_machine_inputs

factories: Any = made_by


@pytest.mark.parametrize("name", made_by.__all__)
def test_factory_makes_a_row(empty_sandbox: SandboxRow, name: str) -> None:
    factory: Any = getattr(made_by, name)
    with bind(empty_sandbox), unit_of_work("write"), act(actor="test", label="factory"):
        row = factory()
        stored = type(row)._default_manager.get(pk=row.pk)
        assert stored.pk == row.pk


def test_two_sandboxes_get_the_same_rows(sandboxes: Sandboxes, empty_image: Manifest) -> None:
    found = []
    for _ in range(2):
        row = sandboxes.create(empty_image)
        with (
            bind(row),
            unit_of_work("write"),
            act(actor="test", label="factory"),
            no_machine_inputs(),
        ):
            ticket = factories.TicketFactory()
            charge = factories.ChargeFactory()
            found.append((ticket.id, ticket.subject, ticket.requester.name, charge.id, charge.card))
        sandboxes.delete(row.id)
    assert found[0] == found[1]


def test_overrides_win(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), unit_of_work("write"), act(actor="test", label="factory"):
        agent = factories.UserFactory(role="agent", name="Ann Oak")
        assert agent.is_agent
        assert agent.email.startswith("ann-oak.")
        assert {model.__name__ for model in apps.get_app_config("billing").get_models()} >= {
            "Charge"
        }
