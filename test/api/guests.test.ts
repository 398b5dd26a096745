import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createAgencyReservationBody, postAsAgency } from "#support/agency.ts";
import { createDeliveryMessage, readFirstRow, sendCheckInOperation } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue } from "#support/transfers.ts";
import { checkOutCart, createCart } from "#support/website.ts";
import { deleteExpiredData, RETENTION_TASKS } from "#worker/store/operations/retention.ts";

// Every reservation has its customer from the moment it exists.

const db = env.TENANT_ACME;
let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await insertTransferCatalogue({ db, account: "acme" });
  boss = await createToken("boss");
});

/** Returns the customers of all reservations, oldest first. */
const getReservationCustomers = async () => {
  const { results } = await db
    .prepare(
      `SELECT customers.id, full_name AS name, customers.branch_code AS branch, created_by_booking AS created
      FROM bookings LEFT JOIN customers ON customers.id = bookings.customer_id ORDER BY bookings.id`,
    )
    .all();
  return results;
};

const LEO = { customer_name: "Leo", customer_surname: "Gast", customer_email: "leo@example.com" };

const ENTRIES = {
  agency: async () => postAsAgency("/booking", createAgencyReservationBody(LEO)),
  website: async () => checkOutCart(await createCart("A"), LEO),
  desk: async () => sellRentalAtDesk(boss, { customer: { name: "Leo", surname: "Gast", email: "leo@example.com" } }),
} as const;

test.each(Object.entries(ENTRIES))(
  "creates a customer of the branch for a new guest of the %s immediately",
  async (_, enter) => {
    await enter();
    expect(await getReservationCustomers()).toEqual([{ id: 2, name: "Leo Gast", branch: "AIR", created: 1 }]);
  },
);

test("creates a customer for a transfer's guest immediately", async () => {
  await db.prepare("UPDATE customers SET email = 'other@example.com' WHERE id = 1").run();
  await bookTransfer();
  expect(await getReservationCustomers()).toEqual([{ id: 2, name: "Ana Ruiz", branch: "AIR", created: 1 }]);
});

test("creates a customer for each booking of an agency's guest without email and identity document", async () => {
  for (const _ of [1, 2]) expect((await postAsAgency("/booking", createAgencyReservationBody())).status).toBe(200);
  expect((await getReservationCustomers()).map(({ id }) => id)).toEqual([2, 3]);
});

describe("a guest who is known", () => {
  test.each<[string, Readonly<Record<string, string>>, number]>([
    ["document and name, in any spelling", { customer_name: "ANA", customer_document_id: "x-1/23" }, 1],
    ["e-mail and name", { customer_email: "Ana@Example.com" }, 1],
    ["a document with another name", { customer_name: "Eva", customer_document_id: "X123" }, 2],
    ["an e-mail with another name", { customer_name: "Eva", customer_email: "ana@example.com" }, 2],
    ["e-mail and name with another document", { customer_email: "ana@example.com", customer_document_id: "Y9" }, 2],
  ])("looks a guest up by document or email together with the name: %s", async (_, changes, expected) => {
    expect((await postAsAgency("/booking", createAgencyReservationBody(changes))).status).toBe(200);
    expect((await getReservationCustomers()).map(({ id }) => id)).toEqual([expected]);
  });

  test("keeps a known customer's data if a booking contains different data", async () => {
    const changes = { customer_email: "ana@example.com", customer_phone_number: "699999999" };
    expect((await postAsAgency("/booking", createAgencyReservationBody(changes))).status).toBe(200);
    expect(await readFirstRow("SELECT phone_number, version FROM customers WHERE id = 1")).toEqual({
      phone_number: "600111222",
      version: 1,
    });
  });

  test("creates one customer for two simultaneous bookings of a guest", async () => {
    const bookings = [1, 2, 3].map(() =>
      postAsAgency("/booking", createAgencyReservationBody({ ...LEO, products: [{ code: "A", quantity: 1 }] })),
    );
    const answers = await Promise.all(bookings);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(new Set((await getReservationCustomers()).map(({ id }) => id)).size).toBe(1);
  });
});

test("creates no customer if the booking is rejected", async () => {
  expect(
    (await postAsAgency("/booking", createAgencyReservationBody({ ...LEO, products: [{ code: "A", quantity: 9 }] })))
      .status,
  ).not.toBe(500);
  expect(await getReservationCustomers()).toEqual([]);
  expect(await readFirstRow("SELECT count(*) AS n FROM customers")).toEqual({ n: 1 });
});

describe("the customer of a guest", () => {
  let id: number;

  beforeEach(async () => {
    expect((await postAsAgency("/booking", createAgencyReservationBody(LEO))).status).toBe(200);
    id = Number((await readFirstRow("SELECT id FROM bookings"))?.["id"]);
  });

  const rename = (booking: number, surname: string) =>
    db.prepare("UPDATE bookings SET customer_surname = ? WHERE id = ?").bind(surname, booking).run();
  const surname = async () => (await readFirstRow("SELECT surname FROM customers WHERE id = 2"))?.["surname"];

  test("updates the customer created from a guest when the guest's only reservation changes", async () => {
    await rename(id, "Garst");
    expect(await surname()).toBe("Garst");
  });

  test("stops updating the customer created from a guest once the office changed that customer", async () => {
    const change = await callOffice("PATCH", "/customers/2", {
      token: boss,
      body: { expected_version: 1, surname: "Own" },
    });
    expect(change.status).toBe(200);
    await rename(id, "Garst");
    expect(await surname()).toBe("Own");
  });

  test("doesn't update the customer created from a guest with two reservations", async () => {
    expect((await postAsAgency("/booking", createAgencyReservationBody(LEO))).status).toBe(200);
    await rename(id, "Garst");
    expect(await surname()).toBe("Gast");
  });

  test("merges a guest at delivery into the known customer with the reservation's identity document", async () => {
    await db.batch([
      db.prepare(
        "INSERT INTO customers (id, name, surname, document_id, branch_code, created_at, last_update) VALUES (9, 'Leo', 'Gast', 'LG1', 'AIR', 0, 0)",
      ),
      db.prepare("UPDATE bookings SET customer_document_id = 'lg-1', status = 'confirmed', expires_at = NULL"),
    ]);
    const unit = Number((await readFirstRow("SELECT id FROM booking_units"))?.["id"]);
    const version = Number((await readFirstRow("SELECT version FROM bookings"))?.["version"]);
    const { result } = await sendCheckInOperation(
      boss,
      createDeliveryMessage({ booking_id: id, resource_id: unit, base_version: version }),
    );
    expect(result).toMatchObject({ state: "applied" });
    expect((await getReservationCustomers()).map((customer) => customer["id"])).toEqual([9]);
    expect(await readFirstRow("SELECT merged_into_id, email FROM customers WHERE id = 2")).toMatchObject({
      merged_into_id: 9,
    });
    expect(await readFirstRow("SELECT email FROM customers WHERE id = 9")).toEqual({ email: "leo@example.com" });
  });

  test("deletes the customer created from a guest when the unpaid reservation expired long ago, and no other customer", async () => {
    const task = RETENTION_TASKS.find(({ kind }) => kind === "expired_holds");
    if (!task) throw new Error("no such task");
    await db
      .prepare(
        `UPDATE bookings SET status = 'cancelled', cancellation_reason = 'expired', date_from = '2020-01-01', date_to = '2020-01-03', created_at = 1`,
      )
      .run();
    await deleteExpiredData(openTestTenant(env).db, task, Date.now());
    expect(await readFirstRow("SELECT group_concat(id) AS ids FROM customers")).toEqual({ ids: "1" });
    expect(await getReservationCustomers()).toEqual([]);
  });
});
