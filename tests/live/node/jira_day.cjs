/* What the public `jira.js` client does at a site, area by area, in the order of a day.
 *
 * Each area gets the site's clients (`Version2`, `Version3`, `Agile`), the account ids of an admin
 * and of somebody else, and `ids`, where it leaves what it made: by the names that the client's
 * methods give their arguments. It returns what the client answered and what a second read shows.
 */

"use strict";

const KEY = "JSA";

/* Return the status of a refusal and its first words without ids, 0 if there was none. */
async function refused(attempt) {
  try {
    await attempt;
    return 0;
  } catch (error) {
    const { errorMessages = [], errors = {}, errorMessage, detail } = error.response?.data ?? {};
    const said = errorMessage ?? detail ?? error.message;
    const words = [...errorMessages, ...Object.values(errors), said];
    return [error.status ?? error.name, String(words[0]).replace(/[0-9a-f-]{36}|\d{4,}/g, "ID")];
  }
}

const names = (list) => list.map((item) => item.name).sort();
const fields = (summary, more = {}) => ({
  fields: { project: { key: KEY }, issuetype: { name: "Task" }, summary, ...more },
});

async function site({ Version2, Version3, me }) {
  const info = await Version3.serverInfo.getServerInfo();
  const user = await Version3.myself.getCurrentUser({ expand: ["groups", "applicationRoles"] });
  const older = await Version2.myself.getCurrentUser();
  const may = await Version3.permissions.getMyPermissions({
    permissions: "ADMINISTER,BROWSE_PROJECTS",
  });
  return {
    kind: info.deploymentType,
    me: [user.accountId === me, older.accountId === me, user.groups.size > 0],
    roles: user.applicationRoles.size > 0,
    may: Object.entries(may.permissions).map(([key, entry]) => [key, entry.havePermission]),
    none: await refused(Version3.myself.getPreference({ key: "colour" })),
    unknown: await refused(Version3.permissions.getMyPermissions({ permissions: "NONE" })),
  };
}

async function projects({ Version2, Version3, me, other, ids }) {
  const category = await Version3.projectCategories.createProjectCategory({ name: "Client work" });
  const made = await Version3.projects.createProject({
    key: KEY,
    name: "Sales area",
    leadAccountId: me,
    projectTypeKey: "software",
    projectTemplateKey: "com.pyxis.greenhopper.jira:gh-simplified-scrum-classic",
    assigneeType: "PROJECT_LEAD",
  });
  await Version3.projects.updateProject({
    projectIdOrKey: KEY,
    description: "By a client",
    categoryId: category.id,
  });
  const shown = await Version3.projects.getProject({ projectIdOrKey: KEY, expand: "lead" });
  const older = await Version2.projects.getProject(KEY);
  const found = await Version3.projects.searchProjects({ query: "sales ar", typeKey: "software" });
  const roles = await Version3.projectRoles.getProjectRoles(KEY);
  const roleId = Number(/\d+$/.exec(roles.Administrators)[0]);
  await Version3.projectRoleActors.addActorUsers({ projectIdOrKey: KEY, id: roleId, user: [other] });
  const role = await Version3.projectRoles.getProjectRole({ projectIdOrKey: KEY, id: roleId });
  await Version3.projectRoleActors.deleteActor({ projectIdOrKey: KEY, id: roleId, user: other });
  const left = await Version2.projectRoles.getProjectRole({ projectIdOrKey: KEY, id: roleId });
  await Version3.projectProperties.setProjectProperty({
    projectIdOrKey: KEY,
    propertyKey: "row",
    propertyValue: { seat: 3 },
  });
  const property = await Version3.projectProperties.getProjectProperty({
    projectIdOrKey: KEY,
    propertyKey: "row",
  });
  Object.assign(ids, { projectIdOrKey: KEY, projectKeyOrId: KEY, projectId: String(made.id) });
  Object.assign(ids, { projectKey: KEY, roleId, categoryId: category.id });
  return {
    made: [made.key, shown.name, shown.lead.accountId === me, shown.description],
    older: [older.id === shown.id, older.projectCategory.name],
    found: found.values.map((item) => item.key),
    role: [role.name, role.actors.some((actor) => actor.actorUser?.accountId === other)],
    left: left.actors.some((actor) => actor.actorUser?.accountId === other),
    property: property.value,
    kinds: names((await Version3.projects.getAllStatuses(KEY)).map((kind) => kind)),
    taken: await refused(
      Version3.projects.createProject({
        key: KEY,
        name: "Again",
        leadAccountId: me,
        projectTypeKey: "software",
      }),
    ),
    none: await refused(Version3.projects.getProject("NONE")),
    free: await Version3.projectKeyAndNameValidation.getValidProjectKey({ key: KEY }),
  };
}

async function parts({ Version2, Version3, me, ids }) {
  const component = await Version3.projectComponents.createComponent({
    project: KEY,
    name: "Optics",
    leadAccountId: me,
  });
  const spare = await Version2.projectComponents.createComponent({ project: KEY, name: "Spare" });
  await Version3.projectComponents.updateComponent({ id: component.id, description: "Lenses" });
  await Version3.projectComponents.deleteComponent({ id: spare.id, moveIssuesTo: component.id });
  const components = await Version3.projectComponents.getProjectComponents({ projectIdOrKey: KEY });
  const version = await Version3.projectVersions.createVersion({
    projectId: Number(ids.projectId),
    name: "1.0",
    releaseDate: "2026-07-01",
  });
  const later = await Version2.projectVersions.createVersion({
    projectId: Number(ids.projectId),
    name: "2.0",
  });
  await Version3.projectVersions.updateVersion({ id: version.id, released: true });
  await Version3.projectVersions.moveVersion({ id: later.id, position: "First" });
  const versions = await Version3.projectVersions.getProjectVersionsPaginated({
    projectIdOrKey: KEY,
    orderBy: "-sequence",
  });
  await Version3.projectVersions.deleteAndReplaceVersion({ id: later.id });
  Object.assign(ids, { componentId: component.id, versionId: version.id });
  return {
    components: components.map((item) => [item.name, item.description]),
    lead: (await Version3.projectComponents.getComponent({ id: component.id })).lead.accountId === me,
    versions: versions.values.map((item) => [item.name, item.released]),
    left: names(await Version2.projectVersions.getProjectVersions(KEY)),
    none: await refused(Version3.projectVersions.getVersion(later.id)),
  };
}

async function issues({ Version2, Version3, me, other, ids }) {
  const paragraph = { type: "paragraph", content: [{ type: "text", text: "Loud hum" }] };
  const description = { type: "doc", version: 1, content: [paragraph] };
  const more = { labels: ["noise"], components: [{ id: ids.componentId }], description };
  const made = await Version3.issues.createIssue(fields("It hums", more));
  const older = await Version2.issues.getIssue({ issueIdOrKey: made.key, fields: ["description"] });
  await Version3.issues.editIssue({
    issueIdOrKey: made.key,
    fields: { summary: "It hums loudly" },
    update: { labels: [{ add: "night" }, { remove: "noise" }] },
  });
  await Version3.issues.assignIssue({ issueIdOrKey: made.key, accountId: other });
  const changed = await Version3.issues.getIssue({
    issueIdOrKey: made.key,
    fields: ["summary", "labels", "assignee", "components"],
    expand: ["names", "changelog"],
  });
  const moves = await Version3.issues.getTransitions({ issueIdOrKey: made.key });
  const start = moves.transitions.find((move) => move.to.statusCategory.key === "indeterminate");
  await Version3.issues.doTransition({ issueIdOrKey: made.key, transition: { id: start.id } });
  const log = await Version3.issues.getChangeLogs({ issueIdOrKey: made.key });
  const many = await Version2.issues.createIssues({
    issueUpdates: [fields("First of many"), fields(""), fields("Last of many")],
  });
  const fetched = await Version3.issues.bulkFetchIssues({
    issueIdsOrKeys: many.issues.map((item) => item.key),
    fields: ["summary"],
  });
  const child = await Version2.issues.createIssue({
    fields: {
      ...fields("A part of it").fields,
      issuetype: { name: "Sub-task" },
      parent: { key: made.key },
    },
  });
  const parent = await refused(Version3.issues.deleteIssue({ issueIdOrKey: made.key }));
  await Version3.issues.deleteIssue({ issueIdOrKey: child.key });
  Object.assign(ids, { issueIdOrKey: made.key, issueKey: made.key, issueId: made.id });
  ids.linked = many.issues[0].key;
  return {
    made: [older.fields.description, made.key.startsWith(KEY)],
    changed: [changed.fields.summary, changed.fields.labels, changed.names.summary],
    assigned: [changed.fields.assignee.accountId === other, changed.fields.components[0].name],
    changelog: changed.changelog.total,
    moved: log.values.flatMap((entry) =>
      entry.items.filter((item) => item.field === "status").map((item) => item.toString),
    ),
    many: [many.issues.length, many.errors.map((item) => item.failedElementNumber)],
    fetched: fetched.issues.map((item) => item.fields.summary),
    parent,
    gone: await refused(Version3.issues.getIssue({ issueIdOrKey: child.key })),
    wrong: await refused(Version3.issues.createIssue(fields("x".repeat(256)))),
    "no assignee": await refused(
      Version2.issues.assignIssue({ issueIdOrKey: made.key, accountId: "712020:nobody" }),
    ),
    me: (await Version3.issues.assignIssue({ issueIdOrKey: made.key, accountId: me })) ?? null,
  };
}

async function words({ Version2, Version3, ids }) {
  const issueIdOrKey = ids.issueIdOrKey;
  const comment = await Version3.issueComments.addComment({ issueIdOrKey, comment: "Hello" });
  await Version2.issueComments.updateComment({ issueIdOrKey, id: comment.id, comment: "*Hello* all" });
  const inside = await Version2.issueComments.addComment({ issueIdOrKey, comment: "Soon gone" });
  await Version3.issueComments.deleteComment({ issueIdOrKey, id: inside.id });
  const shown = await Version3.issueComments.getComments({ issueIdOrKey, expand: "renderedBody" });
  await Version3.issueCommentProperties.setCommentProperty({
    commentId: comment.id,
    propertyKey: "mood",
    property: { now: "good" },
  });
  const worklog = await Version3.issueWorklogs.addWorklog({
    issueIdOrKey,
    timeSpent: "1h 30m",
    comment: "Looked",
    started: "2026-06-15T09:00:00.000+0000",
  });
  await Version2.issueWorklogs.updateWorklog({ issueIdOrKey, id: worklog.id, timeSpent: "2h" });
  const worked = await Version3.issueWorklogs.getIssueWorklog({ issueIdOrKey });
  const attached = await Version3.issueAttachments.addAttachment({
    issueIdOrKey,
    attachment: { filename: "Größe 1.txt", file: Buffer.from("0123456789") },
  });
  const content = await Version3.issueAttachments.getAttachmentContent(attached[0].id);
  const meta = await Version2.issueAttachments.getAttachment(attached[0].id);
  const spare = await Version2.issueAttachments.addAttachment({
    issueIdOrKey,
    attachment: [{ filename: "b.txt", file: Buffer.from("b") }],
  });
  await Version3.issueAttachments.removeAttachment(spare[0].id);
  Object.assign(ids, { commentId: comment.id, worklogId: worklog.id, attachmentId: meta.id });
  return {
    comments: shown.comments.map((item) => [item.renderedBody, item.body.type]),
    none: await refused(Version3.issueComments.getComment({ issueIdOrKey, id: inside.id })),
    work: worked.worklogs.map((item) => [item.timeSpent, item.timeSpentSeconds]),
    attachment: [meta.filename, meta.size, Buffer.from(content).toString(), meta.mimeType],
    removed: await refused(Version3.issueAttachments.getAttachment(spare[0].id)),
  };
}

async function ties({ Version2, Version3, other, ids }) {
  const issueIdOrKey = ids.issueIdOrKey;
  await Version3.issueLinks.linkIssues({
    type: { name: "Blocks" },
    inwardIssue: { key: issueIdOrKey },
    outwardIssue: { key: ids.linked },
  });
  const linked = await Version3.issues.getIssue({ issueIdOrKey, fields: ["issuelinks"] });
  const [link] = linked.fields.issuelinks;
  const read = await Version2.issueLinks.getIssueLink({ linkId: link.id });
  const kind = await Version3.issueLinkTypes.createIssueLinkType({
    name: "Feeds",
    inward: "is fed by",
    outward: "feeds",
  });
  await Version3.issueLinkTypes.updateIssueLinkType({ issueLinkTypeId: kind.id, outward: "fills" });
  const kinds = await Version2.issueLinkTypes.getIssueLinkTypes();
  const remote = await Version3.issueRemoteLinks.createOrUpdateRemoteIssueLink({
    issueIdOrKey,
    globalId: "wiki-1",
    object: { url: "https://wiki.example/belts", title: "Belts" },
  });
  const again = await Version3.issueRemoteLinks.createOrUpdateRemoteIssueLink({
    issueIdOrKey,
    globalId: "wiki-1",
    object: { url: "https://wiki.example/belts", title: "All belts" },
  });
  const links = await Version2.issueRemoteLinks.getRemoteIssueLinks({ issueIdOrKey });
  await Version3.issueWatchers.addWatcher({ issueIdOrKey, accountId: other });
  const watchers = await Version2.issueWatchers.getIssueWatchers(issueIdOrKey);
  await Version3.issueWatchers.removeWatcher({ issueIdOrKey, accountId: other });
  await Version3.issueVotes.removeVote({ issueIdOrKey: ids.linked });
  await Version3.issueProperties.setIssueProperty({
    issueIdOrKey,
    propertyKey: "row",
    propertyValue: { seat: 3 },
  });
  const keys = await Version2.issueProperties.getIssuePropertyKeys({ issueIdOrKey });
  Object.assign(ids, { linkId: link.id, issueLinkTypeId: kind.id, remoteLinkId: String(remote.id) });
  return {
    link: [read.type.name, read.inwardIssue.key === issueIdOrKey, link.outwardIssue.key === ids.linked],
    kind: kinds.issueLinkTypes.filter((item) => item.name === "Feeds").map((item) => item.outward),
    remote: [remote.id === again.id, links.map((item) => item.object.title)],
    watchers: watchers.watchers.some((person) => person.accountId === other),
    properties: keys.keys.map((item) => item.key),
    none: await refused(Version3.issueLinks.getIssueLink({ linkId: "999999" })),
  };
}

module.exports = { KEY, refused, names, fields, areas: { site, projects, parts, issues, words, ties } };
