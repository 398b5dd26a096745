import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice, sellRentalAtDesk } from "#support/office.ts";
import { enableGateways } from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { officeRoutes } from "#worker/api/office/routes.ts";

const db = env.TENANT_ACME;
let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

interface Listed {
  readonly data: readonly { readonly id: number }[];
  readonly total: number;
  readonly next: string | null;
}

const get = (path: string) => callOffice("GET", path, { token: boss });
const read = async (path: string) => (await get(path)).json<Listed>();

async function readIds(path: string): Promise<readonly (readonly number[])[]> {
  const pages: number[][] = [];
  for (let after = ""; ; ) {
    const { data, next } = await read(`${path}page_size=2${after}`);
    pages.push(data.map(({ id }) => id));
    if (next === null) return pages;
    after = `&after=${encodeURIComponent(next)}`;
  }
}

describe("refunds in pages", () => {
  let bookingId = 0;

  beforeEach(async () => {
    await enableGateways(await setUpCompany());
    await addTestUsers();
    boss = await createToken("boss");
    bookingId = (await sellRentalAtDesk(boss, { status: "confirmed" })).reservation.id;
  });

  test("returns pending refunds in pages, oldest first, each once, with the amount of all pages", async () => {
    for (const [id, at] of [
      [1, 30],
      [2, 10],
      [3, 10],
      [4, 20],
      [5, 40],
    ])
      await db
        .prepare(
          `INSERT INTO refund_requests (id, booking_id, amount_cents, payment_method_id, reason, external_operation_number, requested_by, requested_at)
            VALUES (?, ?, 100, 'cash', 'goodwill', '', 1, ?)`,
        )
        .bind(id, bookingId, at)
        .run();
    expect(await readIds("/refunds?")).toEqual([[2, 3], [4, 1], [5]]);
    expect(await read("/refunds")).toMatchObject({ total: 5, next: null });
    for (const page of ["page_size=2", "page_size=2&after=20~4", "page_size=200"])
      expect([page, await read(`/refunds?${page}`)]).toEqual([page, expect.objectContaining({ amount: "5.00" })]);
    await db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    const answer = await callOffice("GET", "/refunds", { token: await createToken("desk") });
    expect(await answer.json()).toMatchObject({ data: [], total: 0, amount: "0.00" });
  });

  test("returns gateway refunds in pages, oldest first, each once, with the amount of all pages", async () => {
    const intent = "0".repeat(32);
    await db
      .prepare(
        `INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, state, created_at, expires_at, paid_at)
          VALUES (?, ?, 'tpvA256', 'total', '0000AAAAAAAA', 1000, 'EUR', 'paid', 1, 2, 1)`,
      )
      .bind(intent, bookingId)
      .run();
    for (const id of [1, 2, 3, 4, 5])
      await db
        .prepare(
          `INSERT INTO gateway_refunds (id, booking_id, intent_id, amount_cents, reason, requested_by, requested_at)
            VALUES (?, ?, ?, 100, 'goodwill', 1, 1)`,
        )
        .bind(id, bookingId, intent)
        .run();
    expect(await readIds("/gateway-refunds?")).toEqual([[1, 2], [3, 4], [5]]);
    expect(await readIds(`/gateway-refunds?reservation_id=${bookingId}&`)).toEqual([[1, 2], [3, 4], [5]]);
    expect(await read("/gateway-refunds?page_size=2&after=2")).toMatchObject({ total: 5, amount: "5.00" });
    expect(await read(`/gateway-refunds?reservation_id=${bookingId + 1}`)).toMatchObject({
      ...{ data: [], total: 0, amount: "0.00" },
    });
  });
});

describe("every list with a next page", () => {
  const { paths = {} } = officeRoutes.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
  const lists = Object.entries(paths).flatMap(([path, { get: operation }]) => {
    const text = JSON.stringify(operation?.responses?.[200] ?? {});
    return text.includes('"next"') ? [{ path, names: JSON.stringify(operation?.parameters ?? []) }] : [];
  });

  test("declares a page size and a cursor in every list with a next page", () => {
    expect(lists.length).toBeGreaterThan(40);
    for (const { path, names } of lists)
      expect([path, names.includes('"page_size"'), names.includes('"after"')]).toEqual([path, true, true]);
  });

  test("rejects invalid page sizes and cursors with the same codes in every list", async () => {
    for (const { path: declaredPath } of lists) {
      const path = declaredPath.replace("{id}", "1");
      for (const [query, field, code] of [
        ["page_size=0", "page_size", "whole"],
        ["page_size=201", "page_size", "whole"],
        [`after=${"x".repeat(121)}`, "after", "not_in_list"],
      ] as const) {
        const answer = await get(`${path}?${query}`);
        const { detail } = await answer.json<{ detail: unknown }>();
        expect([path, query, answer.status, detail]).toMatchObject([path, query, 400, [{ field, code }]]);
      }
    }
  });
});
