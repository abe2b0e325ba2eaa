// A control that depends on another is shown, and sent, only while that has the value it depends on:
// `access=groups`, or any value at all: `group_by`.

function counts(part, form) {
  const [name, wanted] = part.dataset.depends.split("=");
  const other = form.elements.namedItem(name);
  return !other || (wanted === undefined ? Boolean(other.value) : other.value === wanted);
}

function refineDependents(form) {
  for (const part of form.querySelectorAll("[data-depends]")) {
    const on = counts(part, form);
    part.hidden = !on;
    for (const control of part.querySelectorAll("input, select, textarea")) control.disabled = !on;
  }
}

export function listenForDependents() {
  for (const part of document.querySelectorAll("[data-depends]")) refineDependents(part.closest("form"));
  document.addEventListener("change", (event) => {
    if (event.target.form?.querySelector("[data-depends]")) refineDependents(event.target.form);
  });
}
