import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice, PAYER, sellRentalAtDesk } from "#support/office.ts";
import { enableGateways } from "#support/payments.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";

let boss = "";
let id = 0;
let payer = 0;

beforeEach(async () => {
  await enableGateways(await setUpCompany());
  await addTestUsers();
  boss = await createToken("boss");
  const created = await callOffice("POST", "/customers", { token: boss, body: PAYER });
  payer = (await created.json<{ customer: { id: number } }>()).customer.id;
  await env.TENANT_ACME.prepare("UPDATE customers SET branch_code = 'AIR' WHERE id = ?").bind(payer).run();
  id = (await sellRentalAtDesk(boss, { status: "confirmed", billing_customer_id: payer })).reservation.id;
});

/** Limits the manager to another branch. */
const moveAway = () =>
  env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE users SET all_branches = 0 WHERE username = 'boss'"),
    env.TENANT_ACME.prepare("INSERT INTO user_branches SELECT id, 'ISLE' FROM users WHERE username = 'boss'"),
  ]);

async function charge(): Promise<void> {
  const body = { request_id: "charge-0001", kind: "charge", amount: "50.00", payment_method_id: "cash" };
  expect((await callApi("POST", `/booking/${id}/charges`, { token: boss, body })).status).toBe(200);
}

async function createLink(): Promise<number> {
  const created = await callOffice("POST", `/reservations/${id}/payment-links`, {
    token: boss,
    body: { purpose: "payment" },
  });
  return (await created.json<{ payment_link: { id: number } }>()).payment_link.id;
}

type Sent = readonly [method: string, path: string, body?: object];

// Proves "security.md": A71
test.each<[string, () => Promise<Sent>]>([
  ["a payment link", async () => ["POST", `/reservations/${id}/payment-links`, { purpose: "payment" }]],
  ["the end of a payment link", async () => ["DELETE", `/payment-links/${await createLink()}`]],
  ["a message", async () => ["POST", `/reservations/${id}/messages`, { subject: "Ready", text: "Your car is ready." }]],
  ["a note", async () => ["POST", `/reservations/${id}/notes`, { text: "Call first" }]],
  ["a task", async () => ["POST", `/reservations/${id}/tasks`, { text: "Call first" }]],
  [
    "a refund",
    async () => {
      await charge();
      return ["POST", `/reservations/${id}/refund`, { amount: "10.00", reason: "agreed" }];
    },
  ],
  [
    "a collective invoice",
    async () => ["POST", "/documents/collective", { customer_id: payer, reservation_ids: [id] }],
  ],
  [
    "a customer's file",
    async () => [
      "POST",
      `/customers/${payer}/files`,
      { name: "licence.pdf", content: btoa("%PDF-1.7\nlicence\n%%EOF\n") },
    ],
  ],
])("refuses to repeat %s after the user moved to another branch", async (_, prepare) => {
  const [method, path, body] = await prepare();
  const repeat = () => callOffice(method, path, { token: boss, key: "once", ...(body && { body }) });
  const first = await repeat();
  expect([first.status, first.status < 300 ? "" : await first.text()]).toEqual([expect.any(Number), ""]);
  const again = await repeat();
  expect([again.status, await again.json()]).toEqual([first.status, await first.json()]);
  await moveAway();
  const refused = await repeat();
  expect([refused.status, Object.keys(await refused.json<object>()).sort()]).toEqual([404, ["code", "error"]]);
});
