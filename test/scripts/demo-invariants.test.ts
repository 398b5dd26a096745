import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import type { CompanyData } from "#scripts/demo/company.ts";
import { buildDemoCompany } from "#scripts/demo/describe-company.ts";
import globex from "#scripts/demo/globex.json" with { type: "json" };
import { createDemoCompany } from "#scripts/demo/seed.ts";
import { DEMO_TIME, openCopiedDemo } from "#support/demo-data.ts";
import { findBrokenInvariants } from "#support/demo-invariants.ts";
import { listWronglyPricedBookings } from "#support/demo-prices.ts";
import { readCatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";

const copyDemoAccount = openCopiedDemo("acme");

it.each(["acme", "globex"] as const)("satisfies every invariant in the demo account %s", async (account) => {
  const database = await (account === "acme" ? copyDemoAccount : openCopiedDemo(account));
  expect(findBrokenInvariants(database, DEMO_TIME)).toEqual([]);
  expect(await listWronglyPricedBookings(database)).toEqual([]);
});

it.each(["acme", "globex"] as const)(
  "stores no two customers of %s with the same document, or the same name and email",
  async (account) => {
    const { rows } = await (account === "acme" ? copyDemoAccount : openCopiedDemo(account));
    const doubled = (by: string) =>
      rows(`SELECT ${by} AS person, count(*) AS times FROM customers WHERE ${by} <> '' GROUP BY 1 HAVING times > 1`);
    expect(
      doubled("upper(replace(replace(replace(replace(document_id, ' ', ''), '-', ''), '.', ''), '/', ''))"),
    ).toEqual([]);
    expect(doubled("lower(trim(email)) || '/' || lower(trim(coalesce(full_name, '')))")).toEqual([]);
    const strangers = rows(`SELECT bookings.id FROM bookings JOIN customers ON customers.id = bookings.customer_id
    WHERE bookings.customer_document_id <> customers.document_id`);
    expect(strangers).toEqual([]);
  },
);

it.each(["acme", "globex"] as const)("has a customer for every reservation of %s", async (account) => {
  const { rows } = await (account === "acme" ? copyDemoAccount : openCopiedDemo(account));
  expect(rows("SELECT id FROM bookings WHERE customer_id IS NULL")).toEqual([]);
});

it.each(["acme", "globex"] as const)(
  "sets an invoice mode other than the default for documents of %s with a contract or order",
  async (account) => {
    const { rows } = await (account === "acme" ? copyDemoAccount : openCopiedDemo(account));
    const linked = "booking_id IS NOT NULL OR order_reference IS NOT NULL";
    expect(rows(`SELECT id FROM documents WHERE invoice_mode = 'default' AND (${linked})`)).toEqual([]);
  },
);

// Proves "rentals.md": D9
it("has sales terms of every kind in the demo account acme", async () => {
  const { rows } = await copyDemoAccount;
  const [usedValues] = rows(`SELECT (SELECT count(*) FROM selling_rules WHERE minimum_days IS NOT NULL) > 0 AS shortest,
    (SELECT count(*) FROM selling_rules WHERE stop_sale_from IS NOT NULL) > 0 AS stopped,
    (SELECT count(DISTINCT branch_group_id || return_branch_group_id) FROM one_way_fees) AS ways,
    (SELECT group_concat(code) FROM extras WHERE deposit_reduction_type = 'percentage'
      AND deposit_reduction_value = 10000 AND guarantee_reduction_value = 10000) AS removing,
    (SELECT group_concat(DISTINCT occasion) FROM (SELECT occasion FROM cancellation_terms ORDER BY 1)) AS occasions`);
  expect(usedValues).toEqual({ shortest: 1, stopped: 1, ways: 2, removing: "FULL", occasions: "cancellation,no_show" });
});

describe("the enumerations of the integration lists", () => {
  const values: readonly (readonly [string, string, readonly (string | number)[]])[] = [
    ["bookings", "status", ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]],
    ["bookings", "customer_type", ["individual", "legal_entity", "group_company", "internal_department"]],
    ["bookings", "agent_commission_calculation", ["fixed_amount", "percentage"]],
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
    ["document_taxes", "position", [1, 2, 3, 4]],
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

  // Proves "integration.md: lists and filters": Every value of every enumeration is in the demo data
  it("uses every enumeration value in the demo account acme, and every kind of place in both demo accounts", async () => {
    const [acme, globex] = await Promise.all([copyDemoAccount, openCopiedDemo("globex")]);
    for (const [table, column, expected] of values) {
      const usedValues = new Set(
        acme.rows(`SELECT DISTINCT ${column} AS value FROM ${table}`).map(({ value }) => value),
      );
      expect([...usedValues], `${table} ${column}`).toEqual(expect.arrayContaining([...expected]));
    }
    const kinds = "SELECT place_type AS kind FROM pickup_places UNION SELECT place_type FROM branches";
    const usedValues = [...acme.rows(kinds), ...globex.rows(kinds)].map(({ kind }) => kind);
    expect([...new Set(usedValues)].sort()).toEqual([
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

describe("a company's file", () => {
  const described = (rows: CompanyData["rows"]) => () =>
    buildDemoCompany({ ...globex, rows: { ...globex.rows, ...rows } }, DEMO_TIME);

  it("accepts only existing columns in a demo company's file, and requires each text in every language", () => {
    expect(described({})).not.toThrow();
    expect(described({ families: [{ id: 1, code: "VANS", nmae: "Vans" }] })).toThrow("families has no column nmae");
    expect(described({ families: [{ id: 1, code: "VANS", name: { es: "Furgonetas" } }] })).toThrow("has no en version");
  });
});

describe("catalogue read by the Worker", () => {
  it.each(["acme", "globex"] as const)(
    "reads the described settings, seasons and tariffs of %s as the Worker reads them",
    async (account) => {
      const { db } = account === "acme" ? await copyDemoAccount : await openCopiedDemo(account);
      const { catalogue } = createDemoCompany(account, DEMO_TIME);
      const { sesPasswordSealed: sealedByTheAccountsKey, ...settings } = catalogue.settings;
      const { seasonPeriods, tariffs } = catalogue;
      const snapshot = await readCatalogueSnapshot(drizzle(db, { casing: "snake_case" }));
      expect(snapshot?.catalogue).toMatchObject({ settings, seasonPeriods, tariffs });
    },
  );
});
