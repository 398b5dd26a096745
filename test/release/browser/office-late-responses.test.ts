import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

// Responses after the user has left a page neither navigate nor overwrite anything.
const users = demoAccounts.find(({ account }) => account === "acme")?.users ?? [];

let office: Office;
let page: Page;

const { ask, press, shows } = useOffice((opened) => {
  ({ office, page } = opened);
});

/** Holds requests of a method to matching URLs until released. Returns them. */
async function hold(method: string, address: RegExp) {
  const late = Promise.withResolvers<void>();
  const sentPaths: string[] = [];
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    sentPaths.push(route.request().url());
    await late.promise;
    await route.continue();
  });
  const releaseRequest = async () => {
    const answered = page.waitForResponse(
      (response) => response.request().method() === method && address.test(response.url()),
    );
    late.resolve();
    await answered;
    await page.unroute(address);
  };
  const expectRequest = () => expect.poll(() => sentPaths.length).toBeGreaterThan(0);
  return { asked: sentPaths, isAsked: expectRequest, letGo: releaseRequest };
}

const go = (place: string) => page.evaluate(`location.hash = "#/${place}"`);
const readAddressHash = () => page.evaluate<string>("location.hash");

interface Listed {
  readonly id: number;
  readonly version: number;
  readonly total_pending: string;
}

const listReservations = async (path: string) =>
  ((await ask("GET", path)).body as { readonly data: readonly Listed[] }).data;

async function book(days: number, surname: string): Promise<Listed> {
  const { body } = await ask("POST", "/reservations", {
    ...{ date_from: getDateInDays(days), time_from: "10:00", date_to: getDateInDays(days + 2), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP", customer: { name: "Tess", surname } },
  });
  return (body as { readonly reservation: Listed }).reservation;
}

async function fillSale(surname: string): Promise<void> {
  await go("reservations/new");
  await page.getByLabel("Abholtag").fill(getDateInDays(60));
  await page.getByLabel("Rückgabetag").fill(getDateInDays(62));
  await page.getByRole("radio", { name: /Kompakt.*frei/ }).check();
  await page.getByLabel("Vorname *").fill("Tess");
  await page.getByLabel("Nachname *").fill(surname);
  await page.getByRole("button", { name: /Reservierung anlegen · / }).waitFor();
}

/** Submits a sale and holds its response until released. */
async function sellLate(surname: string) {
  await fillSale(surname);
  const sale = await hold("POST", /office\/reservations$/);
  await page.keyboard.press("Control+Enter");
  await sale.isAsked();
  return sale;
}

async function goToToday(): Promise<void> {
  await go("today");
  await page.getByRole("heading", { name: "Heute", exact: true }).waitFor();
}

test("shows a notice instead of navigating after a late response to a new reservation, and sends that only once", async () => {
  const sale = await sellLate("Spaet");
  // After returning to the form, it's still being submitted and can't be submitted again.
  await goToToday();
  await go("reservations/new");
  expect(await page.getByLabel("Nachname *").inputValue()).toBe("Spaet");
  expect(await page.getByRole("button", { name: /Reservierung anlegen/ }).isDisabled()).toBe(true);
  await page.keyboard.press("Control+Enter");
  await goToToday();
  await sale.letGo();
  await page.locator(".late", { hasText: /Neue Reservierung: Reservierung \d+/ }).waitFor();
  expect([
    await readAddressHash(),
    sale.asked.length,
    (await listReservations("/reservations?q=Spaet")).length,
  ]).toEqual(["#/today", 1, 1]);
  await page.locator(".late button").click();
  await go("reservations/new");
  expect(await page.getByLabel("Nachname *").inputValue()).toBe("");
});

test("opens the new reservation for a user who returned to its form before the late response", async () => {
  const sale = await sellLate("Zurueck");
  await goToToday();
  await go("reservations/new");
  await page.getByRole("heading", { name: "Neue Reservierung" }).waitFor();
  await sale.letGo();
  await page.getByRole("heading", { name: /Reservierung \d+ · Tess Zurueck/ }).waitFor();
  expect(await listReservations("/reservations?q=Zurueck")).toHaveLength(1);
});

test("keeps the open page and form after a late payment response, and reloads the payment's page later", async () => {
  const { id } = await book(90, "Kassel");
  await go(`reservations/${id}/money`);
  await page.getByLabel("Zahlungsart *").selectOption("cash");
  const money = await hold("POST", /\/charges$/);
  await page.locator(".sheet [type=submit]").click();
  await money.isAsked();
  await page.keyboard.press("Escape");
  await press("Reservierung stornieren");
  await money.letGo();
  await page.locator(".late", { hasText: "Zahlung erfassen" }).waitFor();
  expect(await page.locator(".sheet h2").textContent()).toContain("Reservierung stornieren");
  await page.locator(".title", { hasText: "Kassel" }).waitFor();
  await page.locator("#money ~ ul", { hasText: "Bar ·" }).waitFor();
  await page.keyboard.press("Escape");
  // The late response to a cancellation arrives while the user is on another page.
  await go(`reservations/${id}/cancel`);
  await page.getByLabel("Grund *").fill("Kommt nicht");
  const cancelling = await hold("POST", /\/cancel$/);
  await page.locator(".sheet [type=submit]").click();
  await cancelling.isAsked();
  await goToToday();
  await cancelling.letGo();
  await page.locator(".late", { hasText: `Reservierung ${id}: Reservierung storniert` }).waitFor();
  expect(await readAddressHash()).toBe("#/today");
});

test("handles late responses after saving a customer or deleting a list item without navigation", async () => {
  await go("customers/new");
  await page.locator(".sheet").getByLabel("Vorname").fill("Tess");
  await page.locator(".sheet").getByLabel("Nachname", { exact: true }).fill("Kundin");
  const customer = await hold("POST", /office\/customers$/);
  await page.locator(".sheet [type=submit]").click();
  await customer.isAsked();
  await page.keyboard.press("Escape");
  await customer.letGo();
  await page.locator(".late", { hasText: "Gespeichert" }).waitFor();
  expect(await readAddressHash()).toBe("#/customers");
  await go("list/families/new");
  await page.getByLabel("Code *").fill("LATE");
  await page.getByLabel("Name *").fill("Spätlinge");
  const familyRequest = await hold("POST", /office\/families$/);
  await press("Speichern");
  await familyRequest.isAsked();
  await goToToday();
  await familyRequest.letGo();
  await page.locator(".late", { hasText: "Gespeichert" }).waitFor();
  expect(await readAddressHash()).toBe("#/today");
  const [made] = await listReservations(`/families?q=${encodeURIComponent("Spätlinge")}`);
  await go(`list/families/${made?.id}`);
  const removal = await hold("DELETE", /office\/families\//);
  await press("Löschen");
  await press("Endgültig löschen");
  await removal.isAsked();
  await goToToday();
  await removal.letGo();
  await page.locator(".late", { hasText: "gelöscht" }).waitFor();
  expect(await readAddressHash()).toBe("#/today");
});

const today = () => page.getByRole("heading", { name: "Heute", exact: true }).waitFor();

/** Creates a free vehicle and shows it on the board from a day. */
async function vehicleOnBoard(reference: string, from: number): Promise<string> {
  const vehicle = { reference, name: "Seat León", category_code: "COMP", rental_location_code: "PMI" };
  expect(await ask("POST", "/vehicles", { ...vehicle, fuel: "petrol", usage_units: 10 })).toMatchObject({
    status: 201,
  });
  return `planning?from=${getDateInDays(from)}&days=7&storage=1&category=COMP`;
}

const findRow = (reference: string) => page.locator(`[data-row="v-${reference}"]`);

async function countBlocks(reference: string): Promise<number> {
  const { body } = await ask("GET", `/vehicles/${reference}`);
  return (body as { readonly vehicle: { readonly blocks: readonly unknown[] } }).vehicle.blocks.length;
}

test("blocks a vehicle once after a late response, and notifies a user who has left the page or closed the form", async () => {
  const reference = `LATE-${Date.now()}`;
  const board = await vehicleOnBoard(reference, 200);
  const isBlockable = () => page.locator(".sheet [type=submit]").isEnabled();
  await go(board);
  await findRow(reference).locator(".label").click();
  await page.getByLabel("Notiz").fill("Kupplung");
  const block = await hold("POST", /\/blocks$/);
  await page.locator(".sheet [type=submit]").click();
  await block.isAsked();
  await go("today");
  await today();
  // After returning, it's still being submitted and can't be submitted again.
  await go(board);
  await findRow(reference).locator(".label").click();
  expect([await page.getByLabel("Notiz").inputValue(), await isBlockable()]).toEqual(["Kupplung", false]);
  await page.getByLabel("Notiz").press("Enter");
  await page.keyboard.press("Escape");
  await block.letGo();
  await page.locator(".late", { hasText: `${reference} ist gesperrt.` }).waitFor();
  await findRow(reference).locator("[data-state=blocked]").waitFor();
  expect([block.asked.length, await countBlocks(reference)]).toEqual([1, 1]);
  // The block is removed while the user is on another page.
  await findRow(reference).locator("[data-state=blocked]").click();
  const removal = await hold("DELETE", /\/blocks\//);
  await press("Sperre aufheben");
  await removal.isAsked();
  await go("today");
  await today();
  await removal.letGo();
  await page.locator(".late", { hasText: reference }).waitFor();
  expect([await readAddressHash(), await countBlocks(reference)]).toEqual(["#/today", 0]);
});

test("notifies a user who left about a late extension, and reloads the board", async () => {
  const reference = `LONG-${Date.now()}`;
  const board = await vehicleOnBoard(reference, 210);
  const { id, version } = await book(211, "Laenger");
  const body = { expected_version: version, reference };
  expect(await ask("POST", `/reservations/${id}/assign`, body)).toMatchObject({ status: 200 });
  await go(board);
  const bar = findRow(reference).locator("button", { hasText: "Laenger" });
  const longer = async () => {
    await bar.focus();
    await page.keyboard.press("e");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
  };
  await longer();
  const change = await hold("PATCH", /\/reservations\/\d+$/);
  await page.locator(".sheet .foot .main:enabled", { hasText: "Reservierung ändern" }).click();
  await change.isAsked();
  await page.keyboard.press("Escape");
  await longer();
  expect(await page.locator(".sheet .foot .main").isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  const width = async () => (await bar.boundingBox())?.width ?? 0;
  const before = await width();
  await change.letGo();
  await page.locator(".toast, .late", { hasText: "Reservierung ändern: Tess Laenger" }).waitFor();
  await expect.poll(width).toBeGreaterThan(before);
  expect(change.asked).toHaveLength(1);
});

test("shows a webhook's new secret after a late response on any page, and creates it once", async () => {
  const { body } = await ask("POST", "/webhooks", { url: "http://127.0.0.1:9/late" });
  const { id } = (body as { readonly webhook: { readonly id: string } }).webhook;
  await go(`list/webhooks/${id}`);
  const rotation = await hold("POST", /\/rotate-secret$/);
  await press("Secret erneuern");
  await page.getByRole("button", { name: /Secret erneuern/ }).click();
  await rotation.isAsked();
  await go("today");
  await today();
  await go(`list/webhooks/${id}`);
  expect(await page.getByRole("button", { name: "Testereignis senden" }).isDisabled()).toBe(true);
  await go("today");
  await today();
  await rotation.letGo();
  await page.locator(".late", { hasText: /whsec_/ }).waitFor();
  expect([await readAddressHash(), rotation.asked.length]).toEqual(["#/today", 1]);
});

test("shows a late import and its reversal on any page, and runs each once", async () => {
  const choose = (surname: string) =>
    page.getByLabel(/^Dateien \(/).setInputFiles({
      ...{ name: "clientes.csv", mimeType: "text/csv" },
      buffer: Buffer.from(`Nombre;Apellidos;NIF\r\nAna;${surname};90000077A`),
    });
  await go("imports");
  await choose("Importina");
  const writing = await hold("POST", /office\/imports$/);
  await press("Importieren");
  await writing.isAsked();
  await go("today");
  await today();
  await go("imports");
  await page.getByText("Wird importiert …").waitFor();
  expect(await page.getByLabel(/^Dateien \(/).isDisabled()).toBe(true);
  await go("today");
  await today();
  await writing.letGo();
  await page.locator(".late", { hasText: "Importiert: 1 neu" }).waitFor();
  expect([writing.asked.length, (await listReservations("/customers?q=Importina")).length]).toEqual([1, 1]);
  await go("imports");
  const back = await hold("POST", /\/undo$/);
  await page.getByRole("button", { name: /^Import rückgängig machen/ }).click();
  await page.getByRole("button", { name: /Import rückgängig machen/ }).click();
  await back.isAsked();
  await go("today");
  await today();
  await back.letGo();
  await page.locator(".late", { hasText: "Import rückgängig gemacht" }).waitFor();
  expect(await listReservations("/customers?q=Importina")).toEqual([]);
});

test("ignores list results of an earlier search text", async () => {
  await go("list/extras");
  await shows(/Treffer/);
  const first = await hold("GET", /office\/extras\?.*q=zzz/);
  await page.getByRole("searchbox", { name: "Suchen" }).fill("zzz");
  await first.isAsked();
  await page.getByRole("searchbox", { name: "Suchen" }).fill("");
  await page.waitForResponse((response) => /office\/extras\?/.test(response.url()) && !response.url().includes("q="));
  const before = await page.locator("tbody tr").count();
  await first.letGo();
  await page.evaluate("new Promise(requestAnimationFrame)");
  expect([before > 0, await page.locator("tbody tr").count()]).toEqual([true, before]);
});

test("never shows or saves a late response with another season's prices in the selected season", async () => {
  await go("prices-table");
  await page.locator("table input").first().waitFor();
  const select = page.getByLabel("Saison");
  await select.locator("option >> nth=1").waitFor({ state: "attached" });
  const season = await page.evaluate<string>("[...document.querySelectorAll('main select')][0].options[1].value");
  const cells = () =>
    page.evaluate<string>("[...document.querySelectorAll('table input')].map((one) => one.value).join()");
  await select.selectOption("");
  const usual = await cells();
  const table = await hold("GET", new RegExp(`prices/table\\?season=${season}`));
  await select.selectOption(season);
  await table.isAsked();
  // Old data isn't shown under the new name.
  expect(await page.locator("table input").count()).toBe(0);
  await select.selectOption("");
  await page.locator("table input").first().waitFor();
  await table.letGo();
  await page.evaluate("new Promise(requestAnimationFrame)");
  expect(await cells()).toBe(usual);
});

test("ignores a late response to a user who signed out", async () => {
  await go("fleet");
  const old = await hold("GET", /office\/reservations\?.*q=nobody/);
  await go("reservations?q=nobody");
  await old.isAsked();
  await go("reservations");
  await page.locator(".person > summary").click();
  await press("Abmelden");
  // On the same page, because a reload would drop pending requests.
  const { username = "", password = "" } = users.find((user) => user.username.startsWith("staff")) ?? {};
  await page.getByLabel("E-Mail oder Benutzer").fill(username);
  await page.getByLabel("Passwort").fill(password);
  await press("Anmelden");
  await page.getByRole("heading", { name: "Reservierungen", exact: true }).waitFor();
  const token = await office.token();
  // The late request of the ended session gets a 401 response, which must not sign out the new session.
  await old.letGo();
  await page.evaluate("new Promise(requestAnimationFrame)");
  expect(await office.token()).toBe(token);
  await page.getByRole("heading", { name: "Reservierungen", exact: true }).waitFor();
});
