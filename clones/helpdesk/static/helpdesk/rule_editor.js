// Rows of conditions and actions: patterns from the page take the place of asking the server.

import { refineFields } from "./fields.js";

const NAME = /^(?:__row__|(?:all|any|actions)-\d+)/;
const rowsOf = (section) => [...section.querySelectorAll("[data-rule-row]")];

function patternOf(section, field) {
  const name = `${section.dataset.kind}:${field}`;
  const pattern = document.querySelector(`template[data-pattern="${CSS.escape(name)}"]`);
  return pattern ? document.importNode(pattern.content, true).firstElementChild : null;
}

// What is drawn of a closed select is a copy that only a choice brings up to date.
function redraw(root) {
  for (const select of root.querySelectorAll("select:not([multiple])")) {
    const at = select.selectedIndex;
    select.selectedIndex = -1;
    select.selectedIndex = at;
  }
}

// Rows are numbered as they stand: names and labels follow.
function renumber(section) {
  rowsOf(section).forEach((row, at) => {
    const prefix = `${section.dataset.ruleSection}-${at}`;
    const label = `${section.dataset.rowLabel} ${at + 1}`;
    row.setAttribute("aria-label", label);
    for (const input of row.querySelectorAll("[name]")) input.name = input.name.replace(NAME, prefix);
    for (const input of row.querySelectorAll("[data-label]")) {
      const text = input.matches("[data-remove-row]") ? `Remove ${label}` : `${label} ${input.dataset.label}`;
      input.setAttribute("aria-label", text);
      if (input.matches("[data-remove-row]")) input.value = prefix;
      for (const twin of input.parentElement.querySelectorAll(".tokens input, .rich__text")) twin.setAttribute("aria-label", text);
    }
  });
}

function refineRow(row) {
  refineFields(row);
  for (const area of row.querySelectorAll("textarea[data-rich]:not([hidden])")) refineRich(area);
}

function chooseField(select) {
  const section = select.closest("[data-rule-section]");
  const row = select.closest("[data-rule-row]");
  const made = patternOf(section, select.value) ?? patternOf(section, "");
  // The pattern of a field is what follows it; the blank one is a whole row.
  row.querySelector("[data-rest]").replaceWith(made.querySelector("[data-rest]") ?? made);
  row.classList.remove("rule-row--wrong");
  row.querySelector(":scope > .c-field__message")?.remove();
  renumber(section);
  redraw(row.querySelector("[data-rest]"));
  refineRow(row);
}

function chooseOperator(select) {
  const takes = select.selectedOptions[0]?.dataset.takes ?? "one";
  for (const part of select.closest("[data-rest]").querySelectorAll("[data-takes]:not(option)")) {
    part.hidden = part.dataset.takes !== takes;
  }
}

function addRow(button) {
  const section = button.closest("[data-rule-section]");
  const row = patternOf(section, "");
  section.querySelector("[data-rule-rows]").append(row);
  renumber(section);
  redraw(row);
  row.querySelector("[data-rule-field]").focus();
}

function removeRow(button) {
  const section = button.closest("[data-rule-section]");
  const row = button.closest("[data-rule-row]");
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  renumber(section);
  (next?.querySelector("[data-rule-field]") ?? section.querySelector("[data-add-row]")).focus();
}

// A text area of HTML becomes an editor that shows it; without scripts its source is edited.
function refineRich(area) {
  const box = document.createElement("div");
  const bar = document.createElement("div");
  const text = document.createElement("div");
  box.className = "rich";
  bar.className = "rich__bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Formatting");
  const formats = [["bold", "Bold", "B"], ["italic", "Italic", "I"], ["insertUnorderedList", "Bulleted list", "•"], ["insertOrderedList", "Numbered list", "1."]];
  for (const [command, label, mark] of formats) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = mark;
    button.setAttribute("aria-label", label);
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      text.focus();
      document.execCommand(command);
      area.value = text.innerHTML;
    });
    bar.append(button);
  }
  text.className = "rich__text c-field__input";
  text.contentEditable = "true";
  text.setAttribute("role", "textbox");
  text.setAttribute("aria-multiline", "true");
  text.setAttribute("aria-label", area.getAttribute("aria-label"));
  text.innerHTML = area.value;
  text.addEventListener("input", () => { area.value = text.innerHTML; });
  box.append(text, bar);
  area.hidden = true;
  area.after(box);
}

function listen(form) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-rule-field]")) chooseField(event.target);
    if (event.target.matches("[data-rule-operator]")) chooseOperator(event.target);
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-add-row], [data-remove-row]");
    if (!button) return;
    event.preventDefault();
    if (button.matches("[data-add-row]")) addRow(button);
    else removeRow(button);
  });
  for (const row of form.querySelectorAll("[data-rule-row]")) refineRow(row);
}

export function listenToRules() {
  for (const form of document.querySelectorAll("[data-rule-form]")) listen(form);
}
