import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";

/** Name of the person to erase, which occurs nowhere else in the demo data. */
export const NAME_TO_ERASE = "Zacarías";
/** Path of the photo in the person's contract. */
export const FILE_HASH_TO_ERASE = "a".repeat(64);
export const FILE_PATH_TO_ERASE = `t/acme/check-in/41/${FILE_HASH_TO_ERASE}`;
/**
 * Creates ten contracts of a person with a unique name, a photo, field work, one issued invoice and one draft. Returns
 * an administrator's token.
 */
export async function insertPersonInAllTables(): Promise<string> {
  await deleteErasureRecords();
  await setUpCompany();
  await addTestUsers();
  const boss = await createToken("boss");
  const db = env.TENANT_ACME;
  await db.batch([
    db.prepare(
      `UPDATE customers SET name = '${NAME_TO_ERASE}', surname = 'Quesada', email = 'zacarias@example.com', document_id = 'ZQ123' WHERE id = 1`,
    ),
    db.prepare(
      `UPDATE users SET full_name = '${NAME_TO_ERASE} Quesada', username = 'zacarias', email = 'zacarias@example.com' WHERE id = 1`,
    ),
  ]);
  for (let id = 41; id <= 50; id++) await insertCheckInRental({ id, status: "done" });
  await db.batch([
    db.prepare(`UPDATE bookings SET customer_id = 1, customer_name = '${NAME_TO_ERASE}', customer_surname = 'Quesada', customer_email = 'zacarias@example.com',
      comments = 'ask for ${NAME_TO_ERASE}', contract_data = '{"driver_name":"${NAME_TO_ERASE}"}'`),
    db.prepare("UPDATE bookings SET customer_id = NULL WHERE id = 50"),
    db.prepare(
      `INSERT INTO booking_history (booking_id, at, actor, event, detail) VALUES (42, 1, 'staff:3', 'changed', '{"after":{"name":"${NAME_TO_ERASE}"}}')`,
    ),
    db.prepare(
      `INSERT INTO customer_history (customer_id, at, actor, event, detail) VALUES (1, 1, 'staff:3', 'changed', '{"after":{"name":"${NAME_TO_ERASE}"}}')`,
    ),
    db.prepare(`INSERT INTO check_in_files (booking_id, hash, content_type, bytes, width, height, uploaded_by, uploaded_at)
      VALUES (41, '${FILE_HASH_TO_ERASE}', 'image/png', 3, 1, 1, 3, 1)`),
    db.prepare(
      `INSERT INTO ministry_reports (booking_id, kind, state, xml, fingerprint, created_at) VALUES (41, 'RV', 'dry', '<nombre>${NAME_TO_ERASE}</nombre>', 'x', 1)`,
    ),
  ]);
  await env.FILES.put(FILE_PATH_TO_ERASE, "png");
  await env.BACKUPS?.put(FILE_PATH_TO_ERASE.replace("t/acme/", "photos/acme/"), "png");
  await insertRelatedRows(db);
  for (const [id, issued] of [
    [43, true],
    [44, false],
  ] as const) {
    const body = { request_id: `papers-${id}-000`, issued };
    expect((await callApi("POST", `/booking/${id}/documents`, { token: boss, body })).status).toBe(200);
  }
  return boss;
}

/**
 * Inserts other data with the person's name: a pending email, the development mailbox, a partner's event, an import and
 * keys.
 */
async function insertRelatedRows(db: D1Database): Promise<void> {
  const mail = (recipient: string) =>
    encryptSecret(
      env.MASTER_KEY,
      "acme",
      JSON.stringify({ recipient, subject: "s", text: NAME_TO_ERASE, html: "", company: "Acme" }),
    );
  const insert = (text: string, ...values: readonly (string | number)[]) => db.prepare(text).bind(...values);
  await db.batch([
    insert(
      `INSERT INTO outgoing_mails (id, sealed, subject, next_at, expires_at, last_error, created_at) VALUES (91, ?1, 's', 1, 9e15, '', 1), (92, ?2, 's', 1, 9e15, '', 1)`,
      await mail("Zacarias@example.com"),
      await mail("nobody@example.com"),
    ),
    insert(
      "INSERT INTO booking_mails (booking_id, kind, history_id, recipient, at, address) VALUES (41, 'confirmed', 0, 'customer', 1, 'zacarias@example.com')",
    ),
    insert(
      "INSERT INTO development_mails (sent_at, recipient, subject, text, html) VALUES (1, 'zacarias@example.com', ?1, ?1, '')",
      NAME_TO_ERASE,
    ),
    insert(
      "INSERT INTO webhooks (id, url, secret_sealed, public_key, created_at, last_update) VALUES (7, 'https://partner.example.com/', 'x', 'k', 1, 1)",
    ),
    insert(
      "INSERT INTO webhook_events (id, uid, type, subject, booking_id, at, body) VALUES (71, 'msg_71', 'booking.changed', 'booking:42', 42, 1, ?1)",
      JSON.stringify({ customer_name: NAME_TO_ERASE }),
    ),
    insert(
      "INSERT INTO webhook_deliveries (id, webhook_id, event_id, subject, state, next_at, created_at) VALUES (72, 7, 71, 'booking:42', 'delivered', 1, 1)",
    ),
    insert(
      "INSERT INTO webhook_attempts (delivery_id, at, url, timestamp, signature, answer, milliseconds) VALUES (72, 1, 'https://partner.example.com/', 1, 's', ?1, 1)",
      `thanks, ${NAME_TO_ERASE}`,
    ),
    insert("INSERT INTO imports (id, at, files) VALUES (1, 1, '[]')"),
    insert(
      "INSERT INTO import_changes (import_id, position, rows) VALUES (1, 0, ?1)",
      JSON.stringify([{ name: NAME_TO_ERASE }]),
    ),
    insert("INSERT INTO import_keys (entity, key, row_id) VALUES ('customers', ?1, 1)", `${NAME_TO_ERASE}-17`),
    insert(
      "INSERT INTO refund_requests (booking_id, amount_cents, payment_method_id, reason, requested_by, requested_at) VALUES (43, 100, 'cash', ?1, 3, 1)",
      `${NAME_TO_ERASE} complained`,
    ),
    insert(
      "INSERT INTO security_events (at, last_at, kind, user_id, detail) VALUES (1, 1, 'signed_in', 1, ?1)",
      JSON.stringify({ name: NAME_TO_ERASE }),
    ),
    insert("UPDATE bookings SET price_reason = ?1, visitor_network = 'hash' WHERE id = 45", `for ${NAME_TO_ERASE}`),
    insert("UPDATE customers SET marketing_consent_at = 5, marketing_consent_door = 'paper' WHERE id = 1"),
  ]);
}

/** Lists tables that contain a text. */
export async function listTablesContaining(text: string, db = env.TENANT_ACME): Promise<readonly string[]> {
  const { results } = await db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`,
    )
    .all<{ name: string }>();
  const tableResults = await db.batch(results.map(({ name }) => db.prepare(`SELECT * FROM ${name}`)));
  return results
    .map(({ name }) => name)
    .filter((_, index) => JSON.stringify(tableResults[index]?.results).includes(text));
}

/** Lists objects that contain a text. */
export async function listObjectsContaining(bucket: R2Bucket, text: string): Promise<readonly string[]> {
  const { objects } = await bucket.list();
  const read = objects.map(async ({ key }) => ((await (await bucket.get(key))?.text())?.includes(text) ? [key] : []));
  return (await Promise.all(read)).flat();
}

/** Deletes erasure records of other tests, because test files share buckets. */
export async function deleteErasureRecords(): Promise<void> {
  const { objects } = (await env.BACKUPS?.list({ prefix: "erasures/" })) ?? { objects: [] };
  await env.BACKUPS?.delete(objects.map(({ key }) => key));
}
