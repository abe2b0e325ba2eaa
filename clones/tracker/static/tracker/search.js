// What the search box offers while one types. Enter searches, as without it; arrow keys lead into the
// offers and back, Escape closes them.
const form = document.querySelector(".bar__search");
const offers = form?.querySelector("[data-offers]");
const input = form?.querySelector("input");
let shown = null; // the text whose offers are shown
let wait = 0;
let asked = 0;

async function ask() {
  const [text, mine] = [input.value.trim(), ++asked];
  if (text === shown) return;
  const answer = await fetch(`${offers.dataset.offers}?${new URLSearchParams({ searchString: text })}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok || mine !== asked) return;
  offers.replaceChildren(...page.body.childNodes);
  shown = text;
  offers.hidden = false;
}
function close() {
  clearTimeout(wait);
  asked += 1; // what is on its way comes too late
  offers.hidden = true;
  shown = null;
}

if (offers) {
  input.addEventListener("focus", ask);
  input.addEventListener("click", ask);
  input.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(ask, 120);
  });
  form.addEventListener("submit", close);
  // A press on an offer takes the focus from the box before it is a click.
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) close();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !offers.hidden) {
      event.preventDefault();
      input.focus();
      close();
    }
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way || offers.hidden) return;
    event.preventDefault();
    const stops = [input, ...offers.querySelectorAll("a")];
    stops[(stops.indexOf(document.activeElement) + way + stops.length) % stops.length].focus();
  });
}
