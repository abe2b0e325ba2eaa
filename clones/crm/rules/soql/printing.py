"""From nodes back to text: in one form, which reads as the same nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.searches import Returned, Search, SearchOption


def print_query(query: n.Query) -> str:
    """Return a SOQL query as text."""
    return " ".join(_clauses(query))


def _clauses(query: n.Query) -> Iterator[str]:
    yield f"SELECT {_list(map(print_item, query.select))}"
    yield f"FROM {_list(map(_source, query.sources))}"
    if query.scope is not None:
        yield f"USING SCOPE {query.scope}"
    if query.where is not None:
        yield f"WHERE {print_condition(query.where)}"
    if query.security_enforced:
        yield "WITH SECURITY_ENFORCED"
    if query.data_categories:
        yield f"WITH DATA CATEGORY {' AND '.join(map(_category, query.data_categories))}"
    if query.group_by is not None:
        yield _group_by(query.group_by)
    yield from _ending(query.order_by, query.limit, query.offset)
    for purpose in query.purposes:
        yield f"FOR {purpose}"
    if query.updates:
        yield f"UPDATE {_list(query.updates)}"


def print_search(search: Search) -> str:
    """Return a SOSL search as text."""
    parts = [f"FIND {{{search.term}}} IN {search.fields} FIELDS"]
    if search.returned:
        parts.append(f"RETURNING {_list(map(_returned, search.returned))}")
    if search.data_categories:
        parts.append(f"WITH DATA CATEGORY {' AND '.join(map(_category, search.data_categories))}")
    parts.extend(map(_option, search.options))
    if search.limit is not None:
        parts.append(f"LIMIT {search.limit}")
    if search.updates:
        parts.append(f"UPDATE {_list(search.updates)}")
    return " ".join(parts)


def _option(option: SearchOption) -> str:
    if not option.values:
        return f"WITH {option.name}"
    first = print_value(option.values[0])
    if option.name == "SNIPPET":
        return f"WITH SNIPPET (target_length={first})"
    several = option.name == "NETWORK"
    return f"WITH {option.name} {f'IN {_values(option.values)}' if several else f'= {first}'}"


def _returned(returned: Returned) -> str:
    if not returned.items:
        return returned.object.text
    parts = [_list(map(print_item, returned.items))]
    if returned.where is not None:
        parts.append(f"WHERE {print_condition(returned.where)}")
    if returned.listview is not None:
        parts.append(f"USING LISTVIEW = {returned.listview}")
    parts.extend(_ending(returned.order_by, returned.limit, returned.offset))
    return f"{returned.object.text}({' '.join(parts)})"


def _ending(
    order_by: tuple[n.OrderItem, ...], limit: int | None, offset: int | None
) -> Iterator[str]:
    if order_by:
        yield f"ORDER BY {_list(map(_order_item, order_by))}"
    if limit is not None:
        yield f"LIMIT {limit}"
    if offset is not None:
        yield f"OFFSET {offset}"


def print_item(item: n.SelectItem) -> str:
    """Return one thing of a SELECT list as text."""
    match item:
        case n.SelectedField(path, alias):
            return path.text if alias is None else f"{path.text} {alias}"
        case n.SelectedCall(call, alias):
            return print_operand(call) if alias is None else f"{print_operand(call)} {alias}"
        case n.SelectedGroup(group):
            return f"FIELDS({group})"
        case n.ChildSelect(query):
            return f"({print_query(query)})"
        case n.TypeOf(path, branches, otherwise):
            whens = " ".join(
                f"WHEN {branch.type.text} THEN {_paths(branch.fields)}" for branch in branches
            )
            ending = f" ELSE {_paths(otherwise)}" if otherwise else ""
            return f"TYPEOF {path.text} {whens}{ending} END"


def print_operand(operand: n.Argument) -> str:
    """Return a field, a call or an argument as text."""
    match operand:
        case n.FunctionCall(name, arguments):
            return f"{name}({_list(map(print_operand, arguments))})"
        case n.StringValue(raw):
            return f"'{raw}'"
        case n.FieldPath() | n.NumberValue():
            return operand.text


def print_value(value: n.LiteralValue) -> str:
    """Return a literal as text."""
    return f"'{value.raw}'" if isinstance(value, n.StringValue) else value.text


def print_condition(condition: n.Condition) -> str:
    """Return a condition as text, with parentheses where it would read differently without."""
    match condition:
        case n.AllOf(conditions):
            return " AND ".join(map(_part, conditions))
        case n.AnyOf(conditions):
            return " OR ".join(map(_part, conditions))
        case n.Negation(inner):
            return f"NOT {_part(inner)}"
        case n.Comparison(left, operator, value):
            return f"{print_operand(left)} {operator} {print_value(value)}"
        case n.InList(left, values, negated):
            return f"{print_operand(left)}{' NOT' if negated else ''} IN {_values(values)}"
        case n.SelectionTest(left, values, negated):
            word = "EXCLUDES" if negated else "INCLUDES"
            return f"{print_operand(left)} {word} {_values(values)}"
        case n.SemiJoin(left, query, negated):
            return f"{print_operand(left)}{' NOT' if negated else ''} IN ({_inner(query)})"


def _part(condition: n.Condition) -> str:
    text = print_condition(condition)
    return f"({text})" if isinstance(condition, n.AllOf | n.AnyOf | n.Negation) else text


def _inner(query: n.InnerSelect) -> str:
    where = f" WHERE {print_condition(query.where)}" if query.where is not None else ""
    parts = ("SELECT", print_operand(query.operand), "FROM", _source(query.source))
    return " ".join(parts) + where


def _group_by(group_by: n.GroupBy) -> str:
    keys = _list(map(print_operand, group_by.keys))
    if group_by.kind != "plain":
        keys = f"{group_by.kind.upper()}({keys})"
    having = f" HAVING {print_condition(group_by.having)}" if group_by.having is not None else ""
    return f"GROUP BY {keys}{having}"


def _order_item(item: n.OrderItem) -> str:
    nulls = f" NULLS {item.nulls}" if item.nulls is not None else ""
    return f"{print_operand(item.key)}{' DESC' if item.descending else ''}{nulls}"


def _source(source: n.Source) -> str:
    return source.path.text if source.alias is None else f"{source.path.text} {source.alias}"


def _category(category: n.DataCategory) -> str:
    return f"{category.group} {category.selector} ({_list(category.categories)})"


def _values(values: tuple[n.LiteralValue, ...]) -> str:
    return f"({_list(map(print_value, values))})"


def _paths(paths: tuple[n.FieldPath, ...]) -> str:
    return _list(path.text for path in paths)


def _list(texts: Iterable[str]) -> str:
    return ", ".join(texts)
