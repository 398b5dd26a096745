import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { strToU8, unzipSync } from "fflate";
import { beforeEach, describe, expect, inject, test, vi } from "vitest";
import type { ImportFiles } from "#domain/operations/imports.ts";
import { setUpCompany } from "#support/company.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { createMultilingualImportFiles } from "#support/multilingual-import-files.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { createWorkbook } from "#support/workbook.ts";
import type { TempDatabaseCalls } from "#worker/tenancy/temp-database.ts";

let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("DELETE FROM import_changes"),
    env.TENANT_ACME.prepare("DELETE FROM imports"),
    env.TENANT_ACME.prepare("DELETE FROM import_keys"),
  ]);
  boss = await createToken("boss");
});

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Problem {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  readonly value: string | null;
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly problem: string;
  readonly remedy: { readonly code: string; readonly params: object; readonly message: string } | null;
}

interface Check {
  readonly files: readonly Readonly<Record<string, unknown>>[];
  readonly problems: readonly Problem[];
  readonly problem_count: number;
}

interface Imported {
  readonly id: number | null;
  readonly by: string | null;
  readonly undone_at: string | null;
  readonly can_be_undone: boolean;
  readonly files: readonly Readonly<Record<string, unknown>>[];
}

const base64 = (content: string | Uint8Array) =>
  btoa(String.fromCharCode(...(typeof content === "string" ? strToU8(content) : content)));

const createImportBody = (files: Files, more: object = {}) => ({
  files: Object.entries(files).map(([name, content]) => ({ name, content: base64(content) })),
  ...more,
});

async function check(files: Files, more: object = {}): Promise<Check> {
  const answer = await callOffice("POST", "/imports/check", { token: boss, body: createImportBody(files, more) });
  expect(answer.status).toBe(200);
  return answer.json();
}

const write = (files: Files, key?: string) =>
  callOffice("POST", "/imports", { token: boss, body: createImportBody(files), ...(key && { key }) });
const undo = (id: number | null, key?: string) =>
  callOffice("POST", `/imports/${id}/undo`, { token: boss, ...(key && { key }) });
const rows = async (sql: string) => (await env.TENANT_ACME.prepare(sql).all()).results;

/** Reads all rows that an import may change, except its own records. */
async function readAllTables(): Promise<unknown> {
  const tables = [
    "customers",
    "seasons",
    "season_periods",
    "vehicles",
    "bookings",
    "booking_lines",
    "stock_allocations",
  ];
  return Promise.all(tables.map((table) => rows(`SELECT * FROM ${table} ORDER BY 1`)));
}

const CUSTOMERS = "Nombre;Apellidos;NIF;Fecha nacimiento\r\nJosé ;Muñoz;1X;31/12/1980\r\nAna;Gil;2Y;01/02/1990\r\n";

describe("an import in the office", () => {
  // Proves "security, privacy and operation": The office: an import is tried without writing, each file as it was
  //   understood
  test("shows how each import file is read and what it would change, and writes nothing", async () => {
    const before = await readAllTables();
    const latin = Uint8Array.from(CUSTOMERS, (letter) => letter.charCodeAt(0));
    const { files, problem_count: problems } = await check({ "clientes.csv": latin });
    expect(problems).toBe(0);
    expect(files).toMatchObject([
      {
        file: "clientes.csv",
        table: "customers",
        encoding: "windows-1252",
        separator: ";",
        dates: "day",
        lines: 2,
        added: 2,
        headings: [
          { heading: "Nombre", field: "name" },
          { heading: "Apellidos", field: "surname" },
          { heading: "NIF", field: "document_id" },
          { heading: "Fecha nacimiento", field: "date_of_birth" },
        ],
        rows: [
          { line: 2, cells: ["José", "Muñoz", "1X", "31/12/1980"] },
          { line: 3, cells: ["Ana", "Gil", "2Y", "01/02/1990"] },
        ],
      },
    ]);
    expect(await readAllTables()).toEqual(before);
  });

  // Proves "security, privacy and operation": The office: an import meets every rule in its copy, all problems at once
  test("checks an import by the database's rules, and returns all errors by file, line and field", async () => {
    const { problems } = await check({
      "seasons.csv": "name\nWinter 2030\n",
      "season_periods.csv":
        "season,date_from,date_to\nWinter 2030,2030-01-01,2030-02-10\nWinter 2030,2030-02-01,2030-03-01\nNone,2030-05-01,2030-05-02\n",
      "customers.csv": "name,document_id,date_of_birth\nEva,9Z,31/02/1980\n",
    });
    expect(problems).toEqual([
      {
        file: "season_periods.csv",
        line: 3,
        field: "",
        value: null,
        code: "season_overlap",
        params: {},
        problem: "overlaps the dates of another season",
        remedy: { code: "season_dates", params: {}, message: "dates that belong to one season only" },
      },
      {
        file: "season_periods.csv",
        line: 4,
        field: "season_id",
        value: "None",
        code: "reference_unknown",
        params: { table: "seasons" },
        problem: "does not match any row of seasons",
        remedy: { code: "one_of", params: { values: expect.any(String) }, message: expect.stringMatching(/^one of ./) },
      },
      {
        file: "customers.csv",
        line: 2,
        field: "date_of_birth",
        value: "31/02/1980",
        code: "date_invalid",
        params: {},
        problem: "is not a valid date",
        remedy: {
          code: "two_examples",
          params: { example: "2027-05-03", other: "03/05/2027" },
          message: "for example 2027-05-03 or 03/05/2027",
        },
      },
    ]);
  });

  // Proves "security, privacy and operation": The office: an import is all or nothing
  test("rejects all files if one has a problem, named in the error, and otherwise writes all", async () => {
    const before = await readAllTables();
    const bad = await write({ "clientes.csv": CUSTOMERS, "seasons.csv": "name\n\nTwice\nTwice\n" });
    expect(bad.status).toBe(409);
    expect(await bad.json()).toMatchObject({
      code: "import_has_problems",
      detail: [
        { field: "seasons.csv:4", message: "is the same as line 3", code: "line_duplicated", params: { line: 3 } },
      ],
    });
    expect(await readAllTables()).toEqual(before);
    const good = await write({ "clientes.csv": CUSTOMERS, "seasons.csv": "name\n\nOnce\n" });
    expect(good.status).toBe(200);
    expect(await good.json()).toMatchObject({
      by: expect.any(String),
      can_be_undone: true,
      files: expect.arrayContaining([
        expect.objectContaining({ file: "clientes.csv", table: "customers", added: 2, changed: 0, unchanged: 0 }),
        expect.objectContaining({ file: "seasons.csv", table: "seasons", added: 1, changed: 0, unchanged: 0 }),
      ]),
    });
    expect(await rows("SELECT name FROM seasons WHERE name = 'Once'")).toEqual([{ name: "Once" }]);
    expect(
      await rows("SELECT name, date_of_birth FROM customers WHERE document_id IN ('1X', '2Y') ORDER BY name"),
    ).toEqual([
      { name: "Ana", date_of_birth: "1990-02-01" },
      { name: "José", date_of_birth: "1980-12-31" },
    ]);
  });

  // Proves "security, privacy and operation": The office: an import runs once per key, and repeating it changes nothing
  test("runs an import once per idempotency key, and a repeated import changes nothing", async () => {
    const key = crypto.randomUUID();
    const first = await (await write({ "clientes.csv": CUSTOMERS }, key)).json<Imported>();
    expect(await (await write({ "clientes.csv": CUSTOMERS }, key)).json()).toEqual(first);
    const other = await write({ "clientes.csv": `${CUSTOMERS}Eva;Sol;3Z;\r\n` }, key);
    expect([other.status, await other.json()]).toMatchObject([422, { code: "idempotency_key_reused" }]);
    const again = await (await write({ "clientes.csv": CUSTOMERS })).json<Imported>();
    expect(again).toMatchObject({ id: null, files: [{ added: 0, changed: 0, unchanged: 2 }] });
    expect(await rows("SELECT count(*) AS n FROM imports")).toEqual([{ n: 1 }]);
  });

  // Proves "security, privacy and operation": The office: open contracts come with vehicles and stock, and go back
  //   without a trace
  test("imports open contracts with their vehicles and stock, and a revert restores the previous state", async () => {
    const before = await readAllTables();
    const [vehicle] = await rows("SELECT reference, category_code, branch_code FROM vehicles WHERE active = 1 LIMIT 1");
    const contract = [
      "key,status,branch_code,date_from,date_to,customer_name,total,category_code,vehicle_reference",
      `2031/1,confirmed,${vehicle?.["branch_code"]},2031-05-03,2031-05-10,Ana,315.00,${vehicle?.["category_code"]},${vehicle?.["reference"]}`,
    ].join("\n");
    const answer = await write({ "contratos.csv": contract, "clientes.csv": CUSTOMERS });
    expect(answer.status).toBe(200);
    const { id } = await answer.json<Imported>();
    expect(await rows("SELECT status, days, total_cents FROM bookings WHERE date_from = '2031-05-03'")).toEqual([
      { status: "confirmed", days: 7, total_cents: 31_500 },
    ]);
    expect(
      await rows(
        "SELECT count(*) AS n FROM stock_allocations WHERE booking_id IN (SELECT id FROM bookings WHERE date_from = '2031-05-03')",
      ),
    ).toEqual([{ n: 1 }]);
    const key = crypto.randomUUID();
    const undone = await undo(id, key);
    expect(undone.status).toBe(200);
    expect(await undone.json()).toMatchObject({ id, can_be_undone: false, undone_at: expect.any(String) });
    expect((await undo(id, key)).status).toBe(200);
    expect((await undo(id)).status).toBe(200);
    expect(await readAllTables()).toEqual(before);
    expect((await write({ "contratos.csv": contract, "clientes.csv": CUSTOMERS })).status).toBe(200);
  });

  // Proves "security, privacy and operation": The office: an import that others built on can't be undone
  test("rejects reverting an import whose rows were used or that isn't the latest", async () => {
    const first = await (await write({ "clientes.csv": CUSTOMERS })).json<Imported>();
    const second = await (await write({ "seasons.csv": "name\nWinter 2031\n" })).json<Imported>();
    const old = await undo(first.id);
    expect([old.status, await old.json()]).toMatchObject([
      409,
      { code: "import_not_undoable", detail: [{ code: "not_last", params: {} }] },
    ]);
    await env.TENANT_ACME.prepare("UPDATE seasons SET name = 'Winter' WHERE name = 'Winter 2031'").run();
    const changed = await undo(second.id);
    expect([changed.status, await changed.json()]).toMatchObject([
      409,
      {
        code: "import_not_undoable",
        detail: [
          {
            message: expect.stringContaining("was changed since"),
            code: "row_changed",
            params: { table: "seasons", row: expect.any(String) },
          },
        ],
      },
    ]);
    expect((await undo(999)).status).toBe(404);
  });

  test("runs an import once for two requests with one key, and a retry returns the result", async () => {
    const key = crypto.randomUUID();
    const twins = await Promise.all([
      write({ "clientes.csv": CUSTOMERS }, key),
      write({ "clientes.csv": CUSTOMERS }, key),
    ]);
    const importAnswers = await Promise.all(twins.map((twin) => twin.json<Imported & { code?: string }>()));
    const repeated = await write({ "clientes.csv": CUSTOMERS }, key);
    const firstImport = await repeated.json<Imported>();
    const [stored, ...others] = await rows("SELECT id FROM imports");
    expect([repeated.status, firstImport.id, others]).toEqual([200, stored?.["id"], []]);
    const outcomes = importAnswers.map(({ id, code }) => code ?? id);
    expect(outcomes).toContain(firstImport.id);
    expect(outcomes.filter((outcome) => outcome !== firstImport.id && outcome !== "import_running")).toEqual([]);
    expect(await rows("SELECT count(*) AS n FROM customers WHERE name = 'José'")).toEqual([{ n: 1 }]);
  });

  test("reverts an import despite damage recorded on devices", async () => {
    const [vehicle] = await rows("SELECT reference, category_code, branch_code FROM vehicles WHERE active = 1 LIMIT 1");
    const contract = [
      "key,status,branch_code,date_from,date_to,customer_name,total,category_code,vehicle_reference",
      `2031/2,confirmed,${vehicle?.["branch_code"]},2031-06-03,2031-06-10,Ana,315.00,${vehicle?.["category_code"]},${vehicle?.["reference"]}`,
    ].join("\n");
    await write({ "contratos.csv": contract });
    const operation = crypto.randomUUID();
    const { id } = await (await write({ "seasons.csv": "name\nSpring 2032\n" })).json<Imported>();
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(
        `INSERT INTO check_in_operations (op_id, booking_id, kind, state, code, message, fingerprint, operation, version, author, user_id,
            device_id, seq, recorded_at, received_at)
          SELECT ?, id, 'delivery', 'applied', 'applied', '', 'x', '{}', 1, 'Ana', 1, 'phone', 1, 1, 1 FROM bookings LIMIT 1`,
      ).bind(operation),
      env.TENANT_ACME.prepare(
        `INSERT INTO vehicle_damages (damage_id, vehicle_reference, part, kind, severity, x, y, op_id, since)
          VALUES ('a', ?, 'door', 'scratch', 'light', 1, 1, ?, '2026-01-01')`,
      ).bind(vehicle?.["reference"], operation),
    ]);
    expect((await undo(id)).status).toBe(200);
  });

  test("empties the temporary copy after an import, and deletes the leftovers of a killed one by an alarm", async () => {
    const namespace = env.SCRATCH_DATABASES as DurableObjectNamespace;
    const stub = namespace.get(namespace.idFromName("t/acme/import"));
    const listTableNames = ({ sql }: DurableObjectStorage) =>
      sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray();
    const countRemaining = () =>
      runInDurableObject(stub, async (_, { storage }) => ({
        tables: listTableNames(storage),
        alarm: await storage.getAlarm(),
      }));
    const bytes = new Uint8Array(strToU8("name\nSpring 2034\n"));
    const importFiles: ImportFiles = { files: [{ name: "seasons.csv", bytes, style: {} }], mapping: {} };
    await runInDurableObject(stub, async (object, { storage }) => {
      const planned = vi.spyOn(storage, "setAlarm");
      expect(await (object as unknown as TempDatabaseCalls).check("acme", importFiles)).toMatchObject({
        kind: "checked",
      });
      expect(planned.mock.calls.map(([at]) => Number(at) - Date.now() > 10 * 60_000)).toEqual([true]);
      planned.mockRestore();
    });
    expect(await countRemaining()).toEqual({ tables: [], alarm: null });

    // Simulates a process killed in the middle.
    await runInDurableObject(stub, async (_, { storage }) => {
      storage.sql.exec("CREATE TABLE customers (name TEXT)");
      await storage.setAlarm(Date.now() + 60_000);
    });
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await countRemaining()).toEqual({ tables: [], alarm: null });
  });

  // Proves "security, privacy and operation": The office: files, columns and values as entered
  test("accepts the user's choices for files, columns and format", async () => {
    const text = "Wer|Nr|Kram\nJörg|7X|a,b\n";
    const unknown = await check({ "liste.csv": text });
    expect(unknown.problems).toMatchObject([
      {
        file: "liste.csv",
        line: 1,
        code: "table_unknown",
        problem: "does not match any table",
        remedy: { code: "choose_table", params: { tables: "customers, vehicles, bookings, charges, documents" } },
      },
    ]);
    expect(unknown.files).toMatchObject([{ table: null, headings: [{ heading: "Wer", field: null }, {}, {}] }]);
    const mapping = {
      files: { "liste.csv": "customers" },
      columns: { customers: { Wer: "name", Nr: "document_id", Kram: null } },
    };
    const known = await check({ "liste.csv": text }, { mapping });
    expect(known.problem_count).toBe(0);
    expect(known.files).toMatchObject([{ table: "customers", added: 1, headings: [{}, {}, { left_out: true }] }]);
    const answer = await callOffice("POST", "/imports/check", {
      token: boss,
      body: { files: [{ name: "liste.csv", content: base64(text), style: { encoding: "windows-1252" } }], mapping },
    });
    expect(await answer.json()).toMatchObject({
      files: [{ encoding: "windows-1252", rows: [{ cells: ["JÃ¶rg", "7X", "a,b"] }] }],
      problem_count: 1,
    });
  });

  // Proves "security, privacy and operation": The office imports files of six other systems in one pass each
  if (inject("isThorough"))
    test("imports files of six other systems with at most one mapping each", async () => {
      const [branch] = await rows("SELECT code FROM branches LIMIT 1");
      for (const file of createMultilingualImportFiles({ category: "A", branch: String(branch?.["code"]) })) {
        const body = createImportBody({ [file.name]: file.content }, file.mapping && { mapping: file.mapping });
        const answer = await callOffice("POST", "/imports", { token: boss, body });
        expect(answer.status, `${file.name} ${await answer.clone().text()}`).toBe(200);
        const { files } = await answer.json<Imported>();
        expect(
          files.reduce((sum, { added }) => sum + Number(added), 0),
          file.name,
        ).toBe(file.added);
      }
    });

  test("reads each sheet of a workbook as a file", async () => {
    const book = createWorkbook({
      Clientes: [
        ["Nombre", "NIF"],
        ["Ana", "5Z"],
      ],
      Temporadas: [["name"], ["Winter 2032"]],
    });
    const { files, problems } = await check({ "all.xlsx": book, "broken.xlsx": "no zip" });
    expect(problems).toMatchObject([
      { file: "broken.xlsx", code: "workbook_invalid", problem: "is not a readable workbook" },
    ]);
    expect(files).toMatchObject([
      { file: "all.xlsx [Clientes]", table: "customers", added: 1, encoding: "workbook" },
      { file: "all.xlsx [Temporadas]", table: "seasons", added: 1 },
      { file: "broken.xlsx", table: null },
    ]);
  });

  // Proves "security, privacy and operation": The office: the other system's invoices come, and numbers go on
  test("imports another system's invoices with continuing numbers, and the company's conditions, and reverts them", async () => {
    const [branch] = await rows("SELECT code FROM branches LIMIT 1");
    const invoices = `serie,number,date,branch_code,customer_full_name,total,vat_percent\nF25,41,2025-05-03,${branch?.["code"]},Ana,121.00,21\n`;
    const answer = await write({ "facturas.csv": invoices, "contract_terms.csv": "language,terms\nes,## Uso\n" });
    expect(answer.status).toBe(200);
    const series = () => rows("SELECT last_number, last_date FROM number_series WHERE serie = 'F25'");
    expect(await series()).toEqual([{ last_number: 41, last_date: "2025-05-03" }]);
    expect(await rows("SELECT subtotal_cents FROM document_taxes")).toEqual([{ subtotal_cents: 10_000 }]);
    expect((await undo((await answer.json<Imported>()).id)).status).toBe(200);
    expect([await series(), await rows("SELECT * FROM contract_terms")]).toEqual([[], []]);
  });

  // Proves "security, privacy and operation": The office: no import passes the rules of issuing
  test("rejects imported invoices in a local series, dated after the first local invoice, or changing a local draft", async () => {
    const [branch] = await rows("SELECT code FROM branches LIMIT 1");
    const storedColumns = `kind, branch_code, invoice_mode, concept, customer_type, customer_full_name, currency, total_without_taxes_cents, subtotal_cents,
      taxes_cents, total_cents, created_at, last_update, form`;
    const storedValues = `'invoice', '${branch?.["code"]}', 'default', 'X', 'individual', 'Ana', 'EUR', 10000, 10000, 2100, 12100, 1, 1, 'full'`;
    await rows(`INSERT INTO documents (${storedColumns}) VALUES (${storedValues})`);
    await rows(`INSERT INTO documents (${storedColumns}) VALUES (${storedValues})`);
    const [draft, other] = await rows("SELECT id FROM documents ORDER BY id");
    const sums = "total_without_taxes_cents, subtotal_cents, taxes_cents";
    for (const sql of [
      `INSERT INTO document_items (document_id, concept, quantity, vat_basis_points, unit_without_taxes_cents, unit_taxes_cents, unit_cents, ${sums}, total_cents)
        VALUES (${other?.["id"]}, 'X', 1, 2100, 10000, 2100, 12100, 10000, 10000, 2100, 12100)`,
      `INSERT INTO document_taxes (document_id, position, vat_basis_points, ${sums}) VALUES (${other?.["id"]}, 1, 2100, 10000, 10000, 2100)`,
      `UPDATE documents SET invoice_status = 'invoice', serie = 'A26', number = 1, year = 2026, date = '2026-01-10' WHERE id = ${other?.["id"]}`,
    ])
      await rows(sql);
    const line = (serie: string, number: number, date: string) =>
      `,${serie},${number},${date},${branch?.["code"]},Ana,121.00,21\n`;
    const { problems } = await check(
      {
        "facturas.csv": `id,serie,number,date,branch_code,customer_full_name,total,vat_percent\n${line("A26", 2, "2026-01-05")}${line("F26", 8, "2026-01-11")}`,
        "drafts.csv": `id,serie,number,date,year,invoice_status\n${draft?.["id"]},F26,9,2026-01-02,2026,invoice\n`,
      },
      { mapping: { files: { "drafts.csv": "documents" } } },
    );
    expect(problems.map(({ file, line: at, field, code }) => [file, at, field, code])).toEqual([
      ["facturas.csv", 2, "serie", "series_in_use"],
      ["facturas.csv", 3, "date", "document_date_too_late"],
      ["drafts.csv", 2, "", "document_sums_mismatch"],
    ]);
  });

  // Proves "security, privacy and operation": The office: settings and large files are not for it
  test("rejects settings, which have their own page, and more rows than the limit", async () => {
    const { problems } = await check({ "settings.csv": "account_name\nOther\n" });
    expect(problems.map(({ file, code }) => [file, code])).toEqual([["settings.csv", "table_unknown"]]);
    const many = `name\n${Array.from({ length: 5001 }, (_, at) => `Season ${at}`).join("\n")}\n`;
    const answer = await callOffice("POST", "/imports/check", {
      token: boss,
      body: createImportBody({ "seasons.csv": many }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: "import_too_large" }]);
  });

  // Proves "office.md": An import maps values of another system
  test("maps values in import files to the platform's values by the user's mapping", async () => {
    const files = { "categories.csv": "code,name,vat_percent,fuel\nZ,Zoe,21.00,Akku\n" };
    const unknown = await check(files);
    expect(unknown).toMatchObject({ problems: [{ field: "fuel", value: "Akku", code: "value_unknown" }] });
    const mapping = { values: { categories: { fuel: { akku: "electric" } } } };
    expect(await check(files, { mapping })).toMatchObject({ problem_count: 0 });
    expect(await check(files, { mapping: { values: { categories: { fuel: { Akku: null } } } } })).toMatchObject({
      problem_count: 0,
    });
  });

  // Proves "security, privacy and operation": The office: templates come in as they are
  test("provides templates that import unchanged, and lists the available fields", async () => {
    const answer = await callOffice("GET", "/imports/templates.zip", { token: boss });
    expect(answer.headers.get("Content-Type")).toBe("application/zip");
    const templates = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const names = Object.keys(templates);
    expect(names).toContain("about/fields.csv");
    const files = Object.fromEntries(Object.entries(templates).filter(([name]) => !name.startsWith("about/")));
    expect((await check(files)).problems).toEqual([]);
    const tables = await (await callOffice("GET", "/imports/tables", { token: boss })).json<{
      data: { name: string; fields: { field: string; required: boolean }[] }[];
    }>();
    const customers = tables.data.find(({ name }) => name === "customers")?.fields ?? [];
    expect(customers.filter(({ required }) => required).map(({ field }) => field)).not.toContain("created_at");
    expect(tables.data.map(({ name }) => name)).toContain("vehicles");
    expect(tables.data.map(({ name }) => name)).not.toContain("settings");
  });

  // Proves "security, privacy and operation": The office: imports are for administrators, each account's own
  test("allows imports only to administrators, separately for each account", async () => {
    await setUpCompany("globex");
    await addTestUsers("globex");
    const desk = await createToken("desk");
    const other = await createToken("boss", "globex");
    const body = createImportBody({ "seasons.csv": "name\nWinter 2033\n" });
    for (const [method, path, sent] of [
      ["GET", "/imports", undefined],
      ["GET", "/imports/tables", undefined],
      ["GET", "/imports/templates.zip", undefined],
      ["POST", "/imports/check", body],
      ["POST", "/imports", body],
      ["POST", "/imports/1/undo", undefined],
    ] as const) {
      expect([401, 403]).toContain((await callOffice(method, path, { token: desk, body: sent })).status);
      expect((await callOffice(method, path, { body: sent })).status).toBe(401);
      expect((await callOffice(method, path, { token: boss, body: sent, account: "globex" })).status).toBe(401);
    }
    expect((await callOffice("POST", "/imports", { token: other, body, account: "globex" })).status).toBe(200);
    expect(await rows("SELECT name FROM seasons WHERE name = 'Winter 2033'")).toEqual([]);
    expect(await (await callOffice("GET", "/imports", { token: boss })).json()).toEqual({ data: [] });
    const [listed] = (
      await (await callOffice("GET", "/imports", { token: other, account: "globex" })).json<{ data: Imported[] }>()
    ).data;
    expect(listed?.files).toMatchObject([{ file: "seasons.csv", added: 1 }]);
    expect((await undo(listed?.id ?? null)).status).toBe(404);
  });

  test.each([
    [{ files: [] }, "files"],
    [{ files: [{ name: "a.exe", content: "" }] }, "files.0.name"],
    [{ files: [{ name: "a.csv", content: "***" }] }, "files.0.content"],
    [{ files: [{ name: "a.csv" }] }, "files.0.content"],
    [
      {
        files: [
          { name: "a.csv", content: "" },
          { name: "a.csv", content: "" },
        ],
      },
      "files",
    ],
    [{ files: [{ name: "a.csv", content: "", style: { encoding: "latin" } }] }, "files.0.style.encoding"],
    [{ files: [{ name: "a.csv", content: "" }], mapping: { files: { "a.csv": 7 } } }, "mapping.files.a.csv"],
  ])("rejects the import check %j, naming the field", async (body, field) => {
    const answer = await callOffice("POST", "/imports/check", { token: boss, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: [{ field }] });
  });
});

describe("files written by other programs", () => {
  const HEADINGS = "Nombre;Apellidos;NIF;Teléfono";

  test.each([
    ["6,00112E+08", "number_rounded"],
    ["3.46E+11", "number_rounded"],
    ["ninguno", "telephone"],
  ])("reports the telephone number %s of an imported customer as the problem %s", async (phone, code) => {
    const { problems } = await check({ "clientes.csv": `${HEADINGS}\r\nAna;Ruiz;12345678Z;${phone}\r\n` });
    expect(problems.map((problem) => [problem.line, problem.field, problem.code])).toEqual([[2, "phone_number", code]]);
  });

  test.each(
    chooseForGate(
      [
        ["name", "Nombre;NIF", "N", 100, (text: string) => `${text};12345678Z`],
        ["surname", "Nombre;Apellidos", "R", 100, (text: string) => `Ana;${text}`],
        ["document_id", "Nombre;NIF", "9", 50, (text: string) => `Ana;${text}`],
        ["address_street", "Nombre;NIF;Dirección", "S", 100, (text: string) => `Ana;12345678Z;${text}`],
        ["address_zip", "Nombre;NIF;CP", "L", 100, (text: string) => `Ana;12345678Z;${text}`],
      ],
      2,
    ),
  )(
    "limits the length of an imported customer's %s as the other entry points do",
    async (field, headings, letter, max, toRow) => {
      const read = async (length: number) => {
        const { problems } = await check({ "clientes.csv": `${headings}\r\n${toRow(letter.repeat(length))}\r\n` });
        return problems.map((problem) => [problem.line, problem.field, problem.code]);
      };
      expect(await read(max)).toEqual([]);
      expect(await read(max + 1)).toEqual([[2, field, "text_too_long"]]);
    },
  );

  test("rejects an identity document number in scientific notation and an invalid e-mail address", async () => {
    const { problems } = await check({ "clientes.csv": "Nombre;NIF;Email\r\nAna;1,23457E+07;ana@example\r\n" });
    expect(problems.map((problem) => problem.code).toSorted()).toEqual(["email", "number_rounded"]);
  });

  test("removes invisible characters from a telephone number", async () => {
    const { files, problems } = await check({
      "clientes.csv": `${HEADINGS}\r\nAna;Ruiz;ESB57204463;\u202a+34\u00a0600 11 22 33\u202c\r\n`,
    });
    expect([problems, files]).toMatchObject([[], [{ added: 1 }]]);
  });

  test("skips separator line, title and totals of a file, and keeps quotes in a cell", async () => {
    const { files, problems } = await check({
      "clientes.csv": `sep=;\r\nLISTADO DE CLIENTES;;;\r\n${HEADINGS}\r\nBar "El Puerto" SL;;B57000129;\r\nTotal: 1;;;\r\n`,
    });
    expect(problems).toEqual([]);
    expect(files).toMatchObject([
      {
        added: 1,
        warnings: [{ code: "rows_ignored", params: { count: 2, example: "LISTADO DE CLIENTES" } }],
        rows: [{ line: 4, cells: ['Bar "El Puerto" SL', "", "B57000129", ""] }],
      },
    ]);
  });

  test("restores the leading zero of an imported Spanish postcode, and changes no other country's", async () => {
    const file = "Nombre;Apellidos;CP;País\r\nIda;Ros;7001;España\r\nUrs;Frei;8001;Suiza\r\n";
    expect((await write({ "clientes.csv": file })).status).toBe(200);
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT address_zip AS zip FROM customers WHERE name IN ('Ida', 'Urs') ORDER BY name",
    ).all();
    expect(results).toEqual([{ zip: "07001" }, { zip: "8001" }]);
  });

  test("rejects an unclosed quote, naming its line", async () => {
    const { problems } = await check({ "clientes.csv": `${HEADINGS}\r\nAna;Ruiz;;\r\n"Eva;Sol;;\r\n` });
    expect(problems).toMatchObject([{ line: 3, code: "csv_invalid" }]);
  });

  test("reports a customer in two spellings as a duplicate, and matches the account's existing customer", async () => {
    const first = `${HEADINGS}\r\nAna;Ruiz;99999999R;\r\n`;
    const twice = await check({ "clientes.csv": `${first}ANA;RUIZ;99.999.999-r;\r\n` });
    expect(twice.problems).toMatchObject([{ line: 3, code: "line_duplicated", params: { line: 2 } }]);
    expect((await write({ "clientes.csv": first })).status).toBe(200);
    const again = await check({ "clientes.csv": `${HEADINGS}\r\nAna;Ruiz;99.999.999/r;\r\n` });
    expect(again.files).toMatchObject([{ added: 0 }]);
    const byMail = "nombre;apellidos;email\r\n";
    expect((await write({ "clientes.csv": `${byMail}José;Álvarez;jose@españa.es\r\n` })).status).toBe(200);
    const capitals = await check({ "clientes.csv": `${byMail}JOSÉ;ÁLVAREZ;JOSE@xn--espaa-rta.es\r\n` });
    expect(capitals.files).toMatchObject([{ added: 0 }]);
  });
});
