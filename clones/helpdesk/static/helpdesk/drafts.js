// What a ticket's form holds and was not sent is kept on the server while somebody types.

import { owe } from "./owed.js";

const PAUSE = 200;
const held = (form) => [...new FormData(form)].filter(([, value]) => typeof value === "string");

export function keepDrafts(form) {
  if (!form.dataset.draft) return;
  let timer = 0;
  // How many changes there were, and how many of them the server is known to have.
  let changes = 0;
  let kept = 0;
  const save = async () => {
    const now = changes;
    await fetch(form.dataset.draft, { method: "POST", body: new URLSearchParams(held(form)) });
    kept = now;
  };
  const later = () => {
    changes += 1;
    clearTimeout(timer);
    // What could not be kept is still owed.
    timer = setTimeout(() => save().catch(() => {}), PAUSE);
  };
  for (const kind of ["input", "change", "draft", "htmx:afterSettle"]) form.addEventListener(kind, later);
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    kept = changes;
  });
  // Who turns to another page before the pause is over loses nothing.
  window.addEventListener("pagehide", () => {
    if (kept < changes) owe(form.dataset.draft, held(form));
  });
}
