"""What a refusal of the domain says of a form: of a ticket, of a person, of Admin Center."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clones.core.web.attempts import Attempts, FormErrors
from clones.helpdesk.domain.errors import (
    AccessDenied,
    CategoryRefused,
    HelpdeskError,
    InvalidAttribute,
    Problem,
    RecordInvalid,
    RecordNotFound,
)
from clones.helpdesk.rules import system_fields
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS
from clones.helpdesk.web.form_values import CUSTOM

# By the attribute that the domain names: the input that shows the problem.
INPUTS: Final = {
    "assignee": "assignee",
    "email": "email_ccs",
    "followers": "followers",
    "group": "assignee",
    "requester": "requester",
    **{name: name for name in system_fields.INPUTS},
}
SYSTEM_INPUTS: Final = {
    "FieldAssignee": "assignee",
    "FieldDescription": "description",
    "FieldGroup": "assignee",
    **{
        item.configured.error_name: item.name
        for item in SYSTEM_FIELDS
        if item.configured is not None and item.configured.error_name and item.input is not None
    },
}


def errors_of(error: HelpdeskError, inputs: Mapping[str, str] | None = INPUTS) -> FormErrors:
    """Return what a refusal says of a form whose inputs are called so by the domain's attributes.

    Without `inputs` each attribute is the input of its name.
    """
    if isinstance(error, InvalidAttribute):
        if inputs is None or error.name in inputs.values():
            return FormErrors(fields={error.name: str(error)})
        return FormErrors([str(error)])
    if isinstance(error, CategoryRefused):
        return FormErrors(fields={"name": error.title})
    if not isinstance(error, RecordInvalid):
        return FormErrors([str(error)])
    fields: dict[str, str] = {}
    messages, ordered = list[str](), dict[str, None]()
    for attribute, problems in error.details.items():
        for problem in problems:
            text = sentence_of(problem)
            ordered[text] = None
            name = attribute if inputs is None else _input_of(attribute, problem, inputs)
            if name is None or name in fields:
                messages.append(text)
            else:
                fields[name] = text
    return FormErrors(messages, fields, list(ordered))


def sentence_of(problem: Problem) -> str:
    """Return a problem in the words of the page: a field that is required is "needed"."""
    title, colon, rest = problem.description.partition(":")
    if colon and rest.strip().startswith("is required when solving"):
        return f"“{title}” needed"
    return problem.description


def _input_of(attribute: str, problem: Problem, inputs: Mapping[str, str]) -> str | None:
    if problem.field_type in SYSTEM_INPUTS:
        return SYSTEM_INPUTS[problem.field_type]
    if problem.field_id is not None:
        return f"{CUSTOM}{problem.field_id}"
    return inputs.get(attribute)


def _of_record(error: HelpdeskError) -> FormErrors | None:
    return None if isinstance(error, AccessDenied) else errors_of(error, None)


def _of_found(error: HelpdeskError) -> FormErrors | None:
    return None if isinstance(error, RecordNotFound) else errors_of(error)


attempt = Attempts(HelpdeskError, errors_of).attempt
# What is done to something named: what is not there has a page of its own.
attempt_on_found = Attempts(HelpdeskError, _of_found).attempt
# Forms of Admin Center: what is not for the agent at all has a page of its own.
RECORD_ATTEMPTS: Final = Attempts(HelpdeskError, _of_record)
