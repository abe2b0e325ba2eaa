"""What a text says to whoever decodes it: markup, escapes, widths, base64, hexadecimal digits."""

from __future__ import annotations

import base64
import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote, unquote_plus

from clones.core.plaintext import plain_of_html

MARKUP: Final = re.compile(r"<[a-zA-Z/!][^>]*>")
ESCAPED: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
# Of both alphabets, in lines as mails have them.
BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{12,}(?:\r?\n[A-Za-z0-9+/_-]+)*", re.ASCII)
OTHER_ALPHABET: Final = str.maketrans("-_", "+/")
HEXADECIMAL: Final = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){8,}", re.ASCII)
# Of bytes that were a text, so many are printable; of others about a third.
PRINTABLE_AT_LEAST: Final = 0.75
# An encoded value is encoded again at most so often: base64 in a query in markup.
DEEP: Final = 3


def legible(text: str) -> str:
    """Return a text with all that it says decoded, in usual letters, without invisible ones."""
    forms, fresh = {text: None}, [text]
    for _ in range(DEEP):
        fresh = [form for each in fresh for form in _decoded(each) if form not in forms]
        forms.update(dict.fromkeys(fresh))
    joined = unicodedata.normalize("NFKC", "\n".join(forms))
    return "".join(each for each in joined if unicodedata.category(each) != "Cf")


def _decoded(text: str) -> Iterator[str]:
    """Yield what a text says by each way in which texts are encoded."""
    if MARKUP.search(text) or "&" in text:
        yield plain_of_html(text)
        yield html.unescape(text)
    if "%" in text:
        yield unquote(text)
        yield unquote_plus(text)
    if "\\" in text:
        yield ESCAPED.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
    hidden = "\n".join([*_of_base64(text), *_of_hexadecimal(text)])
    if hidden:
        yield hidden


def _of_base64(text: str) -> Iterator[str]:
    """Yield the texts that runs of letters and digits are in base64, wherever in a run it begins.

    Lines are read together and each by itself: the last may be of another text.
    """
    for found in BASE64.finditer(text):
        run = found.group().translate(OTHER_ALPHABET)
        lines = run.split()
        for each in dict.fromkeys(["".join(lines), *lines]):
            for first in range(4):
                rest = each[first : len(each) - ((len(each) - first) % 4 == 1)]
                yield from _text_in(base64.b64decode(rest + "=" * (-len(rest) % 4)))


def _of_hexadecimal(text: str) -> Iterator[str]:
    for found in HEXADECIMAL.finditer(text):
        yield from _text_in(bytes.fromhex(found.group().replace(":", " ")))


def _text_in(data: bytes) -> Iterator[str]:
    """Yield what bytes say, if they are a text."""
    said = data.decode(errors="ignore")
    if said and sum(map(str.isprintable, said)) >= PRINTABLE_AT_LEAST * len(data):
        yield said
