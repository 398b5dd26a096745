import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { createContractStatements, insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { getAsErp, listAsErp } from "#support/erp-client.ts";
import { getRequestCost } from "#support/request-cost.ts";
import { invoiceContract } from "#worker/usecases/documents/invoice-contract.ts";

const LISTS = ["reservations", "invoices", "charges"] as const;
type Entities = Map<number, unknown>;
interface Entity {
  readonly id: number;
}

const db = env.TENANT_ACME;
const issue = (bookingId: number) =>
  invoiceContract(
    {
      tenant: openTestTenant(env),
      staff: { userId: 1, role: "administrator", branches: "all" },
      factor: "fresh",
      now: Date.now(),
    },
    { requestId: `request-${bookingId}`, bookingId, advanceCents: undefined, issued: true },
  );

/** Changes made during a working day, each with its own request. */
const WORK: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
  book: (id) => db.batch(createContractStatements([{ id: 1000 + id, status: "done" }], Date.now())),
  invoice: (id) => issue(id),
  rename: (id) =>
    db.prepare("UPDATE bookings SET customer_name = 'Bea', last_update = ? WHERE id = ?").bind(Date.now(), id).run(),
  assign: (id) => db.prepare("UPDATE booking_units SET vehicle_reference = 'A-2' WHERE booking_id = ?").bind(id).run(),
  pay: (id) =>
    db
      .prepare(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
        VALUES (?, 'booking', 'charge', 'cash', ?2, 100, 'EUR', 'AIR', ?2, ?2)`)
      .bind(id, Date.now())
      .run(),
  plate: (id) => db.prepare("UPDATE vehicles SET plate = ? WHERE reference = 'A-1'").bind(`P-${id}`).run(),
};

async function page(path: string, query: string): Promise<readonly Entity[]> {
  return (await listAsErp<Entity>(`${path}?${query}`)).data;
}

/** Collects the rows of a page. A repeated row is a paging error. */
function storeRows(entities: Entities, rows: readonly Entity[]): void {
  for (const row of rows) {
    expect(entities.has(row.id), `${row.id} came twice`).toBe(false);
    entities.set(row.id, row);
  }
}

async function extract(path: string, by: "page" | "cursor", filter: string, size: number): Promise<Entities> {
  const entities: Entities = new Map();
  let after = "";
  for (let number = 0; ; number++) {
    const where = by === "page" ? `page=${number}` : after;
    const rows = await page(path, `page_size=${size}&${where}${filter}`);
    storeRows(entities, rows);
    after = `after=${rows.at(-1)?.id}`;
    if (rows.length < size) return entities;
  }
}

const TABLES = { reservations: "bookings", invoices: "documents WHERE kind = 'invoice'", charges: "charges" } as const;

/** Checks that rows extracted during changes, updated with those changed since, equal the database. */
async function expectToEndWith(path: (typeof LISTS)[number], known: Entities, startedAt: number): Promise<void> {
  const changed = await extract(path, "cursor", ago(startedAt), 7);
  const extractedEntities = await extract(path, "page", "", 500);
  expect(new Map([...known, ...changed].sort(([a], [b]) => a - b))).toEqual(extractedEntities);
  const count = await db.prepare(`SELECT count(*) AS n FROM ${TABLES[path]}`).first<number>("n");
  expect([(await listAsErp(path)).total, extractedEntities.size]).toEqual([count, count]);
}

const ago = (moment: number) => `&updated_from=${encodeURIComponent(new Date(moment - 60_000).toISOString())}`;

beforeEach(async () => {
  await setUpCompany();
  await insertContracts(Array.from({ length: 30 }, (_, index) => ({ id: index + 1, status: "done" })));
});

describe("extraction during changes", () => {
  // Proves "integration.md: lists and filters": Paging through a changing list neither repeats nor skips
  test.each(["page", "cursor"] as const)(
    "extracts the database's content by %s without missing rows, although it changes in the meantime",
    async (by) => {
      const step = fc.record({ work: fc.constantFrom(...Object.keys(WORK)), id: fc.integer({ min: 1, max: 30 }) });
      let used = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 5, maxLength: 25 }),
          fc.integer({ min: 3, max: 12 }),
          async (steps, size) => {
            // Use a new contract number in each round.
            const work = async () => {
              for (const step of steps) await WORK[step.work]?.(step.work === "book" ? ++used : step.id);
            };
            const startedAt = Date.now();
            const [known] = await Promise.all([Promise.all(LISTS.map((path) => extract(path, by, "", size))), work()]);
            for (const [index, path] of LISTS.entries())
              await expectToEndWith(path, known[index] ?? new Map(), startedAt);
          },
        ),
        { numRuns: inject("isThorough") ? 8 : 3 },
      );
    },
  );
});

// Proves "integration.md: lists and filters": Incremental: every change that an answer shows moves last_update
describe("last_update of changed rows", () => {
  const since = async (path: string, moment: number) =>
    (await page(path, `updated_from=${encodeURIComponent(new Date(moment).toISOString())}`)).length;

  test.each([
    ["a contract by its charge", "reservations", "pay", 1],
    ["a contract by the assignment of its vehicle", "reservations", "assign", 1],
    ["contracts by the plate of their vehicle", "reservations", "plate", 30],
  ] as const)("updates the last_update of changed rows only: %s", async (_, path, work, changedRows) => {
    const before = Date.now() - 1;
    await db.prepare("UPDATE bookings SET last_update = 5").run();
    await db.prepare("UPDATE vehicles SET plate = 'OLD'").run();
    await db.prepare("UPDATE bookings SET last_update = 6").run();
    expect(await since(path, before)).toBe(0);
    await WORK[work]?.(4);
    expect(await since(path, before)).toBe(changedRows);
  });

  test("updates last_update of an invoice for its payments, and of the payments for the invoice's accounting mark", async () => {
    await WORK["pay"]?.(4);
    await issue(4);
    const [invoice] = await page("invoices", "");
    await db.batch([
      db.prepare("UPDATE documents SET last_update = 5"),
      db.prepare("UPDATE charges SET last_update = 5"),
    ]);
    const before = Date.now() - 1;
    await db
      .prepare(`INSERT INTO charges (booking_id, document_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
        VALUES (4, ?, 'customer_invoice', 'charge', 'cash', ?2, 100, 'EUR', 'AIR', ?2, ?2)`)
      .bind(invoice?.id, Date.now())
      .run();
    expect([await since("invoices", before), await since("charges", before)]).toEqual([1, 1]);
    await db
      .prepare("UPDATE documents SET accounting_processed = 1, last_update = ?")
      .bind(Date.now() + 1)
      .run();
    expect(await since("charges", before)).toBe(2);
  });

  test.each([
    ["rental-storages", "UPDATE classifiers SET name = 'Red'"],
    ["rental-locations", "UPDATE classifiers SET name = 'Red'"],
    ["pickup-places", "UPDATE classifiers SET name = 'Red'"],
    ["booking-categories", "UPDATE families SET name = 'Red'"],
    ["booking-items", "UPDATE categories SET name = 'Red'"],
    ["invoices", "UPDATE branches SET external_code = 'X' WHERE code = 'AIR'"],
    ["invoices", "UPDATE branch_groups SET external_code = 'X' WHERE id = 1"],
    ["reservations", "UPDATE agencies SET name = 'Red' WHERE id = 1"],
    ["reservations", "UPDATE bookings SET comments = 'forgot to say when' WHERE id = 3"],
  ])("updates last_update for %s changed by: %s", async (path, sql) => {
    await issue(4);
    const tables = ["branch_groups", "branches", "pickup_places", "categories", "vehicles", "documents", "bookings"];
    await db.batch([
      db.prepare("INSERT INTO classifiers VALUES (1, 'Blue')"),
      db.prepare("INSERT INTO families (id, code, name) VALUES (1, 'f', 'Small')"),
      ...["branch_groups", "branches", "pickup_places"].map((name) =>
        db.prepare(`UPDATE ${name} SET classifier_id = 1`),
      ),
      db.prepare("UPDATE categories SET family_id = 1"),
      db.prepare("UPDATE bookings SET agency_id = 1, agency_reservation_id = id"),
      ...tables.map((name) => db.prepare(`UPDATE ${name} SET last_update = 5`)),
    ]);
    const before = Date.now() - 1;
    expect(await since(path, before)).toBe(0);
    await db.prepare(sql).run();
    expect(await since(path, before)).toBeGreaterThan(0);
  });
});

describe("changed rows", () => {
  const many = 200;

  beforeEach(async () => {
    await db.batch(
      createContractStatements(
        Array.from({ length: many }, (_, index) => ({ id: 100 + index, status: "done" as const })),
        Date.now(),
      ),
    );
  });

  const read = async (changed: number, query: string) => {
    // Give each row a different change time in descending order, because unchanged times would be set to now.
    await db
      .prepare("UPDATE bookings SET last_update = iif(id BETWEEN 100 AND ?1, 1000000 + 2 * ?1 - id, ?1)")
      .bind(99 + changed)
      .run();
    const moment = encodeURIComponent(new Date(1_000_000).toISOString());
    const path = `/api/v1/integration/reservations?updated_from=${moment}&${query}`;
    await getAsErp(path);
    const answer = await getAsErp(path);
    const { data, total } = await answer.json<{ data: { id: number }[]; total: number }>();
    expect(total).toBe(changed);
    return { rows: getRequestCost(answer).rows, ids: data.map(({ id }) => id) };
  };
  const readRowsPerItem = async (query: string) =>
    ((await read(many, query)).rows - (await read(many / 2, query)).rows) / (many / 2);

  test("reads about two database rows per changed item for a page of changes", async () => {
    expect(await readRowsPerItem("page_size=10")).toBeLessThan(2.2);
  });

  test("reads about two rows more per changed item than for a full list, if the changes fit on one page", async () => {
    await read(many - 1, "page_size=1");
    const readAllPages = async (size: number) => {
      const answer = await getAsErp(`/api/v1/integration/reservations?after=99&page_size=${size}`);
      return getRequestCost(answer).rows;
    };
    const own = ((await readAllPages(many)) - (await readAllPages(many / 2))) / (many / 2);
    expect((await readRowsPerItem("page_size=500")) - own).toBeLessThan(2.1);
  });

  test.each([
    ["page_size=200", [100, 299], 200],
    ["page_size=199", [100, 298], 199],
    ["page_size=150&page=1", [250, 299], 50],
    ["page_size=500&after=149", [150, 299], 150],
    ["page_size=100&after=149", [150, 249], 100],
  ])("returns changed rows in the order of their ids for the query %s", async (query, ends, count) => {
    const { ids } = await read(many, query);
    expect([[ids[0], ids.at(-1)], ids.length]).toEqual([ends, count]);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });
});
