// What a ticket's form holds and was not sent is kept on the server while somebody types.

import { owe } from "./owed.js";

const PAUSE = 200;
const held = (form) => [...new FormData(form)].filter(([, value]) => typeof value === "string");

export function keepDrafts(form) {
  if (!form.dataset.draft) return;
  let timer = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = 0;
      fetch(form.dataset.draft, { method: "POST", body: new URLSearchParams(held(form)) });
    }, PAUSE);
  };
  for (const kind of ["input", "change", "draft", "htmx:afterSettle"]) form.addEventListener(kind, later);
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    timer = 0;
  });
  // Who turns to another page before the pause is over loses nothing.
  window.addEventListener("pagehide", () => {
    if (timer) owe(form.dataset.draft, held(form));
  });
}
