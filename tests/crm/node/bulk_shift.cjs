// An unmodified jsforce doing bulk jobs in a CRM: `node bulk_shift.cjs ORIGIN TOKEN`.
// Prints what came of each area as JSON.
const jsforce = require("jsforce");

const [instanceUrl, accessToken] = process.argv.slice(2);
const conn = new jsforce.Connection({ instanceUrl, accessToken, version: "64.0" });
conn.bulk.pollInterval = 20;
conn.bulk2.pollInterval = 20;

async function refused(promise) {
  try {
    await promise;
  } catch (error) {
    return [error.errorCode ?? error.name, error.message.split("\n")[0]];
  }
  return "not refused";
}

async function first() {
  const records = [{ Name: "Ash", Phone: "1" }, { Name: "Birch", Phone: "2" }, { Name: "", Phone: "3" }];
  const made = await conn.bulk.load("Account", "insert", records);
  const changed = await conn.bulk.load("Account", "update", [{ Id: made[0].id, Name: "Asher", Phone: null }]);
  const text = await conn.bulk.load("Contact", "upsert", { extIdField: "Email" }, "LastName,Email\nHolm,e@x.example\n");
  const found = await (await conn.bulk.query("SELECT Id, Name FROM Account WHERE Name IN ('Asher', 'Birch') ORDER BY Name")).toArray();
  const job = conn.bulk.createJob("Account", "delete");
  const batch = job.createBatch();
  batch.execute([{ Id: made[1].id }]);
  await new Promise((resolve, reject) => batch.on("queue", resolve).on("error", reject));
  const info = await job.check();
  const results = await batch.retrieve();
  await job.close();
  return {
    made: made.map((one) => [one.success, one.errors.map((error) => error.split(":")[0])]),
    changed: [changed[0].success, (await conn.sobject("Account").retrieve(made[0].id)).Name],
    upserted: text[0].success,
    found: found.map((one) => one.Name),
    deleted: [info.numberBatchesTotal, results[0].success],
    wrong: await refused(conn.bulk.load("Nothing", "insert", records)),
    missing: await refused(conn.bulk.load("Account", "insert", [{ Nothing: "x" }])),
  };
}

async function second() {
  const records = [{ Name: "Cedar", Industry: "Energy" }, { Name: "Elm", Industry: null }, { Industry: "Energy" }];
  const made = await conn.bulk2.loadAndWaitForResults({ object: "Account", operation: "insert", input: records });
  const found = await (await conn.bulk2.query("SELECT Name, Owner.Username FROM Account WHERE Name IN ('Cedar', 'Elm') ORDER BY Name")).toArray();
  const job = conn.bulk2.createJob({ object: "Account", operation: "delete" });
  await job.open();
  await job.uploadData(made.successfulResults.map((one) => ({ Id: one.sf__Id })));
  await job.close();
  await job.poll(20, 10000);
  const info = await job.check();
  await job.delete();
  const all = await (await conn.bulk2.query("SELECT Name FROM Account WHERE Name IN ('Cedar', 'Elm')", { scanAll: true })).toArray();
  const aborted = conn.bulk2.createJob({ object: "Account", operation: "insert" });
  await aborted.open();
  await aborted.abort();
  return {
    saved: made.successfulResults.map((one) => [one.sf__Created, one.Name]),
    failed: made.failedResults.map((one) => one.sf__Error.split(":")[0]),
    unprocessed: made.unprocessedRecords,
    found: found.map((one) => [one.Name, one["Owner.Username"].includes("@")]),
    deleted: [info.state, info.numberRecordsProcessed],
    gone: await refused(job.check()),
    all: all.length,
    aborted: (await aborted.check()).state,
    wrong: await refused(conn.bulk2.query("SELECT Nothing FROM Account")),
    missing: await refused(conn.bulk2.loadAndWaitForResults({ object: "Account", operation: "insert", input: [{ Nothing: "x" }] })),
  };
}

async function session() {
  let refreshes = 0;
  const expired = new jsforce.Connection({
    instanceUrl,
    accessToken: accessToken.slice(0, -1) + (accessToken.endsWith("0") ? "1" : "0"),
    version: "64.0",
    refreshFn: async (_, callback) => {
      refreshes += 1;
      callback(null, accessToken);
    },
  });
  expired.bulk.pollInterval = 20;
  const made = await expired.bulk.load("Account", "insert", [{ Name: "Fir" }]);
  return { made: made[0].success, refreshes };
}

(async () => {
  console.log(JSON.stringify({ bulk: await first(), bulk2: await second(), session: await session() }));
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
