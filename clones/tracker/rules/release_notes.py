"""Release notes: the issues of a version under the names of their types, as texts to copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final


@dataclass(frozen=True, slots=True)
class NoteEntry:
    """An issue in release notes; `address` is that of its page."""

    type: str
    key: str
    summary: str
    address: str


@dataclass(frozen=True, slots=True)
class Release:
    """The version that release notes are written of."""

    project: str
    version: str
    description: str = ""


Groups = Mapping[str, Sequence[NoteEntry]]


def grouped(entries: Iterable[NoteEntry]) -> Groups:
    """Return entries by type: the types by name, the issues in the order given."""
    found: dict[str, list[NoteEntry]] = {}
    for entry in entries:
        found.setdefault(entry.type, []).append(entry)
    return {name: found[name] for name in sorted(found)}


def as_html(release: Release, groups: Groups) -> str:
    """Return release notes as HTML."""
    title = f"Release notes - {release.project} - {release.version}"
    lines = [f"<h1>{escape(title)}</h1>"]
    if release.description:
        lines.append(f"<p>{escape(release.description)}</p>")
    for name, entries in groups.items():
        lines += [f"<h2>{escape(name)}</h2>", "<ul>"]
        lines += [
            f'<li>[<a href="{escape(one.address)}">{one.key}</a>] - {escape(one.summary)}</li>'
            for one in entries
        ]
        lines.append("</ul>")
    return "\n".join(lines)


def as_markdown(release: Release, groups: Groups) -> str:
    """Return release notes as Markdown."""
    lines = [f"# Release notes - {release.project} - {release.version}"]
    if release.description:
        lines += ["", release.description]
    for name, entries in groups.items():
        lines += ["", f"### {name}", ""]
        lines += [f"- [{one.key}]({one.address}) {_unmarked(one.summary)}" for one in entries]
    return "\n".join(lines)


def as_text(release: Release, groups: Groups) -> str:
    """Return release notes as plain text."""
    lines = [f"Release notes - {release.project} - {release.version}"]
    if release.description:
        lines += ["", release.description]
    for name, entries in groups.items():
        lines += ["", f"** {name}"]
        lines += [f"    * [{one.key}] - {one.summary}" for one in entries]
    return "\n".join(lines)


def _unmarked(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#" else letter for letter in text)


STYLES: Final[Mapping[str, tuple[str, Callable[[Release, Groups], str]]]] = {
    "Html": ("HTML", as_html),
    "Markdown": ("Markdown", as_markdown),
    "Text": ("Plain text", as_text),
}
