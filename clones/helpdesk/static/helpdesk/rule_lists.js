// Lists in an order: rows can be dragged; the buttons beside them do the same by keyboard.

const movable = (body) => [...body.querySelectorAll("tr[data-movable]")];

function send(form, keys) {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = "order";
  input.value = keys.join(",");
  form.append(input);
  for (const box of document.querySelectorAll("input[name=ids]")) box.checked = false;
  form.submit();
}

function listen(form, body) {
  let dragged = null;
  let before = "";
  const keys = () => movable(body).map((row) => row.dataset.key);
  for (const row of movable(body)) {
    row.draggable = true;
    row.addEventListener("dragstart", (event) => {
      dragged = row;
      before = keys().join();
      row.classList.add("is-dragged");
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", row.dataset.key);
    });
    row.addEventListener("dragover", (event) => {
      if (!dragged) return;
      event.preventDefault();
      if (row === dragged) return;
      const { top, height } = row.getBoundingClientRect();
      if (event.clientY < top + height / 2) row.before(dragged);
      else row.after(dragged);
    });
    row.addEventListener("drop", (event) => event.preventDefault());
    row.addEventListener("dragend", () => {
      row.classList.remove("is-dragged");
      dragged = null;
      if (keys().join() !== before) send(form, keys());
    });
  }
}

export function listenToRuleLists() {
  const form = document.querySelector("[data-rule-list]");
  for (const body of document.querySelectorAll(".rule-list tbody")) listen(form, body);
}
