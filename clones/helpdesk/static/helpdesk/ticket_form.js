// The ticket form: choices that change the form are carried out by the server, without sending it.

import { Combobox } from "./combobox.js";

// What the form holds, and whether somebody is in the middle of a word.
const held = (form) => JSON.stringify([...new FormData(form)].filter(([, value]) => typeof value === "string"));
const isTyping = (form) => [...form.querySelectorAll(".tokens input")].some((input) => input.value.trim());

// Ask the server for the form as it would be with these choices, and swap its parts.
export function preview(form, choices) {
  if (isTyping(form)) {
    form.addEventListener("change", () => preview(form, choices), { once: true });
    return;
  }
  form.asked = { choices, held: held(form) };
  for (const [name, value] of Object.entries(choices)) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    input.dataset.once = "";
    form.append(input);
  }
  window.htmx.trigger(form, "preview");
  for (const input of form.querySelectorAll("[data-once]")) input.remove();
}

function pickMacro(select) {
  const form = select.form;
  const input = document.createElement("input");
  const choices = [...select.options].filter((option) => option.value);
  input.type = "text";
  input.className = "c-field__input";
  input.placeholder = "Apply macro";
  input.autocomplete = "off";
  input.setAttribute("aria-label", "Apply macro");
  input.dataset.testId = select.dataset.testId;
  select.replaceWith(input);
  const combobox = new Combobox(input, {
    upwards: true,
    onOpen: true,
    load: async (text) => {
      const wanted = text.toLowerCase();
      const found = choices.filter((choice) => choice.text.toLowerCase().includes(wanted));
      combobox.list.replaceChildren(
        ...found.map((choice) => {
          const option = document.createElement("li");
          option.setAttribute("role", "option");
          option.dataset.value = choice.value;
          option.textContent = choice.text;
          return option;
        }),
      );
    },
    choose: (option) => {
      input.value = "";
      preview(form, { macro_id: option.dataset.value });
    },
  });
}

function takeIt(button) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    const select = button.form.elements.assignee;
    select.value = button.value;
    button.hidden = true;
    select.focus();
  });
}

// An answer to what the form no longer holds would undo what was typed meanwhile: ask again.
function keepPace(form) {
  form.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig.elt !== form) return;
    if (held(form) === form.asked.held && !isTyping(form)) return;
    event.detail.shouldSwap = false;
    preview(form, form.asked.choices);
  });
}

export function refineTicketForm(root) {
  for (const select of root.querySelectorAll("select[data-picker]")) pickMacro(select);
  for (const button of root.querySelectorAll("[data-take-it]")) takeIt(button);
  for (const field of root.querySelectorAll("[data-refresh]")) {
    field.addEventListener("change", () => preview(field.form, {}));
  }
  const form = root.querySelector("#ticket-form");
  if (!form) return;
  keepPace(form);
  // Enter in a field is no order to submit the ticket.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input:not([type=checkbox], [type=file])")) event.preventDefault();
  });
  const shortcut = form.querySelector(".default-submit[data-submits]");
  if (shortcut) shortcut.disabled = false;
  const log = form.querySelector('.log[role="log"]');
  if (log) log.scrollTop = log.scrollHeight;
}
