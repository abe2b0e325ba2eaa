// Tells the server that a ticket is before somebody, and shows who else is there.

import { owe, paid } from "./owed.js";

const EVERY = 30_000;

export function refinePresence(root) {
  const box = root.querySelector("[data-presence]");
  if (!box) return;
  const { presence: address, token } = box.dataset;
  const values = { authenticity_token: token };
  const tell = () => {
    if (!document.hidden) window.htmx.ajax("POST", address, { source: box, target: box, swap: "innerHTML", values });
  };
  paid.then(tell);
  setInterval(tell, EVERY);
  document.addEventListener("visibilitychange", tell);
  window.addEventListener("pagehide", () => owe(address, Object.entries({ ...values, left: "1" })));
}
