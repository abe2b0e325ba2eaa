/* Part of a day by the public `node-zendesk` client, as it comes from npm.
 *
 * Arguments: address of the data plane, e-mail, API token, `work` or `export`. It knows nothing of
 * this project: only the address differs from what it would do with the vendor. Prints one JSON
 * object.
 */

"use strict";

const { createClient } = require("node-zendesk");

const [origin, username, token, part] = process.argv.slice(2);
const options = { username, token, endpointUri: `${origin}/api/v2` };
const client = createClient(options);
const inSteps = createClient({ ...options, query: { per_page: 60 } });

/* Return the status of a refusal, as the client tells it; 0 if there was none. */
async function refused(attempt) {
  try {
    await attempt;
    return 0;
  } catch (error) {
    return Number(/Zendesk Error \((\d{3})\)/.exec(error.message)[1]);
  }
}

async function people() {
  const { result: me } = await client.users.me();
  const everybody = await client.users.list();
  const user = { name: "Ilse Kranz", email: "ilse.kranz@kranz-werk.example" };
  const { result: made } = await client.users.create({ user });
  const { result: changed } = await client.users.update(made.id, { user: { phone: "+49 30 1" } });
  await client.users.addTags(made.id, { tags: ["laser"] });
  const { result: shown } = await client.users.show(made.id);
  const found = await client.users.search({ query: made.email });
  return {
    me: me.email,
    listed: everybody.length,
    distinct: new Set(everybody.map((item) => item.id)).size,
    made: made.id,
    phone: changed.phone,
    tags: shown.tags,
    found: found.map((item) => item.id),
    twice: await refused(client.users.create({ user })),
  };
}

async function tickets(requester) {
  const before = await client.tickets.list();
  const { result: made } = await client.tickets.create({
    ticket: { subject: "Mirror is cloudy", requester_id: requester, comment: { body: "Help?" } },
  });
  const { result: changed } = await client.tickets.update(made.id, {
    ticket: { status: "pending", comment: { body: "Please wipe it.", public: true } },
  });
  await client.tickets.updateTags(made.id, { tags: ["mirror"] });
  await client.tickets.addTags(made.id, { tags: ["optics"] });
  const { result: shown } = await client.tickets.show(made.id);
  const comments = await client.tickets.getComments(made.id);
  const audits = await client.tickets.exportAudit(made.id);
  const requested = await client.tickets.listByUserRequested(requester);
  const after = await client.tickets.list();
  const { result: answer } = await client.tickets.createMany({
    tickets: [{ description: "One." }, { description: "Two." }],
  });
  const job = await client.jobstatuses.watch(answer.job_status.id, 10, 50);
  return {
    made: made.id,
    status: changed.status,
    tags: shown.tags,
    comments: comments.map((item) => item.body),
    audits: audits.length,
    requested: requested.map((item) => item.id),
    before: before.length,
    after: after.length,
    distinct: new Set(after.map((item) => item.id)).size,
    job: [job.status, job.results.length],
    absent: await refused(client.tickets.show(99999999)),
    wordless: await refused(client.tickets.create({ ticket: { subject: "No words" } })),
  };
}

async function search(subject) {
  const found = await client.search.queryAll(`type:ticket subject:"${subject}"`);
  const { result: count } = await client.search.showResultsCount("type:ticket");
  const everything = await client.search.queryAll("type:ticket");
  const exported = await client.search.exportResults("status>=new", "ticket", 50);
  return {
    found: found.map((item) => [item.result_type, item.id]),
    count: count.count,
    everything: everything.length,
    exported: new Set(exported.map((item) => item.id)).size,
    wrong: await refused(client.search.queryAll("created>yesteryear")),
  };
}

async function views() {
  const all = await client.views.list();
  const { result: made } = await client.views.create({
    view: {
      title: "Cloudy mirrors",
      all: [
        { field: "status", operator: "less_than", value: "closed" },
        { field: "current_tags", operator: "includes", value: "mirror" },
      ],
      output: { columns: ["subject", "status"] },
    },
  });
  const pages = await client.views.tickets(made.id);
  const { result: count } = await client.views.showCount(made.id);
  await client.views.update(made.id, { view: { title: "Mirrors" } });
  const { result: shown } = await client.views.show(made.id);
  return {
    all: all.length,
    rows: pages.flatMap((page) => page.tickets.map((item) => item.id)),
    count: count.view_count.value,
    title: shown.title,
  };
}

/* Follow the cursor until the stream says that it ends. */
async function stream() {
  const seen = new Set();
  let pages = 0;
  let cursor = "";
  for (;;) {
    const { result } = await inSteps.ticketexport.exportCursor(1, cursor);
    pages += 1;
    for (const ticket of result.tickets) seen.add(ticket.id);
    if (result.end_of_stream) return { pages, tickets: [...seen] };
    if (!result.after_cursor || pages > 1000) throw new Error("the stream does not end");
    cursor = result.after_cursor;
  }
}

async function byTime() {
  const changed = await client.tickets.incremental(1);
  const people = await client.users.incremental(1);
  return { tickets: changed.map((item) => item.id), users: people.map((item) => item.id) };
}

async function work() {
  const report = { people: await people() };
  report.tickets = await tickets(report.people.made);
  report.views = await views();
  report.search = await search("Mirror is cloudy");
  return report;
}

async function everything() {
  return { stream: await stream(), byTime: await byTime() };
}

(part === "work" ? work() : everything())
  .then((report) => process.stdout.write(JSON.stringify(report)))
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
