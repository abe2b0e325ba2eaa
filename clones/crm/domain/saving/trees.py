"""Records with their children, as a tree says them: all of them are made, or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from clones.crm.domain.saving.pipeline import create_record
from clones.crm.errors import CrmError, UnreadableBody
from clones.crm.rules.schema import SObject


@dataclass(slots=True)
class Node:
    """A record of a tree: `link` is the field by which it refers to the record above it.

    `reference` is what the caller calls it by. `id` is None until it is made.
    """

    of: SObject
    reference: str
    said: Mapping[str, Any]
    parent: Node | None = None
    link: str | None = None
    id: str | None = None

    @property
    def level(self) -> int:
        """How many levels the tree has down to this record."""
        return 1 if self.parent is None else self.parent.level + 1


def plant(nodes: list[Node], *, actor: str) -> list[tuple[Node, CrmError]]:
    """Make the records of a tree, those of a level before those below; return what is refused.

    If anything is refused, nothing is made, and what lies below that level is not tried.

    Raises:
        UnreadableBody: a value is of another type than its field.
    """
    refused: list[tuple[Node, CrmError]] = []
    with transaction.atomic():
        level = 0
        for node in nodes:
            if node.level > level and refused:
                break
            level = node.level
            try:
                with transaction.atomic():
                    node.id = str(create_record(node.of, _said(node), actor=actor).pk)
            except UnreadableBody:
                raise
            except CrmError as error:
                refused.append((node, error))
        if refused:
            transaction.set_rollback(True)
    return refused


def _said(node: Node) -> dict[str, Any]:
    if node.parent is None or node.link is None:
        return dict(node.said)
    return {**node.said, node.link: node.parent.id}
