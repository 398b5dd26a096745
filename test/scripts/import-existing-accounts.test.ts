import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ImportMapping } from "#domain/operations/imports.ts";
import { exportAccountData } from "#scripts/data/export.ts";
import { undoLastImport } from "#scripts/data/import-folder.ts";
import { formatRemainingTime } from "#scripts/data/progress.ts";
import { IMPORT_OPTIONS, IMPORT_TIME, useImportTestCompany } from "#support/import-account.ts";
import { createMappingDraft } from "#worker/imports/report.ts";
import { createFiringTriggersCondition } from "#worker/imports/write-rows.ts";

const { opened, take, problems, rows } = useImportTestCompany();

const DOCUMENTS = "kind,branch_code,serie,number,date,customer_full_name,total,vat_percent\n";
const BOOKING = "key,status,branch_code,date_from,date_to,customer_name,total,category_code\n";
const OFFERS = "name,discount_type,value\n";
const invoice = (number: number, date: string, serie = "F26") =>
  `invoice,PMI,${serie},${number},${date},Ana,121.00,21.00\n`;
const readSeries = () => rows("SELECT serie, last_number, last_date, note FROM number_series");

describe("numbers of another system", () => {
  // Proves "security, privacy and operation": A serie goes on after the last number that is known of it
  test("continues document numbers after the specified number or the last imported one, whichever is higher", async () => {
    expect((await take({ "series.csv": "serie,last_number,note\nF26,480,from the old one\n" })).bad).toEqual([]);
    await take({ "documents.csv": DOCUMENTS + invoice(479, "2026-05-01") });
    expect(readSeries()).toEqual([
      { serie: "F26", last_number: 480, last_date: "2026-05-01", note: "from the old one" },
    ]);
    await take({ "documents.csv": DOCUMENTS + invoice(481, "2026-05-02") });
    expect(readSeries()).toMatchObject([{ last_number: 481, last_date: "2026-05-02", note: "from the old one" }]);
  });

  test("imports the same number of two companies, and each file again without a change", async () => {
    const file = (company: number) => ({
      "documents.csv": `company_id,${DOCUMENTS}${company},${invoice(1, "2026-05-01").replace("PMI", company === 1 ? "PMI" : "MAH")}`,
    });
    rows(`INSERT INTO branches (code, branch_group_id, name, place_type, timezone, currency, company_id, created_at, last_update)
      VALUES ('MAH', 1, 'Mahón', 'airport', 'Europe/Madrid', 'EUR', 2, 0, 0)`);
    for (const company of [1, 2, 1, 2]) expect((await take(file(company))).bad).toEqual([]);
    expect(rows("SELECT company_id, serie, number FROM documents ORDER BY id")).toEqual(
      [1, 2].map((company) => ({ company_id: company, serie: "F26", number: 1 })),
    );
  });

  // Proves "security, privacy and operation": A series with documents issued here continues automatically
  test("rejects a last number for a series that already has documents issued here", async () => {
    await take({ "documents.csv": DOCUMENTS + invoice(1, "2026-05-01") });
    rows("DROP TRIGGER documents_update_prevent_issued");
    rows("UPDATE documents SET form = 'full'");
    expect(await problems({ "series.csv": "serie,last_number\nF26,7\n" })).toEqual(["series.csv:2"]);
  });

  // Proves "security, privacy and operation": Papers and series of a day to come are refused
  test("rejects imported documents dated in the future, which would block issuing until then", async () => {
    expect(
      await problems({
        "documents.csv": DOCUMENTS + invoice(1, "2026-07-01") + invoice(2, "2062-05-01"),
        "series.csv": "serie,last_number,last_date\nB26,7,2026-12-31\n",
      }),
    ).toEqual(["documents.csv:3 date 2062-05-01", "series.csv:2 last_date 2026-12-31"]);
  });

  // Proves "security, privacy and operation": An import adds no item or rate to issued documents
  test("adds no item or tax rate to an existing document", async () => {
    await take({ "documents.csv": DOCUMENTS + invoice(1, "2026-05-01") });
    const item =
      "document_id,concept,quantity,vat_percent,unit_without_taxes,unit_taxes,unit,total_without_taxes,subtotal,taxes,total\nF26/1,More,1,21.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00\n";
    const rate =
      "document_id,position,vat_percent,total_without_taxes,discount,subtotal,taxes\nF26/1,2,10.00,0.00,0.00,0.00,0.00\n";
    expect(await problems({ "document_items.csv": item, "document_taxes.csv": rate })).toEqual([
      "document_items.csv:2 document_id 1",
      "document_taxes.csv:2 document_id 1",
    ]);
  });
});

// Proves "office.md: the vehicles of a contract": A fee without any paper here is kept
test("keeps a cancellation fee retained in the other system even without its invoice, so it isn't owed back", async () => {
  const { bad } = await take({
    "bookings.csv": `key,cancellation_fee,${BOOKING.slice(4)}b1,30.00,cancelled,PMI,2026-05-03,2026-05-05,Ana,100.00,A\n`,
    "charges.csv":
      "key,booking_id,source_doc,payment_method_id,branch_code,date,amount\nc1,b1,booking,cash,PMI,2026-05-02,30.00\n",
  });
  expect(bad).toEqual([]);
  expect(rows("SELECT cancellation_fee_cents, total_paid_cents, credited_cents FROM bookings")).toEqual([
    { cancellation_fee_cents: 3_000, total_paid_cents: 3_000, credited_cents: 0 },
  ]);
});

test("calculates the held deposit of an imported contract from its charges, for new and existing contracts", async () => {
  const charge = (key: string, kind: string, date: string, amount: string) =>
    `${key},b1,${kind},cash,PMI,${date},${amount}\n`;
  const charges = "key,booking_id,source_doc,payment_method_id,branch_code,date,amount\n";
  const readDeposits = () => rows("SELECT status, deposit_held_cents, total_paid_cents FROM bookings");
  const first = await take({
    "bookings.csv": `${BOOKING}b1,done,PMI,2026-05-03,2026-05-05,Ana,100.00,A\n`,
    "charges.csv": `${charges}${charge("c1", "deposit_received", "2026-05-03", "300.00")}${charge("c2", "booking", "2026-05-03", "100.00")}`,
  });
  expect([first.bad, readDeposits()]).toEqual([
    [],
    [{ status: "done", deposit_held_cents: 30_000, total_paid_cents: 10_000 }],
  ]);
  const second = await take({ "charges.csv": `${charges}${charge("c3", "deposit_returned", "2026-05-05", "250.00")}` });
  expect([second.bad, readDeposits()]).toMatchObject([[], [{ deposit_held_cents: 5_000 }]]);
  const importRow = {
    "bookings.csv": `key,deposit_held,${BOOKING.slice(4)}b2,1.00,done,PMI,2026-05-03,2026-05-05,Ana,1.00,A\n`,
  };
  expect(await problems(importRow)).toEqual(["bookings.csv:1 deposit_held"]);
});

test("calculates an agent's commissions on imported contracts by the agent's terms unless a file specifies them", async () => {
  const head = "key,status,branch_code,date_from,date_to,customer_name,total,category_code,agent_id";
  const line = (key: string, status: string, more = "") =>
    `${key},${status},PMI,2026-05-03,2026-05-05,Ana,100.00,A,Hotel Sol${more}\n`;
  const agents = "name,commission_calculation,commission_percent\nHotel Sol,percentage,10\n";
  const own = `${head},agent_commission_calculation,agent_commission_base,agent_commission_total\n`;
  const first = await take({
    "agents.csv": agents,
    "bookings.csv": `${head}\n${line("b1", "done")}${line("b2", "cancelled")}`,
  });
  const second = await take({ "bookings.csv": own + line("b3", "done", ",fixed_amount,50.00,7.00") });
  expect([first.bad, second.bad]).toEqual([[], []]);
  expect(
    rows(
      "SELECT status, agent_commission_base_cents AS base, agent_commission_total_cents AS total FROM bookings ORDER BY id",
    ),
  ).toEqual([
    { status: "done", base: 10_000, total: 1_000 },
    { status: "cancelled", base: 0, total: 0 },
    { status: "done", base: 5_000, total: 700 },
  ]);
});

test("imports specified commissions, uses the agent's terms for others, and owes nothing for retained amounts", async () => {
  const AGENTS = "key,name,commission_calculation,commission_percent,commission_fixed\na1,Sol,percentage,12.50,0\n";
  const importBookings = (head: string, ...lines: readonly string[]) =>
    take({ "bookings.csv": `${BOOKING.trim()},agent_id,${head}\n${lines.join("\n")}\n`, "agents.csv": AGENTS });
  const line = (key: string, rest: string, status = "done") =>
    `${key},${status},PMI,2026-05-03,2026-05-05,Ana,100.20,A,a1,${rest}`;
  const earned = () =>
    rows(
      "SELECT agent_commission_calculation AS by, agent_commission_base_cents AS base, agent_commission_total_cents AS total FROM bookings ORDER BY id",
    );
  const importRow = await importBookings(
    "agent_commission_base,agent_commission_total",
    line("b1", "100.20,7.77"),
    line("b2", "0,0"),
  );
  expect([importRow.bad, earned()]).toEqual([
    [],
    [
      { by: "percentage", base: 10_020, total: 777 },
      { by: "percentage", base: 0, total: 0 },
    ],
  ]);
  const importResult = await importBookings(
    "agent_commission_prepaid",
    line("b3", "20.20"),
    line("b4", "0", "cancelled"),
  );
  expect([importResult.bad, earned().slice(2)]).toEqual([
    [],
    [
      { by: "percentage", base: 10_020, total: 1253 },
      { by: "percentage", base: 0, total: 0 },
    ],
  ]);
  const other = {
    "agents.csv": "key,name,commission_calculation,commission_percent,commission_fixed\na2,Pep,fixed_amount,0,15.00\n",
    "bookings.csv": "key,agent_id\nb1,a2\n",
  };
  expect([(await take(other)).bad, earned()[0]]).toEqual([[], { by: "fixed_amount", base: 10_020, total: 1500 }]);
  expect(await undoLastImport(opened.account.db, IMPORT_OPTIONS)).toMatchObject({ problems: [] });
  expect(earned()[0]).toMatchObject({ base: 10_020, total: 777 });
  await take({
    "charges.csv":
      "key,booking_id,source_doc,payment_method_id,branch_code,date,amount\nc1,b3,booking,cash,PMI,2026-05-03,80.00\n",
  });
  expect(rows("SELECT payment_status FROM bookings WHERE total_paid_cents > 0")).toEqual([{ payment_status: "total" }]);
});

describe("ids of another system", () => {
  const BOOKINGS =
    "Vertragsnummer;Kundennr;Kategorie;Filiale;Zustand;Von;Bis;Gesamt\nB-1;KEY;A;PMI;gebucht;01.05.2027;03.05.2027;100,00\n";
  const bookingFile = (key: string) => ({ "buchungen.csv": BOOKINGS.replace("KEY", key) });
  const readCustomers = () =>
    rows("SELECT customers.name FROM bookings LEFT JOIN customers ON customers.id = bookings.customer_id");

  test("finds customers by the other system's number with its leading zeros, and never by our id", async () => {
    await take({ "customers.csv": "name,document_id\nOurs,D1\nAlso ours,D2\n" });
    const customers = { "kunden.csv": "Kundennr;Name;Vorname\n00002;Sol;Eva\n" };
    expect((await take({ ...customers, ...bookingFile("00002") })).bad).toEqual([]);
    expect(readCustomers()).toEqual([{ name: "Eva" }]);
    for (const unknown of ["00001", "1"])
      expect((await take(bookingFile(unknown))).bad, unknown).toMatchObject([
        { code: "reference_unknown", remedy: { code: "one_of", params: { values: "D1, D2, 00002" } } },
      ]);
  });

  test("finds a number from which a spreadsheet removed the leading zeros, unless several are possible", async () => {
    await take({ "kunden.csv": "Kundennr;Name;Vorname\n00042;Sol;Eva\n0007;Mar;Ana\n07;Mar;Leo\n" });
    expect((await take(bookingFile("42"))).bad).toEqual([]);
    expect(readCustomers()).toEqual([{ name: "Eva" }]);
    expect((await take(bookingFile("007"))).bad).toMatchObject([{ code: "reference_ambiguous" }]);
  });

  test("finds a payment's contract by the file's key before our id, and by our id in exported files", async () => {
    await take({ "bookings.csv": `${BOOKING}9,confirmed,PMI,2027-05-01,2027-05-03,Ana,100.00,A\n` });
    await take({ "bookings.csv": `${BOOKING}1,confirmed,PMI,2027-06-01,2027-06-03,Eva,50.00,A\n` });
    const charge = (head: string, id: string) =>
      take({
        "charges.csv": `${head},booking_id,source_doc,payment_method_id,branch_code,date,amount\n${id},1,booking,cash,PMI,2026-05-02,30.00\n`,
      });
    expect((await charge("key", "c1")).bad).toEqual([]);
    expect(rows("SELECT customer_name AS name FROM bookings WHERE total_paid_cents > 0")).toEqual([{ name: "Eva" }]);
    expect((await charge("id", "77")).bad).toEqual([]);
    expect(rows("SELECT booking_id FROM charges ORDER BY id")).toEqual([{ booking_id: 2 }, { booking_id: 1 }]);
  });

  test("finds a contract's customer by the document in any spelling", async () => {
    const spellings = ["12345678z", "ES12345678Z", "12.345.678\u2011Z", "\u200b１２３４５６７８Z"];
    const [heading, line = ""] = BOOKINGS.split("\n");
    const lines = spellings.map((documentId, at) => line.replace("B-1", `B-${at}`).replace("KEY", documentId));
    const customers = "name,document_id\nEva,12345678Z\n";
    expect((await take({ "customers.csv": customers, "buchungen.csv": [heading, ...lines].join("\n") })).bad).toEqual(
      [],
    );
    expect(readCustomers()).toEqual(spellings.map(() => ({ name: "Eva" })));
  });

  test("changes the remaining customer after a merge, and references it", async () => {
    const file = (phone: string) => ({ "kunden.csv": `Kundennr;Name;Vorname;Telefon\nK1;Sol;Eva;${phone}\n` });
    await take({ ...file("600112233"), "customers.csv": "name,document_id\nEva Sol,D1\n" });
    rows(
      "UPDATE customers SET merged_into_id = (SELECT id FROM customers WHERE document_id = 'D1') WHERE name = 'Eva'",
    );
    expect((await take({ ...file("600112244"), ...bookingFile("K1") })).bad).toEqual([]);
    expect(rows("SELECT document_id, phone_number FROM customers ORDER BY document_id")).toEqual([
      { document_id: null, phone_number: "600112233" },
      { document_id: "D1", phone_number: "600112244" },
    ]);
    expect(rows("SELECT document_id FROM bookings JOIN customers ON customers.id = customer_id")).toEqual([
      { document_id: "D1" },
    ]);
  });
});

describe("people and vehicles that the account has", () => {
  test("keeps a name if a file's cell for it is empty", async () => {
    await take({ "vehicles.csv": "reference,plate,name,category_code,branch_code\nV-1,1234ABC,Seat Ibiza,A,PMI\n" });
    await take({ "customers.csv": "name,surname,document_id\nAna,Ruiz,12345678Z\n" });
    const files = {
      "flota.csv": "Referencia;Nombre;Km\nV-1;;12000\n",
      "clientes.csv": "Nombre;Apellidos;NIF\n;Ruiz Sol;12345678Z\n",
    };
    expect((await take(files)).bad).toEqual([]);
    expect(rows("SELECT name, usage_units FROM vehicles")).toEqual([{ name: "Seat Ibiza", usage_units: 12_000 }]);
    expect(rows("SELECT full_name FROM customers")).toEqual([{ full_name: "Ana Ruiz Sol" }]);
  });

  test("finds a vehicle by its plate in any spelling, and rejects two vehicles with one plate", async () => {
    const head = "reference,plate,name,category_code,branch_code\n";
    await take({ "vehicles.csv": `${head}V-1,1234 KLM,Car,A,PMI\n` });
    expect((await take({ "flota.csv": "Matrícula;Km\n1234-klm;900\n" })).bad).toEqual([]);
    expect(rows("SELECT reference, usage_units FROM vehicles")).toEqual([{ reference: "V-1", usage_units: 900 }]);
    expect(await problems({ "vehicles.csv": `${head}V-2,1234.KLM,Car,A,PMI\n` })).toEqual([
      "vehicles.csv:2 plate 1234.KLM",
    ]);
    const block = "vehicle_reference,kind,starts_at,ends_at\n1234KLM,workshop,2027-05-01 10:00,2027-05-02 10:00\n";
    expect((await take({ "vehicle_blocks.csv": block })).bad).toEqual([]);
    expect(rows("SELECT vehicle_reference FROM vehicle_blocks")).toEqual([{ vehicle_reference: "V-1" }]);
  });

  test.each([
    ["telephone", "Nombre;Apellidos;Teléfono\nNguyễn;Thị Ánh;600 112 233\n", "NGUYỄN;THỊ ÁNH;+34 600112233 ext. 5"],
    ["e-mail", "Nombre;Apellidos;Email\nПётр;Ким;kim@example.com\n", "ПЁТР;КИМ;kim@example.com"],
    ["name alone", "Nombre;Apellidos;Ciudad\nAna;Ruiz;Palma\n", undefined],
  ])("finds a customer without document by name and %s", async (_, file, other) => {
    const [heading = ""] = file.split("\n");
    await take({ "clientes.csv": file });
    for (const text of [file, ...(other === undefined ? [] : [`${heading}\n${other}\n`])])
      expect(await take({ "clientes.csv": text })).toMatchObject({ bad: [], files: [{ added: 0 }] });
    expect(rows("SELECT count(*) AS count FROM customers")).toEqual([{ count: 1 }]);
  });
});

describe("ambiguous values", () => {
  // Proves "security, privacy and operation": Lists are JSON, or their items one after another
  test("accepts a list of values in plain or JSON format, and rejects other formats", async () => {
    const rule = (weekdays: string, dates = "") =>
      take({
        "selling_rules.csv": `category_code;no_pickup_weekdays;no_pickup_dates\nA;${weekdays};${dates}\n`,
      });
    for (const [weekdays, dates] of [
      ["6 7", "25/12/2026"],
      ["6,7", "2026-12-25"],
      ['"[6,7]"', '"[""2026-12-25""]"'],
    ] as const) {
      rows("DELETE FROM selling_rules");
      expect((await rule(weekdays, dates)).bad).toEqual([]);
      expect(rows("SELECT no_pickup_weekdays, no_pickup_dates FROM selling_rules")).toEqual([
        { no_pickup_weekdays: "[6,7]", no_pickup_dates: '["2026-12-25"]' },
      ]);
    }
    for (const weekdays of ["sábado", "8", '"{""a"":1}"', '"[6"', '"[[6]]"'])
      expect((await rule(weekdays)).bad, weekdays).toMatchObject([
        {
          field: "no_pickup_weekdays",
          code: "list_invalid",
          remedy: { code: "weekday_example", params: { example: "6 7" } },
        },
      ]);
  });

  // Proves "security, privacy and operation": Discounts and fees are in the unit of their neighbouring column
  test("reads and exports a discount as percentage or amount by its type column", async () => {
    expect((await take({ "offers.csv": `${OFFERS}Ten,percentage,10\nFive,amount,5.00\n` })).bad).toEqual([]);
    expect(rows("SELECT name, value FROM offers ORDER BY id")).toEqual([
      { name: "Ten", value: 1000 },
      { name: "Five", value: 500 },
    ]);
    expect(await problems({ "offers.csv": `${OFFERS}Most,percentage,150\n` })).toEqual(["offers.csv:2 value 150"]);
    expect(await problems({ "offers.csv": "name,value\nTen,12\n" })).toEqual(["offers.csv:2 value 12"]);
    const to = await mkdtemp(join(opened.folder, "out-"));
    await exportAccountData(opened.account.db, to, "csv", () => undefined);
    expect(await readFile(join(to, "offers.csv"), "utf8")).toMatch(/Ten,percentage,10.00,.*\r\n.*Five,amount,5.00,/);
  });

  test("requires an object for contract data and an image for a logo", async () => {
    const { bad } = await take({
      "bookings.csv":
        "key,status,branch_code,date_from,date_to,customer_name,total,category_code,contract_data\nb1,confirmed,PMI,2026-07-03,2026-07-05,Ana,90.00,A,5\n",
      "letterhead.csv": "id,color,logo\n1,#1f4e79,logo.png\n",
    });
    expect(bad.map(({ field, code, remedy }) => [field, code, remedy])).toEqual([
      ["contract_data", "object_invalid", { code: "example", params: { example: '{"name": "text"}' } }],
      ["logo", "image_invalid", { code: "base64_image", params: { command: "base64 -w0 logo.png" } }],
    ]);
  });

  test("reports contract data that other entry points refuse, and cleans it as they do", async () => {
    const rent = { status: "confirmed", branch_code: "PMI", date_from: "2026-07-03", date_to: "2026-07-05" };
    const booking = { ...rent, customer_name: "Ana", total: 90, category_code: "A" };
    const file = (...contracts: readonly object[]) => ({
      "bookings.jsonl": contracts
        .map((contract_data, at) => JSON.stringify({ key: `b${at}`, ...booking, contract_data }))
        .join("\n"),
    });
    const members = [
      [{ driver_document_id: "-" }, "document"],
      [{ driver_phone: "6,00112E+08" }, "number_rounded"],
      [{ driver_phone: "none" }, "telephone"],
      [{ driver_name: "\u202enA" }, "plain"],
      [{ driver_date_of_birth: "soon" }, "date_invalid"],
      [{ driver_nacionality: "Nowhere" }, "country"],
      [{ driver_email: "nowhere" }, "email"],
      [{ driver_name: { first: "Ana" } }, "object_invalid"],
    ] as const;
    const { bad } = await take(file(...members.map(([data]) => data)));
    expect(bad.map(({ field, code }) => [field, code])).toEqual(members.map(([, code]) => ["contract_data", code]));
    const dirty = { driver_document_id: "ES 12345678z", driver_name: "Jose\u0301", driver_address_country: "Espanya" };
    expect((await take(file(dirty))).bad).toEqual([]);
    expect(rows("SELECT json(contract_data) AS data FROM bookings")).toEqual([
      { data: JSON.stringify({ ...dirty, driver_document_id: "12345678Z", driver_name: "José" }) },
    ]);
  });

  test("reads JSON with its lists and objects unchanged", async () => {
    const rule = { category_code: "A", no_pickup_weekdays: [6, 7], minimum_days: 2 };
    expect((await take({ "selling_rules.jsonl": `${JSON.stringify(rule)}\n` })).bad).toEqual([]);
    expect(rows("SELECT no_pickup_weekdays, minimum_days FROM selling_rules")).toEqual([
      { no_pickup_weekdays: "[6,7]", minimum_days: 2 },
    ]);
  });
});

describe("a file with mistakes", () => {
  const importRow = async (file: string, text: string) =>
    (await take({ [file]: text })).bad.map(({ line, field, code }) => `${line} ${field} ${code}`);

  test.each([
    ["is empty", "customers.csv", "\uFEFF\r\n", ["1  file_empty"]],
    ["has a heading twice", "customers.csv", "name,name\nAna,Eva\n", ["1 name column_duplicated"]],
    ["is a list of numbers", "customers.json", "[1,2]", ["1  json_not_list"]],
    ["has control characters", "customers.csv", "name\nAna\u0007\n", ["2 name control_characters"]],
    ["has a name of two lines", "customers.csv", 'name\n"Ana\nBcc: x@example.com"\n', ["2 name line_break"]],
    [
      "has a name with a character that reverses the text",
      "customers.csv",
      "name\nAna \u202egnp.exe\n",
      ["2 name plain"],
    ],
    [
      "has a birth in the future",
      "customers.csv",
      "name,date_of_birth\nAna,31/12/2980\n",
      ["2 date_of_birth date_in_future"],
    ],
    [
      "lacks the parts of a sum",
      "bookings.csv",
      `${BOOKING}b1,confirmed,PMI,2026-07-03,2026-07-05,Ana,,A\n`,
      ["2 total missing"],
    ],
    [
      "lacks a rate",
      "documents.csv",
      `${DOCUMENTS}invoice,PMI,F,1,2026-05-01,Ana,121.00,\n`,
      ["2 vat_percent missing"],
    ],
    [
      "lacks the reservation of a payment",
      "charges.csv",
      "key,source_doc,payment_method_id,date,amount\nP1,booking,cash,2026-05-01,5.00\n",
      ["1 booking_id column_missing"],
    ],
  ])("reports the codes of an import file that %s", async (_, file, text, codes) => {
    expect(await importRow(file, text)).toEqual(codes);
  });

  test("reads old line ends, two-digit years, and times with a.m. and p.m.", async () => {
    const customersCsv = "name,document_id,date_of_birth\rAna,1X,31/12/45\rEva,2Y,01/02/80\r";
    expect(await importRow("customers.csv", customersCsv)).toEqual([]);
    expect(rows("SELECT date_of_birth FROM customers ORDER BY name")).toEqual([
      { date_of_birth: "1945-12-31" },
      { date_of_birth: "1980-02-01" },
    ]);
    expect(
      await importRow(
        "opening_hours.csv",
        "branch_code,weekday,opens,closes\nPMI,1,9:00 AM,9:30 p.m.\nPMI,2,12:00 AM,12:30 PM\n",
      ),
    ).toEqual([]);
    expect(rows("SELECT opens, closes FROM opening_hours ORDER BY weekday")).toEqual([
      { opens: "09:00", closes: "21:30" },
      { opens: "00:00", closes: "12:30" },
    ]);
  });
});

test("tells apart mapped values and headings in other alphabets", async () => {
  rows(`INSERT INTO branches (code, branch_group_id, name, place_type, timezone, currency, created_at, last_update)
    VALUES ('ATH', 1, 'Athens', 'airport', 'Europe/Athens', 'EUR', 0, 0)`);
  const mapping = {
    columns: { vehicles: { Όνομα: "name", Πινακίδα: "plate", Πόλη: "branch_code" } },
    values: { vehicles: { branch_code: { Αθήνα: "ATH", Πάτρα: "PMI", "?": "ATH" } } },
  };
  const file = (...towns: readonly string[]) => ({
    "vehicles.csv": `reference;Όνομα;Πινακίδα;category_code;Πόλη\n${towns.map((town, at) => `V${at};Car;P${at};A;${town}\n`).join("")}`,
  });
  expect((await take(file("ΑΘΉΝΑ", "Πάτρα", "?"), { mapping })).bad).toEqual([]);
  expect(rows("SELECT branch_code FROM vehicles ORDER BY reference").map(({ branch_code }) => branch_code)).toEqual([
    "ATH",
    "PMI",
    "ATH",
  ]);
  expect((await take(file("Βόλος"), { mapping })).bad).toMatchObject([
    { field: "branch_code", value: "Βόλος", code: "reference_unknown" },
  ]);
});

// Proves "security, privacy and operation": A saved mapping omits nothing automatically
test("writes a mapping that asks about unknown columns, and skips none automatically", async () => {
  const files = { "clientes.csv": "Nombre;Apodo\nAna;La Rubia\n", "perros.csv": "Nombre\nToby\n" };
  const mappingDraft = createMappingDraft(await take(files));
  expect(mappingDraft).toEqual({
    files: { "clientes.csv": "customers", "perros.csv": "?" },
    columns: { customers: { Nombre: "name", Apodo: "?" } },
  });
  expect(await problems(files, { mapping: mappingDraft as ImportMapping })).toEqual([
    "clientes.csv:1 Apodo",
    "perros.csv:1",
  ]);
  const importRow = { files: { "perros.csv": null }, columns: { customers: { Apodo: null } } };
  expect(await problems(files, { mapping: importRow })).toEqual([]);
});

// Proves "security, privacy and operation": Long imports report progress and remaining time
test("estimates the remaining time of a long import from its progress", async () => {
  expect([
    formatRemainingTime(0, 100, 9000),
    formatRemainingTime(50, 100, 1000),
    formatRemainingTime(100, 100, 9000),
  ]).toEqual(["", "", ""]);
  expect(formatRemainingTime(2000, 10_000, 5000)).toBe("about 20 s left");
  expect(formatRemainingTime(1000, 100_000, 5000)).toBe("about 9 min left");
  const progressCounts: number[] = [];
  const rows = Array.from({ length: 250 }, (_, index) => `Ana,D${index}`);
  await take(
    { "customers.csv": `name,document_id\n${rows.join("\n")}\n` },
    { progress: (table, done) => table === "customers" && progressCounts.push(done) },
  );
  expect(progressCounts).toEqual([0, 100, 200, 250]);
});

// Proves "security, privacy and operation": Transfers come with their vehicle and trips
test("imports a transfer with vehicle and trip, named by points and the other system's key", async () => {
  const files = {
    "transfer_points.csv": "name,point_type\nAirport,airport\nAlcúdia,location\n",
    "transfer_vehicles.csv": "name,branch_code,seats,units,vat_percent\nVan,PMI,7,2,10.00\n",
    "bookings.csv":
      "key,kind,status,branch_code,date_from,time_from,date_to,time_to,customer_name,total\nT-1,transfer,confirmed,PMI,2026-07-03,10:00,2026-07-03,11:00,Ana,80.00\n",
    "transfer_bookings.csv": "booking_id,transfer_vehicle_id,adults\nT-1,Van,3\n",
    "transfer_trips.csv":
      "booking_id,origin_point_id,destination_point_id,minutes,price\nT-1,Airport,Alcúdia,50,80.00\n",
  };
  const { "transfer_trips.csv": trips, ...without } = files;
  expect(await problems(without)).toEqual(["bookings.csv:2 kind transfer"]);
  expect((await take(files)).bad).toEqual([]);
  expect(
    rows(
      "SELECT date, time, origin_name, destination_name, vehicle_name, adults FROM transfer_trips JOIN transfer_bookings USING (booking_id)",
    ),
  ).toEqual([
    {
      date: "2026-07-03",
      time: "10:00",
      origin_name: "Airport",
      destination_name: "Alcúdia",
      vehicle_name: "Van",
      adults: 3,
    },
  ]);
  expect(rows("SELECT kind, quantity FROM stock_allocations")).toEqual([{ kind: "transfer", quantity: 1 }]);
  const again = await take(files, { now: IMPORT_TIME + 1000 });
  expect(again.files.filter(({ added, changed }) => added + changed > 0)).toEqual([]);
  expect(trips).toContain("Alcúdia");
});

test("suspends only triggers of the written tables, and of those whose rows are deleted with others", async () => {
  const condition = createFiringTriggersCondition(["bookings"]);
  const sql = `SELECT DISTINCT tbl_name AS name FROM sqlite_master WHERE type = 'trigger' AND (${condition})`;
  const names = rows<{ name: string }>(sql).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["bookings", "tariff_brackets"]));
  expect(names.filter((name) => ["customers", "documents", "vehicles"].includes(name))).toEqual([]);
  const read = () => rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name");
  const before = read();
  await take({ "customers.csv": "name,document_id\nAna,D1\n" });
  expect(rows("SELECT name FROM customers")).toEqual([{ name: "Ana" }]);
  expect(read()).toEqual(before);
});
