import { beforeAll, expect, test } from "vitest";
import { getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";
import { saveScreenshot } from "../../browser/page-checks.ts";

const DAYS = 7;
const FIRST = 90;
const VEHICLE = `BOARD-${Date.now()}`;
let office: Office;
let page: Office["page"];
let id: number;

const { shows, ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

const inSheet = (name: string) => page.locator(".sheet .foot .main:enabled", { hasText: name });
const undo = () => page.locator(".toast").getByRole("button", { name: "Rückgängig" }).click();
const bar = () => page.locator(".bar button", { hasText: "Dora Dehnbar" });
const block = () => page.locator(`[data-row="v-${VEHICLE}"] [data-state=blocked]`);

interface ReservationAnswer {
  readonly reservation: { readonly id: number; readonly version: number; readonly date_to: string };
}
const dateTo = async () => ((await ask("GET", `/reservations/${id}`)).body as ReservationAnswer).reservation.date_to;

/** Creates a free vehicle with a three-day contract in the middle of the shown week. */
beforeAll(async () => {
  const vehicle = { reference: VEHICLE, name: "Seat León", category_code: "COMP", rental_location_code: "PMI" };
  expect(await ask("POST", "/vehicles", { ...vehicle, fuel: "petrol", usage_units: 10 })).toMatchObject({
    status: 201,
  });
  const createdReservation = await ask("POST", "/reservations", {
    ...{ date_from: getDateInDays(FIRST + 1), time_from: "10:00", date_to: getDateInDays(FIRST + 3), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP" },
    customer: { name: "Dora", surname: "Dehnbar", email: "dora@example.com" },
  });
  const { reservation } = createdReservation.body as ReservationAnswer;
  id = reservation.id;
  const body = { expected_version: reservation.version, reference: VEHICLE };
  expect(await ask("POST", `/reservations/${id}/assign`, body)).toMatchObject({ status: 200 });
  await page.goto(`${office.address}#/planning?from=${getDateInDays(FIRST)}&days=${DAYS}&storage=1&category=COMP`);
  await bar().scrollIntoViewIfNeeded();
}, 60_000);

interface Point {
  readonly x: number;
  readonly y: number;
}

async function drag(from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

async function readBox(locator: ReturnType<Office["page"]["locator"]>) {
  const box = await locator.boundingBox();
  if (!box) throw new Error("It is not on the screen.");
  return box;
}

const dayWidth = async () => (await readBox(page.locator(".days-head span:not(.corner)").first())).width;

// Proves "office.md": The board: an end is dragged with its quote, undone with its own
test("shows the price of a contract end changed by dragging before applying or undoing it", async () => {
  const before = await dateTo();
  const { x, y, width, height } = await readBox(bar());
  const end = { x: x + width - 4, y: y + height / 2 };
  await drag(end, { x: end.x + (await dayWidth()), y: end.y });
  await page.locator(".outcome", { hasText: "3 Tage" }).waitFor();
  await inSheet("Reservierung ändern").click();
  await shows("Reservierung ändern: Dora Dehnbar");
  expect(await dateTo()).toBe(getDateInDays(FIRST + 4));
  await undo();
  await page.locator(".outcome", { hasText: "2 Tage" }).waitFor();
  await inSheet("Rückgängig").click();
  await shows("Änderung rückgängig gemacht");
  expect(await dateTo()).toBe(before);
});

// Proves "office.md": The board: a stretch drawn and blocked, the block moved, both taken back
test("blocks free days drawn on the board, drags the block, and undoes both", async () => {
  const { y, height, x } = await readBox(bar());
  const day = await dayWidth();
  const at = y + height / 2;
  // The two days after the contract.
  await drag({ x: x + 3 * day, y: at }, { x: x + 4 * day, y: at });
  await page.locator(".sheet").getByLabel("Grund").selectOption("workshop");
  await inSheet("Fahrzeug sperren").click();
  await block().waitFor();
  const from = await readBox(block());
  await drag({ x: from.x + 20, y: at }, { x: from.x + 20 - day, y: at });
  await shows(new RegExp(`${VEHICLE}: aus .* wird `));
  await inSheet("Sperre verschieben").click();
  await expect.poll(async () => Math.round(from.x - (await readBox(block())).x)).toBe(Math.round(day));
  await undo();
  await shows("Änderung rückgängig gemacht");
  await expect.poll(async () => Math.round((await readBox(block())).x)).toBe(Math.round(from.x));
  await page.locator(`[data-row="v-${VEHICLE}"] .label`).scrollIntoViewIfNeeded();
  await block().click();
  await page.getByRole("button", { name: "Sperre aufheben" }).click();
  await expect.poll(() => block().count()).toBe(0);
  expect(office.faults()).toEqual([]);
});

test("shows the categories' names in full, also on a phone", async () => {
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 1000 });
    await page.goto(`${office.address}#/planning`);
    await page.locator(".row.category").first().waitFor();
    const cut = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('.category-name span')].filter((name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth).map((name) => name.textContent)",
    );
    expect([width, cut]).toEqual([width, []]);
    await saveScreenshot(page, `office-board-names-${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 1000 });
});
