/* A day by the public `jira.js` client, as it comes from npm, and then each of its reading calls.
 *
 * Arguments: the site's address, an admin's e-mail, API token and account id, another account id,
 * and the families whose reading calls are swept, with commas. It knows nothing of this project:
 * only the address differs from what it would do with the vendor. Prints one JSON object: by area
 * what came of it, which methods the day called, and what each reading call was answered.
 */

"use strict";

const jira = require("jira.js");
const day = require("./jira_day.cjs");
const desks = require("./jira_desk.cjs");
const plans = require("./jira_plans.cjs");
const { known } = require("./jira_known.cjs");
const { read } = require("./jira_reads.cjs");

const [host, email, apiToken, me, other, swept] = process.argv.slice(2);
const CLIENTS = {
  Version2: jira.Version2Client,
  Version3: jira.Version3Client,
  Agile: jira.AgileClient,
  ServiceDesk: jira.ServiceDeskClient,
};
const settings = { host, authentication: { basic: { email, apiToken } } };

/* Return a client that notes which of its methods are called. */
function noting(family, called) {
  const client = new CLIENTS[family](settings);
  const groups = {
    get: (group, method) => {
      if (typeof group[method] === "function") called.add(`${family}.${group.constructor.name}.${method}`);
      return typeof group[method] === "function" ? group[method].bind(group) : group[method];
    },
  };
  return new Proxy(client, { get: (_, group) => new Proxy(client[group], groups) });
}

async function main() {
  const called = new Set();
  const given = { me, other, ids: {} };
  for (const family of Object.keys(CLIENTS)) given[family] = noting(family, called);
  const report = { areas: {} };
  for (const [name, area] of Object.entries({ ...day.areas, ...plans.areas, ...desks.areas })) {
    try {
      report.areas[name] = await area(given);
    } catch (error) {
      throw new Error(`${name}: ${JSON.stringify(error.response ?? null)}`, { cause: error });
    }
  }
  report.called = [...called].sort();
  report.reads = {};
  const families = swept.split(",").filter(Boolean);
  if (families.length) await known(given);
  for (const family of families) {
    Object.assign(report.reads, await read(family, CLIENTS[family], settings, given.ids));
  }
  process.stdout.write(JSON.stringify(report));
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n${error.cause?.stack ?? ""}\n`);
  process.exit(1);
});
