import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { aRental } from "#support/check-in.ts";
import { aCompany } from "#support/company.ts";
import { office } from "#support/office.ts";
import { call, tokenOf, withPeople } from "#support/people.ts";
import { seal } from "#worker/auth/sealing.ts";

const NAME = "Zacarías";
const HASH = "a".repeat(64);
const PATH = `t/acme/check-in/41/${HASH}`;
let boss = "";

interface Customer {
  readonly version: number;
  readonly marketing: Readonly<Record<string, unknown>>;
}

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
  await env.BACKUPS?.put(PATH.replace("t/acme/", "photos/acme/"), "png");
  await elsewhere(db);
  for (const [id, issued] of [
    [43, true],
    [44, false],
  ] as const) {
    const body = { request_id: `papers-${id}-000`, issued };
    expect((await call("POST", `/booking/${id}/documents`, { token: boss, body })).status).toBe(200);
  }
});

/**
 * What names the person beside the contracts: a mail under way, the desk's mailbox, a partner's event, an import, keys.
 */
async function elsewhere(db: D1Database): Promise<void> {
  const mail = (recipient: string) =>
    seal(env.MASTER_KEY, "acme", JSON.stringify({ recipient, subject: "s", text: NAME, html: "", company: "Acme" }));
  const insert = (text: string, ...values: readonly (string | number)[]) => db.prepare(text).bind(...values);
  await db.batch([
    insert(
      `INSERT INTO outgoing_mails (id, sealed, subject, next_at, useless_at, last_error, created_at) VALUES (91, ?1, 's', 1, 9e15, '', 1), (92, ?2, 's', 1, 9e15, '', 1)`,
      await mail("Zacarias@example.com"),
      await mail("nobody@example.com"),
    ),
    insert(
      "INSERT INTO development_mails (sent_at, recipient, subject, text, html) VALUES (1, 'zacarias@example.com', ?1, ?1, '')",
      NAME,
    ),
    insert(
      "INSERT INTO webhooks (id, url, secret_sealed, public_key, created_at, last_update) VALUES (7, 'https://partner.example.com/', 'x', 'k', 1, 1)",
    ),
    insert(
      "INSERT INTO webhook_events (id, uid, type, subject, booking_id, at, body) VALUES (71, 'msg_71', 'booking.changed', 'booking:42', 42, 1, ?1)",
      JSON.stringify({ customer_name: NAME }),
    ),
    insert(
      "INSERT INTO webhook_deliveries (id, webhook_id, event_id, subject, state, next_at, created_at) VALUES (72, 7, 71, 'booking:42', 'delivered', 1, 1)",
    ),
    insert(
      "INSERT INTO webhook_attempts (delivery_id, at, url, timestamp, signature, answer, milliseconds) VALUES (72, 1, 'https://partner.example.com/', 1, 's', ?1, 1)",
      `thanks, ${NAME}`,
    ),
    insert("INSERT INTO imports (id, at, files) VALUES (1, 1, '[]')"),
    insert(
      "INSERT INTO import_changes (import_id, position, rows) VALUES (1, 0, ?1)",
      JSON.stringify([{ name: NAME }]),
    ),
    insert("INSERT INTO import_keys (entity, key, row_id) VALUES ('customers', ?1, 1)", `${NAME}-17`),
    insert(
      "INSERT INTO refund_requests (booking_id, amount_cents, payment_method_id, reason, asked_by, asked_at) VALUES (43, 100, 'cash', ?1, 3, 1)",
      `${NAME} complained`,
    ),
    insert(
      "INSERT INTO security_events (at, last_at, kind, user_id, detail) VALUES (1, 1, 'signed_in', 1, ?1)",
      JSON.stringify({ name: NAME }),
    ),
    insert("UPDATE bookings SET price_reason = ?1, visitor_network = 'hash' WHERE id = 45", `for ${NAME}`),
    insert("UPDATE customers SET marketing_consent_at = 5, marketing_consent_door = 'paper' WHERE id = 1"),
  ]);
}

const erase = (body: object = { reason: "asked for" }, token = boss) =>
  office("POST", "/customers/1/erase", { token, body });

/** What only finds, carries or takes back what other tables say, and is not of a person's own rows. */
const NOT_THEIRS = [
  "search_blocks",
  "development_mails",
  "import_changes",
  "import_keys",
  "webhook_attempts",
  "security_events",
];

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

/** Every object that has a text in it, whatever it is. */
async function objectsWith(bucket: R2Bucket, text: string): Promise<readonly string[]> {
  const { objects } = await bucket.list();
  const read = objects.map(async ({ key }) => ((await (await bucket.get(key))?.text())?.includes(text) ? [key] : []));
  return (await Promise.all(read)).flat();
}

describe("a person's data", () => {
  test("is exported whole: every table that names the person, and where the files are", async () => {
    const answer = await office("GET", "/customers/1/export", { token: boss });
    expect(answer.status).toBe(200);
    const { data, files } = await answer.json<{ data: Record<string, unknown[]>; files: string[] }>();
    expect(data["bookings"]).toHaveLength(10);
    expect(data["customers"]).toMatchObject([{ marketing_consent_at: 5, marketing_consent_door: "paper" }]);
    expect(JSON.stringify(data)).not.toContain("password_hash");
    expect(data["documents"]).toHaveLength(2);
    expect(files).toEqual([`/api/v1/booking/41/check-in-files/${HASH}`]);
    for (const table of await tablesWith(NAME)) {
      if (!NOT_THEIRS.includes(table)) expect(JSON.stringify(data[table]), table).toContain(NAME);
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
    expect(await env.BACKUPS?.head(PATH.replace("t/acme/", "photos/acme/"))).toBeNull();
    const waiting = await env.TENANT_ACME.prepare("SELECT id FROM outgoing_mails WHERE id > 90").all();
    expect(waiting.results).toEqual([{ id: 92 }]);
    for (const bucket of [env.FILES, env.BACKUPS ?? env.FILES]) expect(await objectsWith(bucket, NAME)).toEqual([]);
    const note = await (await env.BACKUPS?.get("erasures/acme/1.json"))?.json();
    expect(note).toMatchObject({ customer_id: 1 });
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

  test("that is marketing says when and where it was consented to, and by whom it was taken back", async () => {
    await env.TENANT_ACME.prepare(
      "UPDATE customers SET marketing_consent_at = NULL, marketing_consent_door = NULL",
    ).run();
    const say = (body: object, token = boss) => office("POST", "/customers/1/consent", { token, body });
    const marketing = async () =>
      (await (await office("GET", "/customers/1", { token: boss })).json<{ customer: Customer }>()).customer;
    const before = await marketing();
    expect(before.marketing).toMatchObject({ consents: false, consented_at: null });
    const given = await say({ expected_version: before.version, consents: true, door: "phone" });
    expect(given.status).toBe(200);
    const after = await marketing();
    expect(after.marketing).toMatchObject({ consents: true, consent_door: "phone", withdrawn_at: null });
    expect(after.marketing["consented_at"]).toEqual(expect.any(String));
    expect((await say({ expected_version: before.version, consents: false, door: "mail" })).status).toBe(409);
    expect((await say({ expected_version: after.version, consents: false, door: "mail" })).status).toBe(200);
    const last = await office("GET", "/customers/1", { token: boss });
    const { customer, history } = await last.json<{ customer: Customer; history: { after: unknown }[] }>();
    expect(customer.marketing).toMatchObject({ consents: false, consent_door: "phone", withdrawn_door: "mail" });
    expect(history[0]?.after).toMatchObject({ marketingConsent: "withdrawn", marketingDoor: "mail" });
    expect((await say({ expected_version: 1, consents: "yes", door: "desk" })).status).toBe(400);
    expect((await say({ expected_version: 1, consents: true, door: "pigeon" })).status).toBe(400);
  });

  test("is kept for periods that the office shows, with what was deleted", async () => {
    await env.TENANT_ACME.prepare("INSERT INTO deletions (kind, at, count) VALUES ('communications', 5, 3)").run();
    const answer = await office("GET", "/retention", { token: boss });
    const { data } = await answer.json<{ data: { kind: string; days: number; deleted: number }[] }>();
    expect(data.find(({ kind }) => kind === "communications")).toMatchObject({ days: 1095, deleted: 3 });
    expect(data.find(({ kind }) => kind === "webhook_events")).toMatchObject({ days: 30, deleted: 0 });
  });
});
