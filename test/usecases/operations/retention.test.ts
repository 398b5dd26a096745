import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers } from "#support/test-users.ts";
import { makeExpiredDataPurgeDue } from "#worker/store/operations/upkeep.ts";
import type { FileStore } from "#worker/tenancy/file-store.ts";
import { getCheckInFilePath } from "#worker/usecases/check-in/files.ts";
import { purgeExpiredDataIfDue } from "#worker/usecases/operations/purge-expired-data.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";
import { putUpload } from "#worker/usecases/shared/put-upload.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2036-06-01T03:00:00Z");
const db = env.TENANT_ACME;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
});

const clean = () => purgeExpiredDataIfDue(openTestTenant(env), NOW - DAY, NOW);
const count = (table: string, where = "true") =>
  db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).first<number>("n");
const run = (...texts: readonly string[]) => db.batch(texts.map((text) => db.prepare(text)));

describe("expired data", () => {
  test("deletes expired data once a day by one of two cron runs", async () => {
    await run(`INSERT INTO access_attempts VALUES ('login', 'a', 1, ${NOW - 2 * DAY})`);
    const counts = await Promise.all([clean(), clean()]);
    expect(counts.filter((some) => some > 0)).toHaveLength(1);
    await run(`INSERT INTO access_attempts VALUES ('login', 'b', 1, ${NOW - 2 * DAY})`);
    expect(await clean()).toBe(0);
    expect(await count("access_attempts")).toBe(1);
  });

  // Proves "security, privacy and operation": Expired data is deleted
  // Proves "security.md": V20
  test("deletes unpaid expired holds, but not those with payments or from this year", async () => {
    await insertContracts([
      { id: 7, status: "cancelled" },
      { id: 8, status: "cancelled" },
      { id: 9, status: "cancelled" },
      { id: 10, status: "done" },
    ]);
    await run(
      `UPDATE bookings SET cancellation_reason = 'expired', created_at = ${NOW - 500 * DAY}, total_paid_cents = 0 WHERE id IN (7, 8, 9)`,
      `UPDATE bookings SET created_at = ${NOW - 10 * DAY} WHERE id = 9`,
      `INSERT INTO booking_history (booking_id, at, actor, event) VALUES (7, 1, 'visitor', 'created')`,
      `INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
       VALUES (8, 'booking', 'charge', 'cash', 1, 100, 'EUR', 'AIR', 1, 1)`,
    );
    await clean();
    const { results } = await db.prepare("SELECT id FROM bookings ORDER BY id").all<{ id: number }>();
    expect(results.map(({ id }) => id)).toEqual([8, 9, 10]);
    expect(await count("booking_lines", "booking_id = 7")).toBe(0);
    expect((await db.prepare("PRAGMA foreign_key_check").all()).results).toEqual([]);
  });

  test("deletes payment links of unpaid expired holds, but not those with an authorised card", async () => {
    await insertContracts([
      { id: 7, status: "cancelled" },
      { id: 8, status: "cancelled" },
    ]);
    const old = NOW - 500 * DAY;
    const link = (id: number, booking: number) =>
      `INSERT INTO payment_links (id, booking_id, token, purpose, amount_cents, expires_at, created_at, last_update)
        VALUES (${id}, ${booking}, '${String(id).repeat(32)}', 'hold', 100, ${old + 1}, ${old}, ${old})`;
    const intent = (id: number, booking: number, state: string) =>
      `INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, state, created_at, expires_at, link_id)
        VALUES ('${String(id).repeat(32)}', ${booking}, 'tpvA256', 'pending', '1234ABCDEFG${id}', 100, 'EUR', '${state}', ${old}, ${old + 1}, ${id})`;
    const hold = (id: number, booking: number, more: string) =>
      `INSERT INTO payment_holds (booking_id, link_id, amount_cents, created_at, last_update, status, intent_id, expires_at)
        VALUES (${booking}, ${id}, 100, ${old}, ${old}, ${more})`;
    await run(
      `UPDATE bookings SET cancellation_reason = 'expired', last_update = ${old}, total_paid_cents = 0 WHERE id IN (7, 8)`,
      `INSERT INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update) VALUES ('tpvA256', 'test', '{}', 'x', 1, 1)`,
      ...[link(1, 7), intent(1, 7, "denied"), hold(1, 7, "'failed', NULL, NULL")],
      ...[link(2, 8), intent(2, 8, "held"), hold(2, 8, `'authorised', '${"2".repeat(32)}', ${old}`)],
    );
    await clean();
    expect(await count("payment_links")).toBe(1);
    expect(await count("payment_holds", "link_id = 2")).toBe(1);
    expect(await count("bookings", "id = 7")).toBe(0);
  });

  // Proves "security.md": V20
  test("deletes all data of people who never verified their email address and booked nothing", async () => {
    const user = (id: number, at: number) => [
      `INSERT INTO customers (id, name, created_at, last_update) VALUES (${id}, 'Eva', 0, 0)`,
      `INSERT INTO users (id, kind, username, email, full_name, password_hash, role, customer_id, created_at, last_update, unverified_since)
       VALUES (${id}, 'customer', 'u${id}', 'u${id}@example.com', 'Eva', 'x', 'customer', ${id}, 0, 0, ${at})`,
      `INSERT INTO user_sessions (id, user_id, created_at, expires_at) VALUES ('s${id}', ${id}, 0, ${NOW})`,
    ];
    await run(...user(51, NOW - 40 * DAY), ...user(52, NOW - 5 * DAY), ...user(53, NOW - 40 * DAY));
    await insertContracts([{ id: 7, status: "done" }]);
    await run("UPDATE bookings SET customer_id = 53 WHERE id = 7");
    await clean();
    expect([await count("users", "id > 50"), await count("customers", "id > 50")]).toEqual([2, 2]);
    expect([await count("users", "id = 51"), await count("user_sessions", "user_id = 51")]).toEqual([0, 0]);
  });

  // Proves "security.md": V20
  test("deletes old sessions, known networks, stored requests and history by their age", async () => {
    await insertContracts([{ id: 7, status: "done" }]);
    await run(
      `INSERT INTO user_sessions (id, user_id, created_at, expires_at, erase_at) VALUES ('old', 2, 0, ${NOW - 40 * DAY}, NULL),
       ('lost', 2, 0, ${NOW - 40 * DAY}, ${NOW - 40 * DAY}), ('new', 2, 0, ${NOW}, NULL)`,
      `INSERT INTO user_networks VALUES (2, 'n', ${NOW - 200 * DAY}), (2, 'm', ${NOW - DAY})`,
      `INSERT INTO office_requests VALUES ('k', 'f', 'r', ${NOW - 31 * DAY}), ('l', 'f', 'r', ${NOW - 29 * DAY})`,
      `INSERT INTO security_events (at, last_at, kind) VALUES (1, ${NOW - 401 * DAY}, 'signed_in'), (1, ${NOW}, 'new_device')`,
      `INSERT INTO booking_history (booking_id, at, actor, event) VALUES (7, ${NOW - 7 * 365 * DAY}, 'x', 'changed'), (7, ${NOW - DAY}, 'x', 'changed')`,
      `UPDATE bookings SET visitor_network = 'hash', created_at = ${NOW - 8 * DAY} WHERE id = 7`,
    );
    await clean();
    expect((await db.prepare("SELECT id FROM user_sessions ORDER BY id").all()).results).toEqual([
      { id: "lost" },
      { id: "new" },
    ]);
    const untouchedTables = [
      "user_networks",
      "office_requests",
      "security_events WHERE kind IN ('signed_in', 'new_device')",
    ];
    for (const table of untouchedTables)
      expect([table, await db.prepare(`SELECT count(*) AS n FROM ${table}`).first("n")]).toEqual([table, 1]);
    expect(await count("booking_history", `event = 'changed' AND at < ${NOW - 6 * 365 * DAY}`)).toBe(0);
    expect(await count("bookings", "visitor_network IS NOT NULL")).toBe(0);
  });

  // Proves "security, privacy and operation": Reports are deleted three years after the rental, with a record
  // Proves "security.md": V20
  test("deletes ministry reports three years after the rental's end, and records the count", async () => {
    await insertContracts([
      { id: 7, status: "done" },
      { id: 8, status: "done" },
    ]);
    const readRow = (id: number) =>
      `INSERT INTO ministry_reports (booking_id, kind, state, xml, fingerprint, created_at) VALUES (${id}, 'AV', 'accepted', '<nombre/>', '${id}', 1)`;
    await run(
      readRow(7),
      readRow(8),
      "UPDATE bookings SET date_from = '2033-05-20', date_to = '2033-05-31' WHERE id = 7",
      "UPDATE bookings SET date_from = '2033-05-20', date_to = '2033-06-01' WHERE id = 8",
    );
    await clean();
    const { results } = await db.prepare("SELECT booking_id FROM ministry_reports").all();
    expect(results).toEqual([{ booking_id: 8 }]);
    const note = await db.prepare("SELECT at, count FROM deletions WHERE kind = 'ministry_reports'").all();
    expect(note.results).toEqual([{ at: NOW, count: 1 }]);
  });

  // Proves "security.md": V20
  test("deletes refused operations with their photos a year after they were resolved, but no other photos", async () => {
    await insertContracts([{ id: 7, status: "done" }]);
    const tenant = openTestTenant(env);
    const storeFile = async (text: string) => {
      const bytes = new TextEncoder().encode(text);
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      await tenant.files.put(getCheckInFilePath({ bookingId: 7, hash }), bytes, {
        sha256: hash,
        contentType: "image/jpeg",
      });
      await run(`INSERT INTO check_in_files (booking_id, hash, content_type, bytes, width, height, uploaded_by, uploaded_at)
        VALUES (7, '${hash}', 'image/jpeg', 1, 1, 1, 2, ${NOW - 500 * DAY})`);
      return hash;
    };
    const [refused, good] = [await storeFile("refused"), await storeFile("good")];
    const work = (id: string, state: string, hash: string) => [
      `INSERT INTO check_in_operations (op_id, booking_id, kind, state, code, message, fingerprint, operation, version, author, user_id, device_id, seq, recorded_at, received_at, resolved_at)
       VALUES ('${id}', 7, 'evidence', '${state}', 'x', 'x', 'f', '{}', 1, 'Dora', 2, 'phone', 1, 1, 1, ${NOW - 450 * DAY})`,
      `INSERT INTO check_in_operation_files (op_id, position, booking_id, hash, view) VALUES ('${id}', 0, 7, '${hash}', 'front')`,
    ];
    await run(
      ...work("00000000-0000-4000-8000-000000000001", "dismissed", refused),
      ...work("00000000-0000-4000-8000-000000000002", "applied", good),
    );
    await clean();
    expect([
      await count("check_in_operations"),
      await count("check_in_files"),
      await count("check_in_operation_files"),
    ]).toEqual([1, 1, 1]);
    expect(await tenant.files.has(getCheckInFilePath({ bookingId: 7, hash: refused }))).toBe(false);
    expect(await tenant.files.has(getCheckInFilePath({ bookingId: 7, hash: good }))).toBe(true);
  });

  test("deletes the other expired data while the object store fails, and the objects a day later", async () => {
    await run(
      `INSERT INTO access_attempts VALUES ('login', 'a', 1, ${NOW - 2 * DAY})`,
      "INSERT INTO erasure_files (path) VALUES ('customers/1/a')",
    );
    const tenant = openTestTenant(env);
    const files = { ...tenant.files, delete: () => Promise.reject(new Error("object store")) };
    await purgeExpiredDataIfDue({ ...tenant, files }, NOW - DAY, NOW);
    expect([await count("access_attempts"), await count("erasure_files")]).toEqual([0, 1]);
    await purgeExpiredDataIfDue(tenant, NOW + 1, NOW + DAY);
    expect(await count("erasure_files")).toBe(0);
  });

  describe("files without a row", () => {
    const HASH = "0123456789abcdef".repeat(4);
    const OTHER_HASH = "f".repeat(64);
    const now = Date.now();
    const WITH_ROW = [
      `check-in/7/${HASH}`,
      `check-in/7/${OTHER_HASH}`,
      `contracts/7/${HASH}.pdf`,
      `customers/1/${HASH}`,
      `photos/${HASH}`,
    ];
    const WITHOUT_ROW = [
      `check-in/8/${HASH}`,
      `contracts/8/${HASH}.pdf`,
      `customers/1/${OTHER_HASH}`,
      `customers/2/${HASH}`,
      `photos/${OTHER_HASH}`,
    ];
    const UNKNOWN = [`check-in/8/${HASH}.bak`, "notes/1", `photos/${OTHER_HASH}/small`];
    const ALL = [...WITH_ROW, ...WITHOUT_ROW, ...UNKNOWN].sort();
    const SWEPT = [...WITH_ROW, ...UNKNOWN].sort();

    beforeEach(async () => {
      for (const bucket of [env.FILES, env.BACKUPS ?? env.FILES]) {
        const { objects } = await bucket.list();
        await bucket.delete(objects.map(({ key }) => key));
      }
      await insertContracts([
        { id: 7, status: "done" },
        { id: 8, status: "done" },
      ]);
      await run(
        `INSERT INTO check_in_files (booking_id, hash, content_type, bytes, width, height, uploaded_by, uploaded_at) VALUES (7, '${HASH}', 'image/png', 3, 1, 1, 2, 1)`,
        `INSERT INTO check_in_contracts (booking_id, hash, bytes, uploaded_by, uploaded_at) VALUES (7, '${OTHER_HASH}', 3, 2, 1)`,
        `INSERT INTO customer_files (file_key, customer_id, name, content_type, bytes, created_by, created_at) VALUES ('${HASH}', 1, 'a.png', 'image/png', 3, 'staff:2', 1)`,
        `INSERT INTO catalogue_photos (hash, content_type, bytes, created_by, created_at) VALUES ('${HASH}', 'image/png', 3, 'staff:2', 1)`,
      );
      for (const path of ALL) await env.FILES.put(`t/acme/${path}`, "png");
    });

    const listPaths = async (bucket = env.FILES, prefix = "t/acme/") =>
      (await bucket.list({ prefix })).objects.map(({ key }) => key.slice(prefix.length));
    const purge = (tenant = openTestTenant(env), at = now + 2 * DAY) => purgeExpiredDataIfDue(tenant, at - DAY / 2, at);

    // Proves "security.md": V20
    test("deletes files older than a day, and their backups, if their row is missing, but no files of unknown kinds", async () => {
      await env.BACKUPS?.put(`photos/acme/${WITHOUT_ROW[0]}`, "png");
      await env.FILES.put(`t/acme-2/${WITHOUT_ROW[0]}`, "png");
      await purge();
      expect(await listPaths()).toEqual(SWEPT);
      expect(env.BACKUPS && (await listPaths(env.BACKUPS, "photos/acme/"))).toEqual([]);
      expect(await listPaths(env.FILES, "t/acme-2/")).toEqual([WITHOUT_ROW[0]]);
    });

    test("keeps files without a row for a day, because their row may still be written", async () => {
      await purge(openTestTenant(env), now + DAY / 2);
      expect(await listPaths()).toEqual(ALL);
    });

    test("keeps files without a row for 30 days after a restore, which may be undone", async () => {
      await makeExpiredDataPurgeDue(openTestTenant(env).db, now);
      await purge(openTestTenant(env), now + 29 * DAY);
      expect(await listPaths()).toEqual(ALL);
      await purge(openTestTenant(env), now + 31 * DAY);
      expect(await listPaths()).toEqual(SWEPT);
    });

    test("keeps a file and its backup if an upload names it while the sweep deletes it", async () => {
      const tenant = openTestTenant(env);
      const path = `photos/${OTHER_HASH}`;
      const files: FileStore = {
        ...tenant.files,
        delete: async (paths) => {
          if (paths === path)
            await run(
              `INSERT INTO catalogue_photos (hash, content_type, bytes, created_by, created_at) VALUES ('${OTHER_HASH}', 'image/png', 3, 'staff:2', 1)`,
            );
          await tenant.files.delete(paths);
        },
      };
      await purge({ ...tenant, files });
      expect(await listPaths()).toEqual([...SWEPT, path].sort());
      expect(await listPaths(env.BACKUPS, "photos/acme/")).toEqual([path]);
      expect(await (await env.FILES.get(`t/acme/${path}`))?.text()).toBe("png");
    });

    test("writes an upload again if the sweep deletes its old object before its row exists", async () => {
      const { files } = openTestTenant(env);
      const path = `photos/${OTHER_HASH}`;
      const bytes = new TextEncoder().encode("png");
      const sha256 = await hashBytesSha256(bytes);
      const putAgain = await putUpload(files, path, bytes, { sha256, contentType: "image/png" });
      await files.delete(path);
      await putAgain();
      expect(await files.has(path)).toBe(true);
    });

    test("deletes at most thirty files a night, and repeats the page for the others", async () => {
      const names = Array.from({ length: 31 }, (_, index) => `photos/${String(index).padStart(64, "a")}`);
      for (const name of names) await env.FILES.put(`t/acme/${name}`, "png");
      await purge();
      expect((await listPaths()).length).toBe(ALL.length + names.length - 30);
      await purge(openTestTenant(env), now + 3 * DAY);
      expect(await listPaths()).toEqual(SWEPT);
    });

    test("compares one page of stored files with the database each night, and starts again after the last page", async () => {
      const tenant = openTestTenant(env);
      const positions: string[] = [];
      const files: FileStore = {
        ...tenant.files,
        listPage: async (after) => {
          positions.push(after);
          const page = await tenant.files.listPage(after);
          return { files: page.files.slice(0, 6), hasMore: page.files.length > 6 };
        },
      };
      for (const night of [2, 3, 4]) await purge({ ...tenant, files }, now + night * DAY);
      expect(positions).toEqual(["", ALL[5], ALL[11]]);
      expect(await listPaths()).toEqual(SWEPT);
      await purge({ ...tenant, files }, now + 5 * DAY);
      expect(positions.at(-1)).toBe("");
    });

    test.each(["listPage", "delete"] as const)(
      "runs the other purges if the object store's %s fails, and retries the same page of files another night",
      async (call) => {
        await run(
          `INSERT INTO access_attempts VALUES ('login', 'a', 1, ${now - 2 * DAY})`,
          `UPDATE upkeep SET file_sweep_after = 'check-in/7/${HASH}'`,
        );
        const tenant = openTestTenant(env);
        const files = { ...tenant.files, [call]: () => Promise.reject(new Error("object store")) };
        await purge({ ...tenant, files });
        expect(await count("access_attempts")).toBe(0);
        expect(await count("upkeep", `file_sweep_after = 'check-in/7/${HASH}'`)).toBe(1);
        await purge(tenant, now + 3 * DAY);
        expect(await listPaths()).toEqual(SWEPT);
        expect(await count("upkeep", "file_sweep_after IS NULL")).toBe(1);
      },
    );

    test("needs two more calls a night, a page of files and a batch, and one batch for each deleted file", async () => {
      const tenant = openTestTenant(env);
      const before = tenant.meter.calls;
      const files = { ...tenant.files, listPage: async () => ({ files: [], hasMore: false }) };
      await purge({ ...tenant, files });
      const empty = tenant.meter.calls - before;
      await purge(tenant, now + 3 * DAY);
      expect(tenant.meter.calls - before - empty).toBe(empty + 1 + WITHOUT_ROW.length);
    });
  });
});
