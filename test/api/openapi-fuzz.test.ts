import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { randomFrom } from "#scripts/demo/random.ts";
import { faultsOf } from "#scripts/fuzz/judge.ts";
import { operationsOf } from "#scripts/fuzz/operations.ts";
import { type Caller, requestOf } from "#scripts/fuzz/requests.ts";
import { aRental } from "#support/check-in.ts";
import { aCompany } from "#support/company.ts";
import { tokenOf, withPeople } from "#support/people.ts";
import { withTransfers } from "#support/transfers.ts";
import { aCart } from "#support/website.ts";
import { request } from "#support/worker.ts";
import { describeAnalytics } from "#worker/api/analytics/routes.ts";
import { describeCheckIn } from "#worker/api/check-in/routes.ts";
import { describeCustomerAccess } from "#worker/api/customer-access/routes.ts";
import { describeDocuments } from "#worker/api/documents/routes.ts";
import { describeIntegration } from "#worker/api/integration/routes.ts";
import { describeOperations } from "#worker/api/operations/routes.ts";
import { describeOta } from "#worker/api/ota/routes.ts";
import { describePayments } from "#worker/api/payments/routes.ts";
import { describeRentalEngine } from "#worker/api/rental-engine/routes.ts";
import { describeTransferEngine } from "#worker/api/transfer-engine/routes.ts";

// The short form of `npm run fuzz`: the same requests, of the small company.
const REQUESTS = 600;
const SEED = "in every run";

const operations = [
  ...operationsOf("ota", describeOta()),
  ...operationsOf("rental-engine", describeRentalEngine()),
  ...operationsOf("customer-access", describeCustomerAccess()),
  ...operationsOf("payments", describePayments()),
  ...operationsOf("integration", describeIntegration()),
  ...operationsOf("transfer-engine", describeTransferEngine()),
  ...operationsOf("documents", describeDocuments()),
  ...operationsOf("check-in", describeCheckIn()),
  ...operationsOf("analytics", describeAnalytics()),
  ...operationsOf("operations", describeOperations()),
];

let caller: Caller;
let cart: string;

beforeAll(async () => {
  const company = await aCompany();
  await withTransfers(company);
  await withPeople();
  await aRental();
  await env.TENANT_ACME.prepare("UPDATE partner_keys SET scope_integration = 1, scope_analytics = 1").run();
  const agency = { apiKey: "agency", secret: "agency-secret" };
  const keys = { ota: agency, integration: agency, analytics: agency };
  caller = { account: "acme", keys, engineKey: "web", token: await tokenOf("boss") };
  cart = await aCart();
});

test("600 requests of every operation, right and wrong, are answered in their envelopes and never with a defect", async () => {
  const random = randomFrom(SEED);
  const facts = {
    pickup_place: ["1", "2"],
    return_place: ["1", "2"],
    product: ["A", "B"],
    code: ["A", "B"],
    free_access_id: [cart, "booking-7"],
    id: [7],
    booking_id: [7],
    rental_location_code: ["AIR", "TOWN"],
    rental_storage_id: [1],
    year: [2026],
    gateway: ["tpvA256", "tpvB"],
    hash: ["a".repeat(64)],
    op_id: ["01890000-0000-7000-8000-000000000001"],
  };
  const faults: string[] = [];
  for (let sent = 0; sent < REQUESTS; sent++) {
    const operation = operations[sent % operations.length] ?? random.pick(operations);
    // A password takes a fifth of a second, whoever sends it.
    if (operation.path.endsWith("/login") && sent > operations.length) continue;
    const wanted = await requestOf(operation, caller, { random, facts, now: Date.now() });
    const answer = await request(`http://acme.localhost:8787${wanted.path}`, {
      method: wanted.method,
      headers: wanted.headers,
      redirect: "manual",
      ...(wanted.body !== undefined && !["GET", "HEAD"].includes(wanted.method) && { body: wanted.body }),
    });
    const found = faultsOf(operation, wanted, {
      status: answer.status,
      contentType: answer.headers.get("Content-Type") ?? "",
      requestId: answer.headers.get("X-Request-Id") ?? "",
      text: await answer.text(),
    });
    faults.push(
      ...found.map((fault) => `${fault}: ${wanted.method} ${wanted.path.slice(0, 200)} ${wanted.body?.slice(0, 300)}`),
    );
  }
  expect(faults).toEqual([]);
});

test("the judge of the fuzz finds a defect, an error out of its envelope, and what speaks of its inside", async () => {
  const [operation] = operations;
  if (!operation) throw new Error("no operation");
  const wanted = await requestOf(operation, caller, { random: randomFrom("one"), facts: {}, now: 0 });
  const answer = { status: 500, contentType: "text/plain", requestId: "", text: "D1_ERROR: no such column: x" };
  expect(faultsOf(operation, wanted, answer)).toHaveLength(4);
});
