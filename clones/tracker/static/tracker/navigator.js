// What scripts add to the navigator: menus that close, offers while a query is typed, "select all".

// One panel is open at a time; Escape and a press elsewhere close it.
const drops = () => [...document.querySelectorAll("details[data-closes][open]")];
document.addEventListener("click", (event) => {
  for (const drop of drops()) if (!drop.contains(event.target)) drop.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const drop = event.target.closest?.("details[data-closes][open]") ?? drops().at(-1);
  if (!drop) return;
  drop.open = false;
  drop.querySelector("summary").focus();
});

// A choice of a menu of the basic search takes effect when its menu closes.
for (const form of document.querySelectorAll("[data-basic]")) {
  let changed = false;
  form.addEventListener("change", (event) => {
    if (event.target.type === "checkbox") changed = true;
  });
  form.addEventListener(
    "toggle",
    (event) => {
      if (changed && event.target.matches("details") && !event.target.open) form.requestSubmit();
    },
    true,
  );
}

for (const all of document.querySelectorAll("[data-all]")) {
  all.addEventListener("change", () => {
    for (const one of all.form.elements[all.dataset.all] instanceof RadioNodeList ? all.form.elements[all.dataset.all] : [all.form.elements[all.dataset.all]])
      if (one) one.checked = all.checked;
  });
}

// The editor of queries.
const editor = document.querySelector(".nav-editor");
if (editor) {
  const input = editor.querySelector("textarea");
  const list = editor.querySelector('[role="listbox"]');
  const said = document.getElementById("jql-said");
  let current = -1;
  let asked = 0;

  const options = () => [...list.children];
  const close = () => {
    list.hidden = true;
    current = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (at) => {
    const all = options();
    current = (at + all.length) % all.length;
    all.forEach((one, place) => one.setAttribute("aria-selected", String(place === current)));
    all[current].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", all[current].id);
  };
  const ask = async () => {
    const mine = ++asked;
    const query = new URLSearchParams({ jql: input.value, at: input.selectionStart });
    const answer = await fetch(`${editor.dataset.suggestions}?${query}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok || mine !== asked) return;
    list.replaceChildren(...page.querySelectorAll("li"));
    said.replaceChildren(...page.querySelectorAll("body > div > *"));
    const isOpen = list.children.length > 0 && document.activeElement === input;
    list.hidden = !isOpen;
    current = -1;
    input.setAttribute("aria-expanded", String(isOpen));
  };
  const take = (option) => {
    const { from, to, text } = option.dataset;
    const rest = input.value.slice(Number(to));
    const before = input.value.slice(0, Number(from)) + text + (rest.startsWith(" ") ? "" : " ");
    input.value = before + rest;
    input.setSelectionRange(before.length, before.length);
    close();
    input.focus();
    ask();
  };

  let wait = 0;
  input.addEventListener("input", () => {
    // What was offered for the text before has places in that text: it is not for this one.
    asked += 1;
    close();
    clearTimeout(wait);
    wait = setTimeout(ask, 120);
  });
  input.addEventListener("click", ask);
  input.addEventListener("blur", () => setTimeout(close, 150));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      close();
    } else if (event.key === "ArrowDown" && !list.hidden) {
      event.preventDefault();
      mark(current + 1);
    } else if (event.key === "ArrowUp" && !list.hidden) {
      event.preventDefault();
      mark(current < 0 ? -1 : current - 1);
    } else if ((event.key === "Enter" || event.key === "Tab") && current >= 0) {
      event.preventDefault();
      take(options()[current]);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      editor.requestSubmit();
    }
  });
  list.addEventListener("mousedown", (event) => {
    const option = event.target.closest('[role="option"]');
    if (!option) return;
    event.preventDefault();
    take(option);
  });
}
