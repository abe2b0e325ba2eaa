"""Links of wiki markup: what `[text|address]` leads to, and addresses that stand in text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from clones.tracker.rules.richtext.document import Mark, Node
from clones.tracker.rules.richtext.wiki.context import Context

Leads = Literal["file", "person", "card", "address", "nothing"]

_SCHEMES = (
    "https?:// ftps?:// gopher:// integrity:// file:// smb:// dynamicsnav:// jamfselfservice://"
    " / mailto: skype: callto: facetime: git: irc6?: news: nntp: feed: cvs: svn: mvn: ssh: scp://"
    " sftp: itms: notes: hipchat:// sourcetree: urn: tel: xmpp: telnet: vnc: rdp: whatsapp: slack:"
    " sips?: magnet: #"
)
_SAFE = re.compile("|".join(_SCHEMES.split()), re.IGNORECASE)
_BRACKETS = re.compile(r"\[([^\[\]\n]+)\]")
_ADDRESS = re.compile(
    r"(?:(?:https?|ftps?|irc)://|mailto:)[\w?!~^/\\#$%&'()*+,\-.:;<=@]+",
    re.IGNORECASE | re.ASCII,
)
_AFTER = ".,>)];}\"'!"
_BEGINS = re.compile(
    r"(?:(?:https?|ftps?|irc)://|mailto:)(?=[\w~^/\\#$%&'()*+,\-:;<=@])", re.IGNORECASE
)
CARDS = {"smart-link": "inlineCard", "smart-card": "blockCard", "smart-embed": "embedCard"}
_TITLES = {**CARDS, "block-link": "blockCard"}
_STAMP = re.compile(r"#icft=([A-Z][A-Z0-9_]*-[0-9]+)")
_KEY = re.compile(r"[A-Z][A-Z0-9_]+-[0-9]+")


@dataclass(frozen=True, slots=True)
class WikiLink:
    """What brackets lead to; `body` is the text to show, in markup."""

    leads: Leads
    target: str
    body: str = ""
    end: int = 0


def is_safe(address: str) -> bool:
    """Tell whether an address is of a kind that the vendor lets texts lead to."""
    return _SAFE.match(address.strip()) is not None


def link_at(text: str, at: int, context: Context) -> tuple[WikiLink, int] | None:
    """Return what the brackets at a place lead to and where they end, None when to nowhere."""
    found = _BRACKETS.match(text, at)
    if found is None:
        return None
    link = _resolve(found[1], context)
    return None if link is None else (link, found.end())


def _resolve(inside: str, context: Context) -> WikiLink | None:
    body, rest = _divided(inside)
    address, _, title = rest.partition("|")
    address, title = address.strip(), title.strip()
    if address.startswith("^") and len(address) > 1:
        return WikiLink("file", address[1:].strip())
    if address in ("~", "~accountid:"):
        return WikiLink("nothing", "")
    if address.startswith("~"):
        return WikiLink("person", _without(address[1:], "accountid:"))
    if title in _TITLES and address:
        return WikiLink("card", address, _TITLES[title])
    if _KEY.fullmatch(inside) and (url := context.issue_url(inside)) is not None:
        return WikiLink("card", stamped(url, inside), "inlineCard")
    if address and is_safe(address):
        return WikiLink("address", address, body or _without(address, "mailto:"))
    return None


def _without(text: str, prefix: str) -> str:
    return text[len(prefix) :] if text.lower().startswith(prefix) else text


def _divided(inside: str) -> tuple[str, str]:
    """Return the text and the address; a bar inside a picture divides nothing."""
    bar = inside.find("|")
    first, last = inside.find("!"), inside.rfind("!")
    if 0 <= first < bar and first != last and bar < last:
        bar = inside.find("|", last)
        if bar < 0:
            return "", inside
    return ("", inside[bar + 1 :]) if bar <= 0 else (inside[:bar], inside[bar + 1 :])


def address_at(text: str, at: int, end: int) -> tuple[Node, int] | None:
    """Return the link for an address that stands in the text, and where it ends.

    Marks of punctuation at its end belong to the sentence.
    """
    found = _ADDRESS.match(text, at, end)
    if found is None or _BEGINS.match(text, at, end) is None:
        return None
    written = found.group().rstrip(_AFTER)
    if written.endswith(("://", "mailto:")):
        return None
    shown = _without(written, "mailto:")
    address = re.sub(r"\\(.)", r"\1", written)
    return Node("text", text=shown, marks=(Mark("link", {"href": address}),)), at + len(written)


def stamped(url: str, key: str) -> str:
    """Return an issue's address with the sign that its key was written, not the address."""
    return url if _STAMP.search(url) else f"{url}#icft={key}"


def written_key(url: str) -> str | None:
    """Return the issue key that an address was made of, None for another address."""
    found = _STAMP.search(url)
    return None if found is None else found[1]


def person(link: WikiLink, context: Context) -> Node:
    """Return the mention of a person, with the name where it is known."""
    name = context.names.get(link.target)
    attrs = {"id": link.target} | ({} if name is None else {"text": f"@{name}"})
    return Node("mention", attrs=attrs)


def card(link: WikiLink) -> Node:
    """Return the card of an address; what the format wants besides is as the vendor's editor."""
    attrs = {"url": link.target} | ({"layout": "center"} if link.body == "embedCard" else {})
    return Node(link.body, attrs=attrs)


def issue_at(text: str, at: int, context: Context) -> tuple[Node, int] | None:
    """Return the card of an issue whose key stands alone in the text, and where it ends."""
    found = _KEY.match(text, at)
    if found is None:
        return None
    before, after = text[at - 1 : at], text[found.end() : found.end() + 1]
    if not all(side == "" or side.isspace() or side in "()!.,/:" for side in (before, after)):
        return None
    url = context.issue_url(found.group())
    if url is None:
        return None
    return Node("inlineCard", attrs={"url": stamped(url, found.group())}), found.end()
