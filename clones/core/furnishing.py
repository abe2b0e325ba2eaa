"""What a store has beside its tables: the journal and the indexes of words."""

from __future__ import annotations

from clones.core import word_index
from clones.core.journal import journal


def furnish() -> None:
    """Give the bound store, whose tables are there, all that follows them."""
    journal().install()
    word_index.install()


def strip() -> None:
    """Leave the bound store its tables alone, so that they can be altered."""
    word_index.uninstall()
    journal().uninstall()
