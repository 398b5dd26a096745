import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, inject, test } from "vitest";
import {
  callAsStaff,
  createCollectionMessage,
  createDeliveryMessage,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { AGENCY, sendSignedGetRequest } from "#support/partner.ts";
import { getRequestCost } from "#support/request-cost.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { expenseReportAnswer } from "#worker/api/analytics/expense-messages.ts";
import { extraReportAnswer, supplementReportAnswer, vehicleReportAnswer } from "#worker/api/analytics/messages.ts";
import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";

let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare("INSERT INTO families (id, code, name) VALUES (1, 'CARS', 'Coches')").run();
  await env.TENANT_ACME.prepare("UPDATE categories SET family_id = 1, fuel_eighth_cents = 800 WHERE code = 'A'").run();
  await env.TENANT_ACME.prepare(
    "UPDATE vehicles SET plate = '1234BCD', brand = 'Seat', model = 'Ibiza', characteristic_1 = 'petrol', acquisition_date = '2023-05-11', own_property = 0 WHERE reference = 'A-1'",
  ).run();
  boss = await createToken("boss");
});

const products = async (query: string) => {
  const response = await sendSignedGetRequest(`/api/booking/analysis/products-billing?${query}`);
  return { response, ...vehicleReportAnswer.parse(await response.json()) };
};

/** Creates a closed rental over the end of May: three days at 40.00, one eighth of fuel missing. */
async function insertClosedRental() {
  await insertCheckInRental({
    from: "2024-05-31",
    to: "2024-06-03",
    extras: [{ code: "SEAT", quantity: 1, unitCents: 1200 }],
  });
  await env.TENANT_ACME.prepare(
    "UPDATE bookings SET days = 3, time_to_cents = 2000, total_cents = total_cents + 2000",
  ).run();
  await env.TENANT_ACME.prepare(
    "UPDATE bookings SET item_cents = item_cents + 4000, total_cents = total_cents + 4000",
  ).run();
  await env.TENANT_ACME.prepare("UPDATE booking_lines SET item_unit_cents = 12000, item_cents = 12000").run();
  await sendCheckInOperation(boss, createDeliveryMessage({ recorded_at: "2024-05-31T08:00:00.000Z" }));
  await sendCheckInOperation(
    boss,
    createCollectionMessage({ recorded_at: "2024-06-03T08:00:00.000Z", fuel_eighths: 7 }),
  );
}

describe("products-billing", () => {
  // Proves "analytics.md": Every report row has monthly keys '1' to '12', the number 0 or a decimal string, and total
  // Proves "analytics.md": Product billing row: id, stock_plate, stock_model, category_family_name, category_code,
  //   characteristic_1 to 4, purchasable_adquisition_date (sic), group_field_name, own_property
  // Proves "analytics.md": Product billing summary: monthly totals, total, TOTAL, empty model, own_property null
  // Proves "analytics.md": products-billing: data, summary, total (count of assets)
  test("returns a row for each vehicle with every field, and a TOTAL row", async () => {
    await insertClosedRental();
    const { data, summary, total, response } = await products(
      "year=2024&report_type=monthly_billing_report&group_entity=rental_location",
    );
    expect(response.headers.get("Server-Timing")).toContain("calls=1");
    expect(data.find(({ id }) => id === "A-1")).toEqual({
      id: "A-1",
      stock_plate: "1234BCD",
      stock_model: "Seat Ibiza",
      category_family_name: "CARS",
      category_code: "A",
      characteristic_1: "petrol",
      characteristic_2: null,
      characteristic_3: null,
      characteristic_4: null,
      purchasable_adquisition_date: "2023-05-11",
      group_field_name: "TOWN",
      own_property: false,
      ...{ 1: 0, 2: 0, 3: 0, 4: 0, 5: "40.00", 6: "80.00", 7: 0, 8: 0, 9: 0, 10: 0, 11: 0, 12: 0 },
      total: "120.00",
    });
    expect(total).toBe(data.length);
    expect(summary).toEqual([
      {
        ...{ 1: 0, 2: 0, 3: 0, 4: 0, 5: "40.00", 6: "80.00", 7: 0, 8: 0, 9: 0, 10: 0, 11: 0, 12: 0 },
        total: "120.00",
        id: "TOTAL",
        stock_plate: "TOTAL",
        stock_model: "",
        own_property: null,
      },
    ]);
  });

  // Proves "analytics.md": products-billing: the six report types and what they mean
  // Proves "analytics.md": Without group_entity the report groups by branch
  test.each([
    ["monthly_billing_report", "40.00", "80.00", "120.00"],
    ["monthly_billing_without_taxes_report", "33.06", "66.11", "99.17"],
    ["number_of_days_report", "1.00", "2.00", "3.00"],
    ["monthly_occupation_report", "3.23", "6.67", "9.90"],
    ["monthly_contracts_report", "1.00", 0, "1.00"],
    ["monthly_usage_report", 0, "300.00", "300.00"],
  ])(
    "shows a vehicle's rental over the turn of a month in the report %s as %s in May and %s in June",
    async (report, may, june, total) => {
      await insertClosedRental();
      const { data } = await products(`year=2024&report_type=${report}`);
      const row = data.find(({ id }) => id === "A-1");
      expect([row?.[5], row?.[6], row?.total, row?.group_field_name]).toEqual([may, june, total, "TOWN"]);
    },
  );

  // Proves "analytics.md": products-billing: group_entity, rental_storage_id, rental_location_code, customer_type
  // Proves "rules.md: quotes, counts and agreements": All customer types by default; an unknown branch is empty
  test("filters by branch, branch group and kind of customer, and returns no rows for an unknown branch", async () => {
    await insertClosedRental();
    const ids = async (query: string) =>
      (await products(`year=2024&report_type=monthly_billing_report&${query}`)).data.map(({ id }) => id);
    expect(await ids("group_entity=rental_storage&rental_storage_id=2")).toEqual(["B-2"]);
    expect(await ids("rental_location_code=TOWN")).toEqual(["A-1", "A-3"]);
    const none = await products("year=2024&report_type=monthly_billing_report&rental_location_code=NONE");
    expect([none.data, none.summary[0]?.total, none.total]).toEqual([[], 0, 0]);
    const total = async (type: string) =>
      (await products(`year=2024&report_type=monthly_billing_report&customer_type=${type}`)).summary[0]?.total;
    expect([await total("all"), await total("individual"), await total("legal_entity")]).toEqual([
      "120.00",
      "120.00",
      0,
    ]);
    const allBranches = await products("year=2024&report_type=monthly_billing_report");
    expect(allBranches.summary[0]?.total).toBe("120.00");
    const groups = (await products("year=2024&report_type=monthly_billing_report&group_entity=rental_storage")).data;
    expect(new Set(groups.map((row) => row.group_field_name))).toEqual(new Set([1, 2]));
  });

  // Proves "rules.md: quotes, counts and agreements": Vehicles of the fleet of that year
  test("lists vehicles that were in the fleet that year, and no others", async () => {
    const { data } = await products("year=2022&report_type=monthly_billing_report");
    expect(data.map(({ id }) => id)).not.toContain("A-1");
    expect(data.map(({ id }) => id)).toContain("A-2");
  });

  test("reads about as many rows for a year's report, however much data earlier years contain", async () => {
    const rentedIn = async (year: number, first: number) => {
      for (const [turn, month] of ["02", "05", "08", "11"].entries()) {
        const [id, from, to] = [first + turn, `${year}-${month}-03`, `${year}-${month}-05`];
        await insertCheckInRental({ id, from, to });
        const work = { booking_id: id, resource_id: id * 10 };
        await sendCheckInOperation(boss, createDeliveryMessage({ ...work, recorded_at: `${from}T08:00:00.000Z` }));
        await sendCheckInOperation(boss, createCollectionMessage({ ...work, recorded_at: `${to}T08:00:00.000Z` }));
      }
    };
    const readRows = async () => {
      const { response } = await products("year=2024&report_type=monthly_billing_report");
      return getRequestCost(response).rows;
    };
    await rentedIn(2024, 100);
    const soleRows = await readRows();
    for (const year of [2019, 2020, 2021, 2022, 2023]) await rentedIn(year, year * 10);
    expect(soleRows).toBeGreaterThan(10);
    expect((await readRows()) / soleRows).toBeLessThanOrEqual(1.2);
  });

  // Proves "rules.md: quotes, counts and agreements": A day is counted once in the occupation
  test("counts a day once in a vehicle's occupation if one rental ends and the next begins on it", async () => {
    await insertClosedRental();
    await insertCheckInRental({ id: 8, from: "2024-06-02", to: "2024-06-04" });
    await sendCheckInOperation(
      boss,
      createDeliveryMessage({ booking_id: 8, resource_id: 80, recorded_at: "2024-06-02T10:00:00.000Z" }),
    );
    const { data } = await products("year=2024&report_type=monthly_occupation_report");
    // The 1st, the 2nd twice, the 3rd: three of thirty days.
    expect(data.find(({ id }) => id === "A-1")?.[6]).toBe("10.00");
  });
});

describe("extras- and supplements-billing", () => {
  // Proves "analytics.md": extras-billing: rows with childs per branch (id, parent, name), summary with name, total
  // Proves "analytics.md": supplements-billing: both tax variants, ids are field names, summary without name
  test("reports amounts of extras and supplements by code, branch and month of pickup, with and without taxes", async () => {
    await insertClosedRental();
    const extras = extraReportAnswer.parse(
      await (
        await sendSignedGetRequest("/api/booking/analysis/extras-billing?year=2024&report_type=extras_with_taxes")
      ).json(),
    );
    expect(extras.data).toEqual([
      expect.objectContaining({
        id: "SEAT",
        name: "Silla infantil",
        5: "12.00",
        6: 0,
        total: "12.00",
        childs: [expect.objectContaining({ id: "SEAT-AIR", parent: "SEAT", name: "AIR", 5: "12.00", total: "12.00" })],
      }),
    ]);
    expect(extras.summary).toEqual([expect.objectContaining({ id: "TOTAL", name: "TOTAL", total: "12.00" })]);
    expect(extras.total).toBe(1);
    const response = await sendSignedGetRequest(
      "/api/booking/analysis/supplements-billing?year=2024&report_type=supplements_without_taxes&rental_location_code=AIR",
    );
    const supplements = supplementReportAnswer.parse(await response.json());
    expect(supplements.data.map(({ id, total }) => [id, total])).toEqual([
      ["supplement_2_cost", "6.61"],
      ["time_to_cost", "16.53"],
    ]);
    expect(supplements.summary[0]).not.toHaveProperty("name");
    const otherBranch = await sendSignedGetRequest(
      "/api/booking/analysis/supplements-billing?year=2024&report_type=supplements_with_taxes&rental_location_code=TOWN",
    );
    expect(supplementReportAnswer.parse(await otherBranch.json())).toMatchObject({ data: [], total: 0 });
  });

  // Proves "analytics.md": Billing reconciles with contracts and invoices
  test("adds up the billing reports of products, extras and supplements to the totals of contract and invoice", async () => {
    await insertClosedRental();
    const cents = (text: 0 | string | undefined) => Math.round(Number(text ?? 0) * 100);
    const readTotal = async (path: string) => {
      const answer = (await (await sendSignedGetRequest(`/api/booking/analysis/${path}`)).json()) as {
        summary: { total: 0 | string }[];
      };
      return cents(answer.summary[0]?.total);
    };
    const fullReport =
      (await readTotal("products-billing?year=2024&report_type=monthly_billing_report")) +
      (await readTotal("extras-billing?year=2024&report_type=extras_with_taxes")) +
      (await readTotal("supplements-billing?year=2024&report_type=supplements_with_taxes"));
    const bare =
      (await readTotal("products-billing?year=2024&report_type=monthly_billing_without_taxes_report")) +
      (await readTotal("extras-billing?year=2024&report_type=extras_without_taxes")) +
      (await readTotal("supplements-billing?year=2024&report_type=supplements_without_taxes"));
    const contract = await env.TENANT_ACME.prepare("SELECT total_cents FROM bookings").first<number>("total_cents");
    const invoice = await env.TENANT_ACME.prepare(
      "SELECT total_cents AS total, subtotal_cents AS subtotal FROM documents",
    ).first();
    expect([fullReport, bare]).toEqual([contract, invoice?.["subtotal"]]);
    expect(invoice?.["total"]).toBe(contract);
  });
});

describe("expenses", () => {
  beforeEach(async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("INSERT INTO expense_accounts VALUES (62, 'Repairs')"),
      env.TENANT_ACME.prepare("INSERT INTO expense_concepts VALUES (1, 62, 'Tyres')"),
      ...["2024-01-01", "2024-06-15", "2024-12-31", "2025-01-01"].map((date, index) =>
        env.TENANT_ACME.prepare(`INSERT INTO expenses (vehicle_reference, expense_concept_id, date, description, reference, branch_code, branch_group_id,
          total_without_taxes_cents, discount_cents, subtotal_cents, taxes_cents, total_cents) VALUES (?, 1, ?, 'Four tyres', 'F-1', ?, ?, 11000, 1000, 10000, 2100, 12100)`).bind(
          index === 1 ? "B-2" : "A-1",
          date,
          index === 1 ? "ISLE" : "AIR",
          index === 1 ? 2 : 1,
        ),
      ),
    ]);
  });
  const expenses = async (query: string) =>
    expenseReportAnswer.parse(await (await sendSignedGetRequest(`/api/booking/booking-item/expenses?${query}`)).json());

  // Proves "analytics.md": expenses: every field of a row, the summary with total_rows
  test("returns every field of an expense line, and the total of all lines", async () => {
    const { data, summary, total } = await expenses("year=2024&page_size=1");
    expect(data).toEqual([
      {
        booking_item_reference: "A-1",
        stock_plate: "1234BCD",
        stock_model: "Seat Ibiza",
        characteristic_1: "petrol",
        characteristic_2: null,
        characteristic_3: null,
        characteristic_4: null,
        category_code: "A",
        category_name: "Coche pequeño",
        category_family_name: "CARS",
        expense_account_id: 62,
        concept: "Tyres",
        concept_id: 1,
        id: expect.any(Number),
        date: "2024-01-01",
        description: "Four tyres",
        reference: "F-1",
        total_without_taxes: "110.00",
        discount: "10.00",
        subtotal: "100.00",
        total_taxes: "21.00",
        total: "121.00",
        rental_location_code: "AIR",
        rental_location_name: "Airport branch",
        rental_storage_id: 1,
        rental_storage_name: "North",
      },
    ]);
    expect(summary).toEqual({
      total_without_taxes: "330.00",
      discount: "30.00",
      subtotal: "300.00",
      total_taxes: "63.00",
      total: "363.00",
      total_rows: 3,
    });
    // Two vehicles.
    expect(total).toBe(2);
  });

  // Proves "analytics.md": expenses: page, page_size, date_from, date_to, rental_storage_id, rental_location_code
  test("returns expenses by filter and page, with a summary of all matches", async () => {
    const pages = await Promise.all([0, 1, 2, 3].map((page) => expenses(`year=2024&page_size=1&page=${page}`)));
    expect(pages.flatMap(({ data }) => data.map(({ date }) => date))).toEqual([
      "2024-01-01",
      "2024-06-15",
      "2024-12-31",
    ]);
    expect((await expenses("year=2024&rental_storage_id=2")).summary.total_rows).toBe(1);
    expect(
      (await expenses("year=2024&rental_location_code=AIR&date_from=2024-02-01")).data.map(({ date }) => date),
    ).toEqual(["2024-12-31"]);
    expect((await expenses("year=2024&date_to=2024-06-14")).total).toBe(1);
    expect((await expenses("year=2024&rental_location_code=NONE")).data).toEqual([]);
  });
});

// Proves "analytics.md": year: four digits, whichever they are
test.each([
  ["0001", false],
  ["0999", false],
  ["1899", false],
  ["2024", true],
  ["9999", true],
])("accepts any four digits as a year: %s", async (year, isInFleet) => {
  const { data } = await products(`year=${year}&report_type=monthly_occupation_report`);
  expect(data.some(({ id }) => id === "A-1")).toBe(isInFleet);
  for (const path of [
    `analysis/extras-billing?year=${year}&report_type=extras_with_taxes`,
    `analysis/supplements-billing?year=${year}&report_type=supplements_with_taxes`,
    `booking-item/expenses?year=${year}`,
  ])
    expect((await sendSignedGetRequest(`/api/booking/${path}`)).status, path).toBe(200);
});

describe("invalid requests", () => {
  // Proves "analytics.md": Year of four digits, known report types and entities, else 400
  test.each([
    ["analysis/products-billing?report_type=monthly_billing_report", "year"],
    ["analysis/products-billing?year=20&report_type=monthly_billing_report", "year"],
    ["analysis/products-billing?year=abcd&report_type=monthly_billing_report", "year"],
    ["analysis/products-billing?year=0000&report_type=monthly_billing_report", "year"],
    ["analysis/products-billing?year=20245&report_type=monthly_billing_report", "year"],
    ["analysis/products-billing?year=2024", "report_type"],
    ["analysis/products-billing?year=2024&report_type=none", "report_type"],
    ["analysis/products-billing?year=2024&report_type=monthly_billing_report&group_entity=city", "group_entity"],
    ["analysis/products-billing?year=2024&report_type=monthly_billing_report&customer_type=robot", "customer_type"],
    [
      "analysis/products-billing?year=2024&report_type=monthly_billing_report&rental_storage_id=one",
      "rental_storage_id",
    ],
    ["analysis/extras-billing?year=2024&report_type=supplements_with_taxes", "report_type"],
    ["analysis/supplements-billing?report_type=supplements_with_taxes", "year"],
    ["booking-item/expenses?year=2024&page=-1", "page"],
    ["booking-item/expenses?year=2024&page_size=0", "page_size"],
    ["booking-item/expenses?year=2024&page_size=100000", "page_size"],
    ["booking-item/expenses?year=2024&date_from=2024-02-30", "date_from"],
  ])("rejects the report query %s, naming the parameter %s", async (path, parameter) => {
    const response = await sendSignedGetRequest(`/api/booking/${path}`);
    expect(response.status).toBe(400);
    const { detail } = (await response.json()) as { detail: { field: string }[] };
    expect(detail.map(({ field }) => field)).toEqual([parameter]);
  });

  // Proves "analytics.md": All requests are signed; a key without the scope is 403
  test("rejects requests without a signature or with an agency's key", async () => {
    const path = "/api/booking/analysis/products-billing?year=2024&report_type=monthly_billing_report";
    expect((await requestWorker(`http://acme.localhost:8787${path}`)).status).toBe(401);
    expect((await sendSignedGetRequest(path, { apiKey: "erp", secret: "wrong" })).status).toBe(401);
    expect((await sendSignedGetRequest(path, AGENCY)).status).toBe(403);
  });
});

test("returns the partners' billing reports also to staff, limited to their own branches", async () => {
  await insertClosedRental();
  const path = "/v1/analysis/products-billing?year=2024&report_type=monthly_billing_report";
  const ids = async (token: string) =>
    vehicleReportAnswer
      .parse(await (await callAsStaff("GET", path, token)).json())
      .data.map(({ group_field_name }) => group_field_name);
  expect(new Set(await ids(await createToken("desk")))).toEqual(new Set(["AIR"]));
  expect(new Set(await ids(boss))).toEqual(new Set(["AIR", "TOWN", "ISLE"]));
  expect((await callAsStaff("GET", path, await createToken("ana"))).status).toBe(403);
  expect((await callAsStaff("GET", path, undefined)).status).toBe(401);
});

const fieldWork = fc.record({
  booking: fc.integer({ min: 1, max: 4 }),
  kind: fc.constantFrom("delivery" as const, "collection" as const, "correction" as const, "cancel" as const),
  vehicle: fc.constantFrom("A-1", "A-2", "A-3"),
  kilometres: fc.integer({ min: 900, max: 1500 }),
  fuel: fc.integer({ min: 0, max: 8 }),
  sellsExtra: fc.boolean(),
  day: fc.constantFrom("2024-05-06", "2024-06-01", "2024-12-31"),
});
type FieldWork = typeof fieldWork extends fc.Arbitrary<infer Work> ? Work : never;

async function doWork(token: string, seq: number, work: FieldWork): Promise<void> {
  const { booking, kind } = work;
  if (kind === "cancel") {
    const cancel =
      "UPDATE bookings SET status = 'cancelled', version = version + 1 WHERE id = ? AND status = 'confirmed'";
    await env.TENANT_ACME.prepare(cancel).bind(booking).run();
    return;
  }
  await sendCheckInOperation(
    token,
    createDeliveryMessage({
      kind,
      booking_id: booking,
      // The third booking has two units.
      resource_id: booking * 10 + (booking === 3 ? seq % 2 : 0),
      vehicle_reference: work.vehicle,
      kilometres: work.kilometres,
      fuel_eighths: work.fuel,
      extras: work.sellsExtra ? [{ extra_code: "GPS", quantity: 1 }] : [],
      recorded_at: `${work.day}T10:00:00.000Z`,
      seq,
    }),
  );
}

// Proves "analytics.md": The ledger equals an independent recomputation
// Proves "rules.md: quotes, counts and agreements": Contracts in progress and done are counted, whatever is done to
//   them
test("keeps the ledger equal to the contracts after any check-in operations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fieldWork, { minLength: 4, maxLength: 14 }), async (works) => {
      await setUpCompany();
      await addTestUsers();
      const token = await createToken("boss");
      for (const id of [1, 2, 3, 4])
        await insertCheckInRental({ id, units: id === 3 ? 2 : 1, from: `2024-0${id}-28`, to: `2024-0${id + 1}-02` });
      for (const [index, work] of works.entries()) await doWork(token, index + 1, work);
      expect(await checkOrRepairLedger(env.TENANT_ACME, false)).toMatchObject({ different: [], wrongSums: 0 });
    }),
    { numRuns: inject("isThorough") ? 15 : 4 },
  );
}, 60_000);

test("rewrites only the changed ledger entries when a contract's second vehicle is delivered", async () => {
  await insertCheckInRental({
    id: 3,
    units: 2,
    from: "2024-03-28",
    to: "2024-04-02",
    extras: [{ code: "GPS", quantity: 1, unitCents: 500 }],
  });
  const entries = async () =>
    (
      await env.TENANT_ACME.prepare("SELECT id, code, month, cents FROM ledger_entries ORDER BY id").all<{
        id: number;
        code: string;
      }>()
    ).results;
  await sendCheckInOperation(
    boss,
    createDeliveryMessage({
      booking_id: 3,
      resource_id: 30,
      vehicle_reference: "A-1",
      recorded_at: "2024-03-28T08:00:00.000Z",
    }),
  );
  const before = await entries();
  await sendCheckInOperation(
    boss,
    createDeliveryMessage({
      booking_id: 3,
      resource_id: 31,
      vehicle_reference: "A-2",
      seq: 2,
      recorded_at: "2024-03-28T08:05:00.000Z",
    }),
  );
  const after = await entries();
  const earlier = new Set(before.map(({ id }) => id));
  expect(before.map(({ code }) => code).sort()).toEqual(["A-1", "GPS"]);
  expect(after.map(({ code }) => code).sort()).toEqual(["A-1", "A-2", "GPS"]);
  expect(after.filter(({ id }) => earlier.has(id)).map(({ code }) => code)).toEqual(["GPS"]);
  expect(await checkOrRepairLedger(env.TENANT_ACME, false)).toMatchObject({ different: [], wrongSums: 0 });
});

test("finds and rewrites ledger entries that were changed manually", async () => {
  await insertClosedRental();
  await env.TENANT_ACME.prepare("DELETE FROM ledger_entries WHERE kind = 'product'").run();
  await env.TENANT_ACME.prepare("UPDATE ledger_sales SET cents = cents + 1").run();
  expect(await checkOrRepairLedger(env.TENANT_ACME, false)).toMatchObject({
    different: [7],
    wrongSums: expect.any(Number),
  });
  await env.TENANT_ACME.prepare("UPDATE ledger_sales SET cents = cents - 1").run();
  await checkOrRepairLedger(env.TENANT_ACME, true);
  expect(await checkOrRepairLedger(env.TENANT_ACME, false)).toEqual({ contracts: 1, different: [], wrongSums: 0 });
});
