import { createHmac } from "node:crypto";
import { expect, inject, test } from "vitest";
import { getNextPickup } from "#support/company-today.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];

const { shows, press, submit, ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

/** Long time limit for busy machines. */

interface Paper {
  readonly document_kind: string;
  readonly total: string;
}
interface ReservationAnswer {
  readonly reservation: { readonly status: string; readonly units: readonly { readonly reference: string | null }[] };
  readonly documents: readonly Paper[];
}
const read = async (id: number) => (await ask("GET", `/reservations/${id}`)).body as ReservationAnswer;
const readDamages = async (reference: string) =>
  ((await ask("GET", `/vehicles/${reference}`)).body as { readonly vehicle: { readonly damages: unknown } }).vehicle
    .damages;
const readVehicle = async (id: number) => (await read(id)).reservation.units[0]?.reference;

/** Creates a free vehicle in the fleet. */
async function newVehicle(reference: string) {
  const body = { reference, name: "Seat León", category_code: "COMP", rental_location_code: "PMI", fuel: "petrol" };
  expect((await ask("POST", "/vehicles", { ...body, usage_units: 10_000 })).status).toBe(201);
  return { reference, usage_units: 10_000 };
}

// Proves "check-in.md: trips for drivers": The office's sheets take damage at an exchange and a return
// Proves "office.md: lists and forms": A contract's whole life in the pages
test("creates, assigns, hands over, extends, exchanges, closes, invoices and credits a contract", async () => {
  const [first, second] = [await newVehicle(`LIFE-${Date.now()}`), await newVehicle(`LIFE-${Date.now() + 1}`)];
  const pickup = getNextPickup();
  await page.goto(`${office.address}#/reservations/new`);
  await page.getByLabel("Abholtag").fill(pickup.date);
  await page.getByLabel("Abholzeit").fill(pickup.time);
  await page.getByLabel("Rückgabetag").fill(getDateInDays(3));
  await page.getByLabel("Rückgabezeit").fill("10:00");
  await page.getByRole("radio", { name: /Kompakt.*frei/ }).check();
  await page.getByLabel("Vorname *").fill("Lena");
  await page.getByLabel("Nachname *").fill("Lebenslauf");
  await page.getByLabel("Ausweisnummer").fill("L01X00T47");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: /Reservierung \d+ · Lena Lebenslauf/ }).waitFor();
  const id = Number(/\/(\d+)/.exec(page.url().split("#")[1] ?? "")?.[1]);

  await page.goto(`${office.address}#/planning?from=${getDateInDays(0)}&days=7&storage=1&category=COMP`);
  const bar = page.locator(".unassigned .bar button", { hasText: "Lena Lebenslauf" });
  const row = page.locator(`[data-row="v-${first.reference}"]`);
  await bar.waitFor();
  await row.waitFor();
  const [from, to] = [await bar.boundingBox(), await row.boundingBox()];
  if (!from || !to) throw new Error("nothing to drag");
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 30, { steps: 3 });
  await page.mouse.move(from.x + 20, to.y + 15, { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => readVehicle(id)).toBe(first.reference);

  await page.goto(`${office.address}#/reservations/${id}`);
  await press("Fahrzeug übergeben");
  await page.getByLabel("Kilometerstand", { exact: true }).fill(String(first.usage_units + 1));
  await page.getByLabel("Tankstand", { exact: true }).selectOption("8");
  // Vehicle, driver, money: the deposit is taken another day.
  await submit();
  await page.locator("[name=driving_license_number]").waitFor();
  await submit();
  await page.locator('.sheet [name$=".amount"]').first().waitFor();
  for (const amount of await page.locator('.sheet [name$=".amount"]').all()) await amount.fill("");
  await submit();
  await page.getByRole("link", { name: "Check-in-App öffnen" }).waitFor();
  await submit();
  await press("Fertig");
  await press("Miete verlängern");
  await page.getByLabel("Rückgabetag").fill(getDateInDays(4));
  await page.locator(".sheet [type=submit]", { hasText: "Verlängern · +" }).click();
  await shows("Miete verlängert");
  await press("Fahrzeug tauschen");
  await submit();
  await shows("Füllen Sie dieses Feld aus.");
  await page.getByLabel("Fahrzeug *").selectOption(second.reference);
  for (const [label, value] of [
    ["Kilometerstand (zurückgegebenes Fahrzeug) *", first.usage_units + 90],
    ["Kilometerstand (Ersatzfahrzeug) *", second.usage_units + 1],
  ] as const)
    await page.getByLabel(label).fill(String(value));
  for (const label of ["Tankstand (zurückgegebenes Fahrzeug) *", "Tankstand (Ersatzfahrzeug) *"])
    await page.getByLabel(label, { exact: true }).selectOption("8");
  await press("Schaden hinzufügen");
  await page.locator('[name="damages_in.0.part"]').selectOption("roof");
  await page.locator('[name="damages_in.0.note"]').fill("Hagel");
  await office.looksRight("exchange", BOTH_THEMES);
  await submit();
  await shows("Fahrzeug getauscht");
  expect(await readVehicle(id)).toBe(second.reference);
  expect(await readDamages(first.reference)).toMatchObject([{ part: "roof", kind: "scratch", note: "Hagel" }]);
  await press("Rückgabe erfassen");
  await page.getByLabel("Kilometerstand *", { exact: true }).fill(String(second.usage_units + 120));
  await page.getByLabel("Tankstand *", { exact: true }).selectOption("8");
  await press("Vereinbarten Preis behalten");
  await submit();
  await press("Schaden hinzufügen");
  await page.locator('[name="damages.0.part"]').selectOption("left_mirror");
  await page.locator('[name="damages.0.kind"]').selectOption("missing");
  await submit();
  for (const amount of await page.locator('.sheet [name$=".amount"]').all()) await amount.fill("");
  await submit();
  await shows("Fahrzeug zurückgegeben");
  await press("Fertig");
  expect(await readDamages(second.reference)).toMatchObject([{ part: "left_mirror", kind: "missing", note: null }]);
  const closed = await read(id);
  expect(closed.reservation.status).toBe("done");
  const kinds = closed.documents.map(({ document_kind }) => document_kind);
  expect(kinds.some((kind) => kind === "full" || kind === "simplified")).toBe(true);
  await office.looksRight("closed", BOTH_THEMES);
  await press("Miete wieder öffnen");
  await page.getByLabel("Grund *").fill("Falsche Kilometer");
  await submit();
  await shows("Miete wieder geöffnet");
  const credited = (await read(id)).documents.find(({ document_kind }) => document_kind === "credit_note");
  expect(Number(credited?.total)).toBeLessThan(0);
});

const PARTNER = demoAccounts[0]?.partnerKeys[0];
const OTA = "/api/booking/ota";

/** Sends a signed agency request and returns the response. */
async function asAgency(path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
  const requestBody = body ? JSON.stringify(body) : "";
  const signature = createHmac("sha1", PARTNER?.secret ?? "")
    .update(path + requestBody)
    .digest("hex");
  const init = {
    method: body ? "POST" : "GET",
    headers: { Authorization: `${PARTNER?.apiKey}:${signature}`, "Content-Type": "application/json" },
    ...(body && { body: requestBody }),
  };
  return page.evaluate(`fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then((answer) => answer.json())`);
}

interface Search {
  readonly from: string;
  readonly to: string;
}

/** Returns the agency's price of the category, or undefined if it can't be booked on these dates. */
async function agencyPrice({ from, to }: Search): Promise<number | undefined> {
  const searchPeriod = { "date-from": from, "time-from": "10:00", "date-to": to, "time-to": "10:00" };
  const places = { "pickup-place": "1", "return-place": "1" };
  const { response } = (await asAgency(
    `${OTA}/availability?${new URLSearchParams({ ...searchPeriod, ...places })}`,
  )) as {
    readonly response?: { readonly products: readonly { readonly code: string; readonly price: string }[] };
  };
  const price = response?.products.find(({ code }) => code === "COMP")?.price;
  return price === undefined ? undefined : Number(price);
}

/** Finds three open days several weeks ahead. */
async function openDates(): Promise<Search & { readonly price: number }> {
  for (let ahead = 44; ahead < 60; ahead++) {
    const search = { from: getDateInDays(ahead), to: getDateInDays(ahead + 3) };
    const price = await agencyPrice(search);
    if (price) return { ...search, price };
  }
  throw new Error("The demo company sells nothing in these weeks.");
}

const readValues = (label: string) =>
  page
    .getByLabel(label)
    .locator("option")
    .evaluateAll((all) => all.map((item) => item.getAttribute("value") ?? ""));

// Proves "office.md: lists and forms": Prices of the table are an agency's and a website's
test("applies prices edited in the table to agencies and website visitors, but not to sold contracts", async () => {
  const { price: before, ...search } = await openDates();
  const booked = (reference: string) => ({
    reservation: {
      ...{ date_from: search.from, time_from: "10:00", date_to: search.to, time_to: "10:00" },
      ...{ pickup_place: 1, return_place: 1, customer_name: "Ana", customer_surname: reference },
      ...{ agency_reservation_id: reference, products: [{ code: "COMP" }] },
    },
  });
  expect(await asAgency(`${OTA}/booking`, booked("LIFE-BEFORE"))).toMatchObject({ success: true });
  await page.goto(`${office.address}#/prices-table`);
  await page.locator(".grid tbody input").first().waitFor();
  for (const season of await readValues("Saison"))
    for (const channel of await readValues("Kanal")) await addTen(season, channel);
  // Wait for the new price, because the catalogue is cached for up to one minute.
  await expect.poll(() => agencyPrice(search)).toBeGreaterThan(before);
  const after = (await agencyPrice(search)) ?? 0;
  expect(await asAgency(`${OTA}/booking`, booked("LIFE-AFTER"))).toMatchObject({ success: true });
  const readCost = async (reference: string) => {
    const { body } = await ask("GET", `/reservations?q=${reference}`);
    const [item] = (body as { readonly data: readonly { readonly item_cost: string }[] }).data;
    return Number(item?.item_cost);
  };
  expect([await readCost("LIFE-BEFORE"), await readCost("LIFE-AFTER")]).toEqual([before, after]);
  const visitor = await page.context().newPage();
  const { from, to } = search;
  const searchPeriod = {
    rb: "choose",
    "rb-from": from,
    "rb-from-time": "10:00",
    "rb-to": to,
    "rb-to-time": "10:00",
    "rb-pickup": "1",
  };
  await visitor.goto(
    `http://acme.localhost:${inject("port")}/?${new URLSearchParams({ lang: "en", ...searchPeriod })}`,
  );
  await visitor.locator(".products li", { hasText: "Compact" }).first().locator("button.main").click();
  await visitor.waitForSelector("[data-step=details] [data-total]");
  const total = ((await visitor.textContent("[data-total]")) ?? "").replace(/[^\d.]/g, "");
  expect(Number(total)).toBeGreaterThan(before);
  await visitor.fill("[name=customer_name]", "Vera");
  await visitor.fill("[name=customer_surname]", "Webseite");
  await visitor.fill("[name=customer_email]", "vera@example.com");
  await visitor.check("[name=accepted_terms]");
  await visitor.check("[data-choice=later]");
  await visitor.click("[data-order]");
  await visitor.waitForSelector("[data-status]");
  await visitor.close();
  expect(await readCost("Webseite")).toBeGreaterThan(before);
});

/** Raises the category's daily price by ten in the table of a season and channel, if it has one. */
async function addTen(season: string, channel: string): Promise<void> {
  const query = `/prices/table?${new URLSearchParams({ ...(season && { season }), ...(channel && { sales_channel: channel }) })}`;
  const read = page.waitForResponse((answer) => answer.url().endsWith(query));
  // Leave and return to reload the table.
  await page.goto(`${office.address}#/today`);
  await page.getByRole("heading", { name: "Heute", exact: true }).waitFor();
  await page.goto(`${office.address}#/prices-table`);
  await page.getByLabel("Saison").locator(`option[value="${season}"]`).waitFor({ state: "attached" });
  await page.getByLabel("Saison").selectOption(season);
  await page.getByLabel("Kanal").selectOption(channel);
  const { table } = (await (await read).json()) as {
    readonly table: { readonly rows: readonly { category_code: string; prices: readonly (string | null)[] }[] };
  };
  const at = table.rows.findIndex(({ category_code }) => category_code === "COMP");
  const prices = table.rows[at]?.prices ?? [];
  if (!prices.some(Boolean)) return;
  const inputs = page.locator(".grid tbody tr").nth(at).locator("input");
  for (const [column, price] of prices.entries()) {
    if (!price) continue;
    await expect.poll(() => inputs.nth(column).inputValue()).toBe(price.replace(".", ","));
    await inputs.nth(column).fill((Number(price) + 10).toFixed(2).replace(".", ","));
  }
  await press("Speichern");
  await shows("Bestehende Reservierungen behalten ihren Preis.");
}

test("shows an expired hold as expired before the cron job cancels it", async () => {
  const createdReservation = await ask("POST", "/reservations", {
    ...{ date_from: getDateInDays(120), time_from: "10:00", date_to: getDateInDays(122), time_to: "10:00" },
    ...{
      pickup_place: 1,
      return_place: 1,
      category_code: "COMP",
      customer: { name: "Otto", surname: "Offener Betrag" },
    },
    status: "pending_confirmation",
  });
  const { reservation } = createdReservation.body as {
    readonly reservation: { readonly id: number; readonly hold_until: string };
  };
  await page.goto(`${office.address}#/reservations/${reservation.id}`);
  await page
    .locator("#money ~ .notice", { hasText: /^Das Fahrzeug ist bis [^:]*:\d\d für den Kunden vorgemerkt\.$/ })
    .waitFor();
  const fullReservation = (await ask("GET", `/reservations/${reservation.id}`)).body as object;
  const past = { ...reservation, hold_until: reservation.hold_until.replace(/^\d{4}/, "2025") };
  await page.route(/office\/reservations\/\d+$/, (route) =>
    route.fulfill({ json: { ...fullReservation, reservation: past } }),
  );
  await page.goto(`${office.address}#/today`);
  await page.goto(`${office.address}#/reservations/${reservation.id}`);
  await page.locator("#money ~ .notice", { hasText: "Abgelaufen" }).waitFor();
  await page.unroute(/office\/reservations\/\d+$/);
});
