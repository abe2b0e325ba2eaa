"""Actions that are invoked by name, each for many inputs at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.crm.api.operations import root, versioned
from clones.crm.api.presenters.saved import present_fault
from clones.crm.api.soap.values import whole_id
from clones.crm.api.views.approvals import checked_comments
from clones.crm.api.views.rows import members
from clones.crm.domain.approvals.running import Submission, submit
from clones.crm.domain.mailing import Letter, note_mail, post_letter
from clones.crm.domain.saving import create_record
from clones.crm.domain.saving.many import Saved, save_each
from clones.crm.errors import NotFound, RecordError, UnreadableBody
from clones.crm.models import rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id

MOST: Final = 200
_MOST_ADDRESSES: Final = 5
_ADDRESS: Final = re.compile(r"[^\s@,;<>\"]{1,64}@[A-Za-z0-9.-]{1,250}")
_KINDS: Final = ("apex", "emailAlert", "flow", "quickAction", "sendNotification")


@versioned("GetActions", "GET", "/actions", summary="List the kinds of actions.")
def show_kinds(call: Call) -> dict[str, str]:
    """Answer with the address of each kind."""
    own = f"{root(call)}/actions"
    return {"standard": f"{own}/standard", "custom": f"{own}/custom"}


@versioned("GetStandardActions", "GET", "/actions/standard", summary="List the standard actions.")
def show_standard(call: Call) -> dict[str, Any]:
    """Answer with each action in short."""
    own = f"{root(call)}/actions/standard"
    return {
        "actions": [
            {"label": label, "name": name, "type": name.upper(), "url": f"{own}/{name}"}
            for name, (label, _, _, _) in _ACTIONS.items()
        ]
    }


@versioned("GetCustomActions", "GET", "/actions/custom", summary="List the kinds of own actions.")
def show_custom(call: Call) -> dict[str, str]:
    """Answer with the address of each kind."""
    return {kind: f"{root(call)}/actions/custom/{kind}" for kind in _KINDS}


@versioned(
    "GetCustomActionsOf",
    "GET",
    "/actions/custom/{kind}",
    summary="List the organization's own actions of a kind.",
)
def show_custom_kind(call: Call) -> dict[str, Any]:
    """Answer with none: no kind is defined by what the organization keeps."""
    if call.path["kind"] not in _KINDS:
        raise NotFound
    return {"actions": []}


@versioned(
    "GetStandardAction", "GET", "/actions/standard/{name}", summary="Describe a standard action."
)
def describe_action(call: Call) -> dict[str, Any]:
    """Answer with what the action takes and gives."""
    name = call.path["name"]
    found = _ACTIONS.get(name)
    if found is None:
        raise NotFound
    label, inputs, outputs, _ = found
    return {
        "description": label,
        "inputs": [
            {
                "description": one,
                "label": one,
                "maxOccurs": 1,
                "name": one,
                "required": required,
                "sobjectType": None,
                "type": "STRING",
            }
            for one, required in inputs.items()
        ],
        "label": label,
        "name": name,
        "outputs": [
            {
                "description": one,
                "label": one,
                "maxOccurs": MOST if one.endswith("Ids") else 1,
                "name": one,
                "type": "STRING",
            }
            for one in outputs
        ],
        "standard": True,
        "targetEntityName": None,
        "type": name.upper(),
    }


@versioned(
    "PostStandardAction",
    "POST",
    "/actions/standard/{name}",
    summary="Invoke a standard action.",
    body=Any,
)
def invoke(call: Call) -> Reply:
    """Answer with what became of each input; one that fails leaves the others be."""
    name = call.path["name"]
    found = _ACTIONS.get(name)
    if found is None:
        raise NotFound
    _, known, _, act = found
    inputs = members(call.body).get("inputs")
    if not isinstance(inputs, list) or not 0 < len(inputs) <= MOST:
        raise UnreadableBody("Cannot deserialize instance of inputs")

    done: list[dict[str, Any]] = []

    def one(given: Any) -> Saved:
        values = _values(given, known)
        done.append(act(values, call.actor.subject))
        return Saved()

    saved = save_each(inputs, one)
    shown = [
        {
            "actionName": name,
            "errors": None if each.error is None else [present_fault(each.error)],
            "isSuccess": each.error is None,
            "outputValues": (done.pop(0) or None) if each.error is None else None,
        }
        for each in saved
    ]
    return Reply(shown, 200 if any(one["isSuccess"] for one in shown) else 400)


def _values(given: Any, known: dict[str, bool]) -> dict[str, str]:
    """Return the values of an input.

    Raises:
        RecordError: one is missing, unknown or no text.
    """
    if not isinstance(given, dict):
        raise RecordError("INVALID_INPUT", "An input has to be an object", [])
    found = {}
    for name, said in given.items():
        value = said
        if name not in known:
            raise RecordError("INVALID_API_INPUT", f"The input {name} is not recognized.", [name])
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            value = ",".join(value)
        if not isinstance(value, str | bool | None):
            raise RecordError("INVALID_API_INPUT", f"The input {name} has a wrong type.", [name])
        if isinstance(value, str) and "\0" in value:
            raise RecordError("INVALID_API_INPUT", f"The input {name} is not valid.", [name])
        if value is not None:
            found[name] = str(value)
    for name, required in known.items():
        if required and not found.get(name, "").strip():
            raise RecordError(
                "MISSING_ARGUMENT", f"Missing required input parameter: {name}", [name]
            )
    return found


def _post(values: dict[str, str], actor: str) -> dict[str, Any]:
    subject = values["subjectNameOrId"]
    whole = read_id(subject)
    if whole is None:
        user = rows_of("User").filter(Username__iexact=subject).values_list("Id", flat=True).first()
        if user is None:
            raise RecordError("INVALID_INPUT", f"Invalid subject: {subject}", ["subjectNameOrId"])
        whole = str(user)
    said = {"ParentId": whole, "Body": values["text"]}
    made = create_record(org_schema().objects["FeedItem"], said, actor=actor)
    return {"feedItemId": str(made.pk)}


def _send(values: dict[str, str], actor: str) -> dict[str, Any]:
    addresses = [one.strip() for one in values["emailAddresses"].split(",") if one.strip()]
    wrong = [one for one in addresses if _ADDRESS.fullmatch(one) is None]
    if wrong or not 0 < len(addresses) <= _MOST_ADDRESSES:
        raise RecordError("INVALID_EMAIL_ADDRESS", f"Invalid email address: {', '.join(wrong)}", [])
    subject = " ".join(values["emailSubject"].split())[:255]
    related = read_id(values.get("relatedRecordId", ""))
    letter = Letter(subject, values["emailBody"])
    post_letter(letter, addresses, actor=actor, about=related)
    if values.get("logEmailOnSend", "").lower() == "true":
        note_mail(letter, addresses, record=related, person=None, actor=actor)
    return {}


def _submit(values: dict[str, str], actor: str) -> dict[str, Any]:
    submitter, process = values.get("submitterId"), values.get("processDefinitionNameOrId")
    chosen = [one for one in values.get("nextApproverIds", "").split(",") if one]
    wanted = Submission(
        record=whole_id(values["objectId"]),
        submitter=whole_id(submitter) if submitter else actor,
        comments=checked_comments(values.get("comment", "")),
        approvers=[whole_id(one) for one in chosen],
        process=(read_id(process) or process) if process else None,
        skips_criteria=values.get("skipEntryCriteria", "").lower() == "true",
    )
    found = submit(org_schema(), wanted, actor=actor)
    return {
        "entityId": found.record,
        "instanceId": found.instance,
        "instanceStatus": found.status,
        "newWorkItemIds": found.requests,
        "nextApproverIds": found.actors,
    }


Act = Callable[[dict[str, str], str], dict[str, Any]]
# What each action is called, its inputs with whether they have to be said, what it gives.
_ACTIONS: Final[dict[str, tuple[str, dict[str, bool], tuple[str, ...], Act]]] = {
    "chatterPost": (
        "Post to Chatter",
        {"text": True, "subjectNameOrId": True, "type": False, "visibility": False},
        ("feedItemId",),
        _post,
    ),
    "emailSimple": (
        "Send Email",
        {
            "emailBody": True,
            "emailAddresses": True,
            "emailSubject": True,
            "senderType": False,
            "senderAddress": False,
            "relatedRecordId": False,
            "sendRichBody": False,
            "logEmailOnSend": False,
        },
        (),
        _send,
    ),
    "submit": (
        "Submit for Approval",
        {
            "objectId": True,
            "comment": False,
            "nextApproverIds": False,
            "processDefinitionNameOrId": False,
            "skipEntryCriteria": False,
            "submitterId": False,
        },
        ("entityId", "instanceId", "instanceStatus", "newWorkItemIds", "nextApproverIds"),
        _submit,
    ),
}
