"""A hand-over proves one account to one clone of one sandbox, until its credentials end."""

from __future__ import annotations

import dataclasses

from clones.core.accounts import secrets
from clones.core.accounts.handover import authenticate_handover, mint_handover, read_handover
from clones.core.models import Account
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind


def test_it_names_the_account_and_is_for_one_clone(empty_sandbox: SandboxRow) -> None:
    text = mint_handover(empty_sandbox, "billing", 41)
    claim = read_handover(text, "billing", empty_sandbox)
    assert claim is not None
    assert (claim.number, claim.own_client) == (41, True)
    assert read_handover(text, "tracker", empty_sandbox) is None
    own = mint_handover(empty_sandbox, "billing", 41, own_client=False)
    claim = read_handover(own, "billing", empty_sandbox)
    assert claim is not None
    assert claim.own_client is False


def test_it_proves_nothing_elsewhere_or_later(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes, empty_image: Manifest
) -> None:
    other = sandboxes.create(empty_image)
    text = mint_handover(empty_sandbox, "billing", 41)
    assert read_handover(text, "billing", other) is None
    later = dataclasses.replace(empty_sandbox, credential_epoch=empty_sandbox.credential_epoch + 1)
    assert read_handover(text, "billing", later) is None
    sandboxes.delete(other.id)


def test_other_secrets_are_no_handovers(empty_sandbox: SandboxRow) -> None:
    key = server().key
    for kind in ("session", "handover", "secret_key"):
        text = secrets.mint(key, empty_sandbox.id, empty_sandbox.credential_epoch, kind, 41)
        assert read_handover(text, "billing", empty_sandbox) is None
    forged = mint_handover(empty_sandbox, "billing", 41)[:-1] + "!"
    assert read_handover(forged, "billing", empty_sandbox) is None


def test_the_clone_acts_as_its_own_listed_account(empty_sandbox: SandboxRow) -> None:
    text = mint_handover(empty_sandbox, "billing", 41)
    with bind(empty_sandbox), unit_of_work("write"):
        assert authenticate_handover(text, "billing", empty_sandbox) is None
        agent = Account.objects.create(
            id=41, clone="helpdesk", subject="1", login="a@kestrel.example", role="agent"
        )
        assert authenticate_handover(text, "billing", empty_sandbox) is None
        for number, listed in ((50, False), (51, True), (52, True)):
            Account.objects.create(
                id=number,
                clone="billing",
                subject=str(number),
                role="admin",
                listed=listed,
                login=f"{number}@kestrel.example",
            )
        found = authenticate_handover(text, "billing", empty_sandbox)
        assert found is not None
        assert found.account.id == 51
        assert found.credential is None
        Account.objects.filter(id=agent.id).update(active=False)
        assert authenticate_handover(text, "billing", empty_sandbox) is None
