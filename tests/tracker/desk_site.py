"""The service desk of the small site, with an agent (dev) and a customer (cara)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from clones.core.accounts import account_cards
from clones.core.tenancy import unit_of_work
from clones.tracker.domain import people
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Project, ProjectRole, RoleActor, User
from tests.tracker.conftest import Answer, Site

ROOT = "/rest/servicedeskapi"
OPT_IN: dict[str, Any] = {"X-ExperimentalApi": "opt-in"}


@dataclass
class Desk:
    """The desk of the space IT, driven through HTTP."""

    site: Site
    id: str = ""
    types: dict[str, str] = field(default_factory=dict)

    def call(
        self, method: str, path: str, body: Any = None, *, by: str = "dev", **headers: str
    ) -> Answer:
        """Call the desk's API: paths are below its root."""
        return self.site.call(method, f"{ROOT}/{path}", body, by=by, **headers)

    def get(self, path: str, *, by: str | None = "dev", status: int = 200, **headers: str) -> Any:
        """Return the body of a GET that must answer with `status`."""
        return self.site.get(f"{ROOT}/{path}", by=by, status=status, **headers)

    def post(
        self, path: str, body: Any, *, by: str = "dev", status: int = 201, **headers: str
    ) -> Any:
        """Return the body of a POST that must answer with `status`."""
        return self.site.post(f"{ROOT}/{path}", body, by=by, status=status, **headers)

    def put(
        self, path: str, body: Any = None, *, by: str = "dev", status: int = 204, **headers: str
    ) -> Any:
        """Return the body of a PUT that must answer with `status`."""
        return self.site.put(f"{ROOT}/{path}", body, by=by, status=status, **headers)

    def delete(
        self, path: str, body: Any = None, *, by: str = "dev", status: int = 204, **headers: str
    ) -> Any:
        """Return the body of a DELETE that must answer with `status`."""
        return self.site.delete(f"{ROOT}/{path}", body, by=by, status=status, **headers)

    def ask(
        self,
        summary: str = "It does not print",
        *,
        by: str = "cara",
        kind: str = "Get IT help",
        status: int = 201,
        **more: Any,
    ) -> Any:
        """Make a request and return it."""
        values = {"summary": summary, **more.pop("values", {})}
        body = {
            "serviceDeskId": self.id,
            "requestTypeId": self.types[kind],
            "requestFieldValues": values,
            **more,
        }
        return self.post("request", body, by=by, status=status)

    def error(self, answer: Any) -> tuple[str, str]:
        """Return the sentence and the key of an error's body, whose form is checked."""
        assert set(answer) == {"errorMessage", "i18nErrorMessage"}
        assert set(answer["i18nErrorMessage"]) == {"i18nKey", "parameters"}
        return answer["errorMessage"], answer["i18nErrorMessage"]["i18nKey"]

    def multipart(self, *files: tuple[str, str, bytes], part: str = "file") -> tuple[bytes, str]:
        """Return the body and the content type of a form with files: name, type, bytes."""
        line = "frontier"
        body = b"".join(
            (
                f'--{line}\r\nContent-Disposition: form-data; name="{part}"; filename="{name}"\r\n'
                f"Content-Type: {kind}\r\n\r\n"
            ).encode()
            + data
            + b"\r\n"
            for name, kind, data in files
        )
        return body + f"--{line}--\r\n".encode(), f"multipart/form-data; boundary={line}"

    def send(self, *files: tuple[str, str, bytes], by: str = "cara") -> list[str]:
        """Send files ahead and return their ids."""
        body, kind = self.multipart(*files)
        headers: dict[str, Any] = {"Content-Type": kind, "X-Atlassian-Token": "no-check"}
        path = f"servicedesk/{self.id}/attachTemporaryFile"
        found = self.post(path, body, by=by, **headers)["temporaryAttachments"]
        assert [one["fileName"] for one in found] == [name for name, _, _ in files]
        return [one["temporaryAttachmentId"] for one in found]

    def customer(self, login: str, name: str) -> str:
        """Make a customer of the desk who can sign in as `login`, and return their account id."""
        with self.site.writing():
            user = people.create_user(name, f"{login}@firm.example", account_type="customer")
            people.open_account(user, role="customer", listed=True)
        account: str = user.account_id
        self.site.ids[login] = account
        with self.site.store(), unit_of_work("read"):
            cards = account_cards(self.site.row)
        self.site.cards[login] = next(
            card for card in cards if card.login == f"{login}@firm.example"
        )
        self.post(f"servicedesk/{self.id}/customer", {"accountIds": [account]}, status=204)
        return account


def staff(site: Site, *agents: str) -> None:
    """Put people into the desk's team."""
    with site.writing():
        role = ProjectRole.objects.get(name="Service Desk Team")
        space = Project.objects.get(key="IT")
        for login in agents:
            user = User.objects.get(account_id=site.ids[login])
            key = next_id(RoleActor)
            RoleActor.objects.create(id=key, role=role, project=space, user=user)


def open_desk(site: Site) -> Desk:
    """Return the desk, staffed, with cara among its customers."""
    staff(site, "dev")
    desk = Desk(site)
    desk.id = desk.get("servicedesk/IT")["id"]
    found = desk.get(f"servicedesk/{desk.id}/requesttype")["values"]
    desk.types = {kind["name"]: kind["id"] for kind in found}
    desk.post(f"servicedesk/{desk.id}/customer", {"accountIds": [site.ids["cara"]]}, status=204)
    return desk
