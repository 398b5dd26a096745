import { expect, test } from "vitest";
import { ALL_APPEARANCES, getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];

const { submit, ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

interface Versioned {
  readonly id: number;
  readonly version: number;
}

/** Enables reporting to the ministry as a dry run. */
async function sendReports(): Promise<void> {
  const { settings } = (await ask("GET", "/settings")).body as { readonly settings: Versioned };
  const body = { expected_version: settings.version, ses_mode: "dry_run", ses_lessor_code: "0000012345" };
  expect((await ask("PATCH", "/settings", body)).status).toBe(200);
}

/** Creates a reservation for a business customer. */
async function createCompany(): Promise<number> {
  const company = {
    customer_type: "legal_entity",
    name: "Obres Tramuntana SL",
    surname: "-",
    phone_number: "971000001",
  };
  const createdCustomer = await ask("POST", "/customers", {
    ...company,
    document_id: "B98765431",
    email: "obres@example.com",
  });
  expect([createdCustomer.status, createdCustomer.body]).toEqual([201, expect.anything()]);
  const { id } = (createdCustomer.body as { readonly customer: Versioned }).customer;
  const { status, body } = await ask("POST", "/reservations", {
    ...{ date_from: getDateInDays(80), time_from: "10:00", date_to: getDateInDays(83), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP", customer: { id } },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return (body as { readonly reservation: Versioned }).reservation.id;
}

// Proves "security, privacy and operation": The office asks for who acts for a company
test("asks for the signing person's data that authorities need for a company's reservation", async () => {
  await sendReports();
  const id = await createCompany();
  await page.goto(`${office.address}#/reservations/${id}`);
  const panel = page.getByRole("region", { name: "Behörden" });
  await panel.getByText("Wer für die Firma des Kunden unterschreibt: Nachname").waitFor();
  await panel.scrollIntoViewIfNeeded();
  await office.looksRight("law-reservation", ALL_APPEARANCES);
  await panel.getByRole("button", { name: "Fehlende Daten eingeben" }).click();
  await office.looksRight("law-fill-in", ALL_APPEARANCES);
  for (const [label, value] of [
    ["Wer für die Firma des Kunden unterschreibt: Vorname", "Eva"],
    ["Wer für die Firma des Kunden unterschreibt: Nachname", "Puig Mas"],
    ["Wer für die Firma des Kunden unterschreibt: Ausweisnummer", "00000000T"],
    ["Fahrer: Führerscheinnummer", "12345678"],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await submit();
  await page.locator(".sheet").waitFor({ state: "detached" });
  await expect.poll(() => panel.getByText("Wer für die Firma unterschreibt").count()).toBe(0);
  const { body } = await ask("GET", `/reservations/${id}/ses`);
  const lacks = (body as readonly { readonly missing: readonly string[] }[]).flatMap(({ missing }) => missing);
  expect(lacks.filter((name) => name.startsWith("representative") || name.endsWith("license_number"))).toEqual([]);
});

test.each(["reported", "codes", "service", "retention"])(
  "shows the authorities' page %s without axe violations on desktop, tablet and phone",
  async (path) => {
    await page.goto(`${office.address}#/ministry-reports/${path}`);
    await page.getByRole("heading", { name: "Behörden", exact: true }).waitFor();
    await expect.poll(() => page.getByText("Wird geladen …").count()).toBe(0);
    // Pages opened from the end of another start at the top.
    expect(await page.evaluate("scrollY")).toBe(0);
    await office.looksRight(`law-${path}`, ALL_APPEARANCES);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    expect(office.faults()).toEqual([]);
  },
);

test("shows the pages of data retention and of reports to the ministry in Spanish", async () => {
  const { body } = await ask("GET", "/users?page_size=200");
  const users = (body as { readonly data: readonly (Versioned & { readonly username: string })[] }).data;
  const me = users.find(({ username }) => username.startsWith("staff"));
  await ask("PATCH", `/users/${me?.id}`, { expected_version: me?.version, language: "es" });
  await page.reload();
  await page.goto(`${office.address}#/ministry-reports/retention`);
  await page.getByRole("heading", { name: "Autoridades", exact: true }).waitFor();
  await expect.poll(() => page.getByText("Cargando…").count()).toBe(0);
  await office.looksRight("law-retention-es", ALL_APPEARANCES);
  await page.goto(`${office.address}#/ministry-reports/reported`);
  await page.getByRole("heading", { name: "Autoridades", exact: true }).waitFor();
  await office.looksRight("ministry-reports-es", ALL_APPEARANCES);
});
