// The ticket form: choices that change the form are carried out by the server, without sending it.

import { Combobox } from "./combobox.js";
import { keepDrafts } from "./drafts.js";

// What the form holds, and whether somebody is in the middle of a word.
const held = (form) => JSON.stringify([...new FormData(form)].filter(([, value]) => typeof value === "string"));
const isTyping = (form) => [...form.querySelectorAll(".tokens input")].some((input) => input.value.trim());

// How long after the last key, or the last entry into a field, somebody counts as writing.
const WRITING = 400;
const isText = (field) => field.matches("input:not([type=checkbox], [type=file], [type=hidden]), textarea, [contenteditable]");
const nameOf = (field) => field.getAttribute("aria-label") || field.id;

// Ask the server for the form as it would be with these choices, and swap its parts.
export function preview(form, choices) {
  if (isTyping(form)) {
    form.addEventListener("change", () => preview(form, choices), { once: true });
    return;
  }
  form.choices = { ...form.choices, ...choices };
  window.htmx.trigger(form, "preview");
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

// An answer to what the form no longer holds would undo what was typed meanwhile, and one that comes
// between two keys would swallow the second: ask again. What was asked is kept with each request,
// since one may wait for another that is under way.
function keepPace(form) {
  for (const kind of ["focusin", "keydown", "input"]) {
    form.addEventListener(kind, (event) => {
      if (!isText(event.target)) return;
      clearTimeout(form.writing);
      form.writing = setTimeout(() => { form.writing = 0; }, WRITING);
    });
  }
  form.addEventListener("htmx:configRequest", (event) => {
    const request = event.detail;
    if (request.elt !== form) return;
    request.asked = { choices: form.choices ?? {}, held: held(form) };
    form.choices = {};
    for (const [name, value] of Object.entries(request.asked.choices)) request.parameters[name] = value;
  });
  form.addEventListener("htmx:beforeSwap", (event) => {
    const { elt, asked } = event.detail.requestConfig;
    if (elt !== form) return;
    if (!form.writing && !isTyping(form) && held(form) === asked.held) {
      form.left = form.contains(document.activeElement) ? nameOf(document.activeElement) : "";
      return;
    }
    event.detail.shouldSwap = false;
    if (form.writing) setTimeout(() => preview(form, asked.choices), WRITING);
    else preview(form, asked.choices);
  });
  form.addEventListener("htmx:afterSettle", () => {
    if (!form.left || form.contains(document.activeElement)) return;
    [...form.elements, ...form.querySelectorAll("[contenteditable]")].find((field) => nameOf(field) === form.left)?.focus();
    form.left = "";
  });
}

// Whether a choice was changed before the scripts were there to tell the server.
function wasChanged(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (!field.options) return field.value !== field.defaultValue;
  const options = [...field.options];
  return field.value !== (options.find((option) => option.defaultSelected) ?? options[0])?.value;
}

export function refineTicketForm(root) {
  for (const select of root.querySelectorAll("select[data-picker]")) pickMacro(select);
  for (const button of root.querySelectorAll("[data-take-it]")) takeIt(button);
  for (const field of root.querySelectorAll("[data-refresh]")) {
    field.addEventListener("change", () => preview(field.form, {}));
  }
  const form = root.querySelector("#ticket-form, #new-request");
  if (!form) return;
  keepPace(form);
  keepDrafts(form);
  // Once htmx has seen to the page, which it does after the scripts.
  document.addEventListener("htmx:load", () => {
    if ([...form.querySelectorAll("[data-refresh]")].some(wasChanged)) preview(form, {});
  }, { once: true });
  // Enter in a field is no order to submit the ticket.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input:not([type=checkbox], [type=file])")) event.preventDefault();
  });
  const shortcut = form.querySelector(".default-submit[data-submits]");
  if (shortcut) shortcut.disabled = false;
  const log = form.querySelector('.log[role="log"]');
  if (log) log.scrollTop = log.scrollHeight;
}
