"""The forms of components: what their controls show of a value, and the value that they make.

A control's name is `f.` and the path. Something of the site is written `ID:10001`, `NAME:Done` or
`SMART:{{...}}`. Rows of operations and criteria come as lists of equal length.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.rules.automation.catalogue import ComponentKind, Input
from clones.tracker.rules.automation.catalogue.acting import PARTS
from clones.tracker.rules.automation.documents import value_at

Typed = Mapping[str, Sequence[str]]
PREFIX: Final = "f."
_PART_NAMES: Final = {
    "assignee": "Assignee",
    "watchers": "Watchers",
    "voters": "Voters",
    "participants": "Request participants",
    **dict(PARTS),
}


def control_name(one: Input) -> str:
    """Return the name of a control."""
    return PREFIX + (one.path or "value")


def shown(one: Input, value: Any) -> Any:
    """Return what a control shows of a component's value: a text, a list, or rows."""
    held = value_at(value, one.path)
    reader = _SHOWN.get(one.kind)
    if reader is not None:
        return reader(held)
    if one.path.endswith("/copy") and held is None:
        above = value_at(value, one.path.rpartition("/")[0])
        is_copy = isinstance(above, Mapping) and above.get("type") == "COPY"
        return str(above.get("value") or "") if is_copy else ""
    return "" if held is None or isinstance(held, Mapping | list) else str(held)


def read(kind: ComponentKind, value: Any, typed: Typed) -> Any:
    """Return the value that a component's form makes of the one it had."""
    found = copy.deepcopy(value)
    for one in kind.inputs:
        made = _made(one, value_at(kind.value, one.path), typed)
        if not one.path:
            found = made
        else:
            _put(found, one.path.split("/"), made)
    return found


def _put(target: dict[str, Any], path: Sequence[str], value: Any) -> None:
    for name in path[:-1]:
        inner = target.get(name)
        if not isinstance(inner, dict):
            inner = target[name] = {}
        target = inner
    target[path[-1]] = value


def _made(one: Input, usual: Any, typed: Typed) -> Any:
    name = control_name(one)
    maker = _MAKERS.get(one.kind)
    if maker is not None:
        return maker(typed, name)
    if one.kind == "several":
        chosen = [text for text in typed.get(name, ()) if text]
        return chosen if one.options else [_thing(text) for text in chosen]
    text = _first(typed, name).replace("\r\n", "\n")
    is_number = isinstance(usual, int) and not isinstance(usual, bool)
    if one.kind == "number" or is_number:
        return int(text) if is_digits(text.strip()) and len(text) < 10 else (usual or 0)
    if usual is None and not text:
        return None
    return text if one.kind == "area" else text.strip()


def _first(typed: Typed, name: str) -> str:
    return next(iter(typed.get(name, ())), "")


def _thing(text: str) -> dict[str, str]:
    kind, colon, value = text.partition(":")
    if colon and kind in ("ID", "NAME", "SMART", "COPY"):
        return {"type": kind, "value": value}
    return {"type": "ID", "value": text}


def thing_text(held: Any) -> str:
    """Return something of the site as a control has it."""
    if isinstance(held, Mapping):
        said = held.get("value", held.get("id"))
        return "" if said in (None, "") else f"{held.get('type', 'ID')}:{said}"
    return "" if held in (None, "") else f"NAME:{held}"


def _named(typed: Typed, name: str) -> Any:
    text = _first(typed, name)
    return _thing(text) if text else {"type": "ID", "value": ""}


def _lines(typed: Typed, name: str) -> list[str]:
    return [line.strip() for line in _first(typed, name).splitlines() if line.strip()]


def _line_text(held: Any) -> str:
    found = []
    for one in held if isinstance(held, list) else ():
        if isinstance(one, Mapping):
            found.append(str(one.get("summary") or one.get("name") or one.get("value") or ""))
        else:
            found.append(str(one))
    return "\n".join(found)


def _pairs(typed: Typed, name: str) -> list[dict[str, str]]:
    found = []
    for line in _lines(typed, name):
        key, _, value = line.partition(":")
        if key.strip():
            found.append({"name": key.strip(), "value": value.strip()})
    return found


def _pair_text(held: Any) -> str:
    rows = held if isinstance(held, list) else ()
    return "\n".join(
        f"{one.get('name', '')}: {one.get('value', '')}" for one in rows if isinstance(one, Mapping)
    )


def _people(typed: Typed, name: str) -> list[dict[str, str]]:
    parts = {label.casefold(): key for key, label in _PART_NAMES.items()}
    parts |= {key.casefold(): key for key in _PART_NAMES}
    found = []
    for line in _lines(typed, name):
        part = parts.get(line.casefold())
        group = line.lower().startswith("group:")
        if part is not None:
            found.append({"type": "COPY", "value": part})
        elif group:
            found.append({"type": "GROUP", "value": line.partition(":")[2].strip()})
        else:
            found.append({"type": "SMART" if "{{" in line else "FREE", "value": line})
    return found


def _people_text(held: Any) -> str:
    found = []
    for one in held if isinstance(held, list) else ():
        if not isinstance(one, Mapping):
            found.append(str(one))
        elif one.get("type") == "COPY":
            found.append(_PART_NAMES.get(str(one.get("value")), str(one.get("value"))))
        elif one.get("type") == "GROUP":
            found.append(f"group: {one.get('value')}")
        else:
            found.append(str(one.get("value") or ""))
    return "\n".join(found)


def _operations(typed: Typed, name: str) -> list[dict[str, Any]]:
    fields, verbs = typed.get(f"{name}.field", ()), typed.get(f"{name}.verb", ())
    values = typed.get(f"{name}.value", ())
    found = []
    for field, verb, text in zip(fields, verbs, values, strict=False):
        if not field:
            continue
        written = text.replace("\r\n", "\n")
        value: Any = None if verb == "CLEAR" else written
        if verb == "COPY":
            value = {"type": "COPY", "value": written.strip() or "trigger"}
        found.append(
            {
                "field": {"type": "ID", "value": field},
                "fieldType": field,
                "type": verb if verb in ("SET", "ADD", "REMOVE") else "SET",
                "value": value,
            }
        )
    return found


def _operation_rows(held: Any) -> list[dict[str, str]]:
    found = []
    for one in held if isinstance(held, list) else ():
        if not isinstance(one, Mapping):
            continue
        chosen = one.get("field")
        field = chosen.get("value") if isinstance(chosen, Mapping) else one.get("fieldId")
        value = one.get("value", one.get("rawValue"))
        verb = str(one.get("type") or "SET")
        if value is None:
            verb = "CLEAR"
        elif isinstance(value, Mapping) and value.get("type") == "COPY":
            verb = "COPY"
        found.append({"field": str(field or ""), "verb": verb, "value": _value_text(value)})
    return found


def _value_text(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("value", value.get("id", "")) or "")
    if isinstance(value, list):
        return ", ".join(_value_text(one) for one in value)
    return "" if value is None else str(value)


def _checks(typed: Typed, name: str) -> list[dict[str, Any]]:
    fields, checks = typed.get(f"{name}.field", ()), typed.get(f"{name}.check", ())
    values = typed.get(f"{name}.value", ())
    found = []
    for field, check, text in zip(fields, checks, values, strict=False):
        if field:
            said = [one.strip() for one in text.split(",") if one.strip()]
            criteria = [{"type": "SMART", "value": one} for one in said]
            found.append({"field": field, "check": check, "criteria": criteria})
    return found


def _check_rows(held: Any) -> list[dict[str, str]]:
    found = []
    for one in held if isinstance(held, list) else ():
        if isinstance(one, Mapping):
            field = one.get("field")
            name = field.get("value") if isinstance(field, Mapping) else field
            found.append(
                {
                    "field": str(name or ""),
                    "check": str(one.get("check") or ""),
                    "value": _value_text(one.get("criteria") or []),
                }
            )
    return found


def _compare(typed: Typed, name: str) -> dict[str, Any]:
    return {"type": "NAME", "value": _first(typed, name).strip(), "multiValue": False}


def _compare_text(held: Any) -> str:
    if isinstance(held, Mapping) and isinstance(held.get("values"), list):
        return ", ".join(str(one) for one in held["values"])
    return _value_text(held)


_MAKERS: Final[dict[str, Callable[[Typed, str], Any]]] = {
    "flag": lambda typed, name: bool(typed.get(name)),
    "named": _named,
    "lines": _lines,
    "pairs": _pairs,
    "people": _people,
    "operations": _operations,
    "checks": _checks,
    "compare": _compare,
}
_SHOWN: Final[dict[str, Callable[[Any], Any]]] = {
    "flag": lambda held: held is True,
    "named": thing_text,
    "several": lambda held: (
        [thing_text(one) if isinstance(one, Mapping) else str(one) for one in held]
        if isinstance(held, list)
        else []
    ),
    "lines": _line_text,
    "pairs": _pair_text,
    "people": _people_text,
    "operations": _operation_rows,
    "checks": _check_rows,
    "compare": _compare_text,
}


def summary_of(kind: ComponentKind, value: Any) -> str:
    """Return in a few words what a component is set to, for the chain of a rule."""
    if isinstance(value, str):
        return value[:90]
    parts = []
    for one in kind.inputs[:3]:
        held = shown(one, value)
        options = dict(one.options)
        if isinstance(held, list):
            rows = [row.get("field", "") if isinstance(row, dict) else str(row) for row in held]
            text = ", ".join(row.partition(":")[2] or row for row in rows if row)
        elif isinstance(held, str):
            text = options.get(held, held.partition(":")[2] if one.kind == "named" else held)
        else:
            text = ""
        if text:
            parts.append(" ".join(text.split()))
    return " · ".join(parts)[:110]
