"""What a page without anything else to see says."""

from __future__ import annotations

from django.http import HttpResponse


class RefusedPage(HttpResponse):
    """A page that says why there is nothing else to see: its title and its sentence, apart."""

    def __init__(self, content: str, *, title: str, said: str, status: int) -> None:
        super().__init__(content, status=status)
        self.title = title
        self.said = said
