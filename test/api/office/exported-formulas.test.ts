import { env } from "cloudflare:workers";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { GROUPS_BY_REPORT, REPORT_NAMES } from "#domain/reporting/reports.ts";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { createOfficeCallers } from "#support/office-callers.ts";
import { requestWorker } from "#support/worker.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";

const CSV_TYPE = "text/csv";
const WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const FORMULA = "HYPERLINK(1)";

/** Returns SQL of a formula. `number` is an SQL expression that selects the first character and ends the formula. */
const toFormula = (number: string) =>
  `substr('=+-@' || char(9) || char(13), 1 + ${number} % 6, 1) || '${FORMULA}' || ${number}`;

/** Columns of texts that people type. */
const TEXT_COLUMNS = [
  ...["agencies.name", "agents.name", "branches.name", "users.full_name", "extras.name"],
  ...["customers.name", "customers.surname", "customers.address_city"],
  ...["bookings.customer_name", "bookings.customer_surname", "bookings.pickup_place", "bookings.return_place"],
  ...["vehicles.brand", "vehicles.model", "vehicles.color", "expenses.supplier", "expenses.description"],
  ...["quotes.customer_name", "quotes.customer_surname", "office_tasks.text", "refund_requests.reason"],
  ...["documents.serie", "documents.customer_full_name", "charges.external_operation_number"],
  ...["ministry_reports.error", "tax_records.number", "expense_concepts.name", "branch_groups.name", "families.name"],
  ...["pickup_places.name", "special_dates.reason", "seasons.name", "offers.name", "driver_age_rules.description"],
  ...["service_plans.name", "vehicle_services.work", "transfer_zones.name", "transfer_points.name"],
  ...["transfer_vehicles.name", "transfer_extras.name", "transfer_supplements.name", "calendars.name"],
  ...["webhooks.description", "legal_texts.text", "expense_accounts.name"],
];
/** Columns of tables without a row number. */
const TEXT_COLUMNS_BY_CODE = ["categories.name", "sales_channels.name"];
const TEXT_COLUMNS_BY_KEY = ["partner_keys.name", "engine_keys.name"];
/** Lists of settings without free texts. */
const LISTS_WITHOUT_TEXT =
  /\/(opening-hours|prices|one-way-fees|selling-rules|cancellation-terms|promotion-codes|transfer-prices|repatriations|gateways)\./;

/** Group of reports that shows registration numbers, which aren't free texts. */
const GROUP_BY_VEHICLE = /^\S+ vehicle$/;

const DAY_MS = 86_400_000;
const toDay = (daysFromToday: number) => new Date(Date.now() + daysFromToday * DAY_MS).toISOString().slice(0, 10);
/** A DATEV file has postings of one calendar year. */
const YEAR = toDay(-30).slice(0, 4);
const PERIOD = { from: toDay(-500), to: toDay(500), date_from: `${YEAR}-01-01`, date_to: `${YEAR}-12-31` };

interface ExportedFile {
  readonly name: string;
  readonly address: string;
}

const files = Object.entries(openApiDocuments)
  .flatMap(([family, describeIt]) => listOperations(family, describeIt()))
  .filter(({ answers }) => {
    const types = Object.keys(answers.get("200") ?? {});
    return types.includes(CSV_TYPE) || types.includes(WORKBOOK_TYPE);
  })
  .flatMap(listFiles);

/** Lists the files of an export: each format, and each group of a report. */
function listFiles({ path, parameters }: Operation): readonly ExportedFile[] {
  const isDay = (name: string) => parameters.some((it) => it.name === name && it.schema.format === "date");
  const period = Object.entries(PERIOD).filter(([name]) => isDay(name));
  // A journal belongs to one of the account's companies.
  const company = parameters.filter(({ name }) => name === "company_id").map(({ name }) => [name, "1"] as const);
  const toFile = (file: string, choice: Readonly<Record<string, string>> = {}) => ({
    name: [file, ...Object.values(choice)].join(" "),
    address: `${file.replace("{id}", "1")}?${new URLSearchParams([...period, ...company, ...Object.entries(choice)])}`,
  });
  if (path.endsWith("/reports/{name}"))
    return REPORT_NAMES.flatMap((report) =>
      GROUPS_BY_REPORT[report].flatMap((group) =>
        ["csv", "xlsx"].map((format) => toFile(path.replace("{name}", `${report}.${format}`), { group })),
      ),
    );
  const formats = parameters.find(({ name }) => name === "format")?.schema.enum;
  return formats ? formats.map((format) => toFile(path, { format: String(format) })) : [toFile(path)];
}

/** The gate tries one in this many files of reports and settings, a release all. Other files are always tried. */
const FILE_SAMPLE = inject("isThorough") ? 1 : 4;
const SAMPLED = new RegExp(`/(reports/|(${RESOURCES.map(({ name }) => name).join("|")})\\.)`);
const triedFiles = files.filter(({ address }, index) => !SAMPLED.test(address) || index % FILE_SAMPLE === 0);

let token = "";

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  token = (await createOfficeCallers()).get("administrator") ?? "";
  const db = env.TENANT_ACME;
  await db.batch([
    db.prepare("UPDATE agencies SET commission_basis_points = 1000"),
    db.prepare(`UPDATE bookings SET agent_id = (SELECT MIN(id) FROM agents), agency_id = 1,
      agency_reservation_id = 'A' || id WHERE id % 2 = 0`),
    db.prepare(`INSERT INTO ministry_reports (booking_id, kind, state, xml, fingerprint, created_at)
      SELECT id, 'RV', 'refused', '', '', 1 FROM bookings LIMIT 12`),
    db.prepare(`INSERT INTO security_events (at, last_at, kind, detail)
      SELECT id * 3600000, id * 3600000, 'locked_out', json_object('what', ${toFormula("id")}) FROM bookings LIMIT 12`),
  ]);
  // Issued documents and payments can't change, but their first texts can be any.
  const { results: triggers } = await db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name NOT LIKE '\\_%' ESCAPE '\\'")
    .all<{ name: string; sql: string }>();
  await db.batch([
    ...triggers.map(({ name }) => db.prepare(`DROP TRIGGER "${name}"`)),
    db.prepare("UPDATE documents SET customer_id = 1 WHERE id % 10 = 0"),
    db.prepare(`INSERT INTO calendars (name, category_code, created_at, last_update)
      SELECT code, code, 1, 1 FROM categories LIMIT 1`),
    db.prepare(`INSERT INTO webhooks (url, secret_sealed, public_key, created_at, last_update)
      VALUES ('https://example.com/', '', '', 1, 1)`),
    ...TEXT_COLUMNS.map((column) => plantFormulas(column, "rowid")),
    ...TEXT_COLUMNS_BY_CODE.map((column) => plantFormulas(column, "unicode(code)")),
    ...TEXT_COLUMNS_BY_KEY.map((column) => plantFormulas(column, "unicode(api_key)")),
    plantFormulas("closed_dates.reason", "unixepoch(date)"),
    plantFormulas("number_series.note", "unicode(serie)"),
    ...triggers.map(({ sql }) => db.prepare(sql)),
  ]);
}, 180_000);

afterAll(() => emptyDatabase(env.TENANT_ACME));

function plantFormulas(tableAndColumn: string, number: string): D1PreparedStatement {
  const [table, column] = tableAndColumn.split(".");
  return env.TENANT_ACME.prepare(`UPDATE ${table} SET ${column} = ${toFormula(number)}`);
}

async function download(address: string): Promise<Uint8Array> {
  const answer = await requestWorker(`http://acme.localhost:8787${address}`, { headers: { Authorization: token } });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

// Numbers below zero stay numbers.
function listFormulaCells(csv: string): readonly string[] {
  const cells = csv.replace("\uFEFF", "").match(/"(?:[^"]|"")*"|[^,;\r\n]+/g) ?? [];
  return cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell) && !/^"?-\d+\.\d\d"?$/.test(cell));
}

/** Lists cells of a sheet that are neither a number nor text that spreadsheets never calculate. */
function listCalculatedCells(sheet: string): readonly string[] {
  const cells = sheet.match(/<c .*?<\/c>/gs) ?? [];
  return cells.filter(
    (cell) => !/^<c r="\w+"( s="2")?><v>-?[\d.]+<\/v><\/c>$|^<c r="\w+" s="[13]" t="inlineStr"><is><t/.test(cell),
  );
}

function readSheet(workbook: Uint8Array): string {
  return strFromU8(unzipSync(workbook)["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
}

test("finds more than a hundred exports in the OpenAPI document, such as reports, lists and the journal", () => {
  const names = files.map(({ name }) => name.replace("/api/v1/office", ""));
  expect(names).toEqual(expect.arrayContaining(["/journal datev", "/reports/rentals.xlsx customer", "/customers.csv"]));
  expect(names.length).toBeGreaterThan(100);
});

// Proves "security.md": A16
test.each(triedFiles)("exports no formula in $name", async ({ name, address }) => {
  const bytes = await download(address);
  const isWorkbook = address.includes(".xlsx?");
  const text = isWorkbook ? readSheet(bytes) : new TextDecoder().decode(bytes);
  expect(isWorkbook ? listCalculatedCells(text) : listFormulaCells(text)).toEqual([]);
  expect(text.includes(FORMULA)).toBe(!GROUP_BY_VEHICLE.test(name) && !LISTS_WITHOUT_TEXT.test(name));
});

test("finds a formula in a CSV cell with or without quotes, and none in a number", () => {
  expect(listFormulaCells('a,=1\r\n"@b",-1.00\r\n"\t=1","x"\r\n')).toEqual(["=1", '"@b"', '"\t=1"']);
});

test("finds a formula in a cell of a workbook, and none in a number or text", () => {
  const text = '<c r="A1" s="3" t="inlineStr"><is><t xml:space="preserve">=1</t></is></c>';
  const cells = ['<c r="A1"><f>1+1</f><v>2</v></c>', '<c r="A2" t="str"><v>=1</v></c>'];
  expect(listCalculatedCells(`<row>${text}<c r="A3"><v>-1.5</v></c>${cells.join("")}</row>`)).toEqual(cells);
});
