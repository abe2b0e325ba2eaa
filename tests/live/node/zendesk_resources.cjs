/* Every resource of the public `node-zendesk` client, each method once, as far as one day reaches.
 *
 * Arguments: address of the data plane, an admin's e-mail and API token. It knows nothing of this
 * project: only the address differs from what it would do with the vendor. Prints one JSON object:
 * `answers` has 0 for each method that was answered, else the status of its refusal or the error's
 * first words, `shown` what a second read shows of what was made, `left` the methods not called.
 */

"use strict";

const { createClient } = require("node-zendesk");
const desk = require("./zendesk_desk.cjs");
const guide = require("./zendesk_guide.cjs");
const content = require("./zendesk_content.cjs");

const [origin, username, token] = process.argv.slice(2);
const at = (path) => createClient({ username, token, endpointUri: `${origin}/api/v2${path}` });
const client = at("");
// With an address of one's own, each part of the API needs its own.
const PARTS = { helpcenter: at("/help_center").helpcenter, voice: voice() };
const APART = ["constructor", "_instantiate", "_debug", "agentactivity", "availabilities"];
const answers = {};

/* Return the resources of Talk: two of them hang at the client itself. */
function voice() {
  const found = at("/channels/voice");
  return new Proxy(found.voice, {
    get: (part, name) =>
      ["agentactivity", "availabilities"].includes(name) ? found[name] : part[name],
  });
}

/* Return a resource of a client by its name, which may begin with a part's. */
function resource(name) {
  const [part, own] = name.split(".");
  return own ? PARTS[part][own] : client[part];
}

/* Return a record without the object around it, which the client leaves around some. */
function unwrapped(found) {
  const keys = Object.keys(found ?? {});
  const wrapped = keys.length === 1 && keys[0] !== "id" && !Array.isArray(found);
  return wrapped && typeof found[keys[0]] === "object" ? found[keys[0]] : found;
}

/* Call a method, note what it was answered, and return that or null. */
async function ask(name, method, ...given) {
  const key = `${name}.${method}`;
  try {
    const found = await resource(name)[method](...given);
    answers[key] ??= 0;
    return unwrapped(found?.result ?? found);
  } catch (error) {
    const status = /Zendesk Error \((\d{3})\)/.exec(error.message)?.[1];
    if (process.env.TELL) console.error(key, error.message, String(resource(name)[method]).slice(0,150));
    answers[key] = status ? Number(status) : String(error.message).slice(0, 60);
    return null;
  }
}

/* Return the methods of each resource. */
function methods() {
  const own = (object) => Object.getOwnPropertyNames(Object.getPrototypeOf(object));
  const instantiated = (object) =>
    own(object).filter((name) => !APART.includes(name));
  const all = [
    ...instantiated(client),
    ...Object.entries(PARTS).flatMap(([part, object]) =>
      instantiated(object).map((name) => `${part}.${name}`),
    ),
  ];
  return all.flatMap((name) =>
    own(resource(name))
      .filter((method) => method !== "constructor")
      .map((method) => `${name}.${method}`),
  );
}

async function main() {
  const shown = {};
  for (const [name, area] of Object.entries({ ...desk.areas, ...content.areas, ...guide.areas })) {
    try {
      shown[name] = await area(ask);
    } catch (error) {
      throw new Error(`${name} after ${JSON.stringify(answers)}`, { cause: error });
    }
  }
  const left = methods().filter((name) => !(name in answers));
  process.stdout.write(JSON.stringify({ answers, shown, left }));
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n${error.cause?.stack ?? ""}\n`);
  process.exit(1);
});
