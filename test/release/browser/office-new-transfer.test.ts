import { expect, test } from "vitest";
import { getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

const { shows } = useOffice((opened) => {
  ({ office, page, token } = opened);
});

const field = (name: string) => page.locator(`[name="transfer.${name}"]`);
const choose = async (name: string, index: number) => {
  await field(name).locator("option").nth(index).waitFor({ state: "attached" });
  await field(name).selectOption({ index });
};

interface TransferAnswer {
  readonly reservation: {
    readonly kind: string;
    readonly status: string;
    readonly total_cost: string;
    readonly transfer: { readonly adults: number; readonly trips: readonly { readonly date: string }[] };
  };
}

// Proves "check-in.md: trips for drivers": The office's page of a new transfer
test("creates a transfer at the desk, with errors at their fields and the price before saving", async () => {
  await page.goto(`${office.address}#/reservations`);
  await page.getByRole("link", { name: "Neuer Transfer" }).click();
  await page.getByRole("heading", { name: "Neuer Transfer" }).waitFor();
  await page.locator(".sale [type=submit]").click();
  await page.locator('[aria-invalid="true"]:focus').waitFor();
  await shows("Füllen Sie dieses Feld aus.");
  await field("outward.date").fill("2020-01-01");
  await choose("outward.origin_point_id", 1);
  await choose("outward.destination_point_id", 4);
  await shows("Die Fahrt liegt in der Vergangenheit. Wählen Sie eine spätere Zeit.");
  await field("outward.date").fill(getDateInDays(20));
  const vehicle = page.getByRole("radio", { name: /frei/ }).first();
  await vehicle.waitFor();
  await field("adults").fill("90");
  await shows("Kein Fahrzeug hat genug Plätze.");
  await field("adults").fill("2");
  await page.getByRole("radio", { name: /frei/ }).first().waitFor();
  await page.getByRole("radio", { name: /frei/ }).first().check();
  await page.locator(".summary tfoot").waitFor();
  await page.locator('[name="with_return"]').check();
  await field("return.date").fill(getDateInDays(20));
  await field("return.time").fill("10:05");
  await shows("Die Rückfahrt");
  await field("return.date").fill(getDateInDays(24));
  await page.locator(".summary tbody tr").nth(1).waitFor();
  await page.getByLabel("Vorname *").fill("Tea");
  await page.getByLabel("Nachname *").fill("Transfer");
  await office.looksRight("transfer-new");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: /Reservierung \d+ · Tea Transfer/ }).waitFor();
  const id = /\/(\d+)/.exec(page.url().split("#")[1] ?? "")?.[1];
  const { body } = await office.ask("GET", `/api/v1/office/reservations/${id}`, { token });
  expect((body as TransferAnswer).reservation).toMatchObject({
    ...{ kind: "transfer", status: "confirmed" },
    transfer: { adults: 2, trips: [{ date: getDateInDays(20) }, { date: getDateInDays(24) }] },
  });
  expect(office.faults()).toEqual([]);
});
