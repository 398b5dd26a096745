import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { en } from "../../pwa/widget/src/texts/en.ts";
import { saveScreenshot } from "./page-checks.ts";
import { expectAccessible } from "./partner-website.ts";

let browser: Browser;
const problems: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await closePages(browser);
});

const account = () => `http://acme.localhost:${inject("port")}`;
const shop = (lang: string) => `http://127.0.0.1:${inject("shopPort")}/demo/?lang=${lang}&api=${account()}`;

async function open(url: string, width = 1100): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(url);
  return page;
}

async function searchAndChoose(page: Page, shot: string): Promise<void> {
  await page.waitForSelector("select option[value]", { state: "attached" });
  await saveScreenshot(page, `${shot}-search`);
  await page.click("button[type=submit]");
  await page.waitForSelector("[data-step=choose] .products li");
  await saveScreenshot(page, `${shot}-choose`, true);
  await page.click(".products li:not(.gone) button.main");
  await page.waitForSelector("[data-step=details] [data-total]");
}

async function fillDetails(page: Page): Promise<void> {
  await page.fill("[name=customer_name]", "Ana");
  await page.fill("[name=customer_surname]", "Ruiz <b>");
  await page.fill("[name=customer_email]", "ana-ruiz-b@example.com");
  if (await page.locator("[name=accepted_terms]").count()) await page.check("[name=accepted_terms]");
}

const readTotalCents = async (page: Page) => cents(await page.textContent("[data-total]"));
const cents = (text: string | null) => Number((text ?? "").replace(/[^\d]/g, ""));

test("shows the original total after a visitor adds and removes an extra", async () => {
  const page = await open(shop("en"));
  await searchAndChoose(page, "shop");
  const before = await readTotalCents(page);
  await page.locator("[data-extra] button:last-child:not([aria-disabled=true])").first().click();
  await expect.poll(() => readTotalCents(page)).toBeGreaterThan(before);
  await saveScreenshot(page, "shop-details", true);
  await page.locator("[data-extra] button:first-child:not([aria-disabled=true])").first().click();
  await expect.poll(() => readTotalCents(page)).toBe(before);
  await page.close();
});

describe("a visitor of a transfer website on another origin", () => {
  const transferShop = (lang: string) => `${shop(lang)}&shop=transfers`;

  // Proves "booking-engine-transfers.md: existing websites": A whole transfer from another origin, in a browser
  // Proves "booking-widget.md": kind transfers
  test("sells a return transfer with a child seat, takes the deposit, and returns to a confirmed reservation", async () => {
    const page = await open(transferShop("en"));
    await page.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
    expect(await page.textContent("select[name=origin_point_id] option")).toContain("Palma Airport");
    await page.selectOption("select[name=destination_point_id]", { label: "Port de Pollença, hotels" });
    await page.check("[name=round_trip]");
    await saveScreenshot(page, "transfer-search", true);
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    await saveScreenshot(page, "transfer-choose", true);
    await page.click(".products li:not(.gone) button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    const before = await readTotalCents(page);
    expect(before).toBe(15_000);
    await page.click("[data-extra=SEAT] button:last-child");
    await expect.poll(() => readTotalCents(page)).toBe(before + 1600);
    await saveScreenshot(page, "transfer-details", true);
    await fillDetails(page);
    await page.fill("[name=customer_phone]", "600000000");
    await page.fill("[name=detailed_destination_address]", "Hotel Mar, Harbour 1");
    await page.fill("[name=flight_number]", "IB3900");
    await page.click("[data-pay]");
    await page.waitForURL(/\/dev\/gateway\//);
    await page.click("button:has-text('Pay')");
    await page.click("a[href*='/demo/']");
    await page.waitForSelector("[data-status=confirmed]");
    expect(await page.getAttribute("[data-payment]", "data-payment")).toBe("deposit");
    expect(cents(await page.textContent("[data-paid]"))).toBeGreaterThan(0);
    await saveScreenshot(page, "transfer-reservation", true);
    await page.close();
  });

  test("marks the number of adults as invalid if no vehicle has enough seats", async () => {
    const page = await open(transferShop("en"), 390);
    await page.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
    await page.fill("[name=number_of_adults]", "90");
    await page.click("button[type=submit]");
    await page.waitForSelector("[name=number_of_adults][aria-invalid=true]:focus");
    expect(await page.locator(".wrong:not(:empty), .problem:not(:empty)").allTextContents()).toEqual([en.noPlaces]);
    await expectAccessible(page);
    // Ignores the console error that the browser writes for the rejected search.
    problems.splice(0);
    await page.close();
  });

  test("shows points, vehicles and errors in the visitor's language", async () => {
    const page = await open(transferShop("de"));
    await page.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
    expect(await page.textContent("form h2")).toBe("Von wo nach wo?");
    expect(await page.textContent("select[name=origin_point_id] option")).toBe("Flughafen Palma (PMI)");
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li");
    expect(await page.textContent(".products h3")).toBe("Limousine");
    await page.close();
  });
});

test("fits the account's own demo page on a phone screen, in the light and the dark theme", async () => {
  for (const colorScheme of inject("isThorough") ? (["light", "dark"] as const) : (["dark"] as const)) {
    const page = await open(`${account()}/demo/?lang=es`, 390);
    await page.emulateMedia({ colorScheme });
    await searchAndChoose(page, `phone-${colorScheme}`);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await saveScreenshot(page, `phone-${colorScheme}-details`, true);
    await page.close();
  }
});

if (inject("isThorough"))
  test("shows working links on the platform's start page on a phone, without accessibility violations", async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`http://localhost:${inject("port")}/`);
    await expectAccessible(page);
    for (const way of ["checkin", "office", "docs"]) {
      const { width = 0 } = (await page.locator(`a[href$="/${way}/"]`).first().boundingBox()) ?? {};
      expect([way, width > 0]).toEqual([way, true]);
    }
    const links = await page.locator("a").evaluateAll((all) => all.map((item) => item.getAttribute("href") ?? ""));
    const base = `http://localhost:${inject("port")}/`;
    for (const link of new Set(links.map((link) => new URL(link, base).href)))
      expect([link, (await page.goto(link))?.status()]).toEqual([link, 200]);
    await page.close();
  });

test.each(["light", "dark"] as const)(
  "fits the company's page on a phone, %s, without axe violations",
  async (colorScheme) => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme });
    await page.goto(`${account()}/?lang=de`);
    await page.waitForSelector("rental-booking select");
    await expectAccessible(page);
    await saveScreenshot(page, `company-${colorScheme}`, true);
    await page.close();
  },
);

test.each(["light", "dark"] as const)(
  "fits the development mailbox on a phone, %s, without axe violations",
  async (colorScheme) => {
    const page = await browser.newPage({ viewport: { width: 320, height: 844 }, colorScheme });
    await page.goto(`http://localhost:${inject("port")}/dev/mailbox`);
    expect(await page.title()).toBe("Mailbox");
    await expectAccessible(page);
    await page.close();
  },
);

test("offers no transfers if the account sells none, and shows this in a transfer widget", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const consoleMessages: string[] = [];
  page.on("console", (message) => consoleMessages.push(message.text()));
  const globex = `http://globex.localhost:${inject("port")}`;
  await page.goto(`http://localhost:${inject("port")}/`);
  expect(await page.locator(`a[href*="${globex}"][href*="shop=transfers"]`).count()).toBe(0);
  await page.goto(`${globex}/demo/?shop=transfers&api_key=globex-web&lang=de`);
  await page.waitForSelector("[data-closed]");
  expect(consoleMessages.join(" ")).toContain(`${globex} sells no transfers`);
  await page.close();
});

test("writes no error to the console on the pages of the purchase", () => {
  expect(problems).toEqual([]);
});

test("fits the booking page, terms and privacy notice on a screen 320 pixels wide with text of double size", async () => {
  for (const path of ["/?lang=de", "/terms?lang=de", "/privacy?lang=de"]) {
    const page = await open(`${account()}${path}`, 320);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await page.waitForSelector("h1");
    expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 320]);
    await page.close();
  }
  problems.splice(0);
});

const ORDER_SECTIONS = [
  ["es", "Reserva y pago"],
  ["en", "Booking and payment"],
  ["de", "Buchung und Zahlung"],
] as const;

test.each(chooseForGate(ORDER_SECTIONS, 1))(
  "links the order in %s to the company's terms and privacy notice in that language",
  async (lang, section) => {
    const page = await open(`${account()}/?lang=${lang}`, 390);
    await page.click("button[type=submit]:not([disabled])");
    await page.click(".products button.main");
    await page.waitForSelector(".terms a");
    const [terms = "", privacy = ""] = await page.$$eval(".terms a", (links) =>
      links.map((link) => link.getAttribute("href") ?? ""),
    );
    await page.goto(terms);
    expect(await page.textContent("main")).toContain(section);
    expect(await page.getAttribute("html", "lang")).toBe(lang);
    await expectAccessible(page);
    await page.goto(privacy);
    expect(await page.textContent("main")).toMatch(/Ministerio del Interior|Ministry of the Interior|Innenministerium/);
    expect(await page.getAttribute("html", "lang")).toBe(lang);
    await page.close();
  },
);
