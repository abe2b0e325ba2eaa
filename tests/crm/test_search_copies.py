"""What is found by words is found in copies of a store, and after a rewind."""

from __future__ import annotations

from urllib.parse import quote

from clones.core.accounts import account_cards
from clones.core.tenancy import unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.crm.conftest import Org


def found(org: Org, word: str) -> list[str]:
    """Return the names of the accounts that a word finds."""
    text = quote(f"FIND {{{word}}} IN NAME FIELDS RETURNING Account(Name ORDER BY Name)")
    return [one["Name"] for one in org.call("GET", f"/search?q={text}")["searchRecords"]]


def test_words_lead_to_the_same_records_in_a_copy(org: Org, sandboxes: Sandboxes) -> None:
    ids = {name: org.make("Account", Name=name) for name in ("Ash", "Birch", "Cedar", "Birch Two")}
    sandboxes.mark(org.row.id, "before")
    org.make("Account", Name="Oak")
    sandboxes.rewind(org.row.id, "before")  # leaves a gap where its row was
    org.make("Account", Name="Elm")
    sandboxes.mark(org.row.id, "five")
    org.make("Account", Name="Birch Three")
    org.ask("DELETE", f"/sobjects/Account/{ids['Ash']}")
    assert found(org, "birch") == ["Birch", "Birch Three", "Birch Two"]
    sandboxes.rewind(org.row.id, "five")
    assert found(org, "birch") == ["Birch", "Birch Two"]
    assert found(org, "ash") == ["Ash"]
    copy = sandboxes.create(sandboxes.capture(org.row.id, "searched"))
    with bind(copy), unit_of_work("read"):
        cards = {card.login: card for card in account_cards(copy)}
    other = Org(copy, cards, org.users)
    assert found(other, "birch") == ["Birch", "Birch Two"]
    assert found(other, "cedar") == ["Cedar"]
    assert found(other, "elm") == ["Elm"]
