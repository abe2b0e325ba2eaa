/* A billing agent's work by the public `stripe` client, as it comes from npm.
 *
 * Arguments: address of the data plane, secret key, a customer's e-mail. It knows nothing of this
 * project: only the address differs from what it would do with the vendor. Prints one JSON object.
 */

"use strict";

const Stripe = require("stripe");

const [address, key, email] = process.argv.slice(2);
const place = new URL(address);
const stripe = new Stripe(key, {
  host: place.hostname,
  port: place.port,
  protocol: place.protocol.slice(0, -1),
  maxNetworkRetries: 0,
  telemetry: false,
});

/* Return what the client makes of a refusal: its class, the status and the code. */
async function refused(attempt) {
  try {
    await attempt;
    return [];
  } catch (error) {
    return [error.type, error.statusCode, error.code ?? null];
  }
}

async function main() {
  const found = {};
  const customer = (await stripe.customers.search({ query: `email:'${email}'` })).data[0];
  const amounts = [];
  for await (const charge of stripe.charges.list({ customer: customer.id, limit: 1 })) {
    amounts.push(charge.amount);
  }
  found.amounts = amounts;
  const [newest] = (await stripe.charges.list({ customer: customer.id, limit: 1 })).data;
  const refund = await stripe.refunds.create(
    { charge: newest.id, metadata: { ticket: "17" }, expand: ["charge"] },
    { idempotencyKey: "ticket-17" },
  );
  found.refund = [refund.amount, refund.status, refund.charge.refunded];
  const preview = await stripe.invoices.createPreview({ customer: customer.id });
  found.preview = [preview.status, preview.total];
  const paid = await stripe.invoices.search({ query: `customer:'${customer.id}'` });
  found.invoices = paid.data.map((invoice) => invoice.status);
  const intents = await stripe.paymentIntents.search({ query: "status:'succeeded'" });
  found.intents = intents.data.length;
  const running = await stripe.subscriptions.search({ query: "status:'active'" });
  found.subscriptions = running.data.length;
  const product = await stripe.products.create({ name: "Nozzle" });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 1900,
    recurring: { interval: "month" },
  });
  found.offer = [price.product === product.id, price.recurring.interval];
  const named = await stripe.products.search({ query: "name~'nozz'" });
  found.named = named.data.map((entry) => entry.name);
  found.nothing = [];
  for (const list of [
    stripe.disputes,
    stripe.payouts,
    stripe.checkout.sessions,
    stripe.webhookEndpoints,
    stripe.coupons,
  ]) {
    found.nothing.push((await list.list({ limit: 3 })).data.length);
  }
  found.errors = [
    await refused(stripe.refunds.create({ charge: newest.id })),
    await refused(stripe.charges.retrieve("ch_none")),
    await refused(stripe.payouts.retrieve("po_none")),
    await refused(stripe.prices.search({ query: "colour:'red'" })),
  ];
  process.stdout.write(JSON.stringify(found));
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
