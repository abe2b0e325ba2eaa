"""What holds of every operation: keys, unknown parameters, ids of nothing, descriptions.

Each case calls one operation, as it calls all of them: the file vouches for none
(`tools/fidelity/billing.toml`).
"""

from __future__ import annotations

import pytest

from clones.billing.api.operations import operations
from clones.core.operations import Operation
from tests.billing.shop import Api


def filled(operation: Operation) -> str:
    parts = [segment if not segment.startswith("{") else "none" for segment in operation.segments]
    return "/" + "/".join(parts)


def every_operation() -> list[Operation]:
    return list(operations.all.values())


@pytest.mark.parametrize("operation", every_operation(), ids=lambda operation: operation.id)
def test_every_operation_asks_for_a_key(api: Api, operation: Operation) -> None:
    anonymous = Api(api.row, None)
    error = anonymous.refused(operation.method, filled(operation), status=401)
    assert error["message"].startswith("You did not provide an API key.")
    assert error["type"] == "invalid_request_error"


@pytest.mark.parametrize("operation", every_operation(), ids=lambda operation: operation.id)
def test_every_operation_refuses_unknown_parameters(api: Api, operation: Operation) -> None:
    error = api.refused(operation.method, filled(operation), {"colour": "red"})
    assert error == {
        "code": "parameter_unknown",
        "doc_url": "https://stripe.com/docs/error-codes/parameter-unknown",
        "message": "Received unknown parameter: colour",
        "param": "colour",
        "type": "invalid_request_error",
    }


@pytest.mark.parametrize("operation", every_operation(), ids=lambda operation: operation.id)
def test_every_operation_says_what_is_not_there(api: Api, operation: Operation) -> None:
    if "{" not in operation.path:
        return
    error = api.refused(operation.method, filled(operation), status=404)
    assert error["code"] == "resource_missing"
    assert error["message"].startswith("No such ")
    assert error["message"].endswith(": 'none'")


@pytest.mark.parametrize("operation", every_operation(), ids=lambda operation: operation.id)
def test_every_operation_describes_itself(operation: Operation) -> None:
    schema = operation.schema()
    assert schema["type"] == "object"
    assert operation.summary.endswith(".")
    assert operation.form_body
