import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { aRental } from "#support/check-in.ts";
import { aCompany } from "#support/company.ts";
import { office } from "#support/office.ts";
import { call, tokenOf, withPeople } from "#support/people.ts";

const NAME = "Zacarías";
const HASH = "a".repeat(64);
const PATH = `t/acme/check-in/41/${HASH}`;
let boss = "";

// Ten contracts of a person with a name that nobody else has, a photo, field work, one issued invoice and one draft.
beforeEach(async () => {
  await aCompany();
  await withPeople();
  boss = await tokenOf("boss");
  const db = env.TENANT_ACME;
  await db.batch([
    db.prepare(
      `UPDATE customers SET name = '${NAME}', surname = 'Quesada', email = 'zacarias@example.com', document_id = 'ZQ123' WHERE id = 1`,
    ),
    db.prepare(
      `UPDATE users SET full_name = '${NAME} Quesada', username = 'zacarias', email = 'zacarias@example.com' WHERE id = 1`,
    ),
  ]);
  for (let id = 41; id <= 50; id++) await aRental({ id, status: "done" });
  await db.batch([
    db.prepare(`UPDATE bookings SET customer_id = 1, customer_name = '${NAME}', customer_surname = 'Quesada', customer_email = 'zacarias@example.com',
      comments = 'ask for ${NAME}', contract_data = '{"driver_name":"${NAME}"}'`),
    db.prepare("UPDATE bookings SET customer_id = NULL WHERE id = 50"),
    db.prepare(
      `INSERT INTO booking_history (booking_id, at, actor, event, detail) VALUES (42, 1, 'staff:3', 'changed', '{"after":{"name":"${NAME}"}}')`,
    ),
    db.prepare(
      `INSERT INTO customer_history (customer_id, at, actor, event, detail) VALUES (1, 1, 'staff:3', 'changed', '{"after":{"name":"${NAME}"}}')`,
    ),
    db.prepare(`INSERT INTO check_in_files (booking_id, hash, content_type, bytes, width, height, uploaded_by, uploaded_at)
      VALUES (41, '${HASH}', 'image/png', 3, 1, 1, 3, 1)`),
    db.prepare(
      `INSERT INTO communications (booking_id, kind, state, xml, fingerprint, created_at) VALUES (41, 'RV', 'dry', '<nombre>${NAME}</nombre>', 'x', 1)`,
    ),
  ]);
  await env.FILES.put(PATH, "png");
  for (const [id, issued] of [
    [43, true],
    [44, false],
  ] as const) {
    const body = { request_id: `papers-${id}-000`, issued };
    expect((await call("POST", `/booking/${id}/documents`, { token: boss, body })).status).toBe(200);
  }
});

const erase = (body: object = { reason: "asked for" }, token = boss) =>
  office("POST", "/customers/1/erase", { token, body });

/** Every table that has a text in it. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const db = env.TENANT_ACME;
  const { results } = await db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`,
    )
    .all<{ name: string }>();
  const found = await db.batch(results.map(({ name }) => db.prepare(`SELECT * FROM ${name}`)));
  return results.map(({ name }) => name).filter((_, index) => JSON.stringify(found[index]?.results).includes(text));
}

describe("a person's data", () => {
  test("is exported whole: every table that names the person, and where the files are", async () => {
    const answer = await office("GET", "/customers/1/export", { token: boss });
    expect(answer.status).toBe(200);
    const { data, files } = await answer.json<{ data: Record<string, unknown[]>; files: string[] }>();
    expect(data["bookings"]).toHaveLength(9);
    expect(data["documents"]).toHaveLength(2);
    expect(files).toEqual([`/api/v1/booking/41/check-in-files/${HASH}`]);
    for (const table of await tablesWith(NAME)) {
      if (table !== "users") expect(JSON.stringify(data[table]), table).toContain(NAME);
    }
    expect((await office("GET", "/customers/999/export", { token: boss })).status).toBe(404);
    expect((await office("GET", "/customers/1/export", { token: await tokenOf("desk") })).status).toBe(403);
  });

  test("is erased everywhere but on what was issued: no other table and no object has the name", async () => {
    expect(await tablesWith(NAME)).toContain("communications");
    expect((await erase()).status).toBe(200);
    expect(await tablesWith(NAME)).toEqual(["documents"]);
    expect(await tablesWith("zacarias@example.com")).toEqual([]);
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT DISTINCT invoice_status FROM documents WHERE customer_full_name LIKE ?",
    )
      .bind(`%${NAME}%`)
      .all();
    expect(results).toEqual([{ invoice_status: "invoice" }]);
    expect(await env.FILES.head(PATH)).toBeNull();
    const log = await env.TENANT_ACME.prepare("SELECT customer_id, actor, reason, kept FROM erasures").first();
    expect(log).toMatchObject({ customer_id: 1, actor: "staff:3", reason: "asked for" });
    expect(String(log?.["kept"])).toContain('"documents":1');
  });

  test("is not erased while a contract is not over, without a reason, or by who may not", async () => {
    await aRental({ id: 51, status: "confirmed" });
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_id = 1 WHERE id = 51").run();
    const refused = await erase();
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "customer_has_contracts" }]);
    expect((await erase({})).status).toBe(400);
    expect((await erase({ reason: "x" }, await tokenOf("desk"))).status).toBe(403);
    expect((await office("POST", "/customers/999/erase", { token: boss, body: { reason: "x" } })).status).toBe(404);
    expect(await tablesWith(NAME)).toContain("customers");
  });
});
