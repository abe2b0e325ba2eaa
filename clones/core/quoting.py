"""What of a reply is new, and what is the history that mail programs put below it.

`delimiter` is the line, if a clone's mail has one, above which people are asked to write.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clones.core.plaintext import plain_of_html

# How programs begin what they quote: "On Tue, 16 June 2026 at 14:00, Ana <ana@...> wrote:".
# A date is always in it.
_WROTE = (
    r"On\b.{6,200}?\bwrote",
    r"Am\b.{6,200}?\bschrieb\b.{0,120}?",
    r"Le\b.{6,200}?\ba écrit\s?",
    r"El\b.{6,200}?\bescribió\b.{0,20}?",
    r"Il\b.{6,200}?\bha scritto",
    r"Em\b.{6,200}?\bescreveu",
    r"Op\b.{6,200}?\bschreef\b.{0,120}?",
    r"Den\b.{6,200}?\bskrev\b.{0,120}?",
    r"W dniu\b.{6,200}?\bnapisał\(?a?\)?",
    r"\d{1,2}\.\d{1,2}\.\d{4},? .{3,120}?<[^<>\s]+@[^<>\s]+>",
    r"\d{4}[-/年].{3,120}?<[^<>\s]+@[^<>\s]+>",
)
_HEADING = re.compile(rf"^(?=.*\d)[>\s]*(?:{'|'.join(_WROTE)})\s*[:\uff1a]\s*$", re.IGNORECASE)
_FIRST_WORD = re.compile(r"^[>\s]*(?:On|Am|Le|El|Il|Em|Op|Den|W dniu|\d)", re.IGNORECASE)
_ORIGINAL = re.compile(
    r"^[>\s]*-{2,}\s*(?:Original (?:Message|Appointment)|Original message|Forwarded message"
    r"|Ursprüngliche (?:Nachricht|E-Mail)|Message d'origine|Mensaje original"
    r"|Messaggio originale|Mensagem original|Oorspronkelijk bericht)\s*-{2,}\s*$",
    re.IGNORECASE,
)
_FROM = re.compile(r"^[>\s*]*(?:From|Von|De|Da|Van|Från|Fra|Od)\s?:\*?\s?\S", re.IGNORECASE)
_SENT = re.compile(
    r"^[>\s*]*(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Fecha|Inviato|Data|Verzonden"
    r"|Skickat|Wysłano|To|An|À|Para|A|Aan)\s?:\*?\s?\S",
    re.IGNORECASE,
)
_RULE = re.compile(r"^\s*[_-]{5,}\s*$")
_HTML_MARKS = re.compile(
    r"""<div[^>]*\bclass=["'][^"']*\b(?:gmail_quote|yahoo_quoted|moz-cite-prefix)\b"""
    r"""|<blockquote[^>]*\btype=["']?cite"""
    r"""|<div[^>]*\bid=["'](?:divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION)["']"""
    r"""|<hr[^>]*\bid=["']stopSpelling["']""",
    re.IGNORECASE,
)
_LONGEST_HEADING = 3


@dataclass(frozen=True, slots=True)
class Split:
    """A reply's parts: what its author wrote, and what was there before."""

    new: str
    quoted: str = ""


def split_text(text: str, delimiter: str = "") -> Split:
    """Return what of a plain text is new.

    If nothing would be left, or somebody wrote between the quoted lines, all of it is.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    at = _delimiter_at(lines, delimiter) if delimiter else None
    if at is None:
        at = _history_at(lines)
    if at is None:
        return Split(text.strip())
    new = "\n".join(_without_heading(lines[:at])).strip()
    return Split(new, "\n".join(lines[at:]).strip()) if new else Split(text.strip())


def split_html(html: str, delimiter: str = "") -> Split:
    """Return what of HTML is new: its beginning, up to the first mark of what is quoted.

    Elements that are open at the cut are closed by whoever cleans it.
    """
    places = [found.start() for found in (_HTML_MARKS.search(html),) if found is not None]
    at = html.find(delimiter) if delimiter else -1
    if at >= 0:
        places.append(at)
    if not places:
        return Split(html)
    new = html[: min(places)]
    said = re.sub(r"<[^>]*>|&nbsp;|\s", "", new)
    has_picture = "<img" in new.lower()
    return Split(new, html[min(places) :]) if said or has_picture else Split(html)


def new_part(text: str, html: str | None, delimiter: str = "") -> tuple[str, str | None]:
    """Return what is new in a reply that has a text, HTML, or both: as text, and as HTML.

    Where the HTML shows no seam its text may: what is new is that then, without its form.
    """
    if html is None:
        return split_text(text, delimiter).new, None
    parts = split_html(html, delimiter)
    if parts.quoted:
        return (split_text(text, delimiter).new if text else ""), parts.new
    plain = split_text(text or plain_of_html(html), delimiter)
    return (plain.new, None) if plain.quoted else (text, html)


def _delimiter_at(lines: list[str], delimiter: str) -> int | None:
    found = (number for number, line in enumerate(lines) if delimiter in line)
    return next(found, None)


def _history_at(lines: list[str]) -> int | None:
    """Return the line at which history begins that goes on to the end, None if none does."""
    for number, line in enumerate(lines):
        if _ORIGINAL.match(line) or _is_outlook(lines, number):
            return number
        length = _heading_length(lines, number)
        if length and _goes_on(lines[number + length :]):
            return number
    return _quoted_end(lines)


def _is_outlook(lines: list[str], number: int) -> bool:
    """Tell whether Outlook's header begins here: perhaps a rule, From:, and then Sent: or To:."""
    if _RULE.match(lines[number]) and number + 1 < len(lines):
        number += 1
    if not _FROM.match(lines[number]):
        return False
    return any(_SENT.match(line) for line in lines[number + 1 : number + 3])


def _heading_length(lines: list[str], number: int) -> int:
    """Return over how many lines "On ... wrote:" goes that begins here, 0 if none does."""
    if not _FIRST_WORD.match(lines[number]):
        return 0
    for length in range(1, _LONGEST_HEADING + 1):
        if _HEADING.match(" ".join(line.strip() for line in lines[number : number + length])):
            return length
    return 0


def _goes_on(rest: list[str]) -> bool:
    """Tell whether all that follows a heading is quoted; answers between quotations are not."""
    written = [line.startswith(">") for line in rest if line.strip()]
    return not any(written) or all(written)


def _quoted_end(lines: list[str]) -> int | None:
    """Return where the quoted lines begin with which a text ends, None if it ends otherwise."""
    at = len(lines)
    while at and (not lines[at - 1].strip() or lines[at - 1].startswith(">")):
        at -= 1
    quoted = [line for line in lines[at:] if line.startswith(">")]
    earlier = any(line.startswith(">") for line in lines[:at])
    return at if quoted and not earlier else None


def _without_heading(lines: list[str]) -> list[str]:
    """Drop the heading, the rule or the mark of quotation with which a text ends."""
    kept = list(lines)
    while kept and (not kept[-1].strip(" >") or _RULE.match(kept[-1])):
        kept.pop()
    for length in range(1, _LONGEST_HEADING + 1):
        tail = kept[-length:] if length <= len(kept) else []
        if tail and _FIRST_WORD.match(tail[0]) and _HEADING.match(" ".join(tail)):
            return kept[:-length]
    return kept
