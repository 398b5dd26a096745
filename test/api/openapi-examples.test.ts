import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { EXAMPLE_CHAINS } from "#docs/build/prerequisite-calls.ts";
import { PREREQUISITE_CHAINS } from "#docs/build/prerequisite-chains.ts";
import { UNRUNNABLE_EXAMPLES } from "#docs/build/unrunnable-examples.ts";
import acme from "#scripts/demo/acme.json" with { type: "json" };
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { seedIfEmpty } from "#scripts/demo/seed.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { listMissingOrWrongAcriss } from "#support/acriss-positions.ts";
import { openTestTenant } from "#support/databases.ts";
import { sendExample } from "#support/examples.ts";
import { IdsFromResponses } from "#support/learned-values.ts";
import { recordCalls } from "#support/recorded-calls.ts";
import { getRequestCost } from "#support/request-cost.ts";
import { ALLOWED_SEQUENTIAL_CALLS, getMaxSequentialCalls } from "#support/sequential-calls.ts";
import { requestWorker } from "#support/worker.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";

/** Columns in reads that a later migration might add. Tests drop some tables' columns at a time. */
const LATE_COLUMNS = {
  settings: [["settings", "base_url"]],
  catalogue: [
    ["branch_groups", "external_code"],
    ["branches", "whatsapp_number"],
    ["pickup_places", "iata"],
    ["categories", "seats"],
    ["extras", "maximum_price_cents"],
  ],
  vehicles: [
    ["vehicles", "color"],
    ["vehicle_damages", "note"],
  ],
  bookings: [
    ["bookings", "comments"],
    ["booking_units", "collection_fuel"],
  ],
  "people and papers": [
    ["customers", "address_city"],
    ["documents", "reference_detail"],
    ["document_items", "external_code"],
    ["charges", "origin"],
  ],
} as const;

/** As in production, where isolates cache the stock. */
const REMEMBERING = { ...env, SEARCH_CACHE: "on" };
const ENGINE = "http://acme.localhost:8787/api/booking/frontend";
const engineKey = demoAccounts.find(({ account }) => account === "acme")?.engineKey;

/** A release tests the whole demo. The gate uses enough history to detect writes that read all of it. */
const CONTRACTS = 1_000;

const learnedValues = new IdsFromResponses();
/** Whether the last operation may have changed the catalogue. */
let hasWritten = false;
/** Calls in turn of each operation that ran. */
const turnsByOperation = new Map<string, number>();

beforeAll(async () => {
  await emptyDatabase(env.TENANT_ACME);
  const contracts = inject("isThorough") ? undefined : CONTRACTS;
  const options = { now: new Date(), masterKey: env.MASTER_KEY, log: () => undefined, contracts };
  await seedIfEmpty("acme", env.TENANT_ACME, options);
  await openTestTenant(env).freshSnapshot();
  const learn = async (name: string, sql: string) => {
    learnedValues.valuesByName[name] = await env.TENANT_ACME.prepare(`SELECT id FROM ${sql} ORDER BY id LIMIT 1`).first(
      "id",
    );
  };
  // On some days the first demo document is already credited.
  const uncredited = `documents AS document WHERE invoice_status = 'invoice'
    AND NOT EXISTS (SELECT 1 FROM documents AS note WHERE note.corrects_document_id = document.id)`;
  await learn("creditDocument", `${uncredited} AND total_cents >= 100`);
  await learn(
    "previewDocuments",
    `bookings WHERE status = 'confirmed' AND kind = 'rental' AND total_cents >= 100
      AND id NOT IN (SELECT booking_id FROM booking_documents)`,
  );
  await learn("previewExchange", `${uncredited} AND form = 'simplified' AND replaced_by_document_id IS NULL`);
}, 120_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

/** Whether an example works alone or after the creation examples. Others need prerequisites, as shown on the pages. */
const isSelected = ({ name }: { readonly name: string }) =>
  UNRUNNABLE_EXAMPLES[name] === undefined &&
  (EXAMPLE_CHAINS[name] === undefined || PREREQUISITE_CHAINS[name] !== undefined);

/** Lists that change during the test: they contain the requests themselves, overdue items or existing columns. */
const GROWING = new Set([
  ...[
    "listSecurityEvents",
    "exportSecurityEvents",
    "exportSecurityEventsWorkbook",
    "listRejectedRequests",
    "listWhatWaits",
    "listAttention",
  ],
  ...["listImportTables", "readImportTemplates", "exportCustomer"],
]);

/** Database calls of an office write: one to read for the decision, and one batch to write and read the result. */
const MAX_CALLS_PER_WRITE = 2;
const MAX_ROWS_PER_WRITE = 400;
const MORE_CALLS: Readonly<Record<string, number>> = {
  // The credit note requires a tax record, so the end of the chain is read first.
  refundReservation: 3,
  // An account's first calendar creates the secret that signs all calendar links.
  createCalendar: 3,
  // These operations call an external service between their database calls, and store its result.
  testWebhook: 5,
  refreshMinistryReportLists: 3,
  sendQuote: 5,
  inviteStaffAgain: 5,
};
/** Rows of a booking, and of a refund, which settles a contract that other examples changed. */
const MAX_ROWS_PER_BOOKING = 600;
const BOOKING_WRITES = /^(createReservation|createTransfer|refundReservation)$/;
/** Rare operations that read everything open or all possible references. */
const ROW_LIMITS: readonly (readonly [operations: RegExp, because: string])[] = [
  [/^remove[A-Z]/, "what is removed is looked for wherever it may be named"],
  [/^changeSalesChannel$/, "its name is part of each of its contracts, which move on for extraction"],
  [/Repatriation$/, "the days reach all that is open and to come"],
  [/ServicePlan$/, "all vehicles of a plan get their next service"],
  [/^finishAttention$/, "it answers all that waits, as the list does"],
  [/^(copySeason|undoSeasonCopy)$/, "all prices and rules of the season are read and written"],
  [/^closeCash$/, "a branch's first closing counts what there is; later ones what came since"],
  [/^refreshMinistryReportLists$/, "it keeps the ministry's lists anew"],
];

/**
 * Row limit of all other reads in the demo, half of its 3,000 contracts. Pending tasks and a person's data exceed 800
 * rows on some days.
 */
const MAX_ROWS_OTHERWISE = 1_500;
const MORE_ROWS: readonly (readonly [operations: RegExp, because: string])[] = [
  [/^(listContracts|reportContracts|listCustomers|listInvoices|listCharges)$/, "pages of up to 500 rows"],
  [/[eE]xpenses(Workbook)?$/, "a year's expenses are added up"],
  [/^showReport$/, "a period's ledger is added up"],
  [/^checkTaxRecords$/, "all records are held against their chain"],
  [/^export/, "a list is exported with all its rows"],
];

/** The gate tries one in this many reads before a migration, a release all. */
const READ_SAMPLE = inject("isThorough") ? 1 : 4;

/** ACRISS codes of the demo categories. */
const DEMO_LETTERS = new Map(acme.rows.categories.map(({ code, acrissCode }) => [code, acrissCode]));

// Proves "office.md": Each write takes two round trips at most and few rows, with named exceptions
describe.each(Object.entries(openApiDocuments))(
  "the examples of %s work with the demo account:",
  (family, describeIt) => {
    const operations = listOperations(family, describeIt()).filter(isSelected);

    // Proves "conventions.md: limits, caching and problem details": The demo's responses contain it
    test.each(operations)("answers the documented example of $name as documented", async (operation) => {
      // The first request after a catalogue change reloads it.
      if (hasWritten) await openTestTenant(env).freshSnapshot();
      hasWritten = operation.method !== "GET";
      await readShownCart(operation);
      const recorded = recordCalls(REMEMBERING);
      const answer = await sendExample(operation, learnedValues, recorded.bindings);
      const { turns } = recorded.read();
      const text = await answer.text();
      expect({ status: answer.status, text: answer.ok ? "" : text }).toEqual({
        status: expect.toSatisfy(isWell),
        text: "",
      });
      if (answer.headers.get("Content-Type")?.startsWith("application/json")) {
        const answered = JSON.parse(text);
        learnedValues.learn(operation.name, answered);
        expect(listMissingOrWrongAcriss(operation, answered, DEMO_LETTERS)).toEqual([]);
      }
      const isWrite = family === "office" && operation.method !== "GET";
      turnsByOperation.set(operation.name, turns);
      expect(turns, recorded.describe()).toBeLessThanOrEqual(getMaxSequentialCalls(operation.name, isWrite));
      if (!isWrite)
        expect(getRequestCost(answer).rows || 0).toSatisfy(
          (rows: number) => rows <= MAX_ROWS_OTHERWISE || MORE_ROWS.some(([regExp]) => regExp.test(operation.name)),
        );
      if (isWrite)
        expect(getRequestCost(answer)).toEqual({
          calls: expect.toSatisfy((calls: number) => calls <= (MORE_CALLS[operation.name] ?? MAX_CALLS_PER_WRITE)),
          rows: expect.toSatisfy((rows: number) => rows <= getMaxRows(operation.name)),
        });
    });
  },
);

// Caches cart and stock, because the isolate has just reloaded its catalogue. A change then takes one turn.
async function readShownCart({ family, method, path }: Operation): Promise<void> {
  if (family !== "rental-engine" || method === "GET" || !path.includes("{free_access_id}")) return;
  const query = `include_products=true&api_key=${engineKey?.apiKey}`;
  await requestWorker(`${ENGINE}/shopping-cart/${learnedValues.freeAccessId}?${query}`, {}, REMEMBERING);
}

function getMaxRows(write: string): number {
  if (ROW_LIMITS.some(([regExp]) => regExp.test(write))) return Number.POSITIVE_INFINITY;
  return BOOKING_WRITES.test(write) ? MAX_ROWS_PER_BOOKING : MAX_ROWS_PER_WRITE;
}

function isWell(status: number): boolean {
  return [200, 201, 204, 303].includes(status);
}

test("lists as exceptions for sequential database calls only operations that still make such calls", () => {
  const listed = ALLOWED_SEQUENTIAL_CALLS.flatMap(({ operations }) => Object.keys(operations));
  expect(listed.filter((name) => (turnsByOperation.get(name) ?? 2) < 2)).toEqual([]);
});

test("lists only existing operations among the examples that can't run or need other examples first", () => {
  const names = Object.entries(openApiDocuments).flatMap(([family, describeIt]) =>
    listOperations(family, describeIt()).map(({ name }) => name),
  );
  expect(names).toEqual(expect.arrayContaining(Object.keys({ ...UNRUNNABLE_EXAMPLES, ...EXAMPLE_CHAINS })));
});

// Deployed code must work before and after its newest migration. A missing column causes an error, never wrong output.
describe("reads before a pending migration adds a column", () => {
  const reads = Object.entries(openApiDocuments)
    .flatMap(([family, describeIt]) =>
      listOperations(family, describeIt()).filter(
        (operation) => operation.method === "GET" && isSelected(operation) && !GROWING.has(operation.name),
      ),
    )
    .filter((_, index) => index % READ_SAMPLE === 0);
  const MOVING = /"(server_date|server_time|at|now|free_access_id)":"[^"]*"/g;

  interface Read {
    readonly name: string;
    readonly status: number;
    readonly text: string;
  }

  let before: readonly Read[] = [];
  // Vehicles' states depend on the minute.
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    before = await readAll();
  });
  afterAll(() => vi.useRealTimers());

  async function readAll(): Promise<readonly Read[]> {
    await env.TENANT_ACME.prepare("UPDATE catalogue_version SET version = version + 1").run();
    const answers = [];
    for (const operation of reads) {
      const answer = await sendExample(operation, learnedValues);
      answers.push({
        name: operation.name,
        status: answer.status,
        // A personal data export uses the database's column names.
        text: (await answer.text()).replace(MOVING, "").replaceAll("not_yet_", ""),
      });
    }
    return answers;
  }

  // Vehicle columns in the gate, all kinds in a release.
  const kinds = Object.entries(LATE_COLUMNS).filter(([kind]) => inject("isThorough") || kind === "vehicles");

  test.each(kinds)(
    "answers reads as before or with 503 while the migration that adds the columns of %s is pending",
    async (_, columns) => {
      const rename = (to: (column: string) => readonly [string, string]) =>
        env.TENANT_ACME.batch(
          columns.map(([table, column]) => {
            const [from, into] = to(column);
            return env.TENANT_ACME.prepare(`ALTER TABLE ${table} RENAME COLUMN ${from} TO ${into}`);
          }),
        );
      await rename((column) => [column, `not_yet_${column}`]);
      try {
        const readBefore = await readAll();
        expect(readBefore.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
        for (const [index, { name, status, text }] of readBefore.entries()) {
          if (status === 503) expect(text).toContain("The account is being updated");
          else expect({ name, status, text }, name).toEqual(before[index]);
        }
        expect(readBefore.some(({ status }) => status === 503)).toBe(true);
      } finally {
        await rename((column) => [`not_yet_${column}`, column]);
      }
    },
  );
});
