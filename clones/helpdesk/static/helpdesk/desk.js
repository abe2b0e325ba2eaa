// What scripts add to pages that work without them. Parts that htmx swaps in are refined too.

import { showPlace } from "./admin.js";
import { refineComposer } from "./composer.js";
import { listenForDependents } from "./dependent.js";
import { listenForDialogs } from "./dialogs.js";
import { refineFields } from "./fields.js";
import { listenForKeys } from "./keys.js";
import { refineKnowledge } from "./knowledge.js";
import { listenInMenus } from "./menus.js";
import "./owed.js";
import { refinePresence } from "./presence.js";
import { listenToRules } from "./rule_editor.js";
import { listenToRuleLists } from "./rule_lists.js";
import { refineTables } from "./tables.js";
import { refineTicketForm } from "./ticket_form.js";

const REFINEMENTS = [
  refineFields, refineComposer, refineKnowledge, refineTicketForm, refineTables, refinePresence,
];

function refine(root) {
  for (const refinement of REFINEMENTS) refinement(root);
}

// htmx reports the page itself too: it is refined once, here.
document.addEventListener("htmx:load", (event) => {
  if (event.detail.elt !== document.body) refine(event.detail.elt);
});
refine(document.body);
listenInMenus();
listenForDialogs();
listenForKeys();
showPlace();
listenForDependents();
listenToRules();
listenToRuleLists();
