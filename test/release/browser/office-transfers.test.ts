import { expect, test } from "vitest";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

const { shows } = useOffice((opened) => {
  ({ office, page, token } = opened);
});

interface TransferAnswer {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  readonly time_from: string;
  readonly allowed: readonly string[];
  readonly transfer: { readonly trips: readonly { readonly date: string; readonly time: string }[] };
}

const RESERVATIONS = "/api/v1/office/reservations";

async function read(id: number): Promise<TransferAnswer> {
  const { body } = await office.ask("GET", `${RESERVATIONS}/${id}`, { token });
  return (body as { readonly reservation: TransferAnswer }).reservation;
}

/** Returns an upcoming transfer, with both trips if available. */
async function findTransfer(): Promise<TransferAnswer> {
  const path = `${RESERVATIONS}?kind=transfer&date_from=${getDateInDays(2)}&page_size=50`;
  const { body } = await office.ask("GET", path, { token });
  const living = (body as { readonly data: readonly TransferAnswer[] }).data.filter(
    ({ status }) => status !== "cancelled",
  );
  const transferDetails = await Promise.all(living.slice(0, 8).map(({ id }) => read(id)));
  const chosenTransfer = transferDetails.find(({ transfer }) => transfer.trips.length === 2) ?? transferDetails[0];
  if (!chosenTransfer) throw new Error("the demo has no transfer to come");
  return chosenTransfer;
}

test("changes a transfer after showing the price first, with errors at their fields", async () => {
  const createdTransfer = await findTransfer();
  await page.goto(`${office.address}#/reservations/${createdTransfer.id}`);
  await page.getByRole("heading", { name: new RegExp(`Reservierung ${createdTransfer.id}`) }).waitFor();
  await shows("Hinfahrt");
  await office.looksRight("transfer", BOTH_THEMES);
  await page.getByRole("button", { name: "Reservierung ändern", exact: true }).click();
  const time = page.locator('[name="transfer.outward.time"]');
  await time.waitFor();
  await page.locator('[name="transfer.outward.date"]').fill("2020-01-01");
  await shows("Die Fahrt liegt in der Vergangenheit. Wählen Sie eine spätere Zeit.");
  expect(await page.locator(".sheet [type=submit]").isDisabled()).toBe(true);
  await page.locator('[name="transfer.outward.date"]').fill(createdTransfer.transfer.trips[0]?.date ?? "");
  await time.fill("23:40");
  await page.locator(".outcome", { hasText: "23:40" }).waitFor();
  await office.looksRight("transfer-change", BOTH_THEMES);
  await page.locator(".sheet [type=submit]:enabled", { hasText: "Reservierung ändern" }).click();
  await shows("Reservierung geändert");
  expect(await read(createdTransfer.id)).toMatchObject({ version: createdTransfer.version + 1, time_from: "23:40" });
  await page.locator(".timeline", { hasText: "Hinfahrt" }).waitFor();
  await office.looksRight("transfer-changed", BOTH_THEMES);
});
