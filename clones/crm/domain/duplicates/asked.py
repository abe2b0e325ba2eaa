"""What a call wants of duplicate rules: what its header says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final

_TRUE: Final = ("true", "1")


@dataclass(frozen=True, slots=True)
class DuplicateOptions:
    """`allows_save` saves in spite of an alert; `with_details` shows what matched, all its fields.

    `as_user` looks with the eyes of who saves. `root` is the address of the API's version, by which
    answers name records. Rules are not run where it `is_off`.
    """

    allows_save: bool = False
    with_details: bool = False
    as_user: bool = False
    root: str = ""
    is_off: bool = False


NOTHING_SAID: Final = DuplicateOptions()
_options: ContextVar[DuplicateOptions] = ContextVar("crm_duplicates", default=NOTHING_SAID)


@contextmanager
def minding_duplicates(options: DuplicateOptions) -> Iterator[None]:
    """Have duplicate rules run on what is saved within as a call wants it."""
    token = _options.set(options)
    try:
        yield
    finally:
        _options.reset(token)


@contextmanager
def without_duplicate_rules() -> Iterator[None]:
    """Have no duplicate rule run on what is saved within: conversions and merges."""
    with minding_duplicates(replace(_options.get(), is_off=True)):
        yield


def duplicate_options() -> DuplicateOptions:
    """Return what the call at hand wants."""
    return _options.get()


def options_of_header(text: str | None, root: str) -> DuplicateOptions:
    """Return what a header of a request says, as `allowSave=true; includeRecordDetails=true`."""
    said = {}
    for part in (text or "").replace(",", ";").split(";"):
        name, _, value = part.partition("=")
        said[name.strip().lower()] = value.strip().lower() in _TRUE
    return DuplicateOptions(
        said.get("allowsave", False),
        said.get("includerecorddetails", False),
        said.get("runascurrentuser", False),
        root,
    )
