// What scripts add to the portal, which works without them.

import { listenInMenus } from "./menus.js";
import { refineTicketForm } from "./ticket_form.js";

// Filters take effect when they are chosen.
for (const select of document.querySelectorAll("[data-follows] [data-follow]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}

// A button that does more once something is written says so.
for (const button of document.querySelectorAll("[data-with-text]")) {
  const { body } = button.form.elements;
  const plain = button.textContent;
  const tell = () => { button.textContent = body.value.trim() ? button.dataset.withText : plain; };
  body.addEventListener("input", tell);
  tell();
}

// htmx reports the page itself too: it is refined once, here.
document.addEventListener("htmx:load", (event) => {
  if (event.detail.elt !== document.body) refineTicketForm(event.detail.elt);
});
refineTicketForm(document.body);
listenInMenus();
