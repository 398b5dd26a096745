import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { addDeskRoutes, type ReceivedDeskRequest } from "#support/check-in/desk.ts";
import { type CheckInServer, startCheckInServer } from "#support/check-in/server.ts";
import { startCheckInSite } from "#support/check-in-site.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { expectAccessible, goToNextStep, PHONE_VIEWPORT, saveCheckInScreenshot, signIn } from "../../browser/phone.ts";

// Desk actions performed in the app.

let browser: Browser;
let server: CheckInServer;
let deskRequests: readonly ReceivedDeskRequest[];
let site: Awaited<ReturnType<typeof startCheckInSite>>;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closePages(browser));

beforeEach(async () => {
  server = startCheckInServer();
  const today = getTodayAtCompany();
  const delivery = { at: `${today}T06:00:00.000Z`, by: "Ana", kilometres: 10_000, fuel_eighths: 8 };
  const out = createUnit(2, { state: "out", vehicle: createVehicle(2), delivery });
  server.bookings.set(1, createBooking(1, today, { date_to: "2099-01-01", drivers: [] }));
  server.bookings.set(2, createBooking(2, today, { status: "in_progress", date_to: "2099-01-01", resources: [out] }));
  for (const number of [2, 3, 4]) server.vehicles.set(`V000${number}`, createVehicle(number));
  server.vehicles.set("V0004", createVehicle(4, { needs_cleaning: true, parking_place: "B 14", key_number: "27" }));
  deskRequests = addDeskRoutes(server);
  site = await startCheckInSite(server);
  context = await browser.newContext({
    ...{ viewport: PHONE_VIEWPORT, locale: "de", colorScheme: "dark", reducedMotion: "reduce" },
  });
  page = await context.newPage();
  await page.goto(site.address);
  await signIn(page, "manager@acme.test");
});

afterEach(async () => {
  await context.close();
  await site.stop();
});

const getBody = (pattern: RegExp) => deskRequests.find(({ path }) => pattern.test(path))?.body;

// Proves "check-in.md": T22
test("books a walk-in with its price, and asks the user to go online if the device is offline", async () => {
  await page.click("a[href='#/walk-in']");
  await page.waitForSelector("[name=pickup_place] option:nth-child(2)", { state: "attached" });
  await context.setOffline(true);
  await page.waitForSelector(".note:has-text('Gehe online')");
  await context.setOffline(false);
  await page.click(".action .main");
  await page.waitForSelector(".note:has-text('Kategorie')");
  // Far down the form, as after typing the customer.
  await page.focus("[name=notes]");
  await page.click(".action .main");
  await page.waitForSelector(".note[role=alert]:focus");
  const { top, bottom } = await page.$eval(".note[role=alert]", (note) => note.getBoundingClientRect().toJSON());
  expect([top > 0, bottom < PHONE_VIEWPORT.height]).toEqual([true, true]);
  await page.selectOption("[name=category_code]", "ECON");
  await page.fill("[name=name]", "Karin");
  await page.fill("[name=surname]", "Vogel");
  await page.click(".action .main");
  await page.waitForSelector(".action .main:has-text('40,00')");
  await expectAccessible(page, "walk-in");
  await saveCheckInScreenshot(page, "walk-in-de-dark");
  await page.click(".action .main");
  await page.waitForSelector(".legs");
  expect(getBody(/POST .*reservations$/)).toMatchObject({ customer: { name: "Karin" }, pickup_place: 3 });
});

// Proves "check-in.md": T17
test("exchanges a rented vehicle with damage, readings of both vehicles and an upgrade's price", async () => {
  await page.goto(`${site.address}#/booking/2`);
  await page.click("button:has-text('Fahrzeug tauschen')");
  await page.waitForSelector(".lead:has-text('Zurückgegebenes Fahrzeug: 1002 KLM')");
  await page.fill("[name=kilometres]", "10150");
  await page.click(".fuel .options label >> nth=6");
  await expectAccessible(page, "exchange-back");
  await saveCheckInScreenshot(page, "exchange-back-de-dark");
  await page.click(".steps a >> nth=2");
  await page.click(".diagram [role=button] >> nth=8");
  await page.waitForSelector("[name=damage-kind]", { state: "attached" });
  await goToNextStep(page);
  await page.waitForSelector(".diagram");
  await saveCheckInScreenshot(page, "exchange-damage-de-dark");
  await goToNextStep(page);
  await page.waitForSelector(".exchange .entry");
  expect(await page.isDisabled(".action .main")).toBe(true);
  await saveCheckInScreenshot(page, "exchange-choose-de-dark");
  await page.click(".exchange .entry:has-text('1003')");
  await page.fill("[name=kilometres-out]", "9000");
  await page.selectOption("[name=fuel-out]", "8");
  await page.fill("[name=upgrade-price]", "viel");
  await page.waitForSelector(".exchange :text('Gib einen gültigen Betrag ein')");
  await page.fill("[name=upgrade-price]", "45");
  await page.check("[name=readings-confirmed]");
  await page.click(".exchange .other");
  await page.waitForSelector(".exchange .amounts");
  await expectAccessible(page, "exchange");
  await saveCheckInScreenshot(page, "exchange-de-dark");
  await goToNextStep(page);
  await page.waitForSelector("h1:has-text('Fotos, neues Fahrzeug')");
  await page.click(".action .other");
  await page.waitForSelector("h1:has-text('Schäden, neues Fahrzeug')");
  await goToNextStep(page);
  await page.waitForSelector(".suggestion:has-text('45,00')");
  await page.click(".suggestion:has-text('45,00')");
  await goToNextStep(page);
  await page.waitForSelector("h1:has-text('Unterschrift')");
  await expectAccessible(page, "exchange-sign");
  await saveCheckInScreenshot(page, "exchange-sign-de-dark");
  await page.click(".action .other");
  await page.waitForSelector(".review");
  await expectAccessible(page, "exchange-review");
  await saveCheckInScreenshot(page, "exchange-review-de-dark");
  await goToNextStep(page);
  await page.waitForSelector(".card:has-text('1003 KLM')");
  await expect.poll(() => server.operations.size).toBe(1);
  await saveCheckInScreenshot(page, "exchange-done-de-dark");
  expect([...server.operations.values()][0]?.operation).toMatchObject({
    ...{ kind: "exchange", vehicle_reference: "V0002", kilometres: 10_150, readings_confirmed: true },
    damages: [{ kind: "scratch", severity: "light" }],
    exchange: { vehicle_reference: "V0003", kilometres: 9000, fuel_eighths: 8, upgrade_price: "45.00" },
  });
});

// Proves "check-in.md": T25
test("fills the documents from a passport's lines with valid check digits, and shows that it expired", async () => {
  await page.goto(`${site.address}#/booking/1`);
  await page.click(".action .main");
  await page.click(".steps a >> nth=6");
  const lines = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10";
  await page.fill("[name=zone]", lines.replace("L898902C3", "L898902C4"));
  await page.waitForSelector("[role=alert]:has-text('Prüfziffern stimmen nicht: Dokumentnummer')");
  expect(await page.inputValue("[name=document_id]")).toBe("");
  await page.fill("[name=zone]", lines);
  await page.waitForSelector("[role=status]:has-text('ANNA MARIA ERIKSSON')");
  expect(await page.inputValue("[name=document_id]")).toBe("L898902C3");
  expect(await page.inputValue("[name=date_of_birth]")).toBe("1974-08-12");
  expect(await page.inputValue("[name=surname]")).toBe("ERIKSSON");
  await page.waitForSelector("[role=alert]:has-text('abgelaufen')");
  await expectAccessible(page, "papers-zone");
  await saveCheckInScreenshot(page, "papers-zone-de-dark");
});

// Proves "check-in.md": T16
test("shows an upgrade's price and warns about a dirty vehicle before the choice, and checks the licence's expiry", async () => {
  await page.goto(`${site.address}#/booking/1`);
  await page.click(".action .main");
  await page.click(".entry:has-text('1004')");
  await page.waitForSelector(".ask:has-text('noch nicht gereinigt')");
  await page.click(".entry:has-text('1003')");
  await page.waitForSelector(".ask:has-text('45,00')");
  await expectAccessible(page, "upgrade");
  await saveCheckInScreenshot(page, "upgrade-de-dark");
  await page.click(".ask button:has-text('Reservierung auf')");
  await page.waitForSelector(".chosen:has-text('1003')");
  expect(getBody(/^PATCH/)).toEqual({ expected_version: 1, category_code: "VAN" });
  await page.click(".steps a >> nth=6");
  await page.fill("[name=driving_license_expiration_date]", "2020-01-01");
  await page.waitForSelector("[role=alert]:has-text('läuft vor Ende')");
  await expectAccessible(page, "papers");
  await saveCheckInScreenshot(page, "papers-de-dark");
});
