import { expect, test } from "vitest";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

const { shows, press, submit, ask } = useOffice((opened) => {
  ({ office, page, token } = opened);
});

let requests = 0;
const desk = (path: string, body: object) =>
  office.ask("POST", `/api/v1${path}`, { token, body: { request_id: `tax-test-${++requests}`, ...body } });
const records = async (query: string) => {
  const { body } = await office.ask("GET", `/api/v1/office/tax-records?${query}`, { token });
  return (body as { readonly data: readonly { readonly number: string; readonly kind: string }[] }).data;
};

// Proves "security, privacy and operation": The office shows records, checks them and sends amendments
test("lists records sent to the tax agency, checks them and amends one with a reason", async () => {
  await page.goto(`${office.address}#/money`);
  await page.getByRole("link", { name: "VERI*FACTU", exact: true }).click();
  // Invoices of other tests may be waiting for cron.
  await shows(/Alles wurde an die Steuerbehörde gesendet\.|noch nicht gesendet/);
  await shows(/Treffer/);
  await press("Kette prüfen");
  await shows(/Kette vollständig/);
  await office.looksRight("tax-records");
  await press("Abgelehnt");
  await page.waitForURL(/state=refused/);
  await shows("Keine Treffer. Filter zurücksetzen.");
  await press("Alle");
  const [latest] = await records("state=accepted&page_size=1");
  const row = page.locator("tr", { hasText: latest?.number ?? "" }).first();
  await row.locator(".row-menu > summary").click();
  await row.getByRole("button", { name: `Steuerdatensatz stornieren: ${latest?.number}` }).click();
  await submit();
  await shows("Füllen Sie dieses Feld aus.");
  await page.getByLabel("Grund *").fill("Gab es nie");
  await office.looksRight("tax-annul", BOTH_THEMES);
  await submit();
  await shows(`${latest?.number}: Datensatz erstellt. Das Senden beginnt innerhalb einer Minute.`);
  await shows(/noch nicht gesendet/);
  expect((await records("page_size=1"))[0]).toMatchObject({ kind: "annulment", number: latest?.number });
  expect(office.faults()).toEqual([]);
});

/** Row of a simplified invoice. Its series starts with T. */
const SIMPLIFIED = /T-[A-Z]+-/;

test("credits only the tax of an unpaid full invoice, and doesn't offer that for a simplified one", async () => {
  await page.goto(`${office.address}#/money/documents`);
  await page.locator("[name=document_kind]").selectOption("full");
  await page.waitForURL(/document_kind=full/);
  await page
    .locator("tr", { hasText: "Unbezahlt", hasNotText: SIMPLIFIED })
    .locator(".row-menu > summary")
    .first()
    .click();
  await page.getByRole("button", { name: /^Rechnungskorrektur ausstellen: (?!T-)/ }).click();
  await page.getByLabel("Grund der Rechnungskorrektur *").selectOption("bad_debt");
  // The tax of a collective invoice is credited by contract.
  const contract = page.getByLabel("Mietvertrag *");
  if (await contract.count()) await contract.selectOption({ index: 1 });
  await office.looksRight("credit", BOTH_THEMES);
  await page.getByLabel("Betrag").fill("100000");
  await submit();
  await shows("Der Betrag ist höher als der offene Betrag. Geben Sie einen niedrigeren ein.");
  await page.getByLabel("Betrag").fill("");
  await submit();
  await shows("Rechnungskorrektur ausgestellt");
  await page.locator("[name=document_kind]").selectOption("simplified");
  await page.waitForURL(/document_kind=simplified/);
  await page.locator("tr", { hasText: SIMPLIFIED }).locator(".row-menu > summary").first().click();
  await page.getByRole("button", { name: /^Rechnungskorrektur ausstellen: T-/ }).click();
  expect(await page.getByLabel("Grund der Rechnungskorrektur *").locator("option").count()).toBe(2);
  await page.keyboard.press("Escape");
});

interface Contract {
  readonly id: number;
  readonly version: number;
}
interface Paper {
  readonly document_kind: string;
  readonly replaced_by_invoice_number: string | null;
}

/** Creates a contract with a customer without a tax number. */
async function bookContract(): Promise<Contract> {
  const { status, body } = await ask("POST", "/reservations", {
    ...{ date_from: getDateInDays(70), time_from: "10:00", date_to: getDateInDays(73), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP" },
    customer: { name: "Rita", surname: "Rechnung", email: "rita@example.com" },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return (body as { readonly reservation: Contract }).reservation;
}

// Proves "security, privacy and operation": The office exchanges them together if the company replaces them
test("replaces two simplified invoices of a contract by a full one if the company's setting is replacement", async () => {
  const { version } = ((await ask("GET", "/settings")).body as { readonly settings: Contract }).settings;
  await page.goto(`${office.address}#/list/settings?group=documents`);
  await page.getByLabel("Vereinfachte Rechnungen umwandeln durch").selectOption("replacement");
  await office.looksRight("settings-documents", BOTH_THEMES);
  await press("Speichern");
  await shows(/^Gespeichert/);
  expect(version).toBeLessThan(
    ((await ask("GET", "/settings")).body as { readonly settings: Contract }).settings.version,
  );
  const { id } = await bookContract();
  for (const body of [{ advance: "20.00" }, {}])
    expect((await desk(`/booking/${id}/documents`, body)).status).toBe(200);
  const read = async () =>
    (await ask("GET", `/reservations/${id}`)).body as {
      readonly reservation: Contract;
      readonly documents: readonly Paper[];
    };
  const reservationChanges = {
    ...{ customer_document_id: "00000000T", "customer_address[street]": "Gran Via 1" },
    ...{ "customer_address[city]": "Madrid", expected_version: (await read()).reservation.version },
  };
  expect((await ask("PATCH", `/reservations/${id}/ses`, reservationChanges)).status).toBe(200);
  await page.goto(`${office.address}#/money/documents?document_kind=simplified&q=${id}`);
  await page.locator(".row-menu > summary").first().click();
  await page
    .getByRole("button", { name: /^In vollständige Rechnung umwandeln: T-/ })
    .first()
    .click();
  await shows(/Der Vertrag hat weitere vereinfachte Rechnungen: T-/);
  await page.getByLabel("Alle in eine vollständige Rechnung umwandeln").check();
  await page.locator(".document-preview").first().waitFor();
  await office.looksRight("exchange-together", BOTH_THEMES);
  await submit();
  await shows("Vollständige Rechnung ausgestellt. Sie ersetzt die vereinfachte.");
  await shows(/^Ersetzt durch A-/);
  await office.looksRight("replaced", BOTH_THEMES);
  const { documents } = await read();
  expect(documents.map(({ document_kind }) => document_kind)).toEqual(["simplified", "simplified", "full"]);
  expect(documents.map((document) => document.replaced_by_invoice_number === null)).toEqual([false, false, true]);
  expect((await records("page_size=1"))[0]).toMatchObject({ kind: "registration" });
});

test("shows the software producer's declaration point by point", async () => {
  await page.goto(`${office.address}#/money/taxRecords`);
  await page.getByRole("link", { name: "Herstellererklärung" }).click();
  await page.getByRole("heading", { name: "DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN" }).waitFor();
  expect(await page.locator(".declaration dt").count()).toBe(15);
  await office.looksRight("declaration", BOTH_THEMES);
});
