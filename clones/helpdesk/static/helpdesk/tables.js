// Tables of tickets: select all, and how many are selected.

export function refineTables(root) {
  const all = root.querySelector("[data-select-all]");
  if (!all) return;
  const boxes = [...root.querySelectorAll("input[name=ids]")];
  const edit = root.querySelector("[data-bulk-count]");
  const show = () => {
    const count = boxes.filter((box) => box.checked).length;
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
    if (edit) edit.textContent = `Edit ${count} ticket${count === 1 ? "" : "s"}`;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  for (const box of boxes) box.addEventListener("change", show);
}
