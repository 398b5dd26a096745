import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importDataFolder } from "#scripts/data/import-folder.ts";
import { writeImportReport } from "#scripts/data/write-report.ts";
import { writeTemplates } from "#scripts/data/write-templates.ts";
import { parseCsv } from "#support/csv.ts";
import {
  IMPORT_OPTIONS,
  IMPORT_TIME,
  IMPORTING_COMPANY_STATEMENTS,
  migrationsFolder,
  useImportTestCompany,
} from "#support/import-account.ts";
import { createSqliteD1 } from "#support/sqlite-d1.ts";
import { createWorkbook } from "#support/workbook.ts";
import { AccountChangedError } from "#worker/imports/copy.ts";
import { createMappingDraft, describeFileInterpretation, formatImportLineProblem } from "#worker/imports/report.ts";
import { PAGE_SIZE_COLUMN } from "#worker/store/operations/byte-pages.ts";

const { opened, put, take, problems, rows } = useImportTestCompany();

const readTable = async (file: string) => parseCsv((await readFile(file, "utf8")).replace("\uFEFF", "")) ?? [];

const BOOKING = "key,status,branch_code,date_from,date_to,customer_name,total,category_code\n";

const EXTRA = "code,name,price_per,price,vat_percent\nSEAT,Seat,day,5.00,21.00\n";

/** Wraps the account's database to perform another write before each batch. */
function runWithLock(write: () => void): D1Database {
  const { db } = opened.account;
  const batch = (statements: D1PreparedStatement[]) => {
    write();
    return db.batch(statements);
  };
  return { prepare: db.prepare.bind(db), batch } as unknown as D1Database;
}

describe("an import", () => {
  // Proves "security, privacy and operation": Imported series go on after their last number
  test("continues each series after its last imported number, even if the import has no series file", async () => {
    const text = `kind,branch_code,serie,number,date,customer_full_name,total,vat_percent\n${[7, 9, 8]
      .map((number) => `invoice,PMI,F-PMI-26,${number},2026-05-0${number},Ana,121.00,21.00`)
      .join("\n")}\n`;
    expect((await take({ "documents.csv": text })).bad).toEqual([]);
    expect(rows("SELECT serie, last_number, last_date FROM number_series")).toEqual([
      { serie: "F-PMI-26", last_number: 9, last_date: "2026-05-09" },
    ]);
    expect(rows("SELECT taxes_cents, total_cents FROM document_items")).toHaveLength(3);
  });

  // Proves "security, privacy and operation": A dry run applies the same rules and reports every invalid line at once
  test("reports a broken database rule in the last row of an import, also in a dry run, and writes nothing", async () => {
    const files = {
      "extras.csv": "code,name,price_per,price,vat_percent\nSEAT,Seat,day,5.00,21.00\n",
      "season_periods.csv": "season,date_from,date_to\nHigh,2026-08-15,2026-09-15\n",
    };
    for (const isDry of [true, false]) {
      const { bad } = await take(files, { isDry });
      expect(bad).toMatchObject([
        { file: "season_periods.csv", line: 2, code: "season_overlap", remedy: { code: "season_dates" } },
      ]);
    }
    expect(rows("SELECT code FROM extras")).toEqual([]);
    expect(rows("SELECT id FROM imports")).toEqual([]);
  });

  test("reports gaps in a tariff's rental lengths and overlapping opening hours in an import, as the office does", async () => {
    const brackets = "category_code,from_days,to_days,price\nA,1,3,50.00\nA,5,,40.00\n";
    const hours = "branch_code,weekday,opens,closes\nPMI,1,09:00,14:00\nPMI,1,13:00,18:00\nPMI,2,13:00,18:00\n";
    expect(await problems({ "tariff_brackets.csv": brackets, "opening_hours.csv": hours })).toEqual([
      "tariff_brackets.csv:3 from_days 5",
      "opening_hours.csv:3 opens 13:00",
    ]);
    expect(await problems({ "tariff_brackets.csv": brackets.replace("A,5", "A,4") })).toEqual([]);
  });

  test("rejects an import that moves a branch with vehicles to another group, or a family below itself", async () => {
    const groups = "name\nMenorca\n";
    const branches = "code,branch_group_id\nPMI,Menorca\n";
    const files = { "branch_groups.csv": groups, "branches.csv": branches };
    await take({ "vehicles.csv": "reference,plate,category_code,branch_code\nA-1,1234ABC,A,PMI\n" });
    expect(await problems(files)).toEqual(["branches.csv:2 branch_group_id Menorca"]);
    rows("DELETE FROM vehicles");
    const families = "code,name,parent_id\nTOP,Top,\nLOW,Low,TOP\n";
    expect(await problems({ ...files, "families.csv": families })).toEqual([]);
    await take({ "families.csv": families });
    expect(await problems({ "families.csv": "code,parent_id\nTOP,LOW\n" })).toEqual(["families.csv:2 parent_id LOW"]);
  });

  test.each([
    ["JPY", 0, "¥1,250", "￥800", [1250, 800]],
    ["KWD", 3, "KWD 1.250", "1,234.500", [1250, 1_234_500]],
  ])("reads amounts of %s in an import file as people write them", async (currency, decimals, text, other, cents) => {
    rows(`UPDATE settings SET currency = '${currency}', currency_decimals = ${decimals}`);
    const file = `code\tname\tprice_per\tprice\tvat_percent\nS1\tSeat\tday\t${text}\t5\nS2\tBig seat\tday\t${other}\t5\n`;
    expect(await problems({ "extras.tsv": file })).toEqual([]);
    expect(rows<{ price_cents: number }>("SELECT price_cents FROM extras ORDER BY code")).toEqual(
      cents.map((price_cents) => ({ price_cents })),
    );
  });

  test.each([
    ["JPY", 0, ",", "12.500", "1.250", [1250, 12_500]],
    ["JPY", 0, ";", "12,500", "1,250", [1250, 12_500]],
    ["KWD", 3, ";", "12.500", "1.250", [1250, 12_500]],
    ["KWD", 3, ";", "12,500", "1,250", [1250, 12_500]],
    ["KWD", 3, "\t", "12,500", "1,250", [1250, 12_500]],
    ["EUR", 2, ";", "12.500", "1.250", [125_000, 1_250_000]],
  ])(
    "reads three digits after a separator as decimals or thousands by the currency %s (%i decimals, CSV with %j)",
    async (...example) => {
      const [currency, decimals, separator, text, other, cents] = example;
      rows(`UPDATE settings SET currency = '${currency}', currency_decimals = ${decimals}`);
      const lines = [
        ["code", "name", "price_per", "price", "vat_percent"],
        ["S1", "Seat", "day", other, "5"],
        ["S2", "Big seat", "day", text, "5"],
      ];
      expect(await problems({ "extras.csv": lines.map((line) => line.join(separator)).join("\n") })).toEqual([]);
      expect(rows<{ price_cents: number }>("SELECT price_cents FROM extras ORDER BY code")).toEqual(
        cents.map((price_cents) => ({ price_cents })),
      );
    },
  );

  test.each([
    ["2026-05-03", "2026-05-03T02:30:00.000Z"],
    ["03/05/2026", "2026-05-03T02:30:00.000Z"],
    ["2026-05-03 09:15", "2026-05-03T11:45:00.000Z"],
    ["2026-05-03T09:15", "2026-05-03T11:45:00.000Z"],
    ["2026-05-03T09:15:00Z", "2026-05-03T09:15:00.000Z"],
  ])("reads %s in an import file as a time in the account's time zone if it has no offset", async (instantText, at) => {
    rows("UPDATE settings SET timezone = 'America/St_Johns'");
    expect(await problems({ "customers.csv": `name,document_id,created_at\nEva,X1,${instantText}\n` })).toEqual([]);
    const [customer] = rows<{ created_at: number }>("SELECT created_at FROM customers");
    expect(new Date(customer?.created_at ?? 0).toISOString()).toBe(at);
  });

  describe("account settings", () => {
    const settings = (currency: string, decimals?: number) => {
      const [heading, cell] = decimals === undefined ? ["", ""] : [",currency_decimals", `,${decimals}`];
      const line = `Illes,ES,${currency},Europe/Madrid,es,es${cell}`;
      return {
        "settings.csv": `account_name,country_code,currency,timezone,languages,default_language${heading}\n${line}\n`,
      };
    };

    test("rejects another currency or other decimals in an import once amounts exist", async () => {
      expect(await problems({ ...settings("EUR", 2), "extras.csv": EXTRA })).toEqual([]);
      expect(await problems(settings("EUR"))).toEqual([]);
      expect(await problems(settings("USD"))).toEqual(["settings.csv:2 currency USD"]);
      expect(await problems(settings("JPY", 0))).toEqual(["settings.csv:2 currency JPY"]);
      expect((await take(settings("EUR", 0))).bad).toMatchObject([
        {
          field: "currency_decimals",
          code: "currency_decimals_mismatch",
          params: { currency: "EUR" },
          remedy: { code: "exact_value", params: { value: "2" } },
        },
      ]);
    });

    test("lets an import change the currency with its decimals while nothing has a price", async () => {
      const dinarFiles = { ...settings("KWD", 3), "branches.csv": "code,currency\nPMI,KWD\n" };
      expect(await problems(settings("KWD", 2))).toEqual(["settings.csv:2 currency_decimals 2"]);
      expect(await problems(dinarFiles)).toEqual([]);
    });

    test("sets a new company's decimals by its currency if the import file doesn't specify them", async () => {
      rows("DELETE FROM settings");
      expect(await problems({ ...settings("JPY"), "extras.csv": EXTRA.replace("5.00", "500") })).toEqual([]);
      expect(rows("SELECT currency_decimals, price_cents FROM settings, extras")).toEqual([
        { currency_decimals: 0, price_cents: 500 },
      ]);
    });
  });

  test("rejects an imported branch with another currency than the company's", async () => {
    expect(await problems({ "branches.csv": "code,currency\nPMI,USD\n" })).toEqual(["branches.csv:2 currency USD"]);
  });

  test("lists the existing names if an import row refers to an unknown one", async () => {
    const { bad } = await take({ "branches.csv": "code,name,branch_group_id,place_type\nIBZ,Ibiza,Nowhere,airport\n" });
    expect(bad).toMatchObject([
      {
        value: "Nowhere",
        code: "reference_unknown",
        params: { table: "branch_groups" },
        remedy: { code: "one_of", params: { values: "Mallorca" } },
      },
    ]);
  });

  test.each([
    ["JPY", 0, "12100", "12000"],
    ["KWD", 3, "121.000", "120.005"],
  ])("shows a wrong amount of %s in the notation of the file", async (currency, decimals, total, item) => {
    rows(`UPDATE settings SET currency = '${currency}', currency_decimals = ${decimals}`);
    const documents = `key,kind,branch_code,serie,number,date,customer_full_name,total,vat_percent\nD1,invoice,PMI,F,1,2026-05-01,Ana,${total},0.00\n`;
    const parts =
      "document_id,concept,quantity,vat_percent,unit_without_taxes,unit_taxes,unit,total_without_taxes,subtotal,taxes,total";
    const items = `${parts}\nD1,Rent,1,0.00,${item},0,${item},${item},${item},0,${item}\n`;
    expect(await problems({ "documents.csv": documents, "document_items.csv": items })).toContain(
      `documents.csv:2 total ${total}`,
    );
  });

  // Proves "security, privacy and operation": An import starts again if the account changed since the copy
  test("repeats an import on the new data after a concurrent change between reading and writing", async () => {
    let isFirst = true;
    const busy = runWithLock(() => {
      if (isFirst)
        rows("INSERT INTO customers (name, document_id, created_at, last_update) VALUES ('Eva', 'X1', 5, 5)");
      isFirst = false;
    });
    const files = await put({ "customers.csv": "name,surname,document_id\nEva,Sol,X1\n" });
    const { files: done } = await importDataFolder(busy, { ...IMPORT_OPTIONS, folder: files });
    expect(done).toMatchObject([{ added: 0, changed: 1 }]);
    expect(rows("SELECT name, surname FROM customers")).toEqual([{ name: "Eva", surname: "Sol" }]);
  });

  test("reads only tables that have rows when an import copies the account's data", async () => {
    const { db } = opened.account;
    const queries: string[] = [];
    const prepare = (sql: string) => {
      queries.push(sql);
      return db.prepare(sql);
    };
    const counted = { prepare, batch: db.batch.bind(db) } as unknown as D1Database;
    const folder = await put({ "customers.csv": "name,document_id\nEva,X1\n" });
    expect((await importDataFolder(counted, { ...IMPORT_OPTIONS, folder })).bad).toEqual([]);
    const pages = queries.filter((sql) => sql.includes(PAGE_SIZE_COLUMN));
    expect(pages.some((sql) => sql.includes("FROM categories"))).toBe(true);
    expect(pages.some((sql) => sql.includes("FROM expenses"))).toBe(false);
    expect(pages.length).toBeLessThan(20);
  });

  test("uses an expense account that the office created in the meantime", async () => {
    let isFirst = true;
    const busy = runWithLock(() => {
      if (!isFirst) return;
      isFirst = false;
      rows("INSERT INTO expense_accounts (name) VALUES ('Workshop')");
      rows("INSERT INTO office_history VALUES ('expense-accounts', '1', 1, 5, 'staff:1', 'created', '{}')");
    });
    const folder = await put({
      "expense_accounts.csv": "name\nWorkshop\n",
      "expense_concepts.csv": "expense_account_id,name\nWorkshop,Tyres\n",
    });
    expect((await importDataFolder(busy, { ...IMPORT_OPTIONS, folder })).bad).toEqual([]);
    expect(
      rows(
        "SELECT expense_accounts.name AS account, expense_concepts.name FROM expense_accounts LEFT JOIN expense_concepts ON expense_account_id = expense_accounts.id",
      ),
    ).toEqual([{ account: "Workshop", name: "Tyres" }]);
  });

  test("rejects an import and writes nothing if other users change the data during every attempt", async () => {
    let at = 5;
    const busy = runWithLock(() => {
      at += 1;
      rows(`INSERT INTO customers (name, document_id, created_at, last_update) VALUES ('Eva', 'X${at}', ${at}, ${at})`);
    });
    const folder = await put({ "seasons.csv": "name\nWinter\n" });
    await expect(importDataFolder(busy, { ...IMPORT_OPTIONS, folder })).rejects.toThrow(AccountChangedError);
    expect(rows("SELECT name FROM seasons")).toEqual([{ name: "High" }]);
    expect((await importDataFolder(opened.account.db, { ...IMPORT_OPTIONS, folder })).bad).toEqual([]);
    expect(rows("SELECT name FROM seasons WHERE name = 'Winter'")).toHaveLength(1);
  });

  // Proves "security, privacy and operation": Encoding, separator, decimals and dates are found out and shown
  test("reads a Spanish CSV file, and reports its encoding, separator and formats", async () => {
    const text = "Nombre;Apellidos;NIF;Fecha nacimiento\r\nJosé ;Muñoz;1X;31/12/1980\r\n";
    const imported = await take({ "clientes.csv": Buffer.from(text, "latin1") });
    expect(imported.bad).toEqual([]);
    expect(describeFileInterpretation(imported)[0]).toBe(
      "clientes.csv → customers: windows-1252, separated by semicolons, decimals by comma, dates 31/12/2026 or 2026-12-31",
    );
    expect(rows("SELECT name, surname, date_of_birth FROM customers")).toEqual([
      { name: "José", surname: "Muñoz", date_of_birth: "1980-12-31" },
    ]);
  });

  test("recognizes German words in headings, file names and cells", async () => {
    const { bad } = await take({
      "kunden.csv": "Kundennr;Vorname;Nachname;Straße;PLZ;Geburtsdatum\n7;Jörg;Müller;Am Hafen 1;07001;31.12.1980\n",
      "fahrzeuge.csv":
        "Kennzeichen;Fahrzeugnummer;Kategorie;Filiale;Kilometerstand;Kraftstoff\n1234 ABC;V-1;A;PMI;12.345;Benzin\n",
      "buchungen.csv":
        "Vertragsnummer;Kundennr;Kategorie;Filiale;Zustand;Von;Bis;Gesamt\nB-1;7;A;PMI;gebucht;01.05.2027;03.05.2027;100,00\n",
    });
    expect(bad).toEqual([]);
    expect(rows("SELECT surname, address_street, date_of_birth FROM customers")).toEqual([
      { surname: "Müller", address_street: "Am Hafen 1", date_of_birth: "1980-12-31" },
    ]);
    expect(rows("SELECT plate, usage_units, fuel FROM vehicles WHERE reference = 'V-1'")).toEqual([
      { plate: "1234 ABC", usage_units: 12_345, fuel: "petrol" },
    ]);
    expect(rows("SELECT status, total_cents, customer_surname FROM bookings")).toEqual([
      { status: "confirmed", total_cents: 10_000, customer_surname: "Müller" },
    ]);
  });

  test("reads a flag as spreadsheets of other languages write it, and offers to map other words", async () => {
    const heading = "code,name,vat_percent,air_conditioner\n";
    const words = { sì: 1, VERO: 1, vrai: 1, Wahr: 1, FAUX: 0, falsch: 0, Nein: 0 };
    const lines = Object.keys(words).map((word, at) => `B${at},Big,21.00,${word}\n`);
    expect((await take({ "categories.csv": heading + lines.join("") })).bad).toEqual([]);
    expect(rows("SELECT air_conditioner AS flag FROM categories WHERE code LIKE 'B%' ORDER BY code")).toEqual(
      Object.values(words).map((flag) => ({ flag })),
    );
    const files = { "categories.csv": `${heading}C,Cold,21.00,klima\n` };
    const draft = createMappingDraft(await take(files));
    expect(draft).toMatchObject({ values: { categories: { air_conditioner: { klima: "?" } } } });
    const mapping = { values: { categories: { air_conditioner: { klima: "yes" } } } };
    expect((await take(files, { mapping })).bad).toEqual([]);
  });

  test.each([
    ["Fecha entrega;Hora entrega;Fecha devolución;Hora devolución", "handed over, returned"],
    ["Fecha entrega;Hora entrega;Fecha recogida;Hora recogida", "as the company says it"],
    ["Fecha recogida;Hora recogida;Fecha entrega;Hora entrega", "as the customer says it"],
    ["Fecha salida;Hora salida;Fecha entrega;Hora entrega", "out, returned"],
  ])("reads the Spanish headings %s as pickup and return: %s", async (headings) => {
    const text = `key;Estado;Oficina;${headings};Cliente;Importe;Grupo\nB-1;confirmada;PMI;01/05/2027;10:30;03/05/2027;09:00;Ana;100,00;A\n`;
    const mapping = { columns: { bookings: { Cliente: "customer_name" } } };
    expect((await take({ "reservas.csv": text }, { mapping })).bad).toEqual([]);
    expect(rows("SELECT date_from, time_from, date_to, time_to FROM bookings")).toEqual([
      { date_from: "2027-05-01", time_from: "10:30", date_to: "2027-05-03", time_to: "09:00" },
    ]);
  });

  test("leaves out rows of sums between the data, and keeps a name that begins like one", async () => {
    const rowsOfFile = ["Ana;Ruiz;600112233", "Zwischensumme;;1", "Total Energies;;600112244", "Subtotal: 2;;2,00 €"];
    const text = `Nombre;Apellidos;Teléfono\n${[...rowsOfFile, "Eva;Sol;600112255"].join("\n")}\n`;
    const { bad, files } = await take({ "clientes.csv": text });
    expect([bad, files]).toMatchObject([[], [{ added: 3 }]]);
    expect(rows("SELECT name FROM customers ORDER BY name")).toEqual(
      ["Ana", "Eva", "Total Energies"].map((name) => ({ name })),
    );
  });

  test.each([
    ["a byte order mark", "\uFEFFcode,name,vat_percent,guarantee,air_conditioner\nB,Big,21.00,1200.50,SI\n"],
    [
      "decimal commas and points for thousands",
      'code;name;vat_percent;guarantee;air_conditioner\nB;Big;21,00;"1.200,50";Sí\n',
    ],
    [
      "spaces around its values",
      "code , name,vat_percent ,guarantee,air_conditioner\n B ,Big  ,21.00 , 1200.50 ,yes \n",
    ],
    ["tabs and currency symbols", "code\tname\tvat_percent\tguarantee\tair_conditioner\nB\tBig\t21 %\t1.200,50 €\tx\n"],
  ])("imports a file with %s", async (_, text) => {
    expect((await take({ "categories.csv": text })).bad).toEqual([]);
    expect(
      rows("SELECT name, vat_basis_points, guarantee_cents, air_conditioner FROM categories WHERE code = 'B'"),
    ).toEqual([{ name: "Big", vat_basis_points: 2100, guarantee_cents: 120_050, air_conditioner: 1 }]);
  });

  test("reads dates of an import file day first unless one of them shows the month first, or as the user specifies", async () => {
    const file = (date: string) => ({ "closed_dates.csv": `branch_code,date\nPMI,${date}\n` });
    const dates = async () => rows("SELECT date FROM closed_dates").map(({ date }) => date);
    await take(file("03/04/2027"));
    await take(file("12/25/2027"));
    await take(file("05/06/2027"), { known: { dates: "month" } });
    expect(await dates()).toEqual(["2027-04-03", "2027-05-06", "2027-12-25"]);
    expect(await problems(file("31/02/2027"))).toEqual(["closed_dates.csv:2 date 31/02/2027"]);
  });

  // Proves "security, privacy and operation": A workbook's sheets are tables
  test("imports each sheet of a workbook into the table that its name means", async () => {
    const workbook = createWorkbook({
      Clientes: [
        ["Nombre", "NIF"],
        ["Begoña", "9X"],
      ],
      Extras: [
        ["code", "name", "price_per", "price", "vat_percent"],
        ["SEAT", "Seat", "day", 5.5, 21],
      ],
    });
    expect((await take({ "all.xlsx": workbook })).bad).toEqual([]);
    expect(rows("SELECT name FROM customers")).toEqual([{ name: "Begoña" }]);
    expect(rows("SELECT price_cents, vat_basis_points FROM extras")).toEqual([
      { price_cents: 550, vat_basis_points: 2100 },
    ]);
  });

  // Proves "security, privacy and operation": Plausible but invalid values are refused, with the result
  test("rejects import values that only seem valid, and suggests the correct value or format", async () => {
    const { bad } = await take({
      "branches.csv": "code,name,timezone,currency,branch_group\nX,X,Europa/Madrid,eur,Mallorca\n",
      "vehicles.csv":
        "reference,plate,name,category_code,branch_code\nV1,1234BCD,Car,A,PMI\nV2,1234BCD,Car,A,PMI\nV3,1234BCD,Car,A,PMI\n",
      "documents.csv":
        "branch_code,serie,number,date,customer_full_name,subtotal,taxes,total\nPMI,F,1,2026-05-01,Ana,100.00,21.00,121.00\n",
      "bookings.csv":
        "free_access_id,key,status,branch_code,date_from,date_to,customer_name,total,category_code\n,b1,confirmed,PMI,2026-07-03,2026-07-05,Ana,90.00,\n1234,b2,confirmed,PMI,2026-07-03,2026-07-05,Ana,90.00,A\n",
    });
    expect(
      bad
        .map(({ file, line, field, code, remedy }) => {
          const value = remedy?.code === "exact_value" ? ` ${remedy.params.value}` : "";
          return `${file}:${line} ${field}: ${code}, ${remedy?.code}${value}`;
        })
        .sort(),
    ).toEqual([
      "bookings.csv:2 category_code: booking_line_missing, booking_category",
      "bookings.csv:3 free_access_id: access_id_guessable, new_access_id",
      "branches.csv:2 currency: currency_invalid, exact_value EUR",
      "branches.csv:2 timezone: timezone_invalid, exact_value Europe/Madrid",
      "documents.csv:2 number: document_items_missing, document_items",
      "vehicles.csv:2 plate: plate_duplicated, one_vehicle_per_plate",
      "vehicles.csv:3 plate: plate_duplicated, one_vehicle_per_plate",
      "vehicles.csv:4 plate: plate_duplicated, one_vehicle_per_plate",
    ]);
    expect(rows("SELECT reference FROM vehicles")).toEqual([]);
  });

  test("gives each imported contract a customer: the matching one, or one new customer for a person's contracts", async () => {
    const heading =
      "key,status,branch_code,date_from,date_to,customer_name,customer_surname,customer_email,customer_document_id,total,category_code\n";
    const line = (key: string, person: string) => `${key},confirmed,PMI,2026-07-03,2026-07-05,${person},90.00,A\n`;
    const contracts = [
      line("b1", "Eva,Sol,,x-1"),
      line("b2", "Ana,Mar,ana@example.com,"),
      line("b3", "Ana,Mar,ANA@example.com,"),
      line("b4", "Leo,Pi,,"),
    ];
    const files = {
      "customers.csv": "name,surname,document_id\nEva,Sol,X1\n",
      "bookings.csv": `${heading}${contracts.join("")}`,
    };
    expect((await take(files)).bad).toEqual([]);
    const listContracts = () =>
      rows(`SELECT b.customer_name AS contract, c.name || ' ' || c.surname AS customer, c.created_by_booking AS isNew
        FROM bookings AS b LEFT JOIN customers AS c ON c.id = b.customer_id ORDER BY b.id`);
    const expected = [
      { contract: "Eva", customer: "Eva Sol", isNew: 0 },
      { contract: "Ana", customer: "Ana Mar", isNew: 1 },
      { contract: "Ana", customer: "Ana Mar", isNew: 1 },
      { contract: "Leo", customer: "Leo Pi", isNew: 1 },
    ];
    expect(listContracts()).toEqual(expected);
    await take(files);
    expect(listContracts()).toEqual(expected);
    expect(rows("SELECT id FROM customers")).toHaveLength(3);
  });

  // Proves "security, privacy and operation": No refusal quotes SQL
  test("contains no SQL in the import errors of broken database rules", async () => {
    const { bad } = await take({
      "categories.csv": "code,name,vat_percent\nB,Big,400.00\n",
      "opening_hours.csv": "branch_code,weekday,opens,closes\nPMI,9,10:00,12:00\nPMI,1,12:00,10:00\n",
      "bookings.csv": `${BOOKING}b1,confirmed,PMI,2026-07-05,2026-07-03,Ana,90.00,A\nb2,confirmed,NONE,2026-07-03,2026-07-05,Ana,90.00,A\n`,
    });
    expect(bad).toHaveLength(5);
    for (const line of bad.map(formatImportLineProblem))
      expect(line).not.toMatch(/CHECK|FOREIGN|UNIQUE|BETWEEN| IS |length\(|_cents|basis_points/);
  });

  // Proves "security, privacy and operation": Rows that are there are changed by what people know them by, and
  //   extraction sees it
  test("changes a price by the extra's code and a vehicle by its plate, dated by the import so that extraction lists them", async () => {
    rows(
      "INSERT INTO extras (code, name, price_per, price_cents, vat_basis_points) VALUES ('SEAT', 'Seat', 'day', 500, 2100)",
    );
    await take({ "vehicles.csv": "plate,name,category_code,branch_code\n1234BCD,Car,A,PMI\n" });
    const { bad, files } = await take(
      { "extras.csv": "code,price\nSEAT,7.50\n", "vehicles.csv": "matricula,km,last_update\n1234BCD,900,2020-01-01\n" },
      { now: IMPORT_TIME + 1000 },
    );
    expect(bad).toEqual([]);
    expect(files).toMatchObject([{ changed: 1 }, { changed: 1 }]);
    expect(rows("SELECT name, price_cents FROM extras")).toEqual([{ name: "Seat", price_cents: 750 }]);
    expect(rows("SELECT usage_units, created_at, last_update, version FROM vehicles")).toEqual([
      { usage_units: 900, created_at: IMPORT_TIME, last_update: IMPORT_TIME + 1000, version: 2 },
    ]);
  });

  // An erasure is repeated after a restore only for people who were added before it.
  test("imports rows that are dated in the future with the time of the import", async () => {
    const future = IMPORT_TIME + 86_400_000;
    await take({
      "customers.csv": `name,surname,created_at,last_update\nEva,Sol,${new Date(future).toISOString()},${new Date(future).toISOString()}\n`,
    });
    expect(rows("SELECT created_at, last_update FROM customers WHERE surname = 'Sol'")).toEqual([
      { created_at: IMPORT_TIME, last_update: IMPORT_TIME },
    ]);
  });

  // Proves "security, privacy and operation": A mapping file names files and columns
  test("uses a company's stored mapping, and saves the mapping it detected", async () => {
    const mapping = {
      files: { "export kunden.csv": "customers", "rest.csv": null },
      columns: { customers: { Vorname: "name", Ausweis: "document_id", Kram: null } },
    };
    const imported = await take(
      { "export kunden.csv": "Vorname;Ausweis;Kram\nUte;7;x\n", "rest.csv": "a\n1\n" },
      { mapping },
    );
    expect(imported.bad).toEqual([]);
    expect(rows("SELECT name, document_id FROM customers")).toEqual([{ name: "Ute", document_id: "7" }]);
    expect(createMappingDraft(imported)).toMatchObject({ columns: { customers: { Vorname: "name", Kram: null } } });
  });

  // Proves "security, privacy and operation": A report is kept
  test("writes a report with each file's result and a table of every invalid line", async () => {
    const imported = await take({ "customers.csv": "name,email\nAna,nowhere\n" });
    await writeImportReport(join(opened.folder, "report"), "Nothing was written.", imported);
    expect(await readFile(join(opened.folder, "report", "bad-lines.csv"), "utf8")).toContain(
      "customers.csv,2,email,nowhere,email,is not an email address,for example ana@example.com",
    );
    expect(await readFile(join(opened.folder, "report", "report.txt"), "utf8")).toContain(
      "customers.csv → customers: 0 added",
    );
  });

  // Proves "security, privacy and operation": The templates can be imported as they are
  test("imports its own templates unchanged", async () => {
    const to = join(opened.folder, "templates");
    const tables = await writeTemplates(to, migrationsFolder);
    const fresh = createSqliteD1();
    fresh.rows(IMPORTING_COMPANY_STATEMENTS[0] ?? "");
    expect((await importDataFolder(fresh.db, { ...IMPORT_OPTIONS, folder: to })).bad).toEqual([]);
    expect((await readdir(to)).filter((file) => file.endsWith(".csv"))).toHaveLength(tables);
    // Required fields are in the templates. Omitted ones follow.
    const about = await readTable(join(to, "about/fields.csv"));
    for (const file of (await readdir(to)).filter((text) => text.endsWith(".csv"))) {
      const table = file.replace(/^\d+_|\.csv$/g, "");
      const [headings = []] = await readTable(join(to, file));
      const needed = about.filter(([of, , , is]) => of === table && is === "yes").map(([, field]) => field);
      expect([table, needed.filter((field) => !headings.includes(field ?? ""))]).toEqual([table, []]);
    }
    const followed = about.filter(([, , , is]) => is === "unless it follows").map(([of, field]) => `${of}.${field}`);
    expect(followed).toEqual(expect.arrayContaining(["customers.created_at", "branches.currency", "documents.taxes"]));
    expect(fresh.rows("SELECT status, total_paid_cents, customer_email FROM bookings")).toEqual([
      { status: "in_progress", total_paid_cents: 31_500, customer_email: "ana@example.com" },
    ]);
  });
});
