"""A ticket's form between being loaded and being submitted."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import QueryDict

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.helpdesk.models import User
from clones.helpdesk.web import composer, form_values
from clones.helpdesk.web.composer import Composer
from clones.helpdesk.web.form_values import Values
from clones.helpdesk.web.labels import SUBMIT_STATUSES

AFTER = {"stay": "Stay on ticket", "close": "Close tab", "next": "Next ticket in view"}


@dataclass(slots=True)
class PropertiesForm:
    """The form as it is to be shown: values that were loaded, values now, what is wrong.

    `status` is the one that the submit button offers, "" for the ticket's own; `unsent` says that
    there are changes from an earlier visit.
    """

    values: Values
    loaded: Values
    composer: Composer
    errors: FormErrors = field(default_factory=FormErrors)
    conflict: str = ""
    macro_ids: tuple[str, ...] = ()
    after: str = "stay"
    status: str = ""
    unsent: bool = False


def macros_of(post: QueryDict) -> tuple[str, ...]:
    """Return the macros that were applied to a form."""
    return tuple(item for item in post.getlist("macro_ids") if is_digits(item))


def posted_sheet(request: SandboxRequest, author: User, standing: Values) -> PropertiesForm:
    """Return the form as it was sent; `standing` are the ticket's values as they are now."""
    post = request.POST
    loaded = form_values.loaded_values(post, standing)
    after, status = post.get("after", "stay"), post.get("submit_as", "")
    return PropertiesForm(
        values=form_values.posted_values(post, loaded),
        loaded=loaded,
        composer=composer.posted(post, author),
        macro_ids=macros_of(post),
        after=after if after in AFTER else "stay",
        status=status if status in SUBMIT_STATUSES else "",
    )
