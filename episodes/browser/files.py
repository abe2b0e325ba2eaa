"""Files that an agent gives to a page, as Playwright carries them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from episodes.browser.act_parts import File
from episodes.browser.errors import BadAct

if TYPE_CHECKING:
    from playwright.async_api import FilePayload


def payload(file: File) -> FilePayload:
    """Return a file as Playwright carries it.

    Raises:
        BadAct: its content is not what it says.
    """
    if file.text is not None:
        content = file.text.encode(errors="replace")
    else:
        try:
            content = base64.b64decode(file.base64 or "", validate=True)
        except ValueError:
            raise BadAct(f"the content of {file.name} is not base64", "bad_arguments") from None
    return {"name": file.name, "mimeType": file.media_type, "buffer": content}
