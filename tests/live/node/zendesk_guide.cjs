/* The help centre by the public `node-zendesk` client, files, and products that an account lacks. */

"use strict";

const fs = require("node:fs");

const LOCALE = "en-us";

async function guide(ask) {
  const say = (part, method, ...given) => ask(`helpcenter.${part}`, method, ...given);
  const category = await say("categories", "create", {
    category: { name: "Node", locale: LOCALE, position: 1 },
  });
  await say("categories", "list");
  await say("categories", "listWithLocale", LOCALE);
  await say("categories", "show", category?.id);
  await say("categories", "update", category?.id, { category: { position: 2 } });
  await say("categories", "updateWithLocale", LOCALE, category?.id, { category: { position: 3 } });
  await say("categories", "updateSourceLocale", category?.id, LOCALE);
  const section = await say("sections", "create", category?.id, {
    section: { name: "Node section", locale: LOCALE },
  });
  const second = await say("sections", "createWithLocale", LOCALE, category?.id, {
    section: { name: "Node section two" },
  });
  await say("sections", "list");
  await say("sections", "listWithLocale", LOCALE);
  await say("sections", "listByCategory", category?.id);
  const both = await say("sections", "listByCategoryByLocale", LOCALE, category?.id);
  await say("sections", "show", section?.id);
  await say("sections", "showWithLocale", LOCALE, section?.id);
  await say("sections", "update", section?.id, { section: { position: 2 } });
  await say("sections", "updateWithLocale", LOCALE, section?.id, { section: { position: 3 } });
  await say("sections", "updateSourceLocale", section?.id, LOCALE);
  await say("accesspolicies", "show", section?.id);
  await say("accesspolicies", "update", section?.id, { access_policy: { viewable_by: "staff" } });
  const found = await articles(say, ask, category, section, second);
  await say("sections", "delete", second?.id);
  await say("sections", "delete", section?.id);
  await say("categories", "delete", category?.id);
  await say("translations", "listLocales");
  return { sections: both?.map((item) => item.name), ...found };
}

async function articles(say, ask, category, section, second) {
  const old = (await say("articles", "list"))?.[0];
  const text = {
    title: "Node article",
    body: "<p>Wipe the mirror.</p>",
    locale: LOCALE,
    permission_group_id: old?.permission_group_id,
    user_segment_id: null,
    label_names: ["node-label"],
  };
  const article = await say("articles", "create", section?.id, { article: text });
  const other = await say("articles", "createWithLocale", LOCALE, second?.id, { article: text });
  for (const [method, ...given] of [
    ["listByLocale", LOCALE],
    ["listBySection", section?.id],
    ["listBySectionByLocale", LOCALE, section?.id],
    ["listByCategory", category?.id],
    ["listByCategoryByLocale", LOCALE, category?.id],
    ["listByUser", article?.author_id],
    ["listSinceStartTime", 1],
    ["showWithLocale", LOCALE, article?.id],
    ["update", article?.id, { article: { promoted: true } }],
    ["updateWithLocale", LOCALE, article?.id, { article: { position: 2 } }],
    ["associateAttachmentsInBulk", article?.id, { attachment_ids: [1] }],
  ]) {
    await say("articles", method, ...given);
  }
  const labelled = await say("articles", "listByLabelNames", ["node-label"]);
  const shown = await say("articles", "show", article?.id);
  for (const method of ["searchArticles", "searchArticlesByLabels", "searchQuestions"]) {
    await say("search", method, method === "searchArticlesByLabels" ? "node-label" : "mirror");
  }
  await say("search", "searchArticlesInLocale", "mirror", LOCALE);
  const label = await say("articlelabels", "create", article?.id, { label: { name: "node-two" } });
  await say("articlelabels", "list");
  await say("articlelabels", "listByArticle", article?.id);
  await say("articlelabels", "show", label?.id);
  await say("articlelabels", "delete", article?.id, label?.id);
  const said = await talk(say, article);
  await translations(say, article, section, category);
  for (const method of ["list", "listInline", "listBlock"]) {
    await say("articleattachments", method, article?.id);
  }
  for (const method of ["show", "delete"]) await say("articleattachments", method, 1);
  const me = await ask("users", "me");
  await segments(say, me);
  await subscriptions(say, me, article, section);
  await say("articles", "delete", other?.id);
  await say("articles", "delete", article?.id);
  return { title: shown?.title, promoted: shown?.promoted, labelled: labelled?.length, ...said };
}

async function talk(say, article) {
  const comment = await say("articlecomments", "create", article?.id, {
    comment: { body: "It helped", locale: LOCALE },
  });
  await say("articlecomments", "listByArticle", article?.id);
  await say("articlecomments", "listByUser", comment?.author_id);
  await say("articlecomments", "update", article?.id, comment?.id, {
    comment: { body: "It helped me" },
  });
  const shown = await say("articlecomments", "show", article?.id, comment?.id);
  await say("articlecomments", "delete", article?.id, comment?.id);
  const vote = await say("votes", "createUpVoteForArticle", article?.id);
  await say("votes", "createDownVoteForArticle", article?.id);
  await say("votes", "listByArticle", article?.id);
  await say("votes", "listByUser", article?.author_id);
  await say("votes", "show", vote?.id);
  await say("votes", "delete", vote?.id);
  for (const kind of ["Question", "Answer"]) {
    for (const way of ["Up", "Down"]) await say("votes", `create${way}VoteFor${kind}`, 1);
  }
  return { said: shown?.body, vote: vote?.value };
}

async function translations(say, article, section, category) {
  const given = { Article: article?.id, Section: section?.id, Category: category?.id };
  await say("translations", "show", article?.id, LOCALE);
  for (const [kind, id] of Object.entries(given)) {
    await say("translations", `listBy${kind}`, id);
    await say("translations", `listMissingLocalesBy${kind}`, id);
    const translation = { title: kind === "Article" ? "Node article" : `Node ${kind}` };
    await say("translations", `updateFor${kind}`, id, LOCALE, { translation });
    await say("translations", `createFor${kind}`, id, { translation: { locale: "de", title: "N" } });
  }
  await say("translations", "delete", 1);
}

async function segments(say, me) {
  const pages = (await say("usersegments", "list")) ?? [];
  const [segment] = pages.flatMap((page) => page.user_segments ?? page);
  await say("usersegments", "listApplicable");
  await say("usersegments", "listByUser", me.id);
  for (const method of ["show", "listSections", "listTopics"]) {
    await say("usersegments", method, segment?.id);
  }
  const user_segment = { name: "Node people", user_type: "signed_in_users" };
  await say("usersegments", "create", { user_segment });
  await say("usersegments", "update", segment?.id, { user_segment });
  await say("usersegments", "delete", 1);
}

async function subscriptions(say, me, article, section) {
  await say("subscriptions", "listByUser", me.id);
  for (const [kind, id] of [["Article", article?.id], ["Section", section?.id]]) {
    await say("subscriptions", `listBy${kind}`, id);
    await say("subscriptions", `createby${kind}`, id, { subscription: { locale: LOCALE } });
    await say("subscriptions", `showby${kind}`, id, 1);
    await say("subscriptions", `deleteby${kind}`, id, 1);
  }
}

async function files(ask) {
  fs.writeFileSync("spot.txt", "0123456789");
  const given = { filename: "spot.txt", binary: false };
  const upload = await ask("attachments", "upload", "spot.txt", given);
  const token = upload?.upload?.token ?? upload?.token;
  const again = await ask("attachments", "upload", "spot.txt", given);
  await ask("attachments", "deleteUpload", again?.upload?.token ?? again?.token);
  const [person] = await ask("users", "search", { query: "ada@work.example" });
  const ticket = await ask("tickets", "create", {
    ticket: { requester_id: person.id, comment: { body: "See file", uploads: [token] } },
  });
  const pages = await ask("tickets", "getComments", ticket.id);
  const comment = pages.flatMap((page) => page.comments ?? page)[0];
  const file = comment.attachments[0];
  const shown = await ask("attachments", "show", file?.id);
  await ask("attachments", "updateAttachmentForMalware", file?.id, true);
  await ask("attachments", "redactAttachmentComment", ticket.id, comment.id, file?.id);
  const after = (await ask("tickets", "getComments", ticket.id)).flatMap((p) => p.comments ?? p)[0];
  return [shown?.file_name, shown?.size, after.attachments.map((item) => item.file_name)];
}

/* Ask for what the account has not, and for what only others may make. */
async function lacking(ask) {
  for (const [name, wrapper] of [
    ["installations", "installation"],
    ["permissiongroups", "permission_group"],
    ["targets", "target"],
  ]) {
    await ask(name, "show", 1);
    await ask(name, "create", { [wrapper]: { name: "Node", title: "Node" } });
    await ask(name, "update", 1, { [wrapper]: { name: "Node" } });
    await ask(name, "delete", 1);
  }
  await ask("sharingagreement", "showById", 1);
  await ask("sharingagreement", "create", { sharing_agreement: { remote_subdomain: "node" } });
  await ask("sharingagreement", "update", 1, { sharing_agreement: { status: "accepted" } });
  await ask("sharingagreement", "delete", 1);
  for (const name of ["greetings", "phonenumbers"]) {
    await ask(`voice.${name}`, "show", 1);
    await ask(`voice.${name}`, "create", {});
    await ask(`voice.${name}`, "update", 1, {});
    await ask(`voice.${name}`, "delete", 1);
  }
  await ask("voice.greetingcategories", "show", 1);
  await ask("voice.greetingcategories", "list");
  await ask("voice.greetings", "list");
  await ask("voice.phonenumbers", "list");
  await ask("voice.phonenumbers", "search", { country: "DE" });
  await ask("voice.currentqueueactivity", "show");
  await ask("voice.historicalqueueactivity", "show");
  await ask("voice.agentactivity", "show");
  await ask("voice.availabilities", "show", 1);
  await ask("voice.availabilities", "update", 1, { availability: { agent_state: "online" } });
}

module.exports = { areas: { guide, files, lacking } };
