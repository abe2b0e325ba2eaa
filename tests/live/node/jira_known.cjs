/* What the arguments of `jira.js`'s reading calls are at a site: by
 * `group.method.name`, `group.name`, or the name alone. */

"use strict";

/* Read the lists from whose first rows the arguments come. */
async function lists({ Version3, ids }) {
  const schemes = await Version3.issueTypeScreenSchemes.getIssueTypeScreenSchemes();
  const permissions = await Version3.permissionSchemes.getAllPermissionSchemes({ expand: "all" });
  const scheme = permissions.permissionSchemes.find((item) => item.permissions.length > 0);
  const workflows = await Version3.workflows.searchWorkflows({ expand: "values.transitions" });
  const workflow = workflows.values.find((item) => item.transitions?.length > 0);
  const priorities = await Version3.prioritySchemes.getPrioritySchemes();
  const configurations = await Version3.issueFieldConfigurations.getAllFieldConfigurations();
  const security = await Version3.issueSecuritySchemes.createIssueSecurityScheme({
    name: "Client secrets",
    levels: [{ name: "Staff", isDefault: true }],
  });
  const levels = await Version3.issueSecuritySchemes.getSecurityLevels({ schemeId: [security.id] });
  const notifications = await Version3.issueNotificationSchemes.getNotificationSchemes();
  const statuses = await Version3.status.search({ projectId: ids.projectId });
  const made = await Version3.workflowSchemes.createWorkflowScheme({
    name: "Client scheme",
    defaultWorkflow: workflow.name,
    issueTypeMappings: { [ids.issueTypeId]: workflow.name },
  });
  const used = await Version3.workflowSchemeProjectAssociations
    .getWorkflowSchemeProjectAssociations({ projectId: [Number(ids.projectId)] });
  const drafted = used.values[0].workflowScheme.id;
  await Version3.workflowSchemeDrafts.createWorkflowSchemeDraftFromParent({ id: drafted });
  await Version3.workflowSchemeDrafts.setWorkflowSchemeDraftIssueType({
    id: drafted,
    issueType: ids.issueTypeId,
    details: { workflow: workflow.name },
  });
  const kinds = await Version3.issueTypes.getIssueTypesForProject({ projectId: ids.projectId });
  const task = await Version3.issueBulkOperations.submitBulkWatch({
    selectedIssueIdsOrKeys: [ids.issueIdOrKey],
  });
  return {
    schemes, scheme, workflow, priorities, configurations, security, levels, notifications,
    statuses, made, drafted, kinds, task,
  };
}

async function known(given) {
  const { Version3, ids } = given;
  const found = await lists(given);
  const roles = await Version3.applicationRoles.getAllApplicationRoles();
  const avatars = await Version3.avatars.getAllSystemAvatars({ type: "project" });
  const [status] = found.statuses.values;
  const scheme = found.made.id;
  Object.assign(ids, {
    query: "a",
    permissions: "BROWSE_PROJECTS",
    fieldName: "status",
    jql: `project = ${ids.projectKey}`,
    statusId: status.id,
    taskId: found.task.taskId,
    issueIdsOrKeys: ids.issueIdOrKey,
    issueTypeScreenSchemeId: found.schemes.values[0].id,
    projectTypeKey: "software",
    projectKeys: ids.projectKey,
    workflowId: found.workflow.id,
    workflowName: found.workflow.name,
    issueType: ids.issueTypeId,
    propertyKey: "row",
    type: "project",
    entityId: ids.projectId,
    "applicationRoles.key": roles[0].key,
    "avatars.id": avatars.system[0].id,
    "issueTypes.id": ids.issueTypeId,
    "issues.issueTypeId": found.kinds[0].id,
    "issueFields.workTypeId": [Number(found.kinds[0].id)],
    "issueFields.projectId": [Number(ids.projectId)],
    "issueFields.fieldId": null,
    "issueFields.type": null,
    "issueFields.query": null,
    "issueComments.id": ids.commentId,
    "issueCommentProperties.propertyKey": "mood",
    "issueWorklogs.id": ids.worklogId,
    "issueAttachments.id": ids.attachmentId,
    "issueRemoteLinks.linkId": ids.remoteLinkId,
    "issueCustomFieldOptions.id": ids.optionId,
    "issueCustomFieldContexts.contextId": [ids.contextId],
    "issueFieldConfigurations.id": found.configurations.values[0].id,
    "issueNotificationSchemes.id": found.notifications.values[0].id,
    "issueNotificationSchemes.projectId": null,
    "issuePriorities.id": ids.priorityId,
    "issueResolutions.id": ids.resolutionId,
    "issueSecurityLevel.id": found.levels.values[0].id,
    "issueSecurityLevel.issueSecuritySchemeId": found.security.id,
    "issueSecuritySchemes.id": found.security.id,
    "permissionSchemes.schemeId": found.scheme.id,
    "permissionSchemes.permissionId": found.scheme.permissions[0].id,
    "prioritySchemes.schemeId": found.priorities.values[0].id,
    "projectCategories.id": ids.categoryId,
    "projectComponents.id": ids.componentId,
    "projectComponents.projectIdsOrKeys": ids.projectKey,
    "projectKeyAndNameValidation.key": "FREE",
    "projectKeyAndNameValidation.name": "A free name",
    "projectRoles.id": ids.roleId,
    "projectRoleActors.id": ids.roleId,
    "projectVersions.id": ids.versionId,
    "filters.id": ids.filterId,
    "filterSharing.id": ids.filterId,
    "dashboards.id": ids.dashboardId,
    "dashboards.propertyKey": "config",
    "status.id": status.id,
    "status.name": status.name,
    "workflowStatuses.idOrName": status.name,
    "workflowStatusCategories.idOrKey": "done",
    "workflowSchemes.id": scheme,
    "workflowSchemes.workflowName": found.workflow.name,
    "workflowSchemes.workflowSchemeId": scheme,
    "workflowSchemeDrafts.id": found.drafted,
    "workflowTransitionProperties.transitionId": Number(found.workflow.transitions[0].id),
    "userSearch.accountId": null,
    "userSearch.findUsersByQuery.query": `is assignee of ${ids.projectKey}`,
    "userSearch.findUserKeysByQuery.query": `is assignee of ${ids.projectKey}`,
    "board.getAllBoards.type": null,
  });
}

module.exports = { known };
