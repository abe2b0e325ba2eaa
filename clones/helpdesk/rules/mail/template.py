"""The form of mail that the desk sends: the line to reply above, what is said, who sends it."""

from __future__ import annotations

from html import escape

from clones.helpdesk.rules.mail.quoting import DELIMITER
from clones.helpdesk.rules.text import html_of_plain

LINE = "-" * 32


def text_mail(body: str, *, brand: str, token: str) -> str:
    """Return the plain part of a mail; the encoded ID stands at its end."""
    return f"{DELIMITER}\n\n{body.strip()}\n\n{LINE}\n{_footer(brand)}\n\n[{token}]\n"


def html_mail(body: str, *, brand: str, token: str) -> str:
    """Return the HTML part of a mail that says `body`, which is plain text."""
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n'
        f"<div>{DELIMITER}</div>\n{html_of_plain(body)}\n"
        f"<hr>\n<p>{escape(_footer(brand))}</p>\n<p>[{token}]</p>\n</body></html>\n"
    )


def _footer(brand: str) -> str:
    return f"This email is a service from {brand}."
