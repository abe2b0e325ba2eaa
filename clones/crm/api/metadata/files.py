"""Components as the files of a project, in one archive."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, Final

from clones.core import clock
from clones.crm.api.metadata.components import CHILDREN, KINDS, MATCHING, Component
from clones.crm.api.soap.xml import text_of

NAMESPACE: Final = "http://soap.sforce.com/2006/04/metadata"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_INDENT: Final = "    "


def archive_of(found: Sequence[Component], version: str, *, in_package: bool) -> str:
    """Return an archive with the files of components and the list of them, as base64.

    `in_package` puts everything below the folder `unpackaged`.
    """
    prefix, kept = ("unpackaged/" if in_package else ""), io.BytesIO()
    at = clock.now()
    stamp = (at.year, at.month, at.day, at.hour, at.minute, at.second)
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in (*_files(found), ("package.xml", _package(found, version))):
            info = zipfile.ZipInfo(f"{prefix}{path}", stamp)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text)
    return base64.b64encode(kept.getvalue()).decode()


def _files(found: Sequence[Component]) -> Iterator[tuple[str, str]]:
    files: dict[str, dict[str, Any]] = {}
    roots = {one.file: one.kind for one in found if KINDS[one.kind] is not None}
    for one in found:
        body = {name: value for name, value in one.body.items() if name != "fullName"}
        if one.kind == MATCHING:  # those of an object are in one file
            roots[one.file] = "MatchingRules"
            files.setdefault(one.file, {}).setdefault("matchingRules", []).append(one.body)
        elif KINDS[one.kind] is not None:
            files[one.file] = {**files.get(one.file, {}), **body}
    for one in found:
        member = CHILDREN.get(one.kind)
        if member is None or roots.get(one.file) == "CustomObject":
            continue
        files.setdefault(one.file, {}).setdefault(member, []).append(one.body)
    for path in sorted(files):
        root = roots.get(path, "CustomObject")
        yield path, document(root, files[path])


def _package(found: Sequence[Component], version: str) -> str:
    kinds: dict[str, list[str]] = {}
    for one in found:
        kinds.setdefault(one.kind, []).append(one.name)
    types = [{"members": sorted(names), "name": kind} for kind, names in sorted(kinds.items())]
    return document("Package", {"types": types, "version": version})


def document(root: str, body: dict[str, Any]) -> str:
    """Return a file whose root has some members, indented."""
    inner = "".join(_lines(name, value, 1) for name, value in body.items())
    return f'{_HEAD}<{root} xmlns="{NAMESPACE}">\n{inner}</{root}>\n'


def _lines(name: str, value: Any, depth: int) -> str:
    if isinstance(value, list):
        return "".join(_lines(name, one, depth) for one in value)
    margin = _INDENT * depth
    if isinstance(value, dict):
        inner = "".join(_lines(key, one, depth + 1) for key, one in value.items())
        return f"{margin}<{name}>\n{inner}{margin}</{name}>\n"
    if value is None:
        return ""
    return f"{margin}<{name}>{text_of(value)}</{name}>\n"
