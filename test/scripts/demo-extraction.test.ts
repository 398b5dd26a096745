import { beforeAll, describe, expect, it } from "vitest";
import { formatTimestamp } from "#domain/dates.ts";
import { getLedgerAccounts } from "#domain/reporting/accounts.ts";
import type { ExtractionPageRequest } from "#domain/reporting/extraction.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import type { SqliteD1 } from "#support/sqlite-d1.ts";
import { toChargeDocumentMessage } from "#worker/api/integration/charge-messages.ts";
import { toIntegrationContractMessage } from "#worker/api/integration/contract-messages.ts";
import { toInternalBondMessage, toInvoiceMessage } from "#worker/api/integration/document-messages.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import {
  toIntegrationBranchGroupMessage,
  toIntegrationBranchMessage,
  toIntegrationCategoryMessage,
  toIntegrationPlaceMessage,
} from "#worker/api/integration/organization-messages.ts";
import {
  toIntegrationCustomerMessage,
  toIntegrationVehicleWithNamesMessage,
} from "#worker/api/integration/vehicle-messages.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import * as extract from "#worker/usecases/reporting/extract.ts";
import type { DocumentForIntegration } from "#worker/usecases/reporting/read-models.ts";

const writing: MessageFormat = {
  decimals: 2,
  currency: "EUR",
  ownUrl: "http://localhost",
  timestamp: (at, separator) => formatTimestamp(at, 60, separator),
  ofBranches: (code) => code,
  ofChannels: (code) => code,
  acriss: () => ({ acriss_code: "EDMR" }),
  accounts: getLedgerAccounts({}),
};
const everything: ExtractionPageRequest = { page: 0, pageSize: 100_000, after: undefined, filters: {} };

let acme: SqliteD1;
beforeAll(async () => {
  acme = await openCopiedDemo("acme");
});

/** Lists members, including nested ones, without a value in any entity: `items.external_code`. */
function emptyMembers(entities: readonly object[], path = ""): string[] {
  const values = new Map<string, unknown[]>();
  for (const entity of entities)
    for (const [name, value] of Object.entries(entity)) {
      const columnValues = values.get(name) ?? [];
      columnValues.push(value);
      values.set(name, columnValues);
    }
  return [...values].flatMap(([name, columnValues]) => {
    const filledValues = columnValues.filter((value) => value !== null && value !== "");
    if (filledValues.length === 0) return [path + name];
    const inner = filledValues.flatMap((value) => (Array.isArray(value) ? value : []));
    return inner.length > 0 ? emptyMembers(inner, `${path}${name}.`) : [];
  });
}

// The demo's invoices are due on the day of issue, which is the last day of the rental.
const UNUSED = [
  "due_date",
  "operation_date",
  "tax_reason_1",
  "tax_reason_2",
  "tax_reason_3",
  "tax_reason_4",
  "contracts.reference_detail",
];
const REPLACED = ["replaced_by_invoice_id", "replaced_by_invoice_serie", "replaced_by_invoice_number"];

// Proves "integration.md: lists and filters": Every field has a value in the demo data
describe("the demo account has a value in every field of the integration lists", () => {
  const account = () => {
    const db = openDatabase(acme.db, createUsageMeter());
    return { db, replica: db };
  };
  const documents = async (
    find: typeof extract.readInvoicesPage,
    write: typeof toInvoiceMessage | typeof toInternalBondMessage,
  ) => {
    const { rows, codes } = await find(account(), everything);
    expect(rows.length).toBeGreaterThan(0);
    return rows.map((row: DocumentForIntegration) => write(row, codes, writing));
  };

  it.each([
    [
      "contracts",
      async () =>
        (await extract.readContractsPage(account(), everything)).rows.map((row) =>
          toIntegrationContractMessage(row, writing),
        ),
    ],
    [
      "branch groups",
      async () =>
        (await extract.readBranchGroupsPage(account(), everything)).rows.map((row) =>
          toIntegrationBranchGroupMessage(row, writing),
        ),
    ],
    [
      "branches",
      async () =>
        (await extract.readBranchesPage(account(), everything)).rows.map((row) =>
          toIntegrationBranchMessage(row, writing),
        ),
    ],
    [
      "places",
      async () =>
        (await extract.readPickupPlacesPage(account(), everything)).rows.map((row) =>
          toIntegrationPlaceMessage(row, writing),
        ),
    ],
    [
      "categories",
      async () =>
        (await extract.readCategoriesPage(account(), everything)).rows.map((row) =>
          toIntegrationCategoryMessage(row, writing),
        ),
    ],
    [
      "vehicles",
      async () =>
        (await extract.readVehiclesWithNamesPage(account(), everything)).rows.map((row) =>
          toIntegrationVehicleWithNamesMessage(row, writing),
        ),
    ],
    [
      "customers",
      async () =>
        (await extract.readCustomersPage(account(), everything)).rows.map((row) =>
          toIntegrationCustomerMessage(row, writing),
        ),
    ],
    ["invoices", () => documents(extract.readInvoicesPage, toInvoiceMessage)],
    [
      "charges",
      async () =>
        (await extract.readChargesPage(account(), everything)).rows.map((row) => toChargeDocumentMessage(row, writing)),
    ],
  ] as const)("has a value in every field of the demo account's %s", async (_, read) => {
    const entities = await read();
    expect(entities.length).toBeGreaterThan(0);
    // The demo company exchanges simplified invoices through credit notes, and Spain has four VAT rates.
    const empty = emptyMembers(entities).filter(
      (name) => !/^(total_without_taxes|discount|subtotal|vat|taxes|tax_reason)_5$/.test(name),
    );
    expect(empty.filter((name) => ![...REPLACED, ...UNUSED].includes(name))).toEqual([]);
  });

  it("has a value in every field of the demo account's internal bonds, except tax fields", async () => {
    const bonds = await documents(extract.readInternalBondsPage, toInternalBondMessage);
    const empty = emptyMembers(bonds).filter(
      (name) => !/^(total_without_taxes|discount|subtotal|vat|taxes)_[1-5]$/.test(name),
    );
    // Internal bonds have no address complement, agency, discount or exchange.
    const natural = ["customer_address_complement", "reference_agency", "discount_tp", "exchanged_invoice_id"].concat([
      ...[...REPLACED, ...UNUSED, "tax_reason_5", "tax_record"],
      "corrected_invoice_id",
      "corrected_invoice_serie",
      "corrected_invoice_number",
    ]);
    expect(empty.filter((name) => !natural.includes(name))).toEqual([]);
  });
});

// Proves "integration.md: lists and filters": An unfiltered total is what the table holds
it("matches the stored count of each list in the demo account to the rows of its table", () => {
  const miscountedLists = [
    "branch_groups",
    "branches",
    "pickup_places",
    "categories",
    "vehicles",
    "customers",
    "charges",
  ]
    .map((table) => [`'${table}'`, table])
    .concat([
      ["'bookings'", "bookings WHERE kind = 'rental'"],
      ["'invoice'", "documents WHERE kind = 'invoice'"],
      ["'internal_bond'", "documents WHERE kind = 'internal_bond'"],
    ])
    .filter(
      ([list, from]) =>
        acme.rows(
          `SELECT (SELECT total FROM list_totals WHERE list = ${list}) IS (SELECT count(*) FROM ${from}) AS same`,
        )[0]?.["same"] !== 1,
    );
  expect(miscountedLists).toEqual([]);
});
