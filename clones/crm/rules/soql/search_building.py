"""From reductions of the parser to the parts of a SOSL search."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

from lark import Token

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.building import QueryBuilder
from clones.crm.rules.soql.errors import unexpected
from clones.crm.rules.soql.lexer import span_of
from clones.crm.rules.soql.searches import FieldsSearched, Returned, Search, SearchOption

_Children: TypeAlias = list[Any]


class SearchBuilder(QueryBuilder):
    """Make the parts of searches, too."""

    def search_group(self, children: _Children) -> str:
        """Return which fields are searched."""
        return str(children[0]).upper()

    def returned_items(self, children: _Children) -> tuple[n.SelectItem, ...]:
        """Keep what is shown of an object together."""
        return tuple(children)

    def listview(self, children: _Children) -> str:
        """Return the name of the list view whose filter counts."""
        operator, name = children
        _require_equals(operator)
        return str(name)

    def returned(self, children: _Children) -> Returned:
        """Make an object of RETURNING."""
        found, items, where, listview, order_by, limit, offset = children
        return Returned(found, items or (), where, listview, order_by or (), limit, offset)

    def returning(self, children: _Children) -> tuple[Returned, ...]:
        """Keep the objects of RETURNING together."""
        return tuple(children)

    def search_option(self, children: _Children) -> SearchOption:
        """Make an option of WITH."""
        name, *rest = (child for child in children if child is not None)
        values: list[n.LiteralValue] = []
        for child in rest:
            if isinstance(child, Token):
                if child.type == "OPERATOR":
                    _require_equals(child)
                elif child.upper() != "TARGET_LENGTH":
                    raise unexpected(str(child), span_of(child))
            elif isinstance(child, tuple):
                values.extend(child)
            else:
                values.append(child)
        return SearchOption(name.upper(), tuple(values))

    def search_categories(self, children: _Children) -> tuple[n.DataCategory, ...]:
        """Return the data categories of WITH."""
        return cast("tuple[n.DataCategory, ...]", children[0])

    def search_options(self, children: _Children) -> _Children:
        """Keep what stands after WITH together."""
        return children

    def search(self, children: _Children) -> Search:
        """Make a whole search."""
        term, group, returned, options, limit, updates = children
        categories = [option for option in options if isinstance(option, tuple)]
        return Search(
            str(term),
            cast("FieldsSearched", group or "ALL"),
            returned or (),
            tuple(option for option in options if isinstance(option, SearchOption)),
            tuple(category for found in categories for category in found),
            limit,
            updates or (),
            span_of(term),
        )


def _require_equals(operator: Token) -> None:
    if operator != "=":
        raise unexpected(str(operator), span_of(operator))
