"""A small organization with a record of most kinds, and calls of its API that are good."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from clones.core.operations import Operation
from tests.crm.bulk import send
from tests.crm.conftest import ADA, Org
from tests.crm.odd_bodies import BODIES, DEAL, REPORT
from tests.crm.services import pass_time
from tests.odd_calls import Example

# Queries that are taken.
QUERIES: Final[dict[str, str]] = {
    "GetQuery": "q=SELECT Id, Owner.Name, (SELECT Id FROM Contacts WHERE LastName LIKE 'H%25')"
    " FROM Account WHERE Name != null AND CreatedDate > LAST_N_DAYS:5"
    " ORDER BY Name LIMIT 5 OFFSET 1",
    "GetQueryAll": "q=SELECT StageName, COUNT(Id) n FROM Opportunity GROUP BY ROLLUP(StageName)"
    " HAVING COUNT(Id) > 0",
    "GetToolingQuery": "q=SELECT Id, DeveloperName FROM CustomField"
    " WHERE DeveloperName = 'x' LIMIT 3",
    "GetSearch": "q=FIND {ash} IN NAME FIELDS"
    " RETURNING Account(Id, Name WHERE Name != 'x' LIMIT 3)",
    "GetParameterizedSearch": "q=Ash&sobject=Account&Account.fields=Id,Name"
    "&Account.limit=3&in=NAME",
    "GetSearchSuggestions": "q=Ash&sobject=Account&limit=3",
    "GetSearchLayout": "q=Account,Contact",
    "GetSObjectRow": "fields=Id,Name",
    "GetSObjectRowByKey": "fields=Id,Name",
    "GetSObjectCollection": "ids={account}&fields=Id,Name",
    "DeleteSObjectCollection": "ids={account},{contact}&allOrNone=true",
    "GetUpdated": "start=2026-06-01T00:00:00Z&end=2026-06-10T00:00:00Z",
    "GetDeleted": "start=2026-06-01T00:00:00Z&end=2026-06-10T00:00:00Z",
    "GetRecordCount": "sObjects=Account,Contact",
    "GetRecent": "limit=3",
    "GetListViewResults": "limit=3&offset=1",
    "GetUiRecord": "fields=Account.Name,Account.Owner.Name&optionalFields=Account.Phone&modes=View",
    "GetUiRecords": "fields=Account.Name",
    "GetUiRecordPages": "formFactor=Large&layoutTypes=Full,Compact&modes=View,Edit"
    "&childRelationships=Account.Contacts",
    "GetUiLayout": "formFactor=Large&layoutType=Full&mode=View",
    "GetUiLists": "pageSize=3&q=a&recentListsOnly=false&pageToken=0",
    "GetUiListRecords": "fields=Account.Name&pageSize=3&sortBy=Account.Name&pageToken=0",
    "GetUiNamedListRecords": 'fields=Account.Name&pageSize=3&sortBy=Account.Name&where={"a":1}',
    "GetUiLookup": "q=Ash&searchType=Search&page=1&pageSize=3",
    "GetUiLookupTarget": "q=Ash&searchType=Recent&page=1&pageSize=3",
    "GetUiChildren": "fields=Contact.Id&page=1&pageSize=3&sortBy=Name",
    "GetUiRelatedRecords": 'fields=Contact.Id,Contact.Name&pageSize=3&sortBy=Name&where={"a":1}',
    "GetReport": "includeDetails=true",
    "GetQueryResults": "maxRecords=3",
    "PatchSObjectRowByKey": "updateOnly=true",
}
SOAP: Final = (
    '<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Header><SessionHeader>'
    "<sessionId>{session}</sessionId></SessionHeader></Header><Body>%s</Body></Envelope>"
)
FORM: Final = "application/x-www-form-urlencoded"
# Bodies that are read as something else than JSON, with their types; several of an operation's.
RAW: Final[dict[str, list[tuple[str, str]]]] = {
    "PostSoapPartner": [
        (
            "text/xml",
            SOAP % "<query><queryString>SELECT Id, Name FROM Account</queryString></query>",
        ),
        (
            "text/xml",
            SOAP % "<create><sObjects><type>Account</type><Name>Ash</Name>"
            "<AnnualRevenue>5</AnnualRevenue></sObjects></create>",
        ),
        (
            "text/xml",
            SOAP % "<update><sObjects><type>Account</type><Id>{account}</Id>"
            "<fieldsToNull>Phone</fieldsToNull></sObjects></update>",
        ),
        (
            "text/xml",
            SOAP % "<retrieve><fieldList>Id,Name</fieldList><sObjectType>Account"
            "</sObjectType><ids>{account}</ids></retrieve>",
        ),
        ("text/xml", SOAP % "<delete><ids>{case}</ids></delete>"),
        (
            "text/xml",
            SOAP % "<merge><request><masterRecord><type>Account</type><Id>{account}</Id>"
            "</masterRecord><recordToMergeIds>{account}</recordToMergeIds></request></merge>",
        ),
        (
            "text/xml",
            SOAP % "<convertLead><leadConverts><leadId>{account}</leadId><convertedStatus>x"
            "</convertedStatus></leadConverts></convertLead>",
        ),
        (
            "text/xml",
            SOAP % "<getUpdated><sObjectType>Account</sObjectType>"
            "<startDate>2026-06-01T00:00:00Z</startDate><endDate>2026-06-10T00:00:00Z</endDate>"
            "</getUpdated>",
        ),
    ],
    "PostSoapMetadata": [
        (
            "text/xml",
            SOAP % "<listMetadata><queries><type>CustomObject</type></queries>"
            "<asOfVersion>64.0</asOfVersion></listMetadata>",
        ),
        (
            "text/xml",
            SOAP % "<readMetadata><type>CustomField</type><fullNames>Account.Size__c"
            "</fullNames></readMetadata>",
        ),
        (
            "text/xml",
            SOAP % '<createMetadata><metadata xsi:type="CustomField"><fullName>Account.Tall__c'
            "</fullName><label>Tall</label><type>Text</type><length>5</length></metadata>"
            "</createMetadata>",
        ),
    ],
    "PutIngestBatches": [("text/csv", "Name,Phone,AnnualRevenue\nAsh,1,5\n")],
    "PostToken": [
        (FORM, "grant_type=password&client_id=x&client_secret=y&username=a&password=b"),
        (FORM, "grant_type=refresh_token&client_id=x&client_secret=y&refresh_token=z"),
        (FORM, "grant_type=client_credentials&client_id=x&client_secret=y"),
        (FORM, "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=a.b.c"),
        (FORM, "grant_type=authorization_code&code=x&client_id=y&redirect_uri=http://z"),
    ],
    "PostIntrospect": [(FORM, "token=x&client_id=y&client_secret=z&token_type_hint=access_token")],
    "PostRevoke": [(FORM, "token=x")],
    "PostWebForm": [
        (FORM, "orgid={organization}&name=Ana&email=a@b.example&subject=s&description=d&debug=1")
    ],
    "PostAsyncBatch": [
        ("application/xml", "<sObjects><sObject><Name>Ash</Name></sObject></sObjects>")
    ],
    "PostAsyncJob": [
        (
            "application/xml",
            (
                "<jobInfo><operation>insert</operation><object>Account</object>"
                "<contentType>CSV</contentType></jobInfo>"
            ),
        )
    ],
}
TOOLS: Final = (
    "WorkflowFieldUpdate",
    "WorkflowAlert",
    "WorkflowOutboundMessage",
    "WorkflowTask",
    "WorkflowRule",
    "AssignmentRule",
    "AutoResponseRule",
    "EscalationRule",
    "EntitlementProcess",
    "CustomField",
    "ValidationRule",
    "Flow",
)
# Values of parameters of addresses: what most operations mean by them, and what some do.
PLACES: Final = {
    "version": "v64.0",
    "object": "Account",
    "objects": "Account,Contact",
    "id": "{account}",
    "ids": "{account}",
    "key": "{account}",
    "field": "OwnerId",
    "kind": "flow",
    "record_type": "012000000000000AAA",
    "target": "User",
    "locator": "{account}",
    "organization": "{organization}",
    "user": "{user}",
    "servlet": "servlet.WebToCase",
    "type": "Opportunity",
    "app": "standard__Sales",
    "context": "{account}",
    "run": "{account}",
    "batch": "{batch}",
    "result": "{batch}",
}
PLACES_OF: Final[dict[str, dict[str, str]]] = {
    "GetAppMenu": {"kind": "AppSwitcher"},
    "PostSObject": {"object": "Opportunity"},
    "PatchSObjectCollectionByKey": {"field": "Id"},
    "GetSObjectRowByKey": {"name": "Contacts"},
    "PatchSObjectRowByKey": {"key": "Id", "name": "{account}"},
    "DeleteSObjectRowByKey": {"key": "Id", "name": "{account}"},
    "GetStandardAction": {"name": "chatterPost"},
    "PostStandardAction": {"name": "chatterPost"},
    "PatchKnowledgeVersion": {"id": "{article}"},
    "GetToolingFlowDefinition": {"id": "{FlowDefinition}"},
    "PatchToolingFlowDefinition": {"id": "{FlowDefinition}"},
    "GetUiListRecords": {"id": "{view}"},
    "GetUiListUiById": {"object": "{view}"},
    "GetUiChildren": {"name": "Contacts"},
    "GetUiRelatedCount": {"name": "Contacts"},
    "GetUiRelatedList": {"name": "Contacts"},
    "GetUiRelatedRecords": {"name": "Contacts"},
    "GetIngestFailedResults": {"id": "{done}"},
    "GetIngestSuccessfulResults": {"id": "{done}"},
    "GetIngestUnprocessedRecords": {"id": "{done}"},
    "GetProcessRule": {"id": "{WorkflowRule}", "object": "Case"},
}
NAMED: Final = {
    "quickActions": "NewTask",
    "list-info": "AllAccounts",
    "list-records": "AllAccounts",
}
KINDS: Final = {
    "/jobs/ingest/": "ingest",
    "/jobs/query/": "query",
    "/async/": "job",
    "/analytics/reports/": "report",
    "/listviews/": "view",
    "/favorites/": "favorite",
}


class Scene:
    """An organization with records, whose ids fill the holes of examples."""

    def __init__(self, org: Org) -> None:
        self.org = org
        self.ids: dict[str, str] = {"user": org.users[ADA], "session": org.token()}
        self._fill()

    def example(self, operation: Operation) -> Example:
        """Return a call of an operation about the organization's records."""
        path = {name: self._place(operation, name) for name in operation.parameters}
        query = QUERIES.get(operation.id, "")
        body = BODIES.get(operation.id, self._patched(operation))
        if operation.method == "POST" and "/tooling/" in operation.path:
            body = {**body, "FullName": body["FullName"].replace("__c", "") + "2"}
            body["FullName"] += "__c" * (operation.id == "PostToolingCustomField")
        return self.filled(Example(path, query, body, ADA))

    def filled(self, found: Example) -> Example:
        """Return an example whose holes are filled with ids."""
        return Example(
            {name: self._text(value) for name, value in found.path.items()},
            self._text(found.query),
            json.loads(self._text(json.dumps(found.body))),
            found.by,
        )

    def raw(self, operation: Operation) -> list[tuple[str, str]]:
        """Return an operation's bodies that are no JSON, with their types."""
        return [(kind, self._text(text)) for kind, text in RAW.get(operation.id, [])]

    def _patched(self, operation: Operation) -> Any:
        kind = operation.id.removeprefix("PatchTooling")
        made = BODIES.get(f"PostTooling{kind}")
        return made if operation.method == "PATCH" and made else None

    def _text(self, text: str) -> str:
        for name, id in self.ids.items():
            text = text.replace(f"{{{name}}}", id)
        return text

    def _place(self, operation: Operation, name: str) -> str:
        own = PLACES_OF.get(operation.id, {})
        if name in own:
            return own[name]
        if name == "version":
            return "58.0" if "/async/" in operation.path else self._version(operation)
        if name == "id" and "/tooling/sobjects/" in operation.path:
            return f"{{{operation.segments[-2]}}}"
        kind = next((kind for part, kind in KINDS.items() if part in operation.path), None)
        if name == "id" and kind is not None:
            return f"{{{kind}}}"
        if name == "name":
            return next(
                (text for part, text in NAMED.items() if part in operation.path), "Contacts"
            )
        return PLACES[name]

    def _version(self, operation: Operation) -> str:
        return "64.0" if "/Soap/" in operation.path else PLACES["version"]

    def _fill(self) -> None:
        org, ids = self.org, self.ids
        ids["organization"] = org.call("GET", "/services/oauth2/userinfo")["organization_id"]
        ids["account"] = org.make("Account", Name="Ash")
        ids["contact"] = org.make("Contact", LastName="Holm", AccountId=ids["account"])
        ids["deal"] = org.make("Opportunity", **DEAL, AccountId=ids["account"], Amount=200)
        ids["case"] = org.make("Case", Subject="Broken", AccountId=ids["account"])
        ids["article"] = org.make("Knowledge__kav", Title="Oil", UrlName="oil")
        ids["view"] = org.call("GET", "/sobjects/Account/listviews")["listviews"][0]["id"]
        self._make_template()
        org.make("MilestoneType", Name="First Response")
        for kind in TOOLS:
            ids[kind] = self._made(f"/tooling/sobjects/{kind}", f"PostTooling{kind}", 201)
        soql = "/tooling/query?q=SELECT Id, DefinitionId FROM Flow"
        ids["FlowDefinition"] = org.call("GET", soql)["records"][0]["DefinitionId"]
        ids["favorite"] = self._made("/ui-api/favorites", "PostUiFavorite", 201)
        ids["report"] = org.call("POST", "/analytics/reports", REPORT)["reportMetadata"]["id"]
        ids["ingest"] = self._made("/jobs/ingest", "PostIngestJob", 200)
        ids["query"] = self._made("/jobs/query", "PostQueryJob", 200)
        ids["done"] = self._ingested()
        ids["job"] = self._asynchronous("", "PostAsyncJob")
        ids["batch"] = self._asynchronous(f"/{ids['job']}/batch", "PostAsyncBatch")

    def _ingested(self) -> str:
        id = self._made("/jobs/ingest", "PostIngestJob", 200)
        table = "Name,Phone\nAsh,1\n,2\n"
        send(self.org, "PUT", f"/jobs/ingest/{id}/batches", table)
        self.org.call("PATCH", f"/jobs/ingest/{id}", {"state": "UploadComplete"})
        pass_time(self.org, minutes=5)
        return id

    def _make_template(self) -> None:
        who = self.ids["user"]
        usual = {"FolderId": who, "TemplateStyle": "none", "TemplateType": "text"}
        self.org.make(
            "EmailTemplate",
            Name="t",
            DeveloperName="t",
            **usual,
            Subject="s",
            Body="b",
            IsActive=True,
        )

    def _body(self, name: str) -> Any:
        return json.loads(self._text(json.dumps(BODIES[name])))

    def _made(self, path: str, name: str, status: int) -> str:
        made: Mapping[str, Any] = self.org.call("POST", path, self._body(name), status=status)
        return str(made["id"])

    def _asynchronous(self, path: str, name: str) -> str:
        headers = {"X-SFDC-Session": self.org.token()}
        whole = f"/services/async/58.0/job{path}"
        made = self.org.ask("POST", whole, self._body(name), login=None, **headers)
        assert made.status < 300, made.body
        return str(made.body["id"])
