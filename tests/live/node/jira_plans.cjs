/* The second half of what `jira_day.cjs` begins: searches, boards, people, and what admins set up. */

"use strict";

const { KEY, refused, names, fields } = require("./jira_day.cjs");

async function search({ Version2, Version3 }) {
  const jql = `project = ${KEY} AND summary ~ many ORDER BY key`;
  const pages = [];
  let nextPageToken;
  do {
    const page = await Version3.issueSearch.searchForIssuesUsingJqlEnhancedSearch({
      jql,
      nextPageToken,
      maxResults: 1,
      fields: ["summary"],
    });
    pages.push(page.issues.map((issue) => issue.fields.summary));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken && pages.length < 9);
  const posted = await Version2.issueSearch.searchForIssuesUsingJqlEnhancedSearchPost({
    jql,
    fields: ["status"],
  });
  const count = await Version3.issueSearch.countIssues({ jql });
  const matched = await Version3.issueSearch.matchIssues({
    jqls: [jql],
    issueIds: posted.issues.map((issue) => Number(issue.id)),
  });
  const parsed = await Version3.jql.parseJqlQueries({ queries: [jql], validation: "strict" });
  const words = await Version3.jql.getFieldAutoCompleteForQueryString({
    fieldName: "status",
    fieldValue: "in pro",
  });
  const picked = await Version3.issueSearch.getIssuePickerResource({ query: "many" });
  return {
    pages,
    posted: posted.issues.map((issue) => issue.fields.status.name),
    count: count.count,
    matched: matched.matches[0].matchedIssues.length,
    parsed: parsed.queries[0].structure.where.clauses.length,
    words: words.results.map((item) => item.value),
    picked: picked.sections.flatMap((part) => part.issues).length > 0,
    unbounded: await refused(
      Version3.issueSearch.searchForIssuesUsingJqlEnhancedSearch({ jql: "ORDER BY key" }),
    ),
    unknown: await refused(
      Version3.issueSearch.searchForIssuesUsingJqlEnhancedSearch({ jql: "colour = red" }),
    ),
    removed: await refused(Version3.issueSearch.searchForIssuesUsingJql({ jql })),
  };
}

async function boards({ Agile, Version3, ids }) {
  const listed = await Agile.board.getAllBoards({ projectKeyOrId: KEY, type: "scrum" });
  const boardId = listed.values[0].id;
  const sprint = await Agile.sprint.createSprint({
    name: "First",
    goal: "Less noise",
    originBoardId: boardId,
  });
  const issue = ids.issueIdOrKey;
  await Agile.sprint.moveIssuesToSprintAndRank({ sprintId: sprint.id, issues: [issue] });
  const planned = await Agile.sprint.getIssuesForSprint({ sprintId: sprint.id, fields: ["summary"] });
  await Agile.backlog.moveIssuesToBacklog({ issues: [issue] });
  const backlog = await Agile.board.getIssuesForBacklog({ boardId, jql: `key = ${issue}` });
  await Agile.sprint.moveIssuesToSprintAndRank({ sprintId: sprint.id, issues: [issue] });
  const started = await Agile.sprint.partiallyUpdateSprint({
    sprintId: sprint.id,
    state: "active",
    startDate: "2026-06-16T09:00:00.000Z",
    endDate: "2026-06-30T09:00:00.000Z",
  });
  await Agile.issue.rankIssues({ issues: [ids.linked], rankBeforeIssue: issue });
  await Agile.issue.estimateIssueForBoard({ issueIdOrKey: issue, boardId, value: "5" });
  const estimate = await Agile.issue.getIssueEstimationForBoard({ issueIdOrKey: issue, boardId });
  const epic = await Version3.issues.createIssue(fields("Noise", { issuetype: { name: "Epic" } }));
  await Agile.epic.moveIssuesToEpic({ epicIdOrKey: epic.key, issues: [issue] });
  const inEpic = await Agile.epic.getIssuesForEpic({ epicIdOrKey: epic.key });
  await Agile.epic.partiallyUpdateEpic({ epicIdOrKey: epic.key, done: true });
  const done = await Agile.epic.getEpic({ epicIdOrKey: epic.key });
  const future = await Agile.sprint.createSprint({ name: "Second", originBoardId: boardId });
  const last = await Agile.sprint.createSprint({ name: "Third", originBoardId: boardId });
  await Agile.sprint.swapSprint({ sprintId: future.id, sprintToSwapWith: last.id });
  await Agile.sprint.deleteSprint({ sprintId: last.id });
  Object.assign(ids, { boardId, sprintId: sprint.id, epicIdOrKey: epic.key, epicId: epic.id });
  return {
    board: listed.values.length,
    sprint: [sprint.state, sprint.goal],
    planned: planned.issues.map((item) => item.key === issue),
    backlog: backlog.issues.length,
    started: [started.state, started.startDate],
    estimate: estimate.value,
    epic: [inEpic.issues.map((item) => item.key === issue), done.done],
    sprints: (await Agile.board.getAllSprints({ boardId })).values.map((item) => item.name),
    none: await refused(Agile.sprint.getSprint({ sprintId: last.id })),
  };
}

async function kept({ Version2, Version3, ids }) {
  const filter = await Version3.filters.createFilter({
    name: "All noise",
    jql: `project = ${KEY}`,
    favourite: true,
  });
  await Version3.filters.updateFilter({ id: filter.id, name: "Noise", jql: `project = ${KEY}` });
  await Version3.filterSharing.addSharePermission({
    id: filter.id,
    type: "project",
    projectId: ids.projectId,
  });
  const shared = await Version2.filterSharing.getSharePermissions({ id: filter.id });
  const bare = await refused(
    Version3.filters.setColumns({ id: filter.id, columns: ["summary", "status"] }),
  );
  const found = await Version3.filters.getFiltersPaginated({ filterName: "noise", expand: "jql" });
  const favourites = await Version2.filters.getFavouriteFilters();
  const dashboard = await Version3.dashboards.createDashboard({
    name: "Wall",
    description: "For all",
    sharePermissions: [],
    editPermissions: [],
  });
  const gadget = await Version3.dashboards.addGadget({
    dashboardId: dashboard.id,
    uri: "rest/gadgets/1.0/g/com.atlassian.jira.gadgets:filter-results-gadget/gadgets/filter-results-gadget.xml",
    title: "Numbers",
  });
  await Version3.dashboards.setDashboardItemProperty({
    dashboardId: dashboard.id,
    itemId: String(gadget.id),
    propertyKey: "config",
    propertyValue: { num: "5" },
  });
  await Version3.dashboards.updateGadget({
    dashboardId: dashboard.id,
    gadgetId: gadget.id,
    title: "All numbers",
  });
  const gadgets = await Version2.dashboards.getAllGadgets({ dashboardId: dashboard.id });
  const copy = await Version3.dashboards.copyDashboard({
    id: dashboard.id,
    name: "Wall two",
    sharePermissions: [],
    editPermissions: [],
  });
  await Version3.dashboards.deleteDashboard({ id: copy.id });
  Object.assign(ids, { filterId: filter.id, dashboardId: dashboard.id, itemId: String(gadget.id) });
  Object.assign(ids, { permissionId: shared[0].id });
  return {
    shared: shared.map((item) => item.type),
    "bare array": bare,
    found: found.values.map((item) => [item.name, item.jql]),
    favourite: names(favourites).includes("Noise"),
    gadgets: gadgets.gadgets.map((item) => item.title),
    gone: await refused(Version3.dashboards.getDashboard({ id: copy.id })),
    wrong: await refused(Version3.filters.createFilter({ name: "Bad", jql: "colour = red" })),
    taken: await refused(Version3.filters.createFilter({ name: "Noise", jql: "key = A-1" })),
  };
}

async function people({ Version2, Version3, me, other, ids }) {
  const group = await Version3.groups.createGroup({ name: "client-works" });
  await Version3.groups.addUserToGroup({ groupId: group.groupId, accountId: other });
  const members = await Version2.groups.getUsersFromGroup({ groupId: group.groupId });
  await Version3.groups.removeUserFromGroup({ groupId: group.groupId, accountId: other });
  const left = await Version3.groups.getUsersFromGroup({ groupId: group.groupId });
  const user = await Version3.users.getUser({ accountId: other, expand: ["groups"] });
  const found = await Version2.userSearch.findUsers({ query: user.emailAddress });
  const assignable = await Version3.userSearch.findAssignableUsers({ project: KEY });
  const several = await Version3.users.bulkGetUsers({ accountId: [me] });
  await Version3.userProperties.setUserProperty({
    accountId: me,
    propertyKey: "row",
    propertyValue: { seat: 3 },
  });
  const spare = await Version2.groups.createGroup({ name: "client-spare" });
  await Version3.groups.removeGroup({ groupId: spare.groupId });
  Object.assign(ids, { accountId: me, groupId: group.groupId });
  return {
    members: members.values.map((person) => person.accountId === other),
    left: left.values.length,
    user: [user.accountId === other, user.groups.size > 0],
    found: found.map((person) => person.accountId === other),
    assignable: assignable.some((person) => person.accountId === me),
    several: several.values.length,
    gone: await refused(Version3.groups.getUsersFromGroup({ groupId: spare.groupId })),
    taken: await refused(Version3.groups.createGroup({ name: "client-works" })),
    nobody: await refused(Version3.users.getUser({ accountId: "712020:nobody" })),
  };
}

async function fieldsOfTheSite({ Version2, Version3, ids }) {
  const field = await Version3.issueFields.createCustomField({
    name: "Wavelength",
    type: "com.atlassian.jira.plugin.system.customfieldtypes:select",
    searcherKey: "com.atlassian.jira.plugin.system.customfieldtypes:multiselectsearcher",
  });
  const contexts = await Version3.issueCustomFieldContexts.getContextsForField({ fieldId: field.id });
  const contextId = contexts.values[0].id;
  const made = await Version3.issueCustomFieldOptions.createCustomFieldOption({
    fieldId: field.id,
    contextId: Number(contextId),
    options: [{ value: "red" }, { value: "green" }],
  });
  await Version3.issueCustomFieldOptions.updateCustomFieldOption({
    fieldId: field.id,
    contextId: Number(contextId),
    options: [{ id: made.options[1].id, value: "blue" }],
  });
  const options = await Version2.issueCustomFieldOptions.getOptionsForContext({
    fieldId: field.id,
    contextId: Number(contextId),
  });
  const screen = await Version3.screens.createScreen({ name: "Short" });
  const tab = await Version3.screenTabs.addScreenTab({ screenId: screen.id, name: "Main" });
  await Version3.screenTabFields.addScreenTabField({
    screenId: screen.id,
    tabId: tab.id,
    fieldId: field.id,
  });
  const shown = await Version2.screenTabFields.getAllScreenTabFields({
    screenId: screen.id,
    tabId: tab.id,
  });
  const priority = await Version3.issuePriorities.createPriority({
    name: "Someday",
    statusColor: "#999999",
    iconUrl: "/images/icons/priorities/trivial.png",
  });
  const kind = await Version3.issueTypes.createIssueType({ name: "Visit", type: "standard" });
  await Version3.issueTypes.updateIssueType({ id: kind.id, description: "On site" });
  const resolution = await Version3.issueResolutions.createResolution({ name: "Moot" });
  const found = await Version3.issueFields.getFieldsPaginated({ query: "wavele" });
  Object.assign(ids, { fieldId: field.id, fieldKey: field.id, contextId: Number(contextId) });
  Object.assign(ids, { optionId: made.options[0].id, screenId: screen.id, tabId: tab.id });
  Object.assign(ids, { priorityId: priority.id, issueTypeId: kind.id, resolutionId: resolution.id });
  return {
    options: options.values.map((item) => item.value),
    shown: names(shown),
    kind: (await Version2.issueTypes.getIssueType({ id: kind.id })).description,
    priority: (await Version2.issuePriorities.getPriority({ id: priority.id })).name,
    resolution: (await Version2.issueResolutions.getResolution({ id: resolution.id })).name,
    found: found.values.map((item) => item.name),
  };
}

module.exports = { areas: { search, boards, kept, people, fields: fieldsOfTheSite } };
