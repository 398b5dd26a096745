import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { callAsStaff, createDeliveryMessage, insertCheckInRental, sendCheckInOperation } from "#support/check-in.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import {
  FILE_HASH_TO_ERASE,
  FILE_PATH_TO_ERASE,
  insertPersonInAllTables,
  listObjectsContaining,
  listTablesContaining,
  NAME_TO_ERASE,
} from "#support/person-to-erase.ts";
import { createToken } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue } from "#support/transfers.ts";
import {
  deleteErasedPeopleFiles,
  deleteFailedErasureRecord,
  reapplyErasuresAfterRestore,
  saveErasureRecord,
} from "#worker/usecases/privacy/erase-person.ts";

let boss = "";

interface Customer {
  readonly version: number;
  readonly marketing: Readonly<Record<string, unknown>>;
}

beforeEach(async () => {
  boss = await insertPersonInAllTables();
});

const erase = (body: object = { reason: "asked for" }, token = boss) =>
  callOffice("POST", "/customers/1/erase", { token, body });

/** Tables that only index, transport or undo data of others, without a person's own rows. */
const NON_PERSONAL_TABLES = [
  "search_blocks",
  "development_mails",
  "import_changes",
  "import_keys",
  "webhook_attempts",
  "security_events",
];

describe("a person's data", () => {
  // Proves "security, privacy and operation": A person's data is exported whole
  test("exports every table with the person's name and the locations of the files", async () => {
    const answer = await callOffice("GET", "/customers/1/export", { token: boss });
    expect(answer.status).toBe(200);
    const { data, files } = await answer.json<{ data: Record<string, unknown[]>; files: string[] }>();
    expect(data["bookings"]).toHaveLength(10);
    expect(data["customers"]).toMatchObject([{ marketing_consent_at: 5, marketing_consent_door: "paper" }]);
    expect(JSON.stringify(data)).not.toContain("password_hash");
    expect(data["documents"]).toHaveLength(2);
    expect(files).toEqual([`/api/v1/booking/41/check-in-files/${FILE_HASH_TO_ERASE}`]);
    for (const table of await listTablesContaining(NAME_TO_ERASE)) {
      if (!NON_PERSONAL_TABLES.includes(table)) expect(JSON.stringify(data[table]), table).toContain(NAME_TO_ERASE);
    }
    expect((await callOffice("GET", "/customers/999/export", { token: boss })).status).toBe(404);
    expect((await callOffice("GET", "/customers/1/export", { token: await createToken("desk") })).status).toBe(403);
  });

  // Proves "security, privacy and operation": A person is erased everywhere but on what was issued
  test("erases the name from every table and object except issued documents", async () => {
    expect(await listTablesContaining(NAME_TO_ERASE)).toContain("ministry_reports");
    expect((await erase()).status).toBe(200);
    expect(await listTablesContaining(NAME_TO_ERASE)).toEqual(["documents"]);
    expect(await listTablesContaining("zacarias@example.com")).toEqual([]);
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT DISTINCT invoice_status FROM documents WHERE customer_full_name LIKE ?",
    )
      .bind(`%${NAME_TO_ERASE}%`)
      .all();
    expect(results).toEqual([{ invoice_status: "invoice" }]);
    expect(await env.FILES.head(FILE_PATH_TO_ERASE)).toBeNull();
    expect(await env.BACKUPS?.head(FILE_PATH_TO_ERASE.replace("t/acme/", "photos/acme/"))).toBeNull();
    const pendingMails = await env.TENANT_ACME.prepare("SELECT id FROM outgoing_mails WHERE id > 90").all();
    expect(pendingMails.results).toEqual([{ id: 92 }]);
    for (const bucket of [env.FILES, env.BACKUPS ?? env.FILES])
      expect(await listObjectsContaining(bucket, NAME_TO_ERASE)).toEqual([]);
    const [noted] = (await env.BACKUPS?.list({ prefix: "erasures/acme/1-" }))?.objects ?? [];
    const note = await (await env.BACKUPS?.get(noted?.key ?? ""))?.json<{ bookingIds: readonly number[] }>();
    expect(note).toMatchObject({ customerIds: [1] });
    expect(note?.bookingIds.toSorted()).toEqual([41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
    const log = await env.TENANT_ACME.prepare("SELECT customer_id, actor, reason, kept FROM erasures").first();
    expect(log).toMatchObject({ customer_id: 1, actor: "staff:3", reason: "asked for" });
    expect(String(log?.["kept"])).toContain('"documents":1');
  });

  test("includes bookings without a linked customer that have the document, or the e-mail of a merged customer", async () => {
    const db = env.TENANT_ACME;
    const setBooking = (values: string) =>
      db.prepare(`UPDATE bookings SET customer_name = 'NGUYỄN', customer_surname = '', customer_id = NULL, ${values}`);
    const read = async () => {
      const { data } = await (await callOffice("GET", "/customers/1/export", { token: boss })).json<{
        data: Record<string, { id: number }[]>;
      }>();
      return data["bookings"]?.map(({ id }) => id);
    };
    await db.batch([
      db.prepare("UPDATE customers SET name = 'Nguyễn', surname = '', document_id = 'X-1.234' WHERE id = 1"),
      setBooking("customer_email = NULL, customer_document_id = 'x1234' WHERE id = 50"),
      db.prepare(`INSERT INTO customers (name, surname, email, merged_into_id, created_at, last_update)
        VALUES ('Nguyễn', '', 'merged@example.com', 1, 0, 0)`),
      setBooking("customer_email = 'Merged@example.com', customer_document_id = NULL WHERE id = 49"),
    ]);
    expect(await read()).toEqual(expect.arrayContaining([49, 50]));
  });

  test.each(["export", "erasure"])(
    "includes in the %s of a person's data a booking with the name in capitals and without a linked customer",
    async (use) => {
      const db = env.TENANT_ACME;
      await db.batch([
        db.prepare("UPDATE customers SET name = 'José', surname = 'Nguyễn', email = 'jose@example.com' WHERE id = 1"),
        db.prepare(
          "UPDATE bookings SET customer_name = 'JOSÉ', customer_surname = 'NGUYỄN', customer_email = 'Jose@Example.com' WHERE id = 50",
        ),
        db.prepare(`INSERT INTO quotes (free_access_id, year, sequence, status, valid_until, request, offer, customer_name,
            customer_surname, customer_email, customer_language, branch_code, return_branch_code, branch_group_id,
            date_from, time_from, date_to, time_to, pickup_at, total_cents, created_by, created_at, last_update)
          SELECT 'q', 2040, 900, 'declined', 0, '{}', '{}', 'JOSÉ', 'NGUYỄN', 'Jose@Example.com', 'es', code, code,
            branch_group_id, '2040-01-01', '10:00', '2040-01-03', '10:00', 0, 0, 'staff:1', 0, 0 FROM branches LIMIT 1`),
      ]);
      if (use === "export") {
        const { data } = await (await callOffice("GET", "/customers/1/export", { token: boss })).json<{
          data: Record<string, { id: number }[]>;
        }>();
        expect(data["bookings"]?.map(({ id }) => id)).toContain(50);
        expect(data["quotes"]).toHaveLength(1);
      } else {
        expect((await erase()).status).toBe(200);
        expect(await db.prepare("SELECT customer_name FROM bookings WHERE id = 50").first("customer_name")).not.toBe(
          "JOSÉ",
        );
        expect(await db.prepare("SELECT id FROM quotes WHERE customer_name = 'JOSÉ'").first()).toBeNull();
      }
    },
  );

  test("keeps a person's photos if the erasure fails, and deletes them later if the object store fails", async () => {
    const db = env.TENANT_ACME;
    await db
      .prepare("CREATE TRIGGER refuse_erasure BEFORE INSERT ON erasures BEGIN SELECT RAISE(ABORT, 'no'); END")
      .run();
    expect((await erase()).status).toBeGreaterThanOrEqual(500);
    await db.prepare("DROP TRIGGER refuse_erasure").run();
    expect(await env.FILES.head(FILE_PATH_TO_ERASE)).not.toBeNull();
    expect(await db.prepare("SELECT hash FROM check_in_files WHERE booking_id = 41").first("hash")).toBe(
      FILE_HASH_TO_ERASE,
    );
    const storeFailure = vi.spyOn(env.FILES, "delete").mockRejectedValue(new Error("object store unavailable"));
    await erase();
    storeFailure.mockRestore();
    expect(await db.prepare("SELECT hash FROM check_in_files WHERE booking_id = 41").first("hash")).toBeNull();
    expect(await env.FILES.head(FILE_PATH_TO_ERASE)).not.toBeNull();
    expect(await db.prepare("SELECT path FROM erasure_files").first("path")).toBe(`check-in/41/${FILE_HASH_TO_ERASE}`);
    await deleteErasedPeopleFiles(openTestTenant(env));
    expect(await env.FILES.head(FILE_PATH_TO_ERASE)).toBeNull();
    expect(await db.prepare("SELECT count(*) AS n FROM erasure_files").first("n")).toBe(0);
  });

  test("doesn't repeat a failed erasure at night, and keeps the record of an erasure whose response was lost", async () => {
    const db = env.TENANT_ACME;
    const listRecords = async () => (await env.BACKUPS?.list({ prefix: "erasures/acme/1-" }))?.objects.length;
    await db
      .prepare("CREATE TRIGGER refuse_erasure BEFORE INSERT ON erasures BEGIN SELECT RAISE(ABORT, 'no'); END")
      .run();
    expect((await erase()).status).toBe(500);
    await db.prepare("DROP TRIGGER refuse_erasure").run();
    expect(await reapplyErasuresAfterRestore(openTestTenant(env), Date.now())).toBe(0);
    expect(await db.prepare("SELECT erased_at FROM customers WHERE id = 1").first("erased_at")).toBeNull();
    expect(await listRecords()).toBe(0);
    const at = Date.now();
    await db
      .prepare("INSERT INTO erasures (customer_id, at, actor, reason) VALUES (1, ?, 'staff:3', 'x')")
      .bind(at)
      .run();
    const person = { customerIds: [1], bookingIds: [] };
    await saveErasureRecord(openTestTenant(env), { customerId: 1, at, actor: "staff:3", reason: "x" }, person);
    await deleteFailedErasureRecord(openTestTenant(env), 1, at);
    expect(await listRecords()).toBe(1);
  });

  test("answers with the cause of a failed erasure although its record can't be deleted", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const { BACKUPS } = env;
    if (!BACKUPS) throw new Error("the backup bucket is missing");
    const storeFailure = vi.spyOn(BACKUPS, "delete").mockRejectedValue(new Error("object store unavailable"));
    await env.TENANT_ACME.prepare(
      "CREATE TRIGGER refuse_erasure BEFORE INSERT ON erasures BEGIN SELECT RAISE(ABORT, 'no'); END",
    ).run();
    const { status } = await erase();
    await env.TENANT_ACME.prepare("DROP TRIGGER refuse_erasure").run();
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    storeFailure.mockRestore();
    expect(status).toBe(500);
    expect(lines.join("\n")).toContain('"operation":"delete_unused_erasure_record","defect":"FileStoreUnavailable"');
  });

  test("deletes the printed contracts of an erased person, but not those of other contracts", async () => {
    const [own, other] = [41, 410].map((id) => `t/acme/contracts/${id}/${FILE_HASH_TO_ERASE}.pdf`);
    for (const path of [own, other]) await env.FILES.put(path ?? "", "pdf");
    await env.TENANT_ACME.prepare(
      `INSERT INTO check_in_contracts (booking_id, hash, bytes, uploaded_by, uploaded_at) VALUES (41, '${"b".repeat(64)}', 3, 3, 1)`,
    ).run();
    expect((await erase()).status).toBe(200);
    expect(await env.FILES.head(own ?? "")).toBeNull();
    expect(await env.FILES.head(other ?? "")).not.toBeNull();
  });

  test("keeps a person erased although a device sends operations about them afterwards", async () => {
    expect((await erase()).status).toBe(200);
    const workIds = { booking_id: 41, resource_id: 410, notes: `${NAME_TO_ERASE} was in a hurry` };
    const driver = { name: NAME_TO_ERASE, surname: "Quesada", document_id: "ZQ999" };
    const damages = [
      {
        ...{ damage_id: crypto.randomUUID(), part: "roof" as const, kind: "dent" as const, severity: "light" as const },
      },
    ].map((damage) => ({ ...damage, x: 1, y: 1, note: `by ${NAME_TO_ERASE}`, photos: [FILE_HASH_TO_ERASE] }));
    const signature = { method: "typed" as const, name: NAME_TO_ERASE, signed_at: "2024-05-05T08:00:00.000Z" };
    const { vehicle_reference: _, ...work } = createDeliveryMessage({
      ...{ ...workIds, driver, damages, signature, kind: "correction", kilometres: 1200 },
    });
    expect((await sendCheckInOperation(boss, work)).result).toMatchObject({ state: "applied", missing_photos: [] });
    // A repetition is recognized, although the content isn't stored as sent.
    expect((await sendCheckInOperation(boss, work)).result).toMatchObject({ state: "applied" });
    expect(
      (await sendCheckInOperation(boss, createDeliveryMessage({ ...workIds, seq: 2, driver }))).result,
    ).toMatchObject({
      state: "conflict",
    });
    const path = `/v1/booking/41/check-in-files/${"b".repeat(64)}`;
    const photo = await callAsStaff("PUT", path, boss, new Uint8Array([1]));
    expect([photo.status, await photo.json()]).toMatchObject([409, { code: "customer_erased" }]);
    expect(await listTablesContaining(NAME_TO_ERASE)).toEqual(["documents"]);
    expect(await listTablesContaining("ZQ999")).toEqual([]);
  });

  test("rejects erasure with an open contract, without a reason or without permission", async () => {
    await insertCheckInRental({ id: 51, status: "confirmed" });
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_id = 1 WHERE id = 51").run();
    const refused = await erase();
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "customer_has_contracts" }]);
    expect((await erase({})).status).toBe(400);
    expect((await erase({ reason: "x" }, await createToken("desk"))).status).toBe(403);
    expect((await callOffice("POST", "/customers/999/erase", { token: boss, body: { reason: "x" } })).status).toBe(404);
    expect(await listTablesContaining(NAME_TO_ERASE)).toContain("customers");
  });

  // Proves "security, privacy and operation": Finished transfers don't prevent erasure
  test("erases a customer with transfers a day after their arrival, without a hand-over", async () => {
    await insertTransferCatalogue({ db: env.TENANT_ACME, account: "acme" });
    await bookTransfer();
    const arrives = (days: number) =>
      env.TENANT_ACME.prepare(
        `UPDATE bookings SET customer_id = 1, status = 'confirmed', expires_at = NULL,
          date_from = date('now', ?1), date_to = date('now', ?1) WHERE kind = 'transfer'`,
      )
        .bind(`${days} days`)
        .run();
    await env.TENANT_ACME.prepare("UPDATE customers SET merged_into_id = 1 WHERE created_by_booking = 1").run();
    await arrives(0);
    expect((await erase()).status).toBe(409);
    await arrives(-3);
    expect((await erase()).status).toBe(200);
    expect(await listTablesContaining(NAME_TO_ERASE)).toEqual(["documents"]);
    expect(await listTablesContaining("ana@example.com")).toEqual([]);
  });

  // Proves "security, privacy and operation": Consent to marketing has its moment and its door
  test("records when and how the customer consented to marketing and which user revoked it", async () => {
    await env.TENANT_ACME.prepare(
      "UPDATE customers SET marketing_consent_at = NULL, marketing_consent_door = NULL",
    ).run();
    const recordConsent = (body: object, token = boss) => callOffice("POST", "/customers/1/consent", { token, body });
    const marketing = async () =>
      (await (await callOffice("GET", "/customers/1", { token: boss })).json<{ customer: Customer }>()).customer;
    const before = await marketing();
    expect(before.marketing).toMatchObject({ consents: false, consented_at: null });
    const consentResponse = await recordConsent({ expected_version: before.version, consents: true, door: "phone" });
    expect(consentResponse.status).toBe(200);
    const after = await marketing();
    expect(after.marketing).toMatchObject({ consents: true, consent_door: "phone", withdrawn_at: null });
    expect(after.marketing["consented_at"]).toEqual(expect.any(String));
    expect((await recordConsent({ expected_version: before.version, consents: false, door: "mail" })).status).toBe(409);
    expect((await recordConsent({ expected_version: after.version, consents: false, door: "mail" })).status).toBe(200);
    const last = await callOffice("GET", "/customers/1", { token: boss });
    const { customer, history } = await last.json<{ customer: Customer; history: { after: unknown }[] }>();
    expect(customer.marketing).toMatchObject({ consents: false, consent_door: "phone", withdrawn_door: "mail" });
    expect(history[0]?.after).toMatchObject({ marketing_consent: "withdrawn", marketing_door: "mail" });
    expect((await recordConsent({ expected_version: 1, consents: "yes", door: "desk" })).status).toBe(400);
    expect((await recordConsent({ expected_version: 1, consents: true, door: "pigeon" })).status).toBe(400);
  });

  // Proves "security, privacy and operation": The office shows how long data is kept
  test("shows the office the retention periods and the deletions", async () => {
    await env.TENANT_ACME.prepare("INSERT INTO deletions (kind, at, count) VALUES ('ministry_reports', 5, 3)").run();
    const answer = await callOffice("GET", "/retention", { token: boss });
    const { data } = await answer.json<{ data: { kind: string; days: number; deleted: number }[] }>();
    expect(data.find(({ kind }) => kind === "ministry_reports")).toMatchObject({ days: 1095, deleted: 3 });
    expect(data.find(({ kind }) => kind === "webhook_events")).toMatchObject({ days: 30, deleted: 0 });
  });
});
