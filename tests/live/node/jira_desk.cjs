/* What `jira.js` does at a service desk: a request from its first word to its last. */

"use strict";

const { refused } = require("./jira_day.cjs");

/* Return a type of request that needs a summary and nothing else. */
async function plainType(ServiceDesk, serviceDeskId) {
  const types = await ServiceDesk.serviceDesk.getRequestTypes({ serviceDeskId, limit: 100 });
  for (const type of types.values) {
    const form = await ServiceDesk.serviceDesk.getRequestTypeFields({
      serviceDeskId,
      requestTypeId: Number(type.id),
    });
    const needed = form.requestTypeFields.filter((field) => field.required);
    if (form.canRaiseOnBehalfOf && needed.every((field) => field.fieldId === "summary")) return type;
  }
  throw new Error("no plain type of request");
}

async function desk({ ServiceDesk, Version3, ids }) {
  const info = await ServiceDesk.info.getInfo();
  const desks = await ServiceDesk.serviceDesk.getServiceDesks();
  const serviceDeskId = desks.values[0].id;
  const type = await plainType(ServiceDesk, serviceDeskId);
  const customer = await ServiceDesk.customer.createCustomer({
    email: "kim.client@customers.example",
    displayName: "Kim Client",
  });
  await ServiceDesk.serviceDesk.addCustomers({ serviceDeskId, accountIds: [customer.accountId] });
  const company = await ServiceDesk.organization.createOrganization({ name: "Client works" });
  const organizationId = Number(company.id);
  await ServiceDesk.organization.addUsersToOrganization({
    organizationId,
    accountIds: [customer.accountId],
  });
  await ServiceDesk.organization.addOrganization({ serviceDeskId, organizationId });
  const members = await ServiceDesk.organization.getUsersInOrganization({ organizationId });
  const made = await ServiceDesk.request.createCustomerRequest({
    serviceDeskId,
    requestTypeId: type.id,
    requestFieldValues: { summary: "It does not print" },
    raiseOnBehalfOf: customer.accountId,
  });
  const issueIdOrKey = made.issueKey;
  const said = await ServiceDesk.request.createRequestComment({
    issueIdOrKey,
    body: "Is it on?",
    public: true,
  });
  await ServiceDesk.request.subscribe({ issueIdOrKey });
  const heard = await ServiceDesk.request.getSubscriptionStatus({ issueIdOrKey });
  const moves = await ServiceDesk.request.getCustomerTransitions({ issueIdOrKey });
  const shown = await ServiceDesk.request.getCustomerRequestByIdOrKey({
    issueIdOrKey,
    expand: ["participant", "status", "requestType"],
  });
  const queues = await ServiceDesk.serviceDesk.getQueues({ serviceDeskId, includeCount: true });
  const slas = await ServiceDesk.request.getSlaInformation({ issueIdOrKey });
  const approvals = await ServiceDesk.request.getApprovals({ issueIdOrKey });
  await Version3.issueAttachments.addAttachment({
    issueIdOrKey,
    attachment: { filename: "a.txt", file: Buffer.from("0123456789") },
  });
  const files = await Version3.issues.getIssue({ issueIdOrKey, fields: ["attachment"] });
  const queue = queues.values[0];
  Object.assign(ids, {
    serviceDeskId,
    requestTypeId: Number(type.id),
    organizationId,
    queueId: Number(queue.id),
    requestIdOrKey: issueIdOrKey,
    slaMetricId: slas.values.length ? Number(slas.values[0].id) : 1,
    approvalId: approvals.values.length ? Number(approvals.values[0].id) : 1,
    "request.issueIdOrKey": issueIdOrKey,
    "request.commentId": Number(said.id),
    "request.attachmentId": Number(files.fields.attachment[0].id),
    "request.organizationId": null,
    "request.expand": null,
    "organization.accountId": null,
    "requestType.serviceDeskId": null,
    "serviceDesk.getArticles.query": "print",
    "serviceDesk.getCustomers.query": null,
    "serviceDesk.groupId": null,
  });
  return {
    info: typeof info.version,
    made: [made.requestFieldValues[0].value, made.reporter.displayName],
    said: [said.body, said.public],
    heard: heard.subscribed,
    members: members.values.map((one) => one.displayName),
    shown: [shown.requestType.name === type.name, shown.status.values.length > 0],
    moves: Array.isArray(moves.values),
    queues: queues.values.length > 0,
    none: await refused(ServiceDesk.request.getCustomerRequestByIdOrKey({ issueIdOrKey: "NONE-1" })),
  };
}

module.exports = { areas: { desk } };
