/* Every list and search of a billing account by the public `stripe` client, as it comes from npm.
 *
 * Arguments: address of the data plane, secret key. It knows nothing of this project: only the
 * address differs from what it would do with the vendor. Prints one JSON object: how many records
 * each list and search has, and what is said of what there is none of.
 */

"use strict";

const Stripe = require("stripe");

const [address, key] = process.argv.slice(2);
const place = new URL(address);
const stripe = new Stripe(key, {
  host: place.hostname,
  port: place.port,
  protocol: place.protocol.slice(0, -1),
  maxNetworkRetries: 0,
  telemetry: false,
});

const READ = {
  balance_transactions: stripe.balanceTransactions,
  charges: stripe.charges,
  customers: stripe.customers,
  disputes: stripe.disputes,
  events: stripe.events,
  invoice_payments: stripe.invoicePayments,
  invoices: stripe.invoices,
  payment_intents: stripe.paymentIntents,
  prices: stripe.prices,
  products: stripe.products,
  refunds: stripe.refunds,
  subscriptions: stripe.subscriptions,
};
const NONE = {
  "checkout.sessions": stripe.checkout.sessions,
  coupons: stripe.coupons,
  credit_notes: stripe.creditNotes,
  invoice_items: stripe.invoiceItems,
  payment_links: stripe.paymentLinks,
  payouts: stripe.payouts,
  promotion_codes: stripe.promotionCodes,
  quotes: stripe.quotes,
  setup_intents: stripe.setupIntents,
  subscription_schedules: stripe.subscriptionSchedules,
  tax_rates: stripe.taxRates,
  webhook_endpoints: stripe.webhookEndpoints,
};
const SEARCHES = {
  charges: "status:'succeeded'",
  customers: "created>0",
  invoices: "status:'paid'",
  payment_intents: "status:'succeeded'",
  prices: "active:'true'",
  products: "active:'true'",
  subscriptions: "status:'active'",
};

/* Return how many records a list has, page by page, and that the first is shown. */
async function counted(resource, list) {
  const rows = await list.autoPagingToArray({ limit: 10000 });
  if (rows.length) {
    const shown = await resource.retrieve(rows[0].id);
    if (shown.id !== rows[0].id) throw new Error(`${shown.id} for ${rows[0].id}`);
  }
  return new Set(rows.map((row) => row.id)).size;
}

async function main() {
  const found = { read: {}, searched: {}, none: {} };
  for (const [name, resource] of Object.entries(READ)) {
    found.read[name] = await counted(resource, resource.list({ limit: 50 }));
  }
  for (const [name, query] of Object.entries(SEARCHES)) {
    const resource = READ[name];
    found.searched[name] = await counted(resource, resource.search({ query, limit: 50 }));
  }
  for (const [name, resource] of Object.entries(NONE)) {
    const listed = await resource.list({ limit: 3 });
    const status = await resource.retrieve("none_1").then(() => 0, (error) => error.statusCode);
    found.none[name] = [listed.data.length, status];
  }
  process.stdout.write(JSON.stringify(found));
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
