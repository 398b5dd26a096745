import { expect, test } from "vitest";
import { ALL_APPEARANCES, BOTH_THEMES, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

const { shows, press } = useOffice((opened) => {
  ({ office, page, token } = opened);
});

const waitForCheck = () => page.getByText("Ihre Dateien werden geprüft …").waitFor({ state: "detached" });
const choose = (...files: readonly (readonly [name: string, text: string])[]) =>
  page
    .getByLabel(/^Dateien \(/)
    .setInputFiles(files.map(([name, text]) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text, "latin1") })));
const field = (heading: string) => page.getByLabel(`Importiert als: ${heading}`, { exact: true });
const names = async (q: string) => {
  const { body } = await office.ask("GET", `/api/v1/office/customers?q=${q}`, { token });
  return (body as { readonly data: readonly { readonly name: string; readonly surname: string }[] }).data.map(
    ({ name, surname }) => `${name} ${surname}`,
  );
};

const MESS = [
  "Rufname;Apellidos;NIF;Geburt;correo;País;Kram",
  "José ;Muñizabal;90000001X;31/12/1980;jose@example.com;ES;a",
  "Ana;Muñizabal;90000002Y;31/02/1990;ana@example.com;ES;b",
  "Eva;Muñizabal;90000003Z;01/03/1991;eva at example.com;Nirgendwo;c",
  "Ana;Muñizabal;90000002Y;01/03/1990;;ES;d",
].join("\r\n");
const FIXED_FILE = MESS.replace("31/02", "28/02")
  .replace("eva at ", "eva@")
  .replace("Nirgendwo", "ES")
  .split("\r\n")
  .slice(0, 4);

// Proves "security, privacy and operation": The page of imports, from a wrong file to the way back
test("imports another system's files with errors, unknown columns and partly wrong rows, and reverts them", async () => {
  await page.goto(`${office.address}#/imports`);
  await shows("Dateien wählen");
  await office.looksRight("imports", BOTH_THEMES);
  // A file that can't be read, and one with an unknown name.
  await choose(["urlaub.xlsx", "kein Excel"], ["kunden alt.csv", MESS]);
  await shows("Diese Arbeitsmappe lässt sich nicht lesen.");
  await office.looksRight("imports-unknown", BOTH_THEMES);
  await press("urlaub.xlsx entfernen");
  await page.getByText("urlaub.xlsx").waitFor({ state: "detached" });
  await page.getByRole("combobox", { name: /^Art/ }).selectOption({ label: "Kunden" });
  await shows("3 Spalten brauchen ein Feld");
  await field("Rufname").selectOption("name");
  await shows("2 Spalten brauchen ein Feld");
  await field("Geburt").selectOption("date_of_birth");
  await shows("1 Spalte braucht ein Feld");
  await field("Kram").selectOption({ label: "Nicht importieren" });
  await shows("Das ist kein gültiges Datum.");
  await shows("Das ist keine E-Mail-Adresse.");
  await shows("Das ist kein Ländercode.");
  await shows("2 Zeilen mit Problemen");
  await waitForCheck();
  expect(await page.getByRole("button", { name: "Importieren", exact: true }).isDisabled()).toBe(true);
  await office.looksRight("imports-problems", ALL_APPEARANCES);
  await page.locator(".imported").scrollIntoViewIfNeeded();
  await office.looksRight("imports-rows", ALL_APPEARANCES);
  // The corrected file: the column mapping still applies.
  await choose(["kunden alt.csv", FIXED_FILE.join("\r\n")]);
  await shows("Bereit zum Import:");
  await office.looksRight("imports-ready", BOTH_THEMES);
  expect(await names("Muñizabal")).toEqual([]);
  await press("Importieren");
  await shows(/^Importiert: 3 neu/);
  expect((await names("Muñizabal")).sort()).toEqual(["Ana Muñizabal", "Eva Muñizabal", "José Muñizabal"]);
  await office.looksRight("imports-done", BOTH_THEMES);
  await page.getByRole("button", { name: /^Import rückgängig machen/ }).click();
  await page.getByRole("button", { name: /Import rückgängig machen/ }).click();
  await shows("Import rückgängig gemacht");
  expect(await names("Muñizabal")).toEqual([]);
  await choose([
    "clientes.csv",
    FIXED_FILE.join("\r\n")
      .replace("Rufname", "Nombre")
      .replace("Geburt", "Fecha nacimiento")
      .replaceAll(/;(Kram|[abcd])(?=\r|$)/g, ""),
  ]);
  await shows("Bereit zum Import:");
  await press("Importieren");
  await shows(/^Importiert: 3 neu/);
  expect(office.faults()).toEqual([]);
}, 300_000);

// Proves "security, privacy and operation": The office: a doubt about a file's letters is shown as each encoding reads
//   it
test("asks the user for the text encoding of an ambiguous file, on any screen size", async () => {
  await page.goto(`${office.address}#/`);
  await page.goto(`${office.address}#/imports`);
  await shows("Dateien wählen");
  // First faulty texts: lost letters and letters decoded wrongly before the import.
  const damagedFile = Buffer.from("Nombre;Apellidos;NIF\r\nJos\uFFFD;Muñoz;90000011A\r\nEva;MuÃ±oz;90000012B\r\n");
  await choose(["perdidos.csv", damagedFile.toString("latin1")]);
  await page.getByRole("combobox", { name: /^Art/ }).selectOption({ label: "Kunden" });
  await shows("2 Zeilen mit Problemen");
  await waitForCheck();
  await office.looksRight("imports-lost", BOTH_THEMES);
  await press("perdidos.csv entfernen");
  await page.getByText("perdidos.csv").waitFor({ state: "detached" });
  // A single byte that is an à in Windows and an Ó in DOS, in a row outside of the preview.
  const rows = Array.from({ length: 40 }, (_, row) => `Ana;Doubtful ${row};9100${String(row).padStart(4, "0")}A`);
  const doubtful = ["Nombre;Apellidos;NIF", ...rows, "Portas à Mar;Doubtful;92000000B"].join("\r\n");
  await choose(["clientes.csv", doubtful]);
  await waitForCheck();
  await shows("Die Zeichenkodierung ist unklar.");
  const dos = page.getByRole("button", { name: /Portas Ó Mar.*DOS/ });
  expect(await page.getByRole("button", { name: /Portas à Mar.*Windows/ }).getAttribute("aria-pressed")).toBe("true");
  // The hint is also next to the button, because on a phone the file is far above the button.
  await shows("Wählen Sie zuerst die Kodierung von clientes.csv.");
  await page.locator("[data-doubt]").scrollIntoViewIfNeeded();
  await office.looksRight("imports-doubt", ALL_APPEARANCES);
  await dos.click();
  await waitForCheck();
  await page.locator("[data-doubt]").waitFor({ state: "detached" });
  await shows(/DOS westlich \(850\) · Semikolon/);
  // Finally choose Windows again, from the list of all encodings.
  await page.getByText(/^Erkannt: /).click();
  const encoding = page.locator("details[open] label", { hasText: /^Zeichen/ }).locator("select");
  await encoding.selectOption({ label: "Windows (westlich)" });
  await waitForCheck();
  await shows("Bereit zum Import:");
  await press("Importieren");
  await shows(/^Importiert: 41 neu/);
  expect(await names("92000000B")).toEqual(["Portas à Mar Doubtful"]);
  expect(office.faults()).toEqual([]);
}, 300_000);
