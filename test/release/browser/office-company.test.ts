import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { COMPANY_PKCS12 } from "#support/pkcs12.ts";
import { BOTH_THEMES, OFFICE_START_TIMEOUT_MS, openOffice } from "../../browser/office-page.ts";

let office: Awaited<ReturnType<typeof openOffice>>;
let page: typeof office.page;
let clicks = 0;

beforeAll(async () => {
  office = await openOffice(inject("port"));
  page = office.page;
  await page.goto(office.address);
  await office.signInAs("staff");
}, OFFICE_START_TIMEOUT_MS);

afterAll(async () => {
  await office.close();
});

const press = async (target: Locator) => {
  clicks += 1;
  await target.click();
};
const today = async () => {
  clicks = 0;
  await page.goto(`${office.address}#/today`);
  await page.getByRole("heading", { level: 1 }).waitFor();
};
const link = (name: string) => page.getByRole("link", { name, exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });

test("sets special hours on 24 December with at most five clicks", async () => {
  await today();
  await press(link("Einstellungen"));
  await press(link("Sonderöffnungszeiten"));
  await press(link("Neue Sonderöffnungszeiten"));
  await page.getByLabel("Datum *").fill("2091-12-24");
  await press(button("Zeile hinzufügen"));
  await page.getByLabel("Öffnet *").fill("09:00");
  await page.getByLabel("Schließt *").fill("13:00");
  await office.looksRight("special-hours");
  await press(button("Speichern"));
  await page.getByText("Gespeichert").waitFor();
  expect(clicks).toBeLessThanOrEqual(5);
});

test("edits a week of opening hours in one form", async () => {
  await page.goto(`${office.address}#/opening-week`);
  await page.getByLabel("Montag: öffnet").first().fill("07:30");
  await office.looksRight("opening-week");
  await button("Montag auf alle Tage übertragen").click();
  expect(await page.getByLabel("Sonntag: öffnet").first().inputValue()).toBe("07:30");
  await button("Speichern").click();
  await page.getByText("Öffnungszeiten gespeichert").waitFor();
  await page.reload();
  await page.getByLabel("Sonntag: öffnet").first().waitFor();
  expect(await page.getByLabel("Sonntag: öffnet").first().inputValue()).toBe("07:30");
});

test("invites a new employee with at most six clicks", async () => {
  await today();
  await press(link("Einstellungen"));
  await press(link("Benutzer"));
  await press(link("Neuer Benutzer"));
  await page.getByLabel("Benutzername *").fill("eva");
  await page.getByLabel("E-Mail *").fill("eva@example.com");
  await page.getByLabel("Voller Name *").fill("Eva Nova");
  await page.getByLabel("Rolle *").selectOption("agent");
  await press(page.getByLabel("Arbeitet an allen Standorten"));
  await press(button("Speichern"));
  await page.getByText("Gespeichert").waitFor();
  await button("Einladung erneut senden").waitFor();
  await office.looksRight("invited-user");
  expect(clicks).toBeLessThanOrEqual(6);
});

test("records maintenance with its costs on the vehicle's page", async () => {
  await page.goto(`${office.address}#/fleet/ECON-01`);
  await button("Wartung erfassen").click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Durchgeführte Arbeit").fill("Öl und Filter");
  await sheet.getByLabel("Kosten").fill("140");
  await sheet.getByRole("button", { name: "Wartung erfassen" }).click();
  await page.getByText("Wartung erfasst").waitFor();
  await page.getByText("Öl und Filter").waitFor();
  await office.looksRight("vehicle-maintenance");
});

test("copies a season to another year, and undoes the copy", async () => {
  await page.goto(`${office.address}#/list/seasons/1`);
  await page.getByLabel("Zieljahr").fill("2095");
  await button("Saison kopieren").click();
  await page.getByText(/Preisen und .* kopiert/).waitFor();
  await office.looksRight("season-copy");
  await button("Saisonkopie rückgängig machen").click();
  await page.getByText("Die kopierte Saison wurde gelöscht.").waitFor();
});

test("shows pages for an agency's statement and the company's logo", async () => {
  await page.setViewportSize({ width: 390, height: 1000 });
  await page.goto(`${office.address}#/money/agencyStatement`);
  // The page needs an agency, so a phone shows its filter, too.
  await page.getByLabel("Agenturen").selectOption({ index: 1 });
  await page.getByText("Offene Provision").first().waitFor();
  await office.looksRight("agency-statement");
  await page.goto(`${office.address}#/letterhead`);
  await page.getByLabel("Fußzeile der Dokumente").fill("Handelsregister Palma");
  await button("Speichern").click();
  await page.getByText("Logo, Farbe und Fußzeile gespeichert").waitFor();
  await office.looksRight("letterhead");
});

test("stores a signing certificate and shows its holder, names what is wrong with a file, and deletes it", async () => {
  const token = await office.token();
  const ask = (method: string, path: string, body?: unknown) =>
    office.ask(method, `/api/v1/office${path}`, { token, body });
  await page.goto(`${office.address}#/signing-certificate`);
  await page.getByText("Kein Zertifikat. Rechnungen im Format Facturae werden nicht signiert.").waitFor();
  await button("Zertifikat hochladen").click();
  await page.getByText("Füllen Sie dieses Feld aus.").waitFor();
  const buffer = Buffer.from(COMPANY_PKCS12, "base64");
  await page.getByLabel(/^Zertifikat mit privatem/).setInputFiles({ name: "a.p12", mimeType: "", buffer });
  await page.getByLabel("Passwort der Datei").fill("falsch");
  await button("Zertifikat hochladen").click();
  await page.getByText("Falsches Passwort. Geben Sie das Passwort der Datei ein.").waitFor();
  await office.looksRight("signing-certificate-refused", BOTH_THEMES);
  await page.getByLabel("Passwort der Datei").fill("clave");
  await button("Zertifikat hochladen").click();
  await page.getByText(/nennt keine Steuernummer Ihrer Standorte/).waitFor();
  const { data } = (await ask("GET", "/branches?page_size=200")).body as { readonly data: readonly Branch[] };
  for (const { code, version } of data) {
    const body = { expected_version: version, document_id: "B12345674" };
    expect((await ask("PATCH", `/branches/${code}`, body)).status).toBe(200);
  }
  await button("Zertifikat hochladen").click();
  await page.getByText("Zertifikat gespeichert").waitFor();
  await page.getByText(/Coches del Sur SL/).waitFor();
  await office.looksRight("signing-certificate", BOTH_THEMES);
  await button("Zertifikat löschen").click();
  await button("Zertifikat löschen?").click();
  await page.getByText("Zertifikat gelöscht").waitFor();
});

interface Branch {
  readonly code: string;
  readonly version: number;
}
