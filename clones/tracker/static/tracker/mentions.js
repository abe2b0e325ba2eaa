// Naming people in texts: "@" and the beginning of a name offers them, below the text.
// A textarea says where to ask: `data-mentions`. Without scripts the markup is written by hand.

const MARK = /(?:^|[\s(])@([\p{L}\p{N}'.-]+(?: [\p{L}\p{N}'.-]*)?|)$/u;
let list = null;
let area = null;
let asked = 0;

function close() {
  list?.remove();
  area?.removeAttribute("aria-activedescendant");
  list = area = null;
}

function mark(option) {
  for (const one of list.children) one.setAttribute("aria-selected", String(one === option));
  area.setAttribute("aria-activedescendant", option.id);
}

const marked = () => list?.querySelector('[aria-selected="true"]');

function take(option) {
  const before = area.value.slice(0, area.selectionStart).replace(/@[^@]*$/, `[~accountid:${option.dataset.id}] `);
  const rest = area.value.slice(area.selectionStart);
  const field = area;
  close();
  field.value = before + rest;
  field.focus();
  field.setSelectionRange(before.length, before.length);
}

function offer(field, people) {
  close();
  if (!people.length) return;
  area = field;
  list = document.createElement("ul");
  list.className = "mentions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "People");
  list.append(
    ...people.map((one, at) => {
      const option = document.createElement("li");
      option.id = `mention-${at}`;
      option.setAttribute("role", "option");
      option.dataset.id = one.id;
      option.textContent = one.name;
      return option;
    }),
  );
  list.addEventListener("mousedown", (event) => {
    const option = event.target.closest('[role="option"]');
    event.preventDefault();
    if (option) take(option);
  });
  field.after(list);
  mark(list.firstElementChild);
  list.scrollIntoView({ block: "nearest" });
}

document.addEventListener("input", async (event) => {
  const field = event.target;
  if (!field.matches?.("textarea[data-mentions]")) return;
  const mine = ++asked;
  const found = field.value.slice(0, field.selectionStart).match(MARK);
  if (!found) return close();
  const answer = await fetch(`${field.dataset.mentions}?${new URLSearchParams({ q: found[1] })}`);
  if (mine !== asked || !answer.ok) return;
  offer(field, (await answer.json()).people);
});

document.addEventListener(
  "keydown",
  (event) => {
    if (!list || event.target !== area || event.ctrlKey || event.metaKey) return;
    const options = [...list.children];
    const at = options.indexOf(marked());
    if (event.key === "ArrowDown") mark(options[(at + 1) % options.length]);
    else if (event.key === "ArrowUp") mark(options[(at - 1 + options.length) % options.length]);
    else if (event.key === "Enter" || event.key === "Tab") take(options[at]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
document.addEventListener("focusout", (event) => {
  if (event.target === area) close();
});
