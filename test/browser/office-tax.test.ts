import { expect, test } from "vitest";
import { BOTH_THEMES, EVERY_LOOK, type Office, useOffice } from "./office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

useOffice((opened) => {
  ({ office, page, token } = opened);
});

const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const submit = () => page.locator(".sheet [type=submit]").click();
const records = async (query: string) => {
  const { body } = await office.ask("GET", `/api/v1/office/tax-records?${query}`, { token });
  return (body as { readonly data: readonly { readonly number: string; readonly kind: string }[] }).data;
};

test("what the tax agency was told is looked through, checked, and told anew with a reason", async () => {
  await page.goto(`${office.address}#/money`);
  await page.getByRole("link", { name: "VERI*FACTU", exact: true }).click();
  // Invoices that other tests have issued meanwhile wait for the clock.
  await shows(/Alles ist an die Steuerbehörde gesendet\.|noch nicht gesendet/);
  await shows(/gefunden/);
  await press("Kette prüfen");
  await shows(/keiner fehlt, keiner wurde verändert/);
  await office.looksRight("tax-records", EVERY_LOOK);
  await press("Abgelehnt");
  await page.waitForURL(/state=refused/);
  await shows("Kein Datensatz ist so.");
  await press("Alle");
  const [latest] = await records("state=accepted&page_size=1");
  await page.getByRole("button", { name: `Stornieren: ${latest?.number}` }).click();
  await submit();
  await shows("Das wird gebraucht.");
  await page.getByLabel("Grund *").fill("Gab es nie");
  await office.looksRight("tax-annul", BOTH_THEMES);
  await submit();
  await shows(`${latest?.number}: Es ist erfasst und wird innerhalb einer Minute gesendet.`);
  await shows(/noch nicht gesendet/);
  expect((await records("page_size=1"))[0]).toMatchObject({ kind: "annulment", number: latest?.number });
  expect(office.faults()).toEqual([]);
});

test("a full invoice that will not be paid is credited by its tax alone, a simplified one is not", async () => {
  await page.goto(`${office.address}#/money/documents`);
  await page.locator("[name=document_kind]").selectOption("full");
  await page.waitForURL(/document_kind=full/);
  await page
    .getByRole("button", { name: /^Gutschrift: / })
    .first()
    .click();
  await page.getByLabel("Warum *").selectOption("bad_debt");
  await office.looksRight("credit", BOTH_THEMES);
  await page.getByLabel("Betrag").fill("100000");
  await submit();
  await shows("Es ist mehr, als davon übrig ist.");
  await page.getByLabel("Betrag").fill("");
  await submit();
  await shows("Die Gutschrift ist ausgestellt.");
  await page.locator("[name=document_kind]").selectOption("simplified");
  await page.waitForURL(/document_kind=simplified/);
  await page
    .getByRole("button", { name: /^Gutschrift: T-/ })
    .first()
    .click();
  expect(await page.getByLabel("Warum *").locator("option").count()).toBe(2);
  await page.keyboard.press("Escape");
});

test("the producer's declaration is read from there, point by point", async () => {
  await page.goto(`${office.address}#/money/taxRecords`);
  await page.getByRole("link", { name: "Verantwortungserklärung" }).click();
  await page.getByRole("heading", { name: "DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN" }).waitFor();
  expect(await page.locator(".declaration dt").count()).toBe(15);
  await office.looksRight("declaration", BOTH_THEMES);
});
