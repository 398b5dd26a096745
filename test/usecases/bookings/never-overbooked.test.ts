import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { AgencyBookingRequest } from "#domain/bookings/bookings.ts";
import type { TimeText } from "#domain/dates.ts";
import { createAgencyReservationBody, getBookableDay, postAsAgency, SECOND_AGENCY } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { addFaults, openTestTenant, type RoundTripFault } from "#support/databases.ts";
import { bookForAgency } from "#worker/usecases/bookings/book-for-agency.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";

const CONCURRENT_REQUESTS = inject("isThorough") ? 80 : 40;
const AGENCY = { id: 1, name: "First Agency", salesChannel: undefined };
/** Delays between reading availability and allocating it, so that all read before the first write. */
const SLOWLY: RoundTripFault = { delayMilliseconds: () => 1 + Math.random() * 5 };
/** Booking in a single round trip, and with a separate read, which a fault in the first trip causes. */
const WAYS: readonly (readonly [string, readonly RoundTripFault[]])[] = [
  ["in one round trip", [SLOWLY]],
  ["after reading", ["before", SLOWLY]],
];

let company: TestCompany;
let guard: string;

beforeEach(async () => {
  company = await setUpCompany();
  guard ??= await company.db
    .prepare("SELECT sql FROM sqlite_master WHERE name = 'stock_allocations_insert_limit_stock'")
    .first<string>("sql")
    .then(String);
  await company.db.batch([
    company.db.prepare("DROP TRIGGER IF EXISTS stock_allocations_insert_limit_stock"),
    company.db.prepare(guard),
  ]);
  await openTestTenant(env).freshSnapshot();
});

function createRequest(changes: Partial<AgencyBookingRequest> = {}): AgencyBookingRequest {
  return {
    reference: crypto.randomUUID(),
    rental: {
      period: {
        dateFrom: getBookableDay(0),
        timeFrom: "10:00" as TimeText,
        dateTo: getBookableDay(3),
        timeTo: "10:00" as TimeText,
      },
      pickupPlaceId: 1,
      returnPlaceId: 1,
    },
    products: [{ code: "C", quantity: 1 }],
    extras: [],
    customer: { name: "Ana", surname: "Ruiz", email: undefined, phone: undefined, documentId: undefined },
    language: undefined,
    ...changes,
  };
}

function book(request: AgencyBookingRequest, faults: readonly RoundTripFault[]) {
  const tenant = openTestTenant({ ...env, TENANT_ACME: addFaults(env.TENANT_ACME, faults) });
  return bookForAgency(tenant, AGENCY, request, { now: Date.now(), freeAccessId: createFreeAccessId() });
}

async function countSold(request: () => AgencyBookingRequest, faults: readonly RoundTripFault[]): Promise<number> {
  const results = await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, () => book(request(), faults)));
  for (const result of results) if (!result.ok) expect(result.error.kind).toBe("soldOut");
  const booked = results.filter((result) => result.ok).length;
  expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(booked);
  return booked;
}

/** Returns the maximum number of units that active bookings hold at the same minute. */
async function peak(code: string): Promise<number> {
  const { results } = await company.db
    .prepare(`SELECT (SELECT sum(other.quantity) FROM stock_allocations AS other WHERE other.code = one.code
      AND other.starts_at <= one.starts_at AND other.ends_at > one.starts_at) AS taken FROM stock_allocations AS one WHERE one.code = ?`)
    .bind(code)
    .all<{ taken: number }>();
  return Math.max(0, ...results.map((row) => row.taken));
}

describe.each(WAYS)(`${CONCURRENT_REQUESTS} requests at once, %s`, (_, faults) => {
  // Proves "rules.md and conventions.md: the agency interface": Never overbooked
  // Proves "security.md": V3
  test("creates only one booking of the last unit if many are requested at once", async () => {
    expect(await countSold(createRequest, faults)).toBe(1);
    expect(await peak("C")).toBe(1);
  });

  test("never allocates more than three units to partly overlapping concurrent bookings", async () => {
    let shift = 0;
    const shifted = () => {
      const from = shift++ % 7;
      const period = {
        ...createRequest().rental.period,
        dateFrom: getBookableDay(from),
        dateTo: getBookableDay(from + 3),
      };
      return createRequest({ products: [{ code: "A", quantity: 1 }], rental: { ...createRequest().rental, period } });
    };
    expect(await countSold(shifted, faults)).toBeGreaterThanOrEqual(3);
    expect(await peak("A")).toBe(3);
  });

  // Proves "rules.md and conventions.md: the agency interface": Extras with limited stock obey the same rule
  test("sells an extra with four units only four times to concurrent requests", async () => {
    await company.db
      .prepare(`INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update)
      SELECT 'C-x' || value, 'C', 'C', 1, 1, 'AIR', 0, 0 FROM json_each('[1,2,3,4,5,6,7,8,9]')`)
      .run();
    expect(await countSold(() => createRequest({ extras: [{ code: "SEAT", quantity: 1 }] }), faults)).toBe(4);
    expect(await peak("SEAT")).toBe(4);
  });

  test("creates one booking for concurrent requests with one agency reference", async () => {
    const request = createRequest();
    const results = await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, () => book(request, faults)));
    const ids = new Set(results.map((result) => result.ok && result.value.booking.id));
    expect([...ids]).toEqual([expect.any(Number)]);
    expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(1);
  });
});

test(`creates one booking for ${CONCURRENT_REQUESTS} concurrent HTTP requests of two agencies for the last unit`, async () => {
  const responses = await Promise.all(
    Array.from({ length: CONCURRENT_REQUESTS }, (_, index) =>
      postAsAgency(
        "/booking",
        createAgencyReservationBody({ products: [{ code: "C" }] }),
        index % 2 === 0 ? {} : SECOND_AGENCY,
      ),
    ),
  );
  const statuses = responses.map((response) => response.status).sort();
  expect(statuses).toEqual([200, ...new Array(CONCURRENT_REQUESTS - 1).fill(409)]);
});

// Proves "rules.md and conventions.md: the agency interface": Never overbooked, and it is the guard that does it
test.each(WAYS)("sells the last unit twice without the guard, as a negative control, %s", async (_, faults) => {
  await company.db.prepare("DROP TRIGGER stock_allocations_insert_limit_stock").run();
  expect(await countSold(createRequest, faults)).toBeGreaterThan(1);
  expect(await peak("C")).toBeGreaterThan(1);
});

describe("a faulty network", () => {
  test.each<[string, RoundTripFault[]]>([
    ["before writing", ["before", "none"]],
    ["after writing", ["after", "none"]],
    ["by writing twice", ["twice", "none"]],
    ["after writing and again before reading", ["after", "before", "none"]],
    ["after writing and again after reading", ["after", "after", "none"]],
    ["before writing, and after writing what was read", ["before", "none", "after", "none"]],
    ["before writing, and by writing twice what was read", ["before", "none", "twice", "none"]],
    [
      "three times before and once after writing",
      ["before", "none", "before", "none", "before", "none", "after", "none"],
    ],
  ])("creates one booking with one response on a faulty network: %s", async (_, faults) => {
    const result = await book(createRequest(), faults);
    expect(result.ok && result.value.booking.status).toBe("confirmed");
    expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(1);
    expect(await peak("C")).toBe(1);
  });

  test("returns an error and creates no booking if the database connection keeps failing", async () => {
    await expect(book(createRequest(), ["before"])).rejects.toThrow("Network connection lost");
    expect(
      await company.db
        .prepare("SELECT (SELECT count(*) FROM bookings) + (SELECT count(*) FROM stock_allocations) AS n")
        .first("n"),
    ).toBe(0);
  });
});
