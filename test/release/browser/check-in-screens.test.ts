import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, type CivilDate } from "#domain/dates.ts";
import { formatCount } from "#domain/money-notation.ts";
import { closePages, openBrowser } from "#support/browser.ts";
import { createBooking, createTrip, createUnit, createVehicle } from "#support/check-in/day.ts";
import { addDeskRoutes } from "#support/check-in/desk.ts";
import { type CheckInServer, startCheckInServer } from "#support/check-in/server.ts";
import { startCheckInSite } from "#support/check-in-site.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import {
  completeHandOver,
  drawSignature,
  expectAccessible,
  finishHandOver,
  PHONE_VIEWPORT,
  saveCheckInScreenshot,
  signIn,
  waitForExpression,
  waitUntilAllSynced,
  waitUntilInstalled,
} from "../../browser/phone.ts";

// Every screen and state in both themes: no axe violations, nothing wider than the device, and a screenshot for review.

let browser: Browser;
let server: CheckInServer;
let site: Awaited<ReturnType<typeof startCheckInSite>>;
const problems: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  server = startCheckInServer();
  const today = getTodayAtCompany();
  for (let id = 1; id <= 40; id++) {
    const isOut = id > 30;
    const vehicle = createVehicle(id, { state: isOut ? "out" : "free" });
    server.vehicles.set(vehicle.reference, vehicle);
    const delivery = { at: `${today}T08:00:00Z`, by: "jordi", kilometres: vehicle.kilometres - 900, fuel_eighths: 8 };
    const unit = isOut
      ? createUnit(id, { state: "out", vehicle, delivery })
      : createUnit(id, { vehicle: id % 3 === 0 ? null : vehicle });
    server.bookings.set(id, createBooking(id, today, { resources: [unit] }));
  }
  // Tomorrow, so that the office can cancel it at any time of day.
  const later = { date_from: addDays(today as CivilDate, 1), round_trip: true };
  const back = { name: "Hotel Formentor", address: null, flight: null };
  const airport = { name: "Palma airport", address: null, flight: "LH1853 21:10" };
  server.trips.push(
    createTrip(71, today, later),
    createTrip(72, today, { ...later, time: "10:05" }),
    createTrip(73, today, { time: "00:10", position: "return", round_trip: true, origin: back, destination: airport }),
    createTrip(74, today, {
      time: "15:30",
      status: "cancelled",
      vehicle: "Saloon",
      adults: 2,
      children: 0,
      infants: 0,
    }),
    createTrip(75, today, { time: "18:00", status: "pending_confirmation", comments: null, extras: [] }),
  );
  addDeskRoutes(server);
  site = await startCheckInSite(server);
});

afterAll(async () => {
  await closePages(browser);
  await site.stop();
});

async function openPhone(
  colorScheme: "light" | "dark",
  width = PHONE_VIEWPORT.width,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({
    viewport: { width, height: PHONE_VIEWPORT.height },
    colorScheme,
    locale: "en",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    // Expected browser messages about a lost network and about work stored as evidence.
    const isExpected = /ERR_INTERNET_DISCONNECTED|409 \(Conflict\)/.test(message.text());
    if (message.type() === "error" && !isExpected) problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(site.address);
  return { page, context };
}

describe.each(["light", "dark"] as const)("the check-in app in the %s theme", (colorScheme) => {
  test("shows every screen readable, accessible and within the phone's width", async () => {
    const { page, context } = await openPhone(colorScheme);
    const takeScreenshot = async (name: string) => {
      await expectAccessible(page, name);
      await saveCheckInScreenshot(page, `${colorScheme}-${name}`);
    };
    await page.waitForSelector("[name=username]");
    await takeScreenshot("sign-in");
    await page.fill("[name=username]", "manager@acme.test");
    await page.fill("[name=password]", "wrong");
    await page.click("button[type=submit]");
    await page.waitForSelector("[role=alert]");
    await takeScreenshot("sign-in-wrong");
    await signIn(page, "manager@acme.test");
    await takeScreenshot("day");
    await page.fill("input[type=search]", "nobody at all");
    await page.waitForSelector(".empty");
    await takeScreenshot("day-nothing-found");
    await page.fill("input[type=search]", "");
    await page.click(".tabs button >> nth=1");
    await takeScreenshot("day-collections");
    await page.click(".tabs button >> nth=2");
    await page.waitForSelector(".entry:has-text('Hotel Formentor')");
    await takeScreenshot("day-transfers");
    const booking = colorScheme === "light" ? 2 : 4;
    await page.goto(`${site.address}#/booking/${booking}`);
    await page.waitForSelector(".legs");
    await takeScreenshot("booking");
    await context.setOffline(true);
    await completeHandOver(page, { kilometres: "9", photos: 2, onStep: takeScreenshot });
    await takeScreenshot("booking-waiting");
    await page.goto(`${site.address}#/outbox`);
    await page.waitForSelector(".action .main");
    await page.click(".item .link");
    await takeScreenshot("outbox-offline");
    await page.goto(`${site.address}#/office`);
    await page.waitForSelector(".empty");
    await takeScreenshot("office-offline");
    await context.setOffline(false);
    await waitUntilAllSynced(page);
    await page.goto(`${site.address}#/booking/${colorScheme === "light" ? 31 : 32}`);
    await page.waitForSelector(".legs");
    await page.click(".action .main");
    await page.fill("[name=kilometres]", "11500");
    await page.click(".fuel .options label >> nth=5");
    await page.waitForSelector("h2:has-text('Charges at return')");
    await takeScreenshot("collection-readings");
    await page.goto(`${site.address}#/outbox`);
    await page.waitForSelector(".item");
    await takeScreenshot("outbox-received");
    await page.goto(`${site.address}#/more`);
    await page.waitForSelector(".card");
    await takeScreenshot("more");
    await context.close();
  });

  // Proves "check-in.md: trips for drivers": On the phone: found, opened without a network, cancelled with one
  test("finds and opens a transfer offline, and cancels it online", async () => {
    const { page, context } = await openPhone(colorScheme);
    const id = colorScheme === "light" ? 71 : 72;
    await signIn(page, "manager@acme.test");
    await page.click(".tabs button >> nth=2");
    await page.fill("input[type=search]", `${id}`);
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    await page.evaluate("navigator.serviceWorker.ready");
    await context.setOffline(true);
    await page.click(".entry");
    await page.waitForSelector(".legs");
    expect(await page.getAttribute(".action .other", "href")).toBe("tel:+49151000000");
    await expectAccessible(page, "transfer");
    await saveCheckInScreenshot(page, `${colorScheme}-transfer`);
    await page.click("button.danger");
    await page.fill("[name=reason]", "The road is closed");
    expect(await page.isDisabled("[role=alertdialog] .danger")).toBe(true);
    await expectAccessible(page, "transfer-cancel-offline");
    await saveCheckInScreenshot(page, `${colorScheme}-transfer-cancel-offline`);
    await context.setOffline(false);
    await page.click("[role=alertdialog] .danger:not(:disabled)");
    await page.waitForSelector(".chip:has-text('Cancelled')");
    expect(await page.locator("[role=alertdialog], button.danger").count()).toBe(0);
    expect(server.trips.find(({ booking_id }) => booking_id === id)?.status).toBe("cancelled");
    expect(server.requests.find(({ path }) => path.includes(`/${id}/cancel`))?.body).toContain("The road is closed");
    await expectAccessible(page, "transfer-cancelled");
    await saveCheckInScreenshot(page, `${colorScheme}-transfer-cancelled`);
    await context.close();
  });

  // Proves "check-in.md": 16
  test("marks a hand-over as already done by a colleague, and lists it for the office to decide", async () => {
    const { page, context } = await openPhone(colorScheme);
    await signIn(page, "manager@acme.test");
    const id = colorScheme === "light" ? 7 : 8;
    await page.goto(`${site.address}#/booking/${id}`);
    await page.waitForSelector(".legs");
    const known = server.bookings.get(id);
    const delivery = { at: "2027-05-03T10:42:00Z", by: "jordi", kilometres: 1, fuel_eighths: 8 };
    if (known) server.bookings.set(id, { ...known, resources: [createUnit(id, { state: "out", delivery })] });
    await completeHandOver(page, { kilometres: "10400", photos: 1 });
    await page.goto(`${site.address}#/outbox`);
    await page.waitForSelector(".item[data-state=blocked]");
    expect(await page.textContent(".item")).toContain("Already handed over");
    expect(await page.textContent(".item")).toContain("jordi");
    await expectAccessible(page, "outbox-refused");
    await saveCheckInScreenshot(page, `${colorScheme}-outbox-refused`);
    await page.goto(`${site.address}#/office`);
    await page.waitForSelector(".card button.strong");
    await expectAccessible(page, "office");
    await saveCheckInScreenshot(page, `${colorScheme}-office`);
    await page.click(".card button.strong");
    await page.waitForSelector(".empty");
    await context.close();
  });
});

// Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": The contract is read before signing in a
//   chosen language, and signed again after a change
// Proves "check-in.md": P12
test.each([
  ["light", PHONE_VIEWPORT.width],
  ["dark", PHONE_VIEWPORT.width],
  ["light", 1280],
  ["dark", 1280],
] as const)(
  "shows the contract before it is signed, in the %s theme on a screen %d pixels wide",
  async (colorScheme, width) => {
    const { page, context } = await openPhone(colorScheme, width);
    const booking = width + (colorScheme === "light" ? 0 : 1);
    const vehicle = createVehicle(booking);
    const kilometres = vehicle.kilometres + 5;
    server.vehicles.set(vehicle.reference, vehicle);
    server.bookings.set(
      booking,
      createBooking(booking, getTodayAtCompany(), { resources: [createUnit(booking, { vehicle })] }),
    );
    await signIn(page, "ana");
    await page.goto(`${site.address}#/booking/${booking}`);
    await page.waitForSelector(".legs");
    await page.click(".action .main");
    await page.click(".steps a >> nth=6");
    await page.click("button:has-text('Read the contract')");
    await page.waitForSelector(`.contract-paper[lang=es] h2:has-text('Contrato de alquiler ${booking}')`);
    await page.selectOption("[name=contract_language]", "de");
    await page.waitForSelector(`.contract-paper[lang=de] h2:has-text('Mietvertrag ${booking}')`);
    expect(await page.textContent(".contract-paper")).toContain("Das Fahrzeug wird sorgsam gebraucht.");
    await drawSignature(page);
    await expectAccessible(page, "contract");
    await page.locator(".contract-reader").scrollIntoViewIfNeeded();
    await saveCheckInScreenshot(page, `${colorScheme}-contract-${width}`);
    // Change the kilometres after signing, which changes the contract text.
    await page.click(".steps a >> nth=1");
    await page.fill("[name=kilometres]", String(kilometres));
    await page.click(".steps a >> nth=6");
    await page.waitForSelector("[role=status]:has-text('The contract changed after signing')");
    await expectAccessible(page, "contract-outdated");
    await page.click("button:has-text('Clear signature')");
    await drawSignature(page);
    await expect
      .poll(() => page.locator("[role=status]:has-text('The contract changed after signing')").count())
      .toBe(0);
    await page.click(".steps a >> nth=7");
    await finishHandOver(page);
    await waitUntilAllSynced(page);
    const storedOperation = [...server.operations.values()].find(({ operation }) => operation.booking_id === booking);
    const { contract_hash, contract_language } = storedOperation?.operation.signature ?? {};
    expect(contract_language).toBe("de");
    const text = new TextDecoder().decode(server.files.get(`${booking}/${contract_hash}`)?.bytes);
    expect(text).toContain(`Kilometerstand\t${formatCount(kilometres, "de")}`);
    await context.close();
  },
);

const NAMES = { es: "Español", ca: "Català", de: "Deutsch", en: "English" } as const;
const LANGUAGES = ["es", "ca", "de", "en"] as const;

// Proves "check-in.md": P29
// Proves "accessibility.md": A11
test.each(LANGUAGES.flatMap((language) => [[language, "light"] as const, [language, "dark"] as const]))(
  "fits every screen on the narrowest phone in language %s and the %s theme",
  async (language, colorScheme) => {
    const { page, context } = await openPhone(colorScheme, 320);
    const takeScreenshot = async (name: string) => {
      await expectAccessible(page, `${language} ${name}`);
      await saveCheckInScreenshot(page, `narrow-${language}-${colorScheme}-${name}`);
    };
    const open = async (path: string, selector: string) => {
      await page.goto(`${site.address}#/${path}`);
      await page.waitForSelector(selector);
      await takeScreenshot(path.replaceAll("/", "-"));
    };
    await page.click(`.options label:has-text("${NAMES[language]}")`);
    await expect.poll(() => page.getAttribute("html", "lang")).toBe(language);
    await takeScreenshot("sign-in");
    await signIn(page, "manager@acme.test");
    await takeScreenshot("day");
    await page.click(".tabs button >> nth=2");
    await page.waitForSelector(".entry:has-text('Hotel Formentor')");
    await takeScreenshot("day-transfers");
    await open("transfer/73/return", ".legs");
    await open("booking/33", ".exchange, .changes, .legs");
    await page.goto(`${site.address}#/booking/9`);
    await page.waitForSelector(".legs");
    await page.click(".action .main");
    await page.waitForSelector(".steps");
    for (let step = 0; step < 8; step++) {
      await page.click(`.steps a >> nth=${step}`);
      await expect.poll(() => page.getAttribute(`.steps li:nth-child(${step + 1}) a`, "aria-current")).toBe("step");
      await takeScreenshot(`step-${step + 1}`);
    }
    for (const place of ["outbox", "office", "more"]) await open(place, ".places");
    await open("walk-in", "[name=category_code]");
    await context.close();
  },
);

test("completes a hand-over by keyboard, and focuses the heading of each new screen", async () => {
  const { page, context } = await openPhone("light");
  // The heading gets the focus first. Earlier key presses would be lost.
  const headingHasFocus = () => expect.poll(() => page.evaluate<string>("document.activeElement.tagName")).toBe("H1");
  await signIn(page, "ana");
  await page.goto(`${site.address}#/booking/12`);
  await page.waitForSelector(".legs");
  await headingHasFocus();
  await page.focus(".action .main");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".steps");
  await headingHasFocus();
  await page.focus(".steps a >> nth=3");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".diagram");
  await headingHasFocus();
  await page.focus(".diagram [role=button] >> nth=1");
  await page.keyboard.press("Enter");
  await page.waitForSelector("h2:has-text('Bonnet')");
  await headingHasFocus();
  await page.focus(".action .main");
  await page.keyboard.press("Enter");
  // Until the change is saved, focus changes still belong to this screen.
  await page.waitForSelector("h2:has-text('Bonnet')", { state: "detached" });
  await page.focus(".steps a >> nth=6");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[name=method]", { state: "attached" });
  await headingHasFocus();
  await page.focus("[name=method]");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".checks:last-of-type input");
  await page.focus(".checks:last-of-type input");
  await page.keyboard.press("Space");
  await page.waitForSelector("text=Signed");
  await context.close();
});

// Proves "check-in.md": P18
test("lets the driver report a transfer's no-show, later pickup and drop-off, even offline", async () => {
  const { page, context } = await openPhone("dark");
  await signIn(page, "ana");
  await page.click(".tabs button >> nth=2");
  await page.click(".entry:has-text('00:10')");
  await page.waitForSelector(".legs");
  await context.setOffline(true);
  await page.click("button:has-text('No-show')");
  await page.waitForSelector("[role=alertdialog]:has-text('Mark as no-show?')");
  await saveCheckInScreenshot(page, "dark-transfer-nobody-asked");
  await page.click("button:has-text('Mark as no-show')");
  await page.waitForSelector(".chip:has-text('No-show')");
  await expectAccessible(page, "transfer-nobody");
  await saveCheckInScreenshot(page, "dark-transfer-nobody");
  await page.click(".action .main:has-text('Customer picked up')");
  await page.waitForSelector(".chip:has-text('Picked up')");
  await page.click(".action .main:has-text('Customer dropped off')");
  await page.waitForSelector(".chip:has-text('Dropped off')");
  await page.waitForSelector(".action .main:has-text('Back to the day')");
  await expectAccessible(page, "transfer-driven");
  await saveCheckInScreenshot(page, "dark-transfer-driven");
  await page.goto(`${site.address}#/outbox`);
  await page.waitForSelector(".item:has-text('Customer picked up')");
  await context.setOffline(false);
  await waitUntilAllSynced(page);
  expect(server.trips.find(({ booking_id }) => booking_id === 73)).toMatchObject({
    picked_up: { by: "ana" },
    dropped: { by: "ana" },
    nobody_came: { by: "ana" },
  });
  await context.close();
});

test("breaks no word of three tabs side by side, also in German", async () => {
  const { page, context } = await openPhone("light");
  await signIn(page, "ana");
  await page.waitForSelector(".tabs button >> nth=2");
  const lines = await page.evaluate<readonly number[]>(`
    ["Übergaben", "Rückgaben", "Transfers"].map((label, at) => {
      const button = document.querySelectorAll(".tabs button")[at];
      const text = [...button.childNodes].find(({ nodeType, data }) => nodeType === 3 && data.trim() !== "");
      text.data = label;
      const range = document.createRange();
      range.selectNodeContents(text);
      return range.getClientRects().length;
    })`);
  expect(lines).toEqual([1, 1, 1]);
  await context.close();
});

test("hides a transfer's cancel button from agents, and the transfer section on a day without transfers", async () => {
  const { page, context } = await openPhone("light");
  await signIn(page, "ana");
  await page.goto(`${site.address}#/transfer/75/outward`);
  await page.waitForSelector(".legs");
  expect(await page.locator("button.danger").count()).toBe(0);
  await page.goto(`${site.address}#/day`);
  await page.waitForSelector(".tabs");
  expect(await page.locator(".tabs button").count()).toBe(3);
  await page.click(".tabs button >> nth=2");
  await page.click(".dates .round >> nth=1");
  await expect.poll(() => page.locator(".tabs button").count()).toBe(2);
  await context.close();
});

// Proves "check-in.md": 24c
// Proves "check-in.md": N7
test("starts a new version only when the user confirms it", async () => {
  const { page, context } = await openPhone("light");
  await signIn(page, "ana");
  await waitUntilInstalled(page);
  await page.evaluate("globalThis.isSamePage = true");
  // Start work, because the update notice is shown on other screens only.
  await page.click(".entry >> nth=0");
  await page.click(".action .main");
  await page.waitForSelector(".steps");
  site.release();
  await page.evaluate("navigator.serviceWorker.ready.then((one) => one.update())");
  await waitForExpression(page, "navigator.serviceWorker.ready.then((one) => one.waiting !== null)");
  expect(await page.isVisible(".banner:has-text('Update available')")).toBe(false);
  await page.goto(`${site.address}#/day`);
  await page.waitForSelector(".banner:has-text('Update available')");
  expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
  await expectAccessible(page, "update");
  await page.click(".banner button");
  await expect.poll(() => page.evaluate("globalThis.isSamePage ?? 'started again'")).toBe("started again");
  await page.waitForSelector(".entry");
  await context.close();
});

// Proves "check-in.md": 24e
test("starts a new version in other tabs with open operations once they change the screen", async () => {
  const { page, context } = await openPhone("light");
  await signIn(page, "ana");
  await waitUntilInstalled(page);
  const second = await context.newPage();
  await second.goto(site.address);
  await second.click(".entry >> nth=0");
  await second.click(".action .main");
  await second.click(".steps a >> nth=1");
  await second.fill("[name=kilometres]", "54321");
  await second.evaluate("globalThis.isSamePage = true");
  site.release();
  await page.bringToFront();
  await page.evaluate("navigator.serviceWorker.ready.then((one) => one.update())");
  await page.evaluate("globalThis.isSamePage = true");
  await page.click(".banner:has-text('Update available') button");
  await expect.poll(() => page.evaluate("globalThis.isSamePage ?? 'started again'")).toBe("started again");
  expect(await second.evaluate("globalThis.isSamePage")).toBe(true);
  await second.click(".steps a >> nth=2");
  await expect.poll(() => second.evaluate("globalThis.isSamePage ?? 'started again'")).toBe("started again");
  await second.click(".steps a >> nth=1");
  expect(await second.inputValue("[name=kilometres]")).toBe("54321");
  await context.close();
});

test("writes no error to the browser console and violates no content security policy", () => {
  expect(problems).toEqual([]);
});
