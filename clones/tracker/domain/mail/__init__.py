"""Mail that comes in: to a desk it becomes a request or a comment, to the site a comment.

    addresses.desk_of_address(address) -> ServiceDesk | None
    intake.take_message(message) -> Taken

What nobody wrote, what comes from the tracker itself, and what its sender may not say is passed
over: a message that became something is `about` that issue.
"""

from __future__ import annotations
