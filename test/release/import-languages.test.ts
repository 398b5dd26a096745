import { describe, expect, test } from "vitest";
import { groupProblemsByCause } from "#domain/operations/import-causes.ts";
import type { ImportMapping } from "#domain/operations/imports.ts";
import { useImportTestCompany } from "#support/import-account.ts";
import { createWorkbook } from "#support/workbook.ts";
import { decodeImportFile } from "#worker/imports/decode.ts";
import { createMappingDraft, formatImportProblemGroup } from "#worker/imports/report.ts";

// Files as other systems write them, with titles, sums, words and numbers of their language.

const { take, problems, rows } = useImportTestCompany();
const encodeLatin1 = (text: string) => Buffer.from(text.replaceAll("€", "\x80"), "latin1");

describe("files of other systems", () => {
  // Proves "security, privacy and operation": A German list with titles, sums and times beside dates is imported in one
  //   pass
  test("imports a German list of contracts with title and total rows, times next to dates, and euro signs", async () => {
    const text = [
      "Mietwagen Insel GmbH;;;;;;;",
      "Stand;01.05.2026;;;;;;",
      "",
      "Vertrags-Nr.;Name;Fahrzeugklasse;Niederlassung;Status;Abholung;Rückgabe;Mietpreis",
      "V-1;Müller;A;PMI;Reserviert;01.05.2027 10:30;03.05.2027 09:00;1.234,50 €",
      "V-2;Özdemir;A;PMI;Storniert;04.05.2027 08:00;05.05.2027 08:00;99,00 €",
      "Summe;;;;;;;1.333,50 €",
    ];
    const mapping: ImportMapping = { columns: { bookings: { Name: "customer_name" } } };
    const { bad } = await take(
      { "Mietverträge Export 2026.csv": encodeLatin1(text.join("\r\n")) },
      {
        mapping: { ...mapping, files: { "Mietverträge Export 2026.csv": "bookings" } },
      },
    );
    expect(bad).toEqual([]);
    const columns = "customer_name, status, date_from, time_from, date_to, time_to, total_cents";
    expect(rows(`SELECT ${columns} FROM bookings ORDER BY id`)).toEqual([
      {
        ...{ customer_name: "Müller", status: "confirmed", date_from: "2027-05-01", time_from: "10:30" },
        ...{ date_to: "2027-05-03", time_to: "09:00", total_cents: 123_450 },
      },
      {
        ...{ customer_name: "Özdemir", status: "cancelled", date_from: "2027-05-04", time_from: "08:00" },
        ...{ date_to: "2027-05-05", time_to: "08:00", total_cents: 9900 },
      },
    ]);
  });

  // Proves "security, privacy and operation": A French list is imported in one pass
  test("imports a French list of customers with family and first names and countries by name", async () => {
    const text = [
      "Liste des clients - agence de Palma",
      "N° client;Nom;Prénom;Date de naissance;Rue;Code postal;Ville;Pays;Téléphone;Courriel",
      "17;Lefèvre;Hélène;03/02/1980;5 rue de l'Église;75001;Paris;France;+33 1 70 18 99 00;helene@example.com",
      "18;Dubois;Noé;31/12/1975;2 quai Ouest;13002;Marseille;Allemagne;;",
    ];
    expect((await take({ "clients_export.csv": text.join("\n") })).bad).toEqual([]);
    expect(rows("SELECT name, surname, date_of_birth, address_city, address_country FROM customers")).toEqual([
      { name: "Hélène", surname: "Lefèvre", date_of_birth: "1980-02-03", address_city: "Paris", address_country: "FR" },
      { name: "Noé", surname: "Dubois", date_of_birth: "1975-12-31", address_city: "Marseille", address_country: "DE" },
    ]);
  });

  // Proves "security, privacy and operation": An Italian workbook with decimal commas and serial dates is imported in
  //   one pass
  test("imports an Italian workbook with decimal commas in text cells and dates as unformatted serial numbers", async () => {
    const workbook = createWorkbook({
      Foglio1: [
        ["Autonoleggio Isola", ""],
        [
          "Targa",
          "Codice veicolo",
          "Marca",
          "Modello",
          "Gruppo",
          "Sede",
          "Alimentazione",
          "Chilometri",
          "Data acquisto",
          "Prezzo acquisto",
        ],
        ["AB123CD", "V-1", "Fiat", "Panda", "A", "PMI", "Gasolio", "12.345", 45_123, "12.500,50"],
        ["EF456GH", "V-2", "Fiat", "500", "A", "PMI", "Elettrica", 800, 45_200, 9999.5],
        ["Totale", "", "", "", "", "", "", "", "", "22.500,00"],
      ],
    });
    expect((await take({ "Veicoli 2026.xlsx": workbook })).bad).toEqual([]);
    const columns = "plate, name, fuel, usage_units, acquisition_date, purchase_price_cents";
    expect(rows(`SELECT ${columns} FROM vehicles ORDER BY reference`)).toEqual([
      {
        ...{ plate: "AB123CD", name: "Fiat Panda", fuel: "diesel", usage_units: 12_345 },
        ...{ acquisition_date: "2023-07-16", purchase_price_cents: 1_250_050 },
      },
      {
        ...{ plate: "EF456GH", name: "Fiat 500", fuel: "electric", usage_units: 800 },
        ...{ acquisition_date: "2023-10-01", purchase_price_cents: 999_950 },
      },
    ]);
  });

  test("ignores headings that a printed list repeats, and restores numbers that a program wrote as fractions", async () => {
    const heading = "Nombre;Apellidos;NIF;Teléfono;Código postal;País";
    const text = [
      ...[heading, "Ana;Ruiz;12345678.0;600112233.0;7001.0;ES", heading, "Jörg;Müller;C01X00T47;+4930123456;1067;DE"],
      ...[heading, "Ugo;Rossi;CA00000AA;0612345678;184;IT"],
    ];
    const { bad } = await take({ "clientes.csv": text.join("\r\n") });
    expect(bad).toEqual([]);
    expect(rows("SELECT document_id, phone_number, address_zip FROM customers ORDER BY name")).toEqual([
      { document_id: "12345678", phone_number: "600112233", address_zip: "07001" },
      { document_id: "C01X00T47", phone_number: "+4930123456", address_zip: "01067" },
      { document_id: "CA00000AA", phone_number: "0612345678", address_zip: "00184" },
    ]);
  });

  test("refuses a name that's longer than other entries accept", async () => {
    const file = (name: string) => ({ "clientes.csv": `Nombre;Apellidos\r\nAna;${name}\r\n` });
    expect((await take(file("R".repeat(100)))).bad).toEqual([]);
    const { bad } = await take(file("R".repeat(101)));
    expect(bad).toMatchObject([{ line: 2, field: "surname", code: "text_too_long", params: { characters: 100 } }]);
  });

  test.each(["#N/A", "#N/D", "#NV", "#REF!", "#¡VALOR!", "#DIV/0!", "#NAME?", "#¿NOMBRE?", "#BEZUG!"])(
    "refuses %s, an error of a spreadsheet formula",
    async (error) => {
      const { bad } = await take({ "clientes.csv": `Nombre;Apellidos\r\nAna;${error}\r\nAna;#1\r\n` });
      expect(bad.map(({ line, field, code }) => [line, field, code])).toEqual([[2, "surname", "formula_error"]]);
    },
  );

  const CONTRACT = {
    "bookings.csv":
      "key,customer_name,category_code,branch_code,status,date_from,date_to,total\nC-1,Ana,A,PMI,confirmed,2027-05-01,2027-05-03,100.00\n",
  };

  // Proves "security, privacy and operation": A file whose only special letter is the euro is read
  test("imports a Spanish list of payments whose only special letter is the euro", async () => {
    await take(CONTRACT);
    const text =
      "Contrato;Fecha;Importe;Forma de pago\r\nC-1;02/05/2026 18:40;60,00 €;Tarjeta\r\nC-1;03/05/2026;40,00 €;Efectivo\r\n";
    expect(decodeImportFile(new Uint8Array(encodeLatin1(text)))).toMatchObject({
      encoding: "windows-1252",
      doubts: [],
    });
    expect((await take({ "Listado de cobros 2026.csv": encodeLatin1(text) })).bad).toEqual([]);
    expect(rows("SELECT amount_cents, payment_method_id FROM charges ORDER BY id")).toEqual([
      { amount_cents: 6000, payment_method_id: "credit_card" },
      { amount_cents: 4000, payment_method_id: "cash" },
    ]);
  });

  // Proves "security, privacy and operation": An English list with months first is imported in one pass
  test("imports an English list of rentals with months first and twelve-hour times", async () => {
    const text = [
      "Contract Number,Customer Name,Group,Office,Status,Pickup,Return,Total",
      'E-1,Ann,A,PMI,Open,"12/25/2026 2:30 PM","12/28/2026, 10:00 AM","1,200.00"',
    ];
    const mapping = { columns: { bookings: { "Customer Name": "customer_name", Return: "date_to" } } };
    const { bad } = await take({ "rentals.csv": text.join("\n").replace("Open", "Confirmed") }, { mapping });
    expect(bad).toEqual([]);
    expect(rows("SELECT date_from, time_from, date_to, time_to, total_cents FROM bookings")).toEqual([
      { date_from: "2026-12-25", time_from: "14:30", date_to: "2026-12-28", time_to: "10:00", total_cents: 120_000 },
    ]);
  });

  // Proves "security, privacy and operation": Values of another system are mapped
  test("imports a workbook of German and Spanish sheets with one mapping of their values", async () => {
    const workbook = createWorkbook({
      Kunden: [
        ["Export", "12.03.2026"],
        ["Name", "Vorname", "Land"],
        ["Müller", "Jörg", "Deutschland"],
      ],
      Coches: [
        ["Matrícula", "Unidad", "Nombre", "Categoría", "Oficina"],
        ["1234BCD", "V-1", "Ibiza", "Kleinwagen", "PMI"],
        ["5678FGH", "V-2", "Polo", "Kleinwagen", "PMI"],
      ],
    });
    const files = { "Datos - data.xlsx": workbook };
    const refused = await take(files);
    expect(groupProblemsByCause(refused.bad).map(formatImportProblemGroup)).toEqual([
      expect.stringMatching(/\[Coches\]:2: category_code "Kleinwagen" .* \[2 lines: 2, 3\]$/),
    ]);
    const mappingDraft = createMappingDraft(refused);
    expect(mappingDraft).toMatchObject({ values: { vehicles: { category_code: { Kleinwagen: "?" } } } });
    const mapping = { ...mappingDraft, values: { vehicles: { category_code: { kleinwagen: "A" } } } };
    expect((await take(files, { mapping })).bad).toEqual([]);
    expect(rows("SELECT reference, category_code FROM vehicles ORDER BY reference")).toEqual([
      { reference: "V-1", category_code: "A" },
      { reference: "V-2", category_code: "A" },
    ]);
    expect(rows("SELECT name, surname, address_country FROM customers")).toEqual([
      { name: "Jörg", surname: "Müller", address_country: "DE" },
    ]);
  });
});

test("reads amounts in a workbook's text cells by the --decimal option", async () => {
  const sheet = (price: string) => ({
    "extras.xlsx": createWorkbook({
      Sheet1: [
        ["code", "name", "price_per", "price", "vat_percent"],
        ["SEAT", "Seat", "day", price, 21],
      ],
    }),
  });
  expect(await problems(sheet("5,50"), { known: { decimal: "." } })).toEqual(["extras.xlsx:2 price 5,50"]);
  expect((await take(sheet("5,50"), { known: { decimal: "," } })).bad).toEqual([]);
  expect(rows("SELECT price_cents, vat_basis_points FROM extras")).toEqual([
    { price_cents: 550, vat_basis_points: 2100 },
  ]);
});

test("refuses an empty required name, and accepts a customer with a surname only", async () => {
  expect(await problems({ "categories.csv": "code,name,vat_percent\nB,,21.00\n" })).toEqual(["categories.csv:2 name"]);
  expect(await problems({ "customers.csv": "name,surname\n,\n,Ruiz\n" })).toEqual([]);
  expect(await problems({ "customers.csv": "name,surname,email\n,,ana@example.com\n" })).toEqual([
    "customers.csv:2 name",
  ]);
});

// Proves "security, privacy and operation": One cause is reported once
test("reports one cause of many lines once, with its number of lines", async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `Ana ${index},nowhere`);
  const { bad } = await take({ "customers.csv": `name,email\n${lines.join("\n")}\n` });
  const causes = groupProblemsByCause(bad);
  expect(bad).toHaveLength(200);
  expect(causes.map(formatImportProblemGroup)).toEqual([
    expect.stringMatching(/^customers\.csv:2: email "nowhere" .* \[200 lines: 2, 3, 4, 5, 6, …\]$/),
  ]);
});
