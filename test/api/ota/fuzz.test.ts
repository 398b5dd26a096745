import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, inject, test } from "vitest";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
} from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";

/** Five thousand requests before a release. A failure message contains its seed. */
const RUNS = inject("isThorough") ? 1000 : 200;

beforeAll(async () => {
  await setUpCompany();
});

const invalidValues = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "0",
    "-1",
    "1.5",
    "1e9",
    "null",
    "true",
    "[]",
    "{}",
    "\u0000",
    "🚗",
    "é",
    "'",
    '"',
    "<",
    "%",
    "%00",
    "%_",
    "../..",
    "\\",
    "__proto__",
  ),
  fc.constantFrom(
    "2026-02-30",
    "2026-03-29",
    "2026-10-25",
    "29/03/2027",
    "9999-12-31",
    "0000-00-00",
    "24:00",
    "02:30",
    getBookableDay(0),
    getBookableDay(2),
    "10:00",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.integer().map(String),
);
const names = fc.constantFrom(
  "date-from",
  "time-from",
  "pickup-place",
  "date-to",
  "time-to",
  "return-place",
  "customer-language",
  "sales-chanel-code",
  "driver-age",
  "pickup-place-id",
  "agency-reservation-id",
  "unknown",
);
const json = fc.oneof(
  { weight: 3, arbitrary: invalidValues },
  { weight: 2, arbitrary: fc.double() },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, 0, -1, 1.5, 1e9, 1e300, [], {}) },
);
const members = fc.constantFrom(
  "date_from",
  "time_from",
  "date_to",
  "time_to",
  "pickup_place",
  "return_place",
  "customer_name",
  "customer_surname",
  "agency_reservation_id",
  "sales_channel_code",
  "products",
  "extras",
  "customer_language",
  "customer_document_id",
  "customer_phone_number",
  "customer_email",
  "driver_age",
  "status",
  "id",
  "constructor",
);

async function expectAnswer(response: Response) {
  const body = await response.json<{ success: boolean; errors?: { message: string } }>();
  expect([200, 400, 401, 404, 409]).toContain(response.status);
  expect(body.success).toBe(response.status === 200);
  if (!body.success) expect(body.errors?.message.length).toBeGreaterThan(0);
}

function query(entries: readonly (readonly [string, string])[]): string {
  return entries
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
    .join("&");
}

test("answers any query of location-list, booking and availability without a server error", async () => {
  const paths = fc.constantFrom("/location-list", "/booking", "/availability");
  await fc.assert(
    fc.asyncProperty(paths, fc.array(fc.tuple(names, invalidValues), { maxLength: 8 }), async (path, entries) => {
      await expectAnswer(await getAsAgency(`${path}?${query(entries)}`));
    }),
    { numRuns: RUNS },
  );
});

test("answers an availability query with any changed parameters without a server error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, invalidValues, { maxKeys: 2 }), async (changes) => {
      const wellFormed = Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [name, value.toWellFormed()]),
      );
      await expectAnswer(await getAsAgency(createAvailabilityPath(wellFormed)));
    }),
    { numRuns: RUNS },
  );
});

test("answers a reservation with any changed fields without a server error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(members, json, { maxKeys: 3 }), async (changes) => {
      await expectAnswer(await postAsAgency("/booking", createAgencyReservationBody(changes)));
    }),
    { numRuns: RUNS },
  );
});

test("answers products and extras of any shape without a server error", async () => {
  const choices = fc.array(
    fc.record(
      { code: fc.oneof(fc.constantFrom("A", "B", "C", "SEAT", "GPS"), json), quantity: json },
      { requiredKeys: [] },
    ),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(choices, choices, async (products, extras) => {
      await expectAnswer(await postAsAgency("/booking", createAgencyReservationBody({ products, extras })));
    }),
    { numRuns: RUNS },
  );
});

test("answers any body without a server error", async () => {
  const bodies = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.jsonValue().map((reservation) => JSON.stringify({ reservation })),
    json.map((reference) => JSON.stringify({ reservation: { agency_reservation_id: reference } })),
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => text.toWellFormed()),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/booking", "/cancel-booking"), bodies, async (path, body) => {
      await expectAnswer(await postAsAgency(path, body));
    }),
    { numRuns: RUNS },
  );
});

test("keeps the stock allocations equal to the lines of confirmed bookings after all random requests", async () => {
  const living = await env.TENANT_ACME.prepare(
    `SELECT (SELECT count(*) FROM bookings JOIN booking_lines ON booking_lines.booking_id = bookings.id WHERE status = 'confirmed') AS lines,
      (SELECT count(*) FROM stock_allocations WHERE kind = 'category') AS allocated`,
  ).first<{ lines: number; allocated: number }>();
  expect(living?.allocated).toBe(living?.lines);
});
