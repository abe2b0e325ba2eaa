/* Each reading call of a `jira.js` client, once. */

"use strict";

const { refused } = require("./jira_day.cjs");

/* Return each group of a client with its methods. */
function methods(client) {
  return Object.entries(client)
    .filter(([name, group]) => group?.constructor && !["config", "instance"].includes(name))
    .flatMap(([name, group]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(group))
        .filter((method) => method !== "constructor" && !method.startsWith("_"))
        .map((method) => [name, method]),
    );
}

/* Return an argument; null says that none is given. */
function argument(ids, group, method, name) {
  const keys = [`${group}.${method}.${name}`, `${group}.${name}`, name];
  return ids[keys.find((key) => ids[key] !== undefined)] ?? undefined;
}

/* Call a method: those without arguments take only a callback, which is left out. */
function call(group, method, given) {
  return /^async \w+\(callback\)/.test(String(group[method])) ? group[method]() : group[method](given);
}

/* Call each method that sends a GET, and return what it was answered by family, group and method.
 *
 * A first client, whose adapter sends nothing, tells which methods read. Arguments are of `ids`, as
 * `jira_known.cjs` names them.
 */
async function read(family, Client, settings, ids) {
  const sent = [];
  const adapter = async (config) => {
    sent.push(config.method);
    return { data: {}, status: 200, headers: {}, config };
  };
  const dry = new Client({ ...settings, baseRequestConfig: { adapter } });
  const client = new Client(settings);
  const found = {};
  for (const [group, method] of methods(client)) {
    const given = new Proxy({}, { get: (_, name) => argument(ids, group, method, name) });
    sent.length = 0;
    await call(dry[group], method, given).catch(() => null);
    if (sent[0]?.toLowerCase() !== "get") continue;
    found[`${family}.${group}.${method}`] = await refused(call(client[group], method, given));
  }
  return found;
}

module.exports = { read };
