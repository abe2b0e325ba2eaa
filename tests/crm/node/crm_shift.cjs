// An unmodified jsforce at work in a CRM: `node crm_shift.cjs ORIGIN USERNAME PASSWORD KEY SECRET`.
// Prints what came of each area as JSON.
const jsforce = require("jsforce");

const [origin, username, password, key, secret] = process.argv.slice(2);
const version = "64.0";

async function refused(promise) {
  try {
    await promise;
  } catch (error) {
    return [error.errorCode ?? error.name, error.message.split("\n")[0]];
  }
  return "not refused";
}

async function session() {
  const conn = new jsforce.Connection({ loginUrl: origin, version });
  const user = await conn.login(username, password);
  const identity = await conn.identity();
  const wrong = new jsforce.Connection({ loginUrl: origin, version });
  return [
    conn,
    {
      instance: conn.instanceUrl === origin,
      same: [identity.username === username, identity.user_id === user.id],
      organization: identity.organization_id === user.organizationId,
      versions: (await conn.request("/services/data")).length,
      wrong: await refused(wrong.login(username, "wrong")),
    },
  ];
}

async function oauth() {
  const oauth2 = { loginUrl: origin, clientId: key, clientSecret: secret };
  const conn = new jsforce.Connection({ oauth2, version });
  await conn.authorize({ grant_type: "client_credentials" });
  const first = conn.accessToken;
  const who = (await conn.identity()).username;
  let refreshes = 0;
  const expired = new jsforce.Connection({
    instanceUrl: origin,
    accessToken: first.slice(0, -1) + (first.endsWith("0") ? "1" : "0"),
    version,
    refreshFn: async (_, callback) => {
      refreshes += 1;
      callback(null, first);
    },
  });
  const both = await Promise.all([expired.query("SELECT Id FROM User LIMIT 1"), expired.query("SELECT Id FROM User LIMIT 1")]);
  const byPassword = new jsforce.Connection({ oauth2, version });
  await byPassword.login(username, password);
  await byPassword.logout();
  const ended = new jsforce.Connection({ loginUrl: origin, instanceUrl: origin, accessToken: first, version });
  await ended.logout();
  return {
    who: who === username,
    refreshes,
    both: both.map((one) => one.totalSize),
    after: await refused(new jsforce.Connection({ instanceUrl: origin, accessToken: first, version }).query("SELECT Id FROM User")),
  };
}

async function records(conn) {
  const accounts = conn.sobject("Account");
  const made = await accounts.create({ Name: "Ash & Co", Industry: "Energy", NumberOfEmployees: 12 });
  const id = made.id;
  const shown = await accounts.retrieve(id);
  const changed = await accounts.update({ Id: id, Name: "Ash", Industry: null });
  const after = await conn.query(`SELECT Name, Industry FROM Account WHERE Id = '${id}'`);
  const missing = await refused(accounts.create({ Phone: "1" }));
  const unknown = await refused(accounts.create({ Nmae: "x" }));
  const gone = await accounts.destroy(id);
  return {
    made: [made.success, id.length],
    shown: [shown.Name, shown.NumberOfEmployees, shown.attributes.type],
    changed: [changed.success, after.records[0].Name, after.records[0].Industry],
    gone: gone.success,
    deleted: await refused(accounts.retrieve(id)),
    missing,
    unknown,
  };
}

async function queries(conn) {
  const account = (await conn.sobject("Account").create({ Name: "Beech" })).id;
  for (const LastName of ["A", "B", "C"]) {
    await conn.sobject("Contact").create({ LastName, AccountId: account });
  }
  const nested = await conn.query(
    `SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName) FROM Account WHERE Id = '${account}'`,
  );
  const children = nested.records[0].Contacts;
  const found = await conn
    .sobject("Contact")
    .find({ AccountId: account, LastName: { $ne: "B" } }, { LastName: 1, "Account.Name": 1 })
    .sort({ LastName: -1 })
    .limit(5);
  const grouped = await conn.query(
    `SELECT COUNT(Id) number, AccountId FROM Contact WHERE AccountId = '${account}' GROUP BY AccountId`,
  );
  const total = (await conn.query("SELECT COUNT() FROM OpportunityHistory")).totalSize;
  const headers = { "Sforce-Query-Options": "batchSize=200" };
  const first = await conn.query("SELECT Id FROM OpportunityHistory", { headers });
  const all = await conn.query("SELECT Id FROM OpportunityHistory", { autoFetch: true, maxFetch: 100000, headers });
  await conn.sobject("Contact").destroy((await conn.query("SELECT Id FROM Contact WHERE LastName = 'C' AND Account.Name = 'Beech'")).records[0].Id);
  const text = `SELECT Id FROM Contact WHERE AccountId = '${account}'`;
  return {
    children: [children.totalSize, children.records.map((one) => one.LastName)],
    found: found.map((one) => [one.LastName, one.Account.Name]),
    grouped: [grouped.records[0].number, grouped.records[0].attributes.type],
    pages: [first.records.length, first.done, total > 200, total === all.records.length],
    deleted: [(await conn.query(text)).totalSize, (await conn.query(text, { scanAll: true })).totalSize],
    wrong: await refused(conn.query("SELECT Nothing FROM Account")),
    unknown: await refused(conn.query("SELECT Id FROM Nothing")),
  };
}

async function descriptions(conn) {
  const global = await conn.describeGlobal();
  const account = await conn.sobject("Account").describe();
  return {
    objects: ["Account", "Lead", "Opportunity"].every((name) => global.sobjects.some((one) => one.name === name)),
    account: [account.keyPrefix, account.fields.some((one) => one.name === "Industry"), account.createable],
    children: account.childRelationships.some((one) => one.relationshipName === "Contacts"),
    none: await refused(conn.sobject("Nothing").describe()),
  };
}

async function soap(conn) {
  const lead = await conn.sobject("Lead").create({ FirstName: "Jo", LastName: "Elm", Company: "Elm & Sons" });
  const wanted = { leadId: lead.id, convertedStatus: "Closed - Converted" };
  const converted = await conn.soap.convertLead(wanted);
  const again = await conn.soap.convertLead(wanted);
  const contact = await conn.sobject("Contact").retrieve(converted.contactId);
  const saved = await conn.soap.create([{ type: "Account", Name: "One" }, { type: "Account", Name: "Two" }, { type: "Account" }]);
  const ids = saved.map((one) => one.id);
  const merged = await conn.soap.merge({ masterRecord: { type: "Account", Id: ids[0] }, recordToMergeIds: [ids[1]] });
  await conn.sobject("Account").destroy(ids[0]);
  const back = await conn.soap.undelete([ids[0], "nothing"]);
  await conn.sobject("Account").destroy(ids[0]);
  const emptied = await conn.soap.emptyRecycleBin([ids[0]]);
  const who = await conn.soap.getUserInfo();
  const at = (await conn.soap.getServerTimestamp()).timestamp;
  return {
    converted: [converted.success, contact.Name, contact.AccountId === converted.accountId],
    again: [again.success, again.errors[0].statusCode],
    saved: saved.map((one) => one.success),
    merged: [merged.success, merged.mergedRecordIds[0] === ids[1]],
    back: back.map((one) => one.success),
    emptied: emptied.map((one) => one.success),
    who: who.userName === username,
    at: /^\d{4}-\d\d-\d\dT/.test(at),
  };
}

(async () => {
  const [conn, first] = await session();
  console.log(
    JSON.stringify({
      session: first,
      oauth: await oauth(),
      records: await records(conn),
      queries: await queries(conn),
      descriptions: await descriptions(conn),
      soap: await soap(conn),
    }),
  );
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
