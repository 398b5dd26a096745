import { createHmac } from "node:crypto";
import { expect, inject, test } from "vitest";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { BOTH_THEMES, inDays, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

useOffice((opened) => {
  ({ office, page, token } = opened);
});

const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const submit = () => page.locator(".sheet [type=submit]").click();
const ask = (method: string, path: string, body?: unknown) =>
  office.ask(method, `/api/v1/office${path}`, { token, body });

interface Paper {
  readonly document_kind: string;
  readonly total: string;
}
interface Whole {
  readonly reservation: { readonly status: string; readonly units: readonly { readonly reference: string | null }[] };
  readonly documents: readonly Paper[];
}
const read = async (id: number) => (await ask("GET", `/reservations/${id}`)).body as Whole;
const vehicleOf = async (id: number) => (await read(id)).reservation.units[0]?.reference;

/** Two vehicles of the category that nobody has and that are home. */
async function freeVehicles(): Promise<readonly { readonly reference: string; readonly usage_units: number }[]> {
  const { body } = await ask("GET", "/planning?date_from=" + inDays(0) + "&days=14&rental_storage_id=1&category_code=COMP");
  const { vehicles } = body as {
    readonly vehicles: readonly {
      readonly reference: string;
      readonly contracts: readonly unknown[];
      readonly blocks: readonly unknown[];
    }[];
  };
  const free = vehicles.filter(({ contracts, blocks }) => contracts.length + blocks.length === 0).slice(0, 2);
  return Promise.all(
    free.map(async ({ reference }) => {
      const whole = await ask("GET", `/vehicles/${reference}`);
      return (whole.body as { readonly vehicle: { reference: string; usage_units: number } }).vehicle;
    }),
  );
}

test("a contract is made, assigned on the board, handed over, extended, exchanged, closed, invoiced and credited", async () => {
  const [first, second] = await freeVehicles();
  if (!first || !second) throw new Error("The demo company has no two free vehicles.");
  await page.goto(`${office.address}#/reservations/new`);
  await page.getByLabel("Abholtag").fill(inDays(0));
  await page.getByLabel("Abholzeit").fill("23:30");
  await page.getByLabel("Rückgabetag").fill(inDays(3));
  await page.getByLabel("Rückgabezeit").fill("10:00");
  await page.getByRole("radio", { name: /Compacto.*frei/ }).check();
  await page.getByLabel("Vorname *").fill("Lena");
  await page.getByLabel("Nachname *").fill("Lebenslauf");
  await page.getByLabel("Ausweis").fill("L01X00T47");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: /Reservierung \d+ · Lena Lebenslauf/ }).waitFor();
  const id = Number(/\/(\d+)/.exec(page.url().split("#")[1] ?? "")?.[1]);

  await page.goto(`${office.address}#/planning?from=${inDays(0)}&days=7&storage=1&category=COMP`);
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
  await page.locator(".sheet .foot .main").click();
  await expect.poll(() => vehicleOf(id)).toBe(first.reference);

  await page.goto(`${office.address}#/reservations/${id}`);
  await press("Übergeben");
  await page.getByLabel("Kilometer", { exact: true }).fill(String(first.usage_units + 1));
  await page.getByLabel("Kraftstoff", { exact: true }).selectOption("8");
  await submit();
  await shows("Sie ist übergeben.");
  await press("Verlängern");
  await page.getByLabel("Rückgabetag").fill(inDays(4));
  await page.locator(".sheet [type=submit]", { hasText: "Verlängern · +" }).click();
  await shows("Sie ist verlängert.");
  await press("Fahrzeug tauschen");
  await submit();
  await shows("Das wird gebraucht.");
  await page.getByLabel("Fahrzeug *").selectOption(second.reference);
  for (const [label, value] of [
    ["Kilometer des zurückkommenden *", first.usage_units + 90],
    ["Kilometer des hinausgehenden *", second.usage_units + 1],
  ] as const)
    await page.getByLabel(label).fill(String(value));
  for (const label of ["Sein Kraftstoff *", "Auch sein Kraftstoff *"]) await page.getByLabel(label).selectOption("8");
  await office.looksRight("exchange", BOTH_THEMES);
  await submit();
  await shows("Das Fahrzeug ist getauscht.");
  expect(await vehicleOf(id)).toBe(second.reference);
  await press("Zurücknehmen");
  await page.getByLabel("Kilometer", { exact: true }).fill(String(second.usage_units + 120));
  await page.getByLabel("Kraftstoff", { exact: true }).selectOption("8");
  await submit();
  await shows("Sie ist zurückgenommen.");
  const closed = await read(id);
  expect(closed.reservation.status).toBe("done");
  const kinds = closed.documents.map(({ document_kind }) => document_kind);
  expect(kinds.some((kind) => kind === "full" || kind === "simplified")).toBe(true);
  await office.looksRight("closed", BOTH_THEMES);
  await press("Wieder öffnen");
  await page.getByLabel("Grund *").fill("Falsche Kilometer");
  await submit();
  await shows("Sie ist wieder offen.");
  const credited = (await read(id)).documents.find(({ document_kind }) => document_kind === "credit_note");
  expect(Number(credited?.total)).toBeLessThan(0);
});

const PARTNER = demoAccounts[0]?.partnerKeys[0];

/** What an agency is asked for a category on given dates, as its signed search hears it. */
async function agencyPrice(from: string, to: string): Promise<string | undefined> {
  const asked = { "date-from": from, "time-from": "10:00", "date-to": to, "time-to": "10:00" };
  const path = `/api/booking/ota/availability?${new URLSearchParams({ ...asked, "pickup-place": "1", "return-place": "1" })}`;
  const signature = createHmac("sha1", PARTNER?.secret ?? "")
    .update(path)
    .digest("hex");
  const text = await page.evaluate<string>(
    `fetch(${JSON.stringify(path)}, { headers: { Authorization: ${JSON.stringify(`${PARTNER?.apiKey}:${signature}`)} } }).then((answer) => answer.text())`,
  );
  const { products = [] } = JSON.parse(text) as { products?: readonly { code: string; price: string | number }[] };
  return products.find(({ code }) => code === "COMP")?.price.toString();
}

test("a season's price is changed in the table: the next search of an agency and of the website sells at it", async () => {
  const [from, to] = [inDays(40), inDays(43)];
  const before = await agencyPrice(from, to);
  expect(Number(before)).toBeGreaterThan(0);
  // Every season and channel that has a price of these three days is another by a half.
  await page.goto(`${office.address}#/prices-table`);
  await page.locator(".grid tbody input").first().waitFor();
  const seasons = await page.getByLabel("Saison").locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value") ?? ""));
  const channels = await page.getByLabel("Kanal").locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value") ?? ""));
  for (const season of seasons)
    for (const channel of channels) await addTen(season, channel);
  await expect.poll(() => agencyPrice(from, to), { timeout: 90_000 }).not.toBe(before);
  const after = await agencyPrice(from, to);
  expect(Number(after)).toBeGreaterThan(Number(before));
  const visitor = await page.context().newPage();
  await visitor.goto(
    `http://acme.localhost:${inject("port")}/?lang=en&rb=choose&rb-from=${from}&rb-from-time=10:00&rb-to=${to}&rb-to-time=10:00&rb-pickup=1`,
  );
  const card = visitor.locator(".products li", { hasText: "Comp" }).first();
  await card.waitFor();
  await card.locator("button.main").click();
  await visitor.waitForSelector("[data-step=details] [data-total]");
  const total = ((await visitor.textContent("[data-total]")) ?? "").replace(/[^\d.]/g, "");
  expect(Number(total)).toBeGreaterThan(Number(before));
  await visitor.close();
});

/** Ten more a day for the category, where the table of a season and a channel has a price of it. */
async function addTen(season: string, channel: string): Promise<void> {
  await page.getByLabel("Saison").selectOption(season);
  await page.getByLabel("Kanal").selectOption(channel);
  const query = new URLSearchParams({ ...(season && { season }), ...(channel && { sales_channel: channel }) });
  await page.waitForResponse((answer) => answer.url().includes("/prices/table"), { timeout: 2000 }).catch(() => undefined);
  const { body } = await ask("GET", `/prices/table?${query}`);
  const { rows } = (body as { readonly table: { rows: readonly { category_code: string; prices: readonly (string | null)[] }[] } }).table;
  const at = rows.findIndex(({ category_code }) => category_code === "COMP");
  const prices = rows[at]?.prices ?? [];
  if (!prices.some(Boolean)) return;
  const inputs = page.locator(".grid tbody tr").nth(at).locator("input");
  for (const [column, price] of prices.entries())
    if (price) await inputs.nth(column).fill(String(Number(price) + 10).replace(".", ","));
  await press("Speichern");
  await shows("Was verkauft ist, behält seinen Preis.");
}
