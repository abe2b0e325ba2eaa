"""Bodies that the CRM takes, by operation; `{name}` is the id of one of the records at hand."""

from __future__ import annotations

from typing import Any, Final

from tests.crm.conftest import ADA

DEAL: Final = {"Name": "Lamps", "StageName": "Prospecting", "CloseDate": "2026-07-01"}
PART: Final = {
    "method": "POST",
    "url": "/services/data/v64.0/sobjects/Account",
    "referenceId": "a",
    "body": {"Name": "Ash", "AnnualRevenue": 7},
}
NEXT: Final = {
    "method": "GET",
    "url": "/services/data/v64.0/sobjects/Account/@{a.id}",
    "referenceId": "b",
}
TREE: Final = {
    "attributes": {"type": "Account", "referenceId": "a"},
    "Name": "Ash",
    "Contacts": {
        "records": [{"attributes": {"type": "Contact", "referenceId": "b"}, "LastName": "Holm"}]
    },
}
MANY: Final = {
    "allOrNone": False,
    "records": [
        {"attributes": {"type": "Account"}, "id": "{account}", "Name": "Birch"},
        {"attributes": {"type": "Contact"}, "id": "{contact}", "LastName": "Elm"},
    ],
}
REPORT: Final = {
    "reportMetadata": {
        "name": "Deals",
        "reportFormat": "SUMMARY",
        "reportType": {"type": "Opportunity"},
        "detailColumns": ["OPPORTUNITY_NAME", "AMOUNT", "CLOSE_DATE"],
        "aggregates": ["s!AMOUNT", "RowCount"],
        "groupingsDown": [
            {"name": "STAGE_NAME", "sortOrder": "Asc", "dateGranularity": "None"},
            {"name": "CLOSE_DATE", "sortOrder": "Desc", "dateGranularity": "Month"},
        ],
        "sortBy": [{"sortColumn": "AMOUNT", "sortOrder": "Desc"}],
        "reportFilters": [{"column": "AMOUNT", "operator": "greaterThan", "value": "50"}],
        "reportBooleanFilter": "1",
        "standardDateFilter": {
            "column": "CLOSE_DATE",
            "durationValue": "CUSTOM",
            "startDate": "2026-01-01",
            "endDate": "2026-12-31",
        },
    }
}
ACTIONS: Final = [{"type": "FieldUpdate", "name": "Raise"}]
CRITERIA: Final = [{"field": "Case.Priority", "operation": "equals", "value": "High"}]
SERVICE_RULE: Final = {
    "active": True,
    "ruleEntry": [
        {"criteriaItems": CRITERIA, "assignedTo": ADA, "assignedToType": "User"},
        {"formula": "ISPICKVAL(Status, 'New')", "assignedTo": ADA, "assignedToType": "User"},
    ],
}
FLOW: Final = {
    "label": "My Flow",
    "status": "Active",
    "start": {
        "object": "Opportunity",
        "triggerType": "RecordAfterSave",
        "recordTriggerType": "CreateAndUpdate",
        "filterLogic": "and",
        "filters": [{"field": "Amount", "operator": "GreaterThan", "value": {"numberValue": 5}}],
        "connector": {"targetReference": "Size"},
    },
    "variables": [{"name": "n", "dataType": "Number", "value": {"numberValue": 1}}],
    "formulas": [{"name": "f", "dataType": "Number", "expression": "{!$Record.Amount} * 2"}],
    "decisions": [
        {
            "name": "Size",
            "rules": [
                {
                    "name": "Big",
                    "conditionLogic": "and",
                    "conditions": [
                        {
                            "leftValueReference": "$Record.Amount",
                            "operator": "GreaterThan",
                            "rightValue": {"numberValue": 100},
                        }
                    ],
                    "connector": {"targetReference": "Set"},
                }
            ],
        }
    ],
    "recordUpdates": [
        {
            "name": "Set",
            "inputReference": "$Record",
            "inputAssignments": [{"field": "NextStep", "value": {"stringValue": "big"}}],
        }
    ],
}
BODIES: Final[dict[str, Any]] = {
    "PostReport": REPORT,
    "PostReportQuery": REPORT,
    "PatchReport": REPORT,
    "PostReportRun": REPORT,
    "PostReportInstance": REPORT,
    "PostStandardAction": {"inputs": [{"text": "Hello", "subjectNameOrId": "{account}"}]},
    "PostComposite": {
        "allOrNone": True,
        "collateSubrequests": True,
        "compositeRequest": [PART, NEXT],
    },
    "PostBatch": {
        "haltOnError": True,
        "batchRequests": [
            {"method": "GET", "url": "v64.0/sobjects/Account/{account}?fields=Name"},
            {"method": "POST", "url": "v64.0/sobjects/Account", "richInput": {"Name": "Ash"}},
        ],
    },
    "PostGraph": {"graphs": [{"graphId": "1", "compositeRequest": [PART, NEXT]}]},
    "PostSObjectCollection": {
        "allOrNone": False,
        "records": [{"attributes": {"type": "Account"}, "Name": "Ash"}],
    },
    "PatchSObjectCollection": MANY,
    "PostSObjectCollectionRead": {"ids": ["{account}"], "fields": ["Id", "Name"]},
    "PatchSObjectCollectionByKey": {
        "allOrNone": False,
        "records": [{"attributes": {"type": "Account"}, "id": "{account}", "Name": "Birch"}],
    },
    "PostTree": {"records": [TREE]},
    "PatchIngestJob": {"state": "UploadComplete"},
    "PostQueryJob": {"operation": "query", "query": "SELECT Id FROM Account"},
    "PatchQueryJob": {"state": "Aborted"},
    "PostIngestJob": {
        "object": "Account",
        "operation": "insert",
        "contentType": "CSV",
        "lineEnding": "LF",
        "columnDelimiter": "COMMA",
    },
    "PostAsyncJob": {"operation": "insert", "object": "Account", "contentType": "JSON"},
    "PostAsyncJobState": {"state": "Closed"},
    "PostAsyncBatch": [{"Name": "Ash", "AnnualRevenue": 5}],
    "PatchKnowledgeVersion": {"publishStatus": "Online"},
    "PostParameterizedSearch": {
        "q": "Ash",
        "fields": ["Id", "Name"],
        "in": "NAME",
        "overallLimit": 10,
        "defaultLimit": 5,
        "offset": 0,
        "spellCorrection": True,
        "sobjects": [
            {
                "name": "Account",
                "fields": ["Id"],
                "where": "Name != 'x'",
                "limit": 3,
                "orderBy": "Name",
            }
        ],
    },
    "PostProcessApprovals": {
        "requests": [
            {
                "actionType": "Submit",
                "contextId": "{deal}",
                "contextActorId": "{user}",
                "comments": "Please",
                "nextApproverIds": ["{user}"],
                "processDefinitionNameOrId": "p",
                "skipEntryCriteria": True,
            }
        ]
    },
    "PostQuickAction": {"record": {"Subject": "Call", "Status": "Not Started"}},
    "PostQuickActionOf": {"contextId": "{account}", "record": {"Subject": "Call"}},
    "PostSObject": {**DEAL, "AccountId": "{account}", "Amount": 5, "IsPrivate": True},
    "PatchSObjectRow": {"Name": "Ash", "NumberOfEmployees": 5, "BillingLatitude": 1.5},
    "PostSObjectRowById": {"Name": "Ash"},
    "PatchSObjectRowByKey": {"Name": "Ash"},
    "PostUiFavorite": {"name": "All", "target": "{view}", "targetType": "ListView"},
    "PutUiFavorites": {"favorites": [{"id": "{favorite}"}]},
    "PatchUiFavorite": {"name": "Mine"},
    "PatchUiFavoriteUsage": {},
    "PostUiList": {
        "listViewApiName": "Mine",
        "label": "Mine",
        "visibility": "Private",
        "displayColumns": ["Name", "Phone"],
        "filterLogicString": "1",
        "filteredByInfo": [
            {"fieldApiName": "Name", "operator": "Contains", "operandLabels": ["a"]}
        ],
        "scope": {"apiName": "everything"},
    },
    "PatchUiList": {
        "label": "Ours",
        "displayColumns": ["Name"],
        "filteredByInfo": [],
        "scope": {"apiName": "mine"},
    },
    "PostUiNamedListRecords": {
        "fields": ["Account.Name"],
        "pageSize": 5,
        "pageToken": "0",
        "sortBy": ["Account.Name"],
        "searchTerm": "ash",
        "where": '{ Name: { like: "A%" } }',
    },
    "PostUiRecord": {"apiName": "Account", "fields": {"Name": "Ash", "Phone": "1"}},
    "PatchUiRecord": {"fields": {"Name": "Ash", "NumberOfEmployees": 5}},
    "PostToolingAssignmentRule": {"FullName": "Case.Standard", "Metadata": SERVICE_RULE},
    "PostToolingAutoResponseRule": {
        "FullName": "Case.Standard",
        "Metadata": {
            "active": True,
            "ruleEntry": [{"criteriaItems": CRITERIA, "senderEmail": ADA, "template": "t"}],
        },
    },
    "PostToolingEscalationRule": {
        "FullName": "Case.Standard",
        "Metadata": {
            "active": True,
            "ruleEntry": [
                {
                    "criteriaItems": CRITERIA,
                    "businessHoursSource": "None",
                    "escalationStartTime": "CaseCreation",
                    "escalationAction": [
                        {"minutesToEscalation": 60, "assignedTo": ADA, "assignedToType": "User"}
                    ],
                }
            ],
        },
    },
    "PostToolingEntitlementProcess": {
        "FullName": "Gold",
        "Metadata": {
            "active": True,
            "milestones": [
                {
                    "milestoneName": "First Response",
                    "minutesToComplete": 60,
                    "milestoneCriteriaFilterItems": CRITERIA,
                    "timeTriggers": [
                        {"actions": [], "timeLength": 5, "workflowTimeTriggerUnit": "Minutes"}
                    ],
                }
            ],
        },
    },
    "PostToolingCustomField": {
        "FullName": "Account.Size__c",
        "Metadata": {
            "type": "Number",
            "label": "Size",
            "precision": 18,
            "scale": 2,
            "externalId": True,
            "unique": False,
            "defaultValue": "5",
        },
    },
    "PostToolingValidationRule": {
        "FullName": "Opportunity.Small",
        "Metadata": {
            "active": True,
            "errorConditionFormula": "Amount < 3",
            "errorMessage": "Small",
        },
    },
    "PostToolingFlow": {"FullName": "My_Flow", "Metadata": FLOW},
    "PatchToolingFlowDefinition": {"Metadata": {"activeVersionNumber": 1}},
    "PostToolingWorkflowFieldUpdate": {
        "FullName": "Case.Raise",
        "Metadata": {
            "name": "Raise",
            "field": "Priority",
            "operation": "Literal",
            "literalValue": "High",
        },
    },
    "PostToolingWorkflowAlert": {
        "FullName": "Case.Tell",
        "Metadata": {
            "template": "t",
            "senderType": "CurrentUser",
            "recipients": [{"type": "owner"}],
            "ccEmails": ["a@b.example"],
        },
    },
    "PostToolingWorkflowOutboundMessage": {
        "FullName": "Case.Send",
        "Metadata": {
            "name": "Send",
            "endpointUrl": "https://hook.example/x",
            "fields": ["Id", "Subject"],
            "integrationUser": ADA,
        },
    },
    "PostToolingWorkflowTask": {
        "FullName": "Case.Call",
        "Metadata": {
            "subject": "Call",
            "status": "Not Started",
            "priority": "High",
            "dueDateOffset": 2,
            "offsetFromField": "Case.CreatedDate",
            "assignedTo": ADA,
            "assignedToType": "user",
        },
    },
    "PostToolingWorkflowRule": {
        "FullName": "Case.Fire",
        "Metadata": {
            "active": True,
            "triggerType": "onCreateOnly",
            "criteriaItems": CRITERIA,
            "booleanFilter": "1",
            "actions": ACTIONS,
            "workflowTimeTriggers": [
                {"timeLength": 2, "workflowTimeTriggerUnit": "Days", "actions": ACTIONS}
            ],
        },
    },
}
