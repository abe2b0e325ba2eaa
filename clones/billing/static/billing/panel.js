// The button that confirms a refund says the sum that was typed.
const form = document.querySelector("form.refund");
if (form) {
  const button = form.querySelector("button");
  const amount = form.elements.namedItem("amount");
  const name = () => {
    const typed = amount.value.trim();
    const whole = button.dataset.rest;
    const number = button.dataset.restNumber;
    const currency = form.textContent.match(/Amount in ([A-Z]{3})/)?.[1] ?? "";
    button.textContent =
      typed === number || typed === "" ? `Refund ${whole}` : `Refund ${typed} ${currency}`.trim();
  };
  amount.addEventListener("input", name);
  name();
}
