import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { draftBooking } from "#domain/bookings/draft.ts";
import { agreeTerms } from "#domain/bookings/rental-terms.ts";
import type { CivilDate, TimeOfDay } from "#domain/dates.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import { acme } from "#scripts/demo/acme.ts";
import { clockOf } from "#scripts/demo/clock.ts";
import { toCatalogue } from "#scripts/demo/company.ts";
import { globex } from "#scripts/demo/globex.ts";
import { filledDemo, someMorning } from "#support/demo-data.ts";
import { brokenLaws } from "#support/demo-laws.ts";
import type { SqliteD1 } from "#support/sqlite-d1.ts";
import { findSnapshot } from "#worker/store/catalogue/catalogue.ts";

const moments = [
  someMorning,
  new Date("2027-08-15T22:30:00Z"),
  new Date("2028-02-29T23:55:00Z"),
  new Date("2027-03-28T00:30:00Z"),
];
const acmeOfSomeMorning = filledDemo("acme");

describe.each(moments)("the accounts as of %s", (now) => {
  it.each(["acme", "globex"] as const)("keep every law: %s", async (account) => {
    const database = await (account === "acme" && now === someMorning ? acmeOfSomeMorning : filledDemo(account, now));
    expect(brokenLaws(database, now)).toEqual([]);
    expect(await wronglyPriced(database)).toEqual([]);
  });
});

interface Priced {
  readonly id: number;
  readonly dateFrom: CivilDate;
  readonly timeFrom: TimeOfDay;
  readonly dateTo: CivilDate;
  readonly timeTo: TimeOfDay;
  readonly pickupPlaceId: number;
  readonly returnPlaceId: number;
  readonly salesChannel: string | null;
  readonly driverAge: number | null;
  readonly promotionCode: string | null;
  readonly createdAt: number;
  readonly cents: number;
  readonly products: string;
  readonly extras: string;
}

/** Rentals that the domain, reading the catalogue from the database, would price in another way. */
async function wronglyPriced({ db, rows }: SqliteD1): Promise<number[]> {
  const snapshot = await findSnapshot(drizzle(db, { casing: "snake_case" }));
  if (!snapshot) throw new Error("the account has no settings");
  const { catalogue } = snapshot;
  const clock = clockOf(catalogue.settings.timezone);
  const choices = (table: string, code: string) =>
    `(SELECT json_group_array(json_object('code', ${code}, 'quantity', quantity)) FROM ${table} WHERE booking_id = bookings.id)`;
  const bookings = rows<
    Priced & object
  >(`SELECT id, date_from AS dateFrom, time_from AS timeFrom, date_to AS dateTo, time_to AS timeTo,
    pickup_place_id AS pickupPlaceId, return_place_id AS returnPlaceId, sales_channel_code AS salesChannel, driver_age AS driverAge,
    promotion_code AS promotionCode, created_at AS createdAt, total_cents - supplement_1_cents - supplement_2_cents - supplement_3_cents AS cents,
    ${choices("booking_lines", "item_id")} AS products, ${choices("booking_extras", "extra_id")} AS extras FROM bookings
    WHERE kind = 'rental'`);
  return bookings
    .filter((booking) => {
      const request = {
        ...booking,
        period: booking,
        salesChannel: booking.salesChannel ?? undefined,
        driverAge: booking.driverAge ?? undefined,
        promotionCode: booking.promotionCode ?? undefined,
      };
      const terms = agreeTerms(catalogue, request, fromCivilMinute(clock.toCivilMinute(booking.createdAt)));
      const draft = terms.ok
        ? draftBooking(catalogue, terms.value, JSON.parse(booking.products), JSON.parse(booking.extras))
        : terms;
      return !draft.ok || draft.value.totals.totalCents !== booking.cents;
    })
    .map(({ id }) => id);
}

describe("the enumerations of the integration lists", () => {
  const values: readonly (readonly [string, string, readonly (string | number)[]])[] = [
    ["bookings", "status", ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]],
    ["bookings", "customer_type", ["individual", "legal_entity", "group_company", "internal_department"]],
    ["bookings", "agent_comission_calculation", ["fixed_amount", "percentage"]],
    ["bookings", "payment_status", ["none", "deposit", "total", "refunded"]],
    ["vehicles", "acquisition_mode", ["purchase", "renting", "rented", "supplier", "virtual"]],
    ["vehicles", "fuel", ["none", "petrol", "diesel", "electric", "hybrid"]],
    ["vehicles", "assignable", [0, 1]],
    ["vehicles", "active", [0, 1]],
    ["vehicle_blocks", "kind", ["workshop", "transfer", "other"]],
    [
      "documents WHERE kind = 'invoice'",
      "invoice_mode",
      ["default", "reservation_retainer", "reservation_breakdown", "reservation_extra"],
    ],
    ["documents WHERE kind = 'internal_bond'", "invoice_mode", ["default", "reservation_breakdown"]],
    ["documents", "invoice_type", ["invoice", "payment"]],
    ["documents", "discount_type", ["none", "percentage"]],
    ["documents", "order_reference IS NULL", [0, 1]],
    ["documents", "integration_error IS NULL", [0, 1]],
    ["document_taxes", "position", [1, 2, 3, 4, 5]],
    ["partner_keys", "key_only", [0, 1]],
    ["documents", "invoice_status", ["draft", "invoice"]],
    ["documents", "customer_type", ["individual", "legal_entity", "internal_department", "legal_entity_group_company"]],
    ["documents", "total_paid_cents >= total_cents", [0, 1]],
    ["documents", "accounting_processed", [0, 1]],
    ["charges", "payment_type", ["charge", "payment"]],
    [
      "charges",
      "payment_method_id",
      [
        "credit_card",
        "cash",
        "bank_transfer",
        "wallet_standard",
        "tpvA_256",
        "tpvB",
        "tpvC",
        "tpvD",
        "tpv_online",
        "check",
        "promissory_note",
        "booking_portal",
      ],
    ],
    [
      "charges",
      "source_doc",
      [
        "booking",
        "order",
        "customer_invoice",
        "customer_simplified_invoice",
        "internal_bond_invoice",
        "deposit_received",
        "deposit_returned",
      ],
    ],
    ["charges", "deposit_kept", [0, 1]],
    [
      "booking_history",
      "event",
      ["created", "confirmed", "changed", "delivered", "collected", "cancelled", "expired", "paid", "refunded"],
    ],
  ];

  it("finds each of its values in acme, and every kind of place in the two accounts", async () => {
    const [acme, globex] = await Promise.all([acmeOfSomeMorning, filledDemo("globex")]);
    for (const [table, column, expected] of values) {
      const found = new Set(acme.rows(`SELECT DISTINCT ${column} AS value FROM ${table}`).map(({ value }) => value));
      expect([...found], `${table} ${column}`).toEqual(expect.arrayContaining([...expected]));
    }
    const kinds = "SELECT place_type AS kind FROM pickup_places UNION SELECT place_type FROM branches";
    const found = [...acme.rows(kinds), ...globex.rows(kinds)].map(({ kind }) => kind);
    expect([...new Set(found)].sort()).toEqual([
      "accommodation",
      "airport",
      "bus_station",
      "harbor",
      "hotel",
      "location",
      "train_station",
    ]);
  });
});

describe("what the Worker reads", () => {
  it.each([
    ["acme", acme],
    ["globex", globex],
  ] as const)("is the company that was described: %s", async (account, companyOf) => {
    const { db } = account === "acme" ? await acmeOfSomeMorning : await filledDemo(account);
    const company = companyOf("2026-11-20" as CivilDate, 730);
    const { vat: _, ...settings } = company.settings;
    const { seasonPeriods, tariffs } = toCatalogue(company);
    const snapshot = await findSnapshot(drizzle(db, { casing: "snake_case" }));
    expect(snapshot?.catalogue).toMatchObject({ settings, seasonPeriods, tariffs });
  });
});
