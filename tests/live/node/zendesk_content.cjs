/* What admins set up by the public `node-zendesk` client, and searches. */

"use strict";

const CONDITIONS = [{ field: "status", operator: "less_than", value: "solved" }];

const WEBHOOK = {
  name: "Node bell",
  status: "active",
  endpoint: "https://hooks.example.com/bell",
  http_method: "POST",
  request_format: "json",
  subscriptions: ["conditional_ticket_events"],
};

/* Make, read and change a record of a resource whose methods have the usual names.
 *
 * What the client does not wrap itself is wrapped by a name. */
async function usual(ask, name, wrapper, made, changed) {
  const wrapped = (given) => (wrapper ? { [wrapper]: given } : given);
  const record = await ask(name, "create", wrapped(made));
  await ask(name, "list");
  await ask(name, "update", record?.id, wrapped(changed));
  const shown = await ask(name, "show", record?.id);
  return { id: record?.id, shown, end: () => ask(name, "delete", record?.id) };
}

async function rules(ask) {
  const trigger = await usual(
    ask,
    "triggers",
    "trigger",
    {
      title: "Node trigger",
      conditions: { all: CONDITIONS, any: [] },
      actions: [{ field: "priority", value: "high" }],
      category_id: (await ask("triggers", "list"))?.[0]?.category_id,
    },
    { title: "Node trigger two" },
  );
  await ask("triggers", "listActive");
  await ask("triggers", "search", { query: "Node" });
  await ask("triggers", "definitions");
  await ask("triggers", "updateMany", [{ id: trigger.id, active: false }]);
  const triggers = (await ask("triggers", "list")) ?? [];
  await ask("triggers", "reorder", triggers.map((each) => each.id).reverse());
  const revisions = await ask("triggers", "listRevisions", trigger.id);
  await ask("triggers", "showRevision", trigger.id, revisions?.[0]?.id);
  await ask("triggers", "bulkDelete", [1]);
  await trigger.end();
  const automation = await usual(
    ask,
    "automations",
    "automation",
    {
      title: "Node automation",
      all: [...CONDITIONS, { field: "PENDING", operator: "is", value: "24" }],
      actions: [{ field: "priority", value: "high" }],
    },
    { title: "Node automation two" },
  );
  await ask("automations", "listActive");
  await ask("automations", "search", { query: "Node" });
  await ask("automations", "updateMany", [{ id: automation.id, position: 1 }]);
  await ask("automations", "reorder", [automation.id]);
  await ask("automations", "bulkDelete", [1]);
  await automation.end();
  const macro = await usual(
    ask,
    "macros",
    "macro",
    { title: "Node macro", actions: [{ field: "status", value: "solved" }] },
    { title: "Node macro two" },
  );
  await ask("macros", "listActive");
  await ask("macros", "listByParams", { active: true });
  await ask("macros", "search", { query: "Node" });
  await ask("macros", "categories");
  await ask("macros", "apply", macro.id);
  await ask("macros", "applyTicket", (await ask("tickets", "list"))[0].id, macro.id);
  await ask("macros", "updateMany", [{ id: macro.id, active: false }]);
  await macro.end();
  const policy = await usual(
    ask,
    "policies",
    "sla_policy",
    {
      title: "Node policy",
      filter: { all: [{ field: "type", operator: "is", value: "incident" }], any: [] },
      policy_metrics: [
        { priority: "high", metric: "first_reply_time", target: 30, business_hours: false },
      ],
    },
    { title: "Node policy two" },
  );
  await ask("policies", "getDefinitions");
  await ask("policies", "reorder", [policy.id]);
  await policy.end();
  return [trigger, automation, macro, policy].map((rule) => rule.shown?.title);
}

async function forms(ask) {
  const field = await usual(
    ask,
    "ticketfields",
    "ticket_field",
    {
      type: "tagger",
      title: "Node field",
      custom_field_options: [{ name: "A", value: "node_x" }],
    },
    { title: "Node field two" },
  );
  await ask("ticketfields", "listWithLocale", "en-US");
  await ask("ticketfields", "count");
  const options = await ask("ticketfields", "listOptions", field.id);
  await ask("ticketfields", "createOrUpdateOption", field.id, {
    custom_field_option: { name: "B", value: "node_y" },
  });
  await ask("ticketfields", "showOption", field.id, (options?.custom_field_options ?? options)?.[0]?.id);
  await ask("ticketfields", "deleteOption", field.id, (options?.custom_field_options ?? options)?.[0]?.id);
  const form = await usual(
    ask,
    "ticketforms",
    "ticket_form",
    { name: "Node form", ticket_field_ids: [field.id] },
    { name: "Node form two" },
  );
  await ask("ticketforms", "clone", form.id);
  await ask("ticketforms", "reorder", [form.id]);
  await form.end();
  await field.end();
  const brand = await ask("brand", "create", {
    brand: { name: "Node brand", subdomain: "node-brand" },
  });
  await ask("brand", "list");
  await ask("brand", "update", { brand: { name: "Node brand two" } }, brand?.id);
  const branded = await ask("brand", "show", brand?.id);
  await ask("brand", "checkHostMapping", "help.node.example", "node-brand");
  await ask("brand", "checkHostMappingForExistingBrand", brand?.id);
  await ask("brand", "delete", brand?.id);
  for (const method of ["list", "showCurrent", "current", "listForAgent", "listPublicLocales"]) {
    await ask("locales", method);
  }
  await ask("locales", "show", "en-US");
  await ask("locales", "detectBestLocale", ["de", "en-US"]);
  await ask("accountsettings", "show");
  await ask("accountsettings", "update", { settings: { active_features: {} } });
  return [field.shown?.title, form.shown?.name, branded?.name];
}

async function texts(ask) {
  const item = await ask("dynamiccontent", "createItem", {
    item: {
      name: "Node text",
      default_locale_id: 1,
      variants: [{ locale_id: 1, default: true, content: "Good day" }],
    },
  });
  await ask("dynamiccontent", "listItems");
  await ask("dynamiccontent", "listAllItems");
  await ask("dynamiccontent", "updateItem", item?.id, { item: { name: "Node words" } });
  const shown = await ask("dynamiccontent", "showItem", item?.id);
  await ask("dynamiccontent", "showManyItems", [item?.placeholder?.slice(2, -2)]);
  await ask("dynamiccontentvariants", "list", item?.id);
  const locales = await ask("locales", "list");
  const other = locales?.find((locale) => locale.id !== 1);
  const variant = await ask("dynamiccontentvariants", "create", item?.id, {
    variant: { locale_id: other?.id, content: "Guten Tag" },
  });
  await ask("dynamiccontentvariants", "show", item?.id, variant?.id);
  await ask("dynamiccontentvariants", "update", item?.id, variant?.id, {
    variant: { content: "Hallo" },
  });
  await ask("dynamiccontentvariants", "updateMany", item?.id, [
    { id: variant?.id, content: "Hallo!" },
  ]);
  await ask("dynamiccontentvariants", "delete", item?.id, variant?.id);
  await ask("dynamiccontentvariants", "createMany", item?.id, [
    { locale_id: other?.id, content: "Moin" },
  ]);
  await ask("dynamiccontent", "deleteItem", item?.id);
  const ticket = (await ask("tickets", "list"))[0].id;
  await ask("tags", "create", ticket, ["node"]);
  await ask("tags", "list");
  await ask("tags", "show", ticket);
  await ask("tags", "update", ticket, ["node", "two"]);
  await ask("tags", "delete", ticket, ["two"]);
  return [shown?.name, variant?.content];
}

async function views(ask) {
  const view = await usual(
    ask,
    "views",
    "view",
    { title: "Node view", all: CONDITIONS, output: { columns: ["subject"] } },
    { title: "Node view two" },
  );
  for (const method of ["listActive", "listCompact", "listActiveShared"]) await ask("views", method);
  await ask("views", "execute", view.id, { per_page: 1 });
  for (const method of ["tickets", "showCount", "export", "showExecutionStatus"]) {
    await ask("views", method, view.id);
  }
  await ask("views", "showRecentTicketIDs", view.id);
  await ask("views", "showCounts", [view.id]);
  await ask("views", "preview", { view: { all: CONDITIONS, output: { columns: ["subject"] } } });
  await ask("views", "reorder", [view.id]);
  for (const method of ["query", "queryAll"]) await ask("search", method, "type:ticket mirror");
  await ask("search", "showResultsCount", "type:ticket");
  await ask("search", "exportResults", "status>=new", "ticket", 100);
  for (const method of ["queryAnonymous", "queryAnonymousAll"]) await ask("search", method, "mirror");
  return view.shown?.title;
}

async function ties(ask) {
  const webhook = await ask("webhooks", "create", { webhook: WEBHOOK });
  const id = webhook?.id ?? webhook?.webhook?.id;
  await ask("webhooks", "list");
  await ask("webhooks", "show", id);
  await ask("webhooks", "update", id, { webhook: { ...WEBHOOK, name: "Node bell two" } });
  await ask("webhooks", "patch", id, { webhook: { name: "Node bells" } });
  await ask("webhooks", "test", { request: { payload: "{}" } }, id);
  const invocations = await ask("webhooks", "listInvocations", id);
  await ask("webhooks", "listInvocationAttempts", id, invocations?.invocations?.[0]?.id ?? "none");
  await ask("webhooks", "getSigningSecret", id);
  await ask("webhooks", "resetSigningSecret", id);
  await ask("webhooks", "delete", id);
  const oauth = await usual(
    ask,
    "oauthclients",
    null,
    { name: "Node app", identifier: "node_app", redirect_uri: ["https://node.example/back"] },
    { name: "Node app two" },
  );
  await ask("oauthclients", "generateSecret", oauth.id);
  const made = await ask("oauthtokens", "create", {
    token: { client_id: oauth.id, scopes: ["read"] },
  });
  await ask("oauthtokens", "list");
  await ask("oauthtokens", "current");
  await ask("oauthtokens", "show", made?.id);
  await ask("oauthtokens", "revoke", made?.id);
  await oauth.end();
  for (const name of ["targets", "installations"]) await ask(name, "list");
  await ask("sharingagreement", "show");
  return oauth.shown?.name;
}

module.exports = { areas: { rules, forms, texts, views, ties } };
