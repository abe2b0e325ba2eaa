"""What an organization of the Enterprise edition may use of each resource."""

from __future__ import annotations

from typing import Any, Final

DAILY_REQUESTS: Final = 100_000

# The most of each, and where a resource has parts, the most of those.
_MOST: Final[dict[str, int]] = {
    "ActiveScratchOrgs": 40,
    "AnalyticsExternalDataSizeMB": 40_960,
    "ConcurrentAsyncGetReportInstances": 200,
    "ConcurrentEinsteinDataInsightsStoryCreation": 5,
    "ConcurrentEinsteinDiscoveryStoryCreation": 2,
    "ConcurrentSyncReportRuns": 20,
    "DailyAnalyticsDataflowJobExecutions": 60,
    "DailyAnalyticsUploadedFilesSizeMB": 51_200,
    "DailyApiRequests": DAILY_REQUESTS,
    "DailyAsyncApexExecutions": 250_000,
    "DailyAsyncApexTests": 500,
    "DailyBulkApiBatches": 15_000,
    "DailyBulkV2QueryFileStorageMB": 976_562,
    "DailyBulkV2QueryJobs": 10_000,
    "DailyDeliveredPlatformEvents": 25_000,
    "DailyDurableGenericStreamingApiEvents": 10_000,
    "DailyDurableStreamingApiEvents": 200_000,
    "DailyEinsteinDataInsightsStoryCreation": 1_000,
    "DailyEinsteinDiscoveryOptimizationJobRuns": 25,
    "DailyEinsteinDiscoveryPredictAPICalls": 50_000,
    "DailyEinsteinDiscoveryPredictionsByCDC": 500_000,
    "DailyEinsteinDiscoveryStoryCreation": 100,
    "DailyFunctionsApiCallLimit": 50_000,
    "DailyGenericStreamingApiEvents": 10_000,
    "DailyScratchOrgs": 80,
    "DailyStandardVolumePlatformEvents": 25_000,
    "DailyStreamingApiEvents": 200_000,
    "DailyWorkflowEmails": 100_000,
    "DataStorageMB": 10_240,
    "DurableStreamingApiConcurrentClients": 1_000,
    "FileStorageMB": 10_240,
    "HourlyAsyncReportRuns": 1_200,
    "HourlyDashboardRefreshes": 200,
    "HourlyDashboardResults": 5_000,
    "HourlyDashboardStatuses": 999_999_999,
    "HourlyLongTermIdMapping": 100_000,
    "HourlyManagedContentPublicRequests": 50_000,
    "HourlyODataCallout": 20_000,
    "HourlyPublishedPlatformEvents": 250_000,
    "HourlyPublishedStandardVolumePlatformEvents": 100_000,
    "HourlyShortTermIdMapping": 100_000,
    "HourlySyncReportRuns": 500,
    "HourlyTimeBasedWorkflow": 500,
    "MassEmail": 5_000,
    "MonthlyEinsteinDiscoveryStoryCreation": 500,
    "Package2VersionCreates": 6,
    "Package2VersionCreatesWithoutValidation": 500,
    "PermissionSets": 1_500,
    "PrivateConnectOutboundCalloutHourlyLimitMB": 0,
    "PublishCallbackUsageInApex": 5_242_880,
    "SingleEmail": 5_000,
    "StreamingApiConcurrentClients": 1_000,
}
_PARTS: Final[dict[str, dict[str, int]]] = {"PermissionSets": {"CreateCustom": 1_000}}


def limits(requests: int) -> dict[str, Any]:
    """Return what may be used and what is left of it, by resource; so many requests were made."""
    found: dict[str, Any] = {}
    for name, most in _MOST.items():
        used = requests if name == "DailyApiRequests" else 0
        found[name] = _limit(most, used)
        for part, own in _PARTS.get(name, {}).items():
            found[name][part] = _limit(own, 0)
    return found


def _limit(most: int, used: int) -> dict[str, int]:
    return {"Max": most, "Remaining": max(most - used, 0)}
