// What a page could not tell any more when it was left, the next one tells: a request that is sent
// while a page goes away may be lost, or arrive after what the next page asks.

const KEY = "helpdesk-owed";
const read = () => JSON.parse(sessionStorage.getItem(KEY) ?? "[]");

export function owe(address, values) {
  sessionStorage.setItem(KEY, JSON.stringify([...read(), [address, values]]));
}

async function pay() {
  const owed = read();
  sessionStorage.removeItem(KEY);
  for (const [address, values] of owed) {
    await fetch(address, { method: "POST", body: new URLSearchParams(values) });
  }
}

// Settled once everything that was owed is told, whatever became of it.
export const paid = pay().catch(() => {});
