import { expect, test } from "vitest";
import { useImportTestCompany } from "#support/import-account.ts";
import { createMultilingualImportFiles } from "#support/multilingual-import-files.ts";
import { removeUnit } from "#worker/imports/numbers.ts";
import { findTableByFileName, isReducedSynonym } from "#worker/imports/synonyms.ts";

const { take, rows } = useImportTestCompany();

test.each([
  ["Vertrag Nr.", "key"],
  ["Fzg-Gruppe", "category_code"],
  ["Rückgabe am", "date_to"],
  ["Rueckgabedatum", "date_to"],
  ["Date et heure de départ", "date_from"],
  ["Data e ora ritiro", "date_from"],
  ["Gesamtbetrag (EUR)", "total"],
  ["Straße und Hausnummer", "address_street"],
])("recognizes the heading %s as %s", (heading, field) => {
  expect(isReducedSynonym(field, heading)).toBe(true);
});

test.each([
  ["Fahrkilometer", "usage_units"],
  ["Number", "key"],
  ["Uhrzeit", "date_from"],
])("doesn't recognize the heading %s as %s", (heading, field) => {
  expect(isReducedSynonym(field, heading)).toBe(false);
});

test("finds a file's table by a word in the file name, and none if several tables match", () => {
  const tables = ["customers", "vehicles", "bookings", "extras"].map((name) => ({ name }));
  const find = (name: string) => findTableByFileName(tables, name)?.name;
  expect(["Customer List", "Anagrafica clienti", "Rental Agreements"].map(find)).toEqual([
    "customers",
    "customers",
    "bookings",
  ]);
  expect(["Clientes y coches", "Datos"].map(find)).toEqual([undefined, undefined]);
});

test("imports three-letter country codes, and numbers that are followed by their unit", async () => {
  const file = "Nombre;Apellidos;País\nAnn;Smith;USA\nJörg;Bär;DEU\n";
  expect((await take({ "clientes.csv": file })).bad).toEqual([]);
  expect(rows("SELECT address_country FROM customers ORDER BY id")).toEqual([
    { address_country: "US" },
    { address_country: "DE" },
  ]);
  expect(["12.345 km", "3 Tage", "12 zz", "km"].map(removeUnit)).toEqual(["12.345", "3", "12 zz", "km"]);
});

// Proves "security, privacy and operation": Files of six other systems are imported in one pass each
test("imports files of six other systems in one pass each, with at most one mapping", async () => {
  for (const { name, content, mapping, added } of createMultilingualImportFiles({ category: "A", branch: "PMI" })) {
    const { bad, files } = await take({ [name]: content }, mapping && { mapping });
    expect(bad, name).toEqual([]);
    expect(
      files.reduce((sum, file) => sum + file.added, 0),
      name,
    ).toBe(added);
  }
  expect(rows("SELECT plate, name, fuel, usage_units, purchase_price_cents FROM vehicles ORDER BY reference")).toEqual([
    { plate: "HH-AB 1234", name: "VW Polo", fuel: "petrol", usage_units: 12_345, purchase_price_cents: 1_899_000 },
    { plate: "HH-E 99E", name: "VW ID.3", fuel: "electric", usage_units: 8_100, purchase_price_cents: 3_400_000 },
  ]);
  const columns = "customer_name, status, date_from, time_from, date_to, time_to, total_cents";
  expect(rows(`SELECT ${columns} FROM bookings ORDER BY id`).map((row) => Object.values(row as object))).toEqual([
    ["Hélène Lefèvre", "confirmed", "2027-06-12", "10:30", "2027-06-15", "18:00", 31_200],
    ["Noé Dubois", "cancelled", "2027-06-14", "09:00", "2027-06-16", "09:00", 121_450],
    ["Núria Ferrer", "confirmed", "2027-07-02", "10:30", "2027-07-05", "17:30", 123_450],
    ["Ann Smith", "confirmed", "2027-12-25", "14:30", "2027-12-28", "10:00", 120_000],
  ]);
  expect(rows("SELECT name, surname, date_of_birth, address_zip, address_country FROM customers ORDER BY id")).toEqual([
    { name: "Giulia", surname: "Rossi", date_of_birth: "1980-01-01", address_zip: "00184", address_country: "IT" },
    { name: "Klaus", surname: "Weber", date_of_birth: "1975-12-31", address_zip: "01067", address_country: "DE" },
    { name: "Jörg", surname: "Müller", date_of_birth: null, address_zip: null, address_country: "DE" },
  ]);
  expect(rows("SELECT amount_cents, payment_method_id FROM charges ORDER BY id")).toEqual([
    { amount_cents: 10_000, payment_method_id: "credit_card" },
    { amount_cents: 21_200, payment_method_id: "bank_transfer" },
  ]);
  expect(rows("SELECT code, price_cents, price_per FROM extras")).toEqual([
    { code: "BEBE", price_cents: 550, price_per: "day" },
  ]);
});
