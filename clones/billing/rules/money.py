"""Sums in minor units: how many a currency has, how a sum is written, how it is converted."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from clones.core.digits import is_digits

# The vendor's lists: of these a sum is given in whole units, or in thousandths.
ZERO_DECIMAL = frozenset("bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf".split())
THREE_DECIMAL = frozenset("bhd jod kwd omr tnd".split())
SYMBOLS = {
    "usd": "$",
    "eur": "€",
    "gbp": "£",
    "jpy": "¥",
    "cad": "CA$",
    "aud": "A$",
    "nzd": "NZ$",
    "inr": "₹",
    "brl": "R$",
    "mxn": "MX$",
    "krw": "₩",
}


def decimals(currency: str) -> int:
    """Return how many decimals a currency has."""
    code = currency.lower()
    if code in ZERO_DECIMAL:
        return 0
    return 3 if code in THREE_DECIMAL else 2


def format_money(amount: int, currency: str) -> str:
    """Return a sum as people read it: `$1,234.50`, `¥500`, `12.00 CHF`."""
    number = plain_amount(abs(amount), currency, grouped=True)
    sign = "-" if amount < 0 else ""
    symbol = SYMBOLS.get(currency.lower())
    return f"{sign}{number} {currency.upper()}" if symbol is None else f"{sign}{symbol}{number}"


def plain_amount(amount: int, currency: str, *, grouped: bool = False) -> str:
    """Return a sum in major units as a number: `1234.50`, `500`."""
    places = decimals(currency)
    major = Decimal(amount).scaleb(-places)
    return f"{major:,.{places}f}" if grouped else f"{major:.{places}f}"


def parse_amount(text: str, currency: str) -> int | None:
    """Return minor units of a number in major units, None when it is no such number."""
    cleaned = text.strip().replace(",", "").lstrip("$€£¥")
    whole, point, fraction = cleaned.partition(".")
    places = decimals(currency)
    if not is_digits(whole, 12):
        return None
    if point and not (is_digits(fraction) and len(fraction) <= places):
        return None
    return int(whole + fraction.ljust(places, "0"))


def settled(amount: int, exchange_rate: str | None) -> int:
    """Return a charged sum in the currency that the merchant is paid in.

    `exchange_rate` is settled minor units per charged minor unit, so currencies without decimals
    need no care here.
    """
    if exchange_rate is None:
        return amount
    return int((amount * Decimal(exchange_rate)).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def processing_fee(amount: int) -> int:
    """Return what the processor keeps of a settled sum: 2.9 % and 30."""
    return int((amount * Decimal("0.029")).quantize(Decimal(1), rounding=ROUND_HALF_UP)) + 30
