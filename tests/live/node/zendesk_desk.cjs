/* The desk's own resources: people, firms, tickets, and who handles them. */

"use strict";

const rows = (found) => found?.custom_field_options ?? found;
const title = (list, key = "title") => list?.map((item) => item[key]);

async function people(ask) {
  const me = await ask("users", "me");
  await ask("users", "auth");
  await ask("users", "list");
  const made = await ask("users", "create", { user: { name: "Ada", email: "ada@node.example" } });
  const spare = await ask("users", "create", { user: { name: "Bo", email: "bo@node.example" } });
  await ask("users", "createOrUpdate", { user: { name: "Ada L", email: "ada@node.example" } });
  const many = [{ name: "Cy", email: "cy@node.example" }, { name: "Di", email: "di@node.example" }];
  await ask("users", "createMany", { users: many });
  await ask("users", "createOrUpdateMany", { users: many });
  await ask("users", "update", made.id, { user: { phone: "+49 30 1" } });
  await ask("users", "updateMany", [made.id, spare.id], { user: { notes: "Kind" } }, null);
  await ask("users", "suspend", spare.id);
  await ask("users", "unsuspend", spare.id);
  const shown = await ask("users", "show", made.id);
  const both = await ask("users", "showMany", [made.id, spare.id]);
  await ask("users", "listWithFilter", "role", "admin");
  const found = await ask("users", "search", { query: "ada@node.example" });
  await ask("users", "setTags", made.id, { tags: ["one"] });
  await ask("users", "addTags", made.id, { tags: ["two"] });
  await ask("users", "removeTags", made.id, { tags: ["one"] });
  const tags = await ask("users", "listTags", made.id);
  await ask("users", "password", made.id, null, "new-secret-1");
  await ask("users", "incremental", 1);
  await ask("users", "incrementalInclude", 1, "identities");
  await ask("users", "incrementalSample", 1);
  const second = await ask("useridentities", "create", made.id, {
    identity: { type: "email", value: "ada@work.example" },
  });
  await ask("useridentities", "list", made.id);
  await ask("useridentities", "show", made.id, second?.id);
  await ask("useridentities", "update", made.id, second?.id, { identity: { verified: true } });
  await ask("useridentities", "verify", made.id, second?.id);
  await ask("useridentities", "requestVerification", made.id, second?.id);
  await ask("useridentities", "makePrimary", made.id, second?.id);
  const first = (await ask("useridentities", "list", made.id)).find((item) => !item.primary);
  await ask("useridentities", "delete", made.id, first?.id);
  const field = await ask("userfields", "create", {
    user_field: {
      type: "dropdown",
      title: "Plan",
      key: "node_plan",
      custom_field_options: [{ name: "A", value: "node_a" }],
    },
  });
  await ask("userfields", "list");
  await ask("userfields", "update", field?.id, { user_field: { title: "Plan of theirs" } });
  const options = await ask("userfields", "listOptions", field?.id);
  await ask("userfields", "createOrUpdateOption", field?.id, {
    custom_field_option: { name: "B", value: "node_b" },
  });
  await ask("userfields", "showOption", field?.id, rows(options)?.[0]?.id);
  await ask("userfields", "deleteOption", field?.id, rows(options)?.[0]?.id);
  const plan = await ask("userfields", "show", field?.id);
  await ask("userfields", "reorder", [field?.id]);
  await ask("userfields", "delete", field?.id);
  await ask("sessions", "list");
  await ask("sessions", "getByUserId", me.id);
  await ask("sessions", "getMyAuthenticatedSession");
  await ask("sessions", "getByUserIdBySessionId", me.id, 1);
  await ask("sessions", "deleteByUserIdBySessionId", me.id, 1);
  await ask("sessions", "bulkDeleteByUserId", made.id);
  await ask("sessions", "logMeOut");
  await ask("users", "merge", spare.id, made.id);
  const gone = await ask("users", "create", { user: { name: "Ed", email: "ed@node.example" } });
  await ask("users", "destroyMany", [gone.id], null, null);
  const last = await ask("users", "create", { user: { name: "Fy", email: "fy@node.example" } });
  await ask("users", "delete", last.id);
  return {
    shown: [shown?.phone, both?.length, title(found, "name"), tags],
    options: title(plan?.custom_field_options, "name"),
  };
}

async function firms(ask) {
  const made = await ask("organizations", "create", { organization: { name: "Node Works" } });
  await ask("organizations", "list");
  await ask("organizations", "count");
  await ask("organizations", "related", made.id);
  await ask("organizations", "createMany", { organizations: [{ name: "Node A" }, { name: "Node B" }] });
  await ask("organizations", "upsert", { organization: { id: made.id, notes: "Kind" } });
  await ask("organizations", "update", made.id, { organization: { external_id: "n-2" } });
  await ask("organizations", "updateMany", { organizations: [{ id: made.id, notes: "Kinder" }] });
  await ask("organizations", "createOrUpdate", {
    organization: { name: "Node Works", external_id: "n-2" },
  });
  const shown = await ask("organizations", "show", made.id);
  await ask("organizations", "showMany", [made.id]);
  const byExternal = await ask("organizations", "showManyByExternalIds", ["n-2"]);
  await ask("organizations", "search", "n-2");
  await ask("organizations", "autocomplete", { name: "Node" });
  await ask("organizations", "incremental", 1);
  await ask("organizations", "incrementalInclude", 1, "users");
  await ask("organizations", "incrementalSample", 1);
  const [person] = await ask("users", "search", { query: "ada@work.example" });
  const membership = { user_id: person.id, organization_id: made.id };
  const member = await ask("organizationmemberships", "create", membership);
  await ask("organizationmemberships", "list");
  await ask("organizationmemberships", "listByUser", person.id);
  await ask("organizationmemberships", "listByOrganization", made.id);
  await ask("organizationmemberships", "show", member?.id);
  await ask("organizationmemberships", "showByUser", person.id, member?.id);
  await ask("organizationmemberships", "makeDefault", person.id, member?.id);
  await ask("organizations", "listByUser", person.id);
  await ask("organizations", "countByUser", person.id);
  await ask("users", "listByOrganization", made.id);
  await ask("organizationmemberships", "deleteByUser", person.id, member?.id);
  const other = await ask("organizationmemberships", "createByUser", person.id, membership);
  await ask("organizationmemberships", "delete", other?.id);
  await ask("organizationmemberships", "createMany", [membership]);
  await ask("organizationmemberships", "deleteMany", [1]);
  const field = await ask("organizationfields", "create", {
    organization_field: { type: "text", title: "Plan", key: "node_org_plan" },
  });
  await ask("organizationfields", "list");
  await ask("organizationfields", "update", field?.id, { organization_field: { title: "P" } });
  const plan = await ask("organizationfields", "show", field?.id);
  await ask("organizationfields", "reorder", [field?.id]);
  await ask("organizationfields", "delete", field?.id);
  await ask("organizations", "bulkDeleteByExternalId", ["n-none"]);
  await ask("organizations", "bulkDelete", [made.id + 1]);
  await ask("organizations", "delete", made.id);
  return { shown: [shown?.notes, shown?.external_id, title(byExternal, "name")], plan: plan?.title };
}

async function groups(ask) {
  const made = await ask("groups", "create", { group: { name: "Node group" } });
  await ask("groups", "list");
  await ask("groups", "count");
  await ask("groups", "assignable");
  await ask("groups", "update", made.id, { group: { description: "Of Node" } });
  const shown = await ask("groups", "show", made.id);
  const agents = await ask("users", "listWithFilter", "role", "agent");
  const [agent, another] = agents;
  await ask("groups", "countByUser", agent.id);
  const member = await ask("groupmemberships", "create", {
    group_membership: { user_id: agent.id, group_id: made.id },
  });
  await ask("groupmemberships", "list");
  await ask("groupmemberships", "listByUser", agent.id);
  await ask("groupmemberships", "listByGroup", made.id);
  await ask("groupmemberships", "listAssignable");
  await ask("groupmemberships", "listAssignableByGroup", made.id);
  await ask("groupmemberships", "show", member?.id);
  await ask("groupmemberships", "showByUser", agent.id, member?.id);
  await ask("groupmemberships", "makeDefault", agent.id, member?.id);
  await ask("users", "listByGroup", made.id);
  const other = await ask("groupmemberships", "createByUser", another.id, {
    group_membership: { user_id: another.id, group_id: made.id },
  });
  await ask("groupmemberships", "deleteByUser", another.id, other?.id);
  await ask("groupmemberships", "bulkCreate", [{ user_id: another.id, group_id: made.id }]);
  await ask("groupmemberships", "bulkDelete", [1]);
  await ask("groupmemberships", "delete", member?.id);
  await ask("groups", "delete", made.id);
  const role = await ask("customagentroles", "create", { name: "Node role", role_type: 0 });
  await ask("customagentroles", "list");
  await ask("customagentroles", "show", role?.id);
  await ask("customagentroles", "update", role?.id, { description: "Short" });
  await ask("customagentroles", "delete", role?.id);
  await ask("permissiongroups", "list");
  return { shown: shown?.description, role: role?.name };
}

async function tickets(ask) {
  const [person] = await ask("users", "search", { query: "ada@work.example" });
  const create = (subject, more = {}) =>
    ask("tickets", "create", {
      ticket: { subject, requester_id: person.id, comment: { body: "Help?" }, ...more },
    });
  const made = await create("Mirror is cloudy", { type: "problem" });
  const twin = await create("Mirror again");
  const spare = await create("Spare");
  await create("Follows", { type: "incident", problem_id: made.id });
  await ask("tickets", "update", made.id, { ticket: { status: "pending" } });
  await ask("tickets", "updateMany", [made.id, twin.id], { ticket: { priority: "high" } });
  const many = await ask("tickets", "createMany", { tickets: [{ description: "One." }] });
  await ask("jobstatuses", "list");
  const job = await ask("jobstatuses", "show", many.id);
  await ask("jobstatuses", "showMany", [many.id]);
  await ask("jobstatuses", "watch", many.id, 10, 50);
  await ask("tickets", "updateTags", made.id, { tags: ["mirror"] });
  await ask("tickets", "addTags", made.id, { tags: ["optics"] });
  for (const method of ["list", "listRecent"]) await ask("tickets", method);
  const me = await ask("users", "me");
  await ask("tickets", "listAssigned", me.id);
  await ask("tickets", "listByOrganization", (await ask("organizations", "list"))[0].id);
  await ask("tickets", "listByUserRequested", person.id);
  await ask("tickets", "listByUserCCD", person.id);
  await ask("tickets", "listWithFilter", "sort_by", "created_at");
  for (const method of [
    "listCollaborators", "listIncidents", "listMetrics", "show", "getComments", "exportAudit",
  ]) {
    await ask("tickets", method, made.id);
  }
  const shown = await ask("tickets", "show", made.id);
  await ask("tickets", "showMany", [made.id, twin.id]);
  await ask("tickets", "merge", made.id, { ids: [twin.id], target_comment: "Same." });
  for (const method of ["export", "exportSample", "incremental", "incrementalSample"]) {
    await ask("tickets", method, 1);
  }
  await ask("tickets", "incrementalInclude", 1, "users");
  for (const method of ["export", "exportWithUser", "sample"]) await ask("ticketexport", method, 1);
  await ask("ticketexport", "exportCursor", 1, "");
  await ask("ticketexport", "exportWithInclude", 1, "users");
  await ask("ticketexport", "exportAudit", made.id);
  for (const method of ["incremental", "incrementalSample"]) await ask("ticketevents", method, 1);
  await ask("ticketevents", "incrementalInclude", 1, "comment_events");
  await ask("ticketaudits", "listAll");
  const audits = await ask("ticketaudits", "list", made.id);
  await ask("ticketaudits", "count", made.id);
  await ask("ticketaudits", "show", made.id, audits?.[0]?.id);
  await ask("ticketaudits", "makePrivate", made.id, audits?.[0]?.id);
  const metric = (await ask("ticketmetrics", "listAll"))?.[0];
  await ask("ticketmetrics", "list", made.id);
  await ask("ticketmetrics", "show", metric?.id);
  const past = { requester_id: person.id, description: "Old", created_at: "2020-05-01T00:00:00Z" };
  await ask("ticketimport", "import", { ticket: past });
  await ask("ticketimport", "bulkImport", [past]);
  await ask("ticketimport", "exportAudit", made.id);
  await ask("imports", "ticket", { ticket: past });
  await ask("imports", "ticketMany", { tickets: [past] });
  await ask("tickets", "deleteMany", [spare.id]);
  await ask("tickets", "delete", twin.id);
  const opened = await ask("sideconversations", "create", made.id, {
    message: { subject: "Parts", body: "Any mirrors?", to: [{ email: "parts@node.example" }] },
  });
  const said = opened?.side_conversation ?? opened;
  await ask("sideconversations", "list", made.id);
  await ask("sideconversations", "show", made.id, said?.id);
  await ask("sideconversations", "reply", made.id, said?.id, { message: { body: "And?" } });
  await ask("sideconversations", "update", made.id, said?.id, {
    side_conversation: { state: "closed" },
  });
  return {
    shown: [shown?.tags, shown?.priority, shown?.status],
    job: job?.status,
    audits: audits?.length,
    said: said?.subject,
  };
}

async function requests(ask) {
  const [person] = await ask("users", "search", { query: "ada@work.example" });
  const made = await ask("requests", "create", {
    request: { subject: "My parcel", comment: { body: "Where?" } },
  });
  await ask("requests", "list", {});
  for (const method of ["listOpen", "listSolved", "listCCD"]) await ask("requests", method, "");
  await ask("requests", "listByUser", person.id);
  await ask("requests", "listByOrganization", (await ask("organizations", "list"))[0].id);
  await ask("requests", "search", { query: "parcel" });
  await ask("requests", "show", made?.id);
  await ask("requests", "getRequest", made?.id);
  await ask("requests", "update", made?.id, { request: { comment: { body: "Still?" } } });
  const pages = await ask("requests", "listComments", made?.id);
  const comments = pages?.flatMap((page) => page.comments ?? page);
  await ask("requests", "getComment", made?.id, comments?.[0]?.id);
  await ask("satisfactionratings", "list");
  const ratings = await ask("satisfactionratings", "received");
  await ask("satisfactionratings", "show", ratings?.[0]?.id);
  await ask("satisfactionratings", "incremental", 1);
  await ask("satisfactionratings", "create", made?.id, { satisfaction_rating: { score: "good" } });
  await ask("suspendedtickets", "list");
  const held = (await ask("suspendedtickets", "list")) ?? [];
  const id = (place) => held[place]?.id ?? 1;
  await ask("suspendedtickets", "show", id(0));
  await ask("suspendedtickets", "attachments", id(0));
  await ask("suspendedtickets", "exportTickets");
  await ask("suspendedtickets", "recover", id(0));
  await ask("suspendedtickets", "recoverMany", [id(1)]);
  await ask("suspendedtickets", "destroyMany", [id(2)]);
  await ask("suspendedtickets", "deleteMany", [id(3)]);
  await ask("suspendedtickets", "delete", id(4));
  for (const method of ["list", "count"]) await ask("activitystream", method);
  const acts = await ask("activitystream", "list");
  await ask("activitystream", "show", acts?.[0]?.id);
  return { comments: comments?.map((item) => item.body), held: held.length };
}

module.exports = { areas: { people, firms, groups, tickets, requests } };
