"""The languages that the desk knows, and which of them suits somebody best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clones.core.digits import is_digits


@dataclass(frozen=True, slots=True)
class Locale:
    """A language under the vendor's number and code, with its name for itself."""

    id: int
    code: str
    name: str


LOCALES = (
    Locale(1, "en-US", "English"),
    Locale(2, "es", "Español"),
    Locale(8, "de", "Deutsch"),
    Locale(16, "fr", "Français"),
    Locale(19, "pt-BR", "Português (Brasil)"),
    Locale(67, "ja", "日本語"),
    Locale(1176, "en-GB", "English (United Kingdom)"),
)
BY_CODE = {locale.code: locale for locale in LOCALES}
DEFAULT = BY_CODE["en-US"]


def named(text: str) -> Locale | None:
    """Return the language of a number or code, None if the desk does not know it."""
    for locale in LOCALES:
        if text in (str(locale.id), locale.code) or text.lower() == locale.code.lower():
            return locale
    return None


def accepted(header: str) -> list[str]:
    """Return the codes of an Accept-Language header, the most wanted first."""
    found: list[tuple[float, str]] = []
    for piece in header.split(","):
        code, _, rest = piece.partition(";")
        weight = rest.strip().removeprefix("q=") if rest else "1"
        number = float(weight) if is_digits(weight.replace(".", "", 1)) else 0.0
        if code.strip() and number > 0:
            found.append((number, code.strip()))
    return [code for _, code in sorted(found, key=lambda item: -item[0])]


def best(wanted: Sequence[str], offered: Sequence[Locale]) -> Locale:
    """Return the offered language that comes nearest to what is wanted, in its order.

    A language of another country serves if there is none of the same; if nothing that is wanted is
    offered, English does, or the first of those offered.
    """
    for code in wanted:
        for locale in offered:
            if locale.code.lower() == code.lower():
                return locale
        for locale in offered:
            if _language(locale.code) == _language(code):
                return locale
    return DEFAULT if DEFAULT in offered or not offered else offered[0]


def known(codes: Sequence[str]) -> list[Locale]:
    """Return the languages that codes stand for, each once; unknown countries do not matter."""
    found: dict[Locale, None] = {}
    for code in codes:
        exact = named(code)
        like = [locale for locale in LOCALES if _language(locale.code) == _language(code)]
        for locale in [exact] if exact is not None else like[:1]:
            found[locale] = None
    return list(found)


def _language(code: str) -> str:
    return code.replace("_", "-").partition("-")[0].lower()
