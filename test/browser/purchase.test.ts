import { mkdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openBrowser } from "./platform.ts";

let browser: Browser;
const problems: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  await mkdir("screenshots", { recursive: true });
});

afterAll(async () => {
  await browser.close();
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
  await page.waitForSelector("fieldset select option[value]", { state: "attached" });
  await page.screenshot({ path: `screenshots/${shot}-search.png` });
  await page.click("button[type=submit]");
  await page.waitForSelector("[data-step=choose] .products li");
  await page.screenshot({ path: `screenshots/${shot}-choose.png`, fullPage: true });
  await page.click(".products li:not(.gone) button.main");
  await page.waitForSelector("[data-step=complete] [data-total]");
}

async function fillDetails(page: Page): Promise<void> {
  await page.fill("[name=customer_name]", "Ana");
  await page.fill("[name=customer_surname]", "Ruiz <b>");
  await page.fill("[name=customer_email]", "ana@example.com");
}

const totalOf = async (page: Page) => cents(await page.textContent("[data-total]"));
const cents = (text: string | null) => Number((text ?? "").replace(/[^\d]/g, ""));

describe("a visitor of a website on another origin", () => {
  test("searches, chooses, adds and removes extras, and books without paying", async () => {
    const page = await open(shop("en"));
    await searchAndChoose(page, "shop");
    const before = await totalOf(page);
    const plus = page.locator("[data-extra] button:last-child:enabled").first();
    await plus.click();
    await expect.poll(() => totalOf(page)).toBeGreaterThan(before);
    await page.screenshot({ path: "screenshots/shop-complete.png", fullPage: true });
    await page.locator("[data-extra] button:first-child:enabled").first().click();
    await expect.poll(() => totalOf(page)).toBe(before);
    await fillDetails(page);
    await page.click("[data-request]");
    await page.waitForSelector("[data-step=reservation] [data-status]");
    expect(await page.getAttribute("[data-status]", "data-status")).toBe("pending_confirmation");
    expect(await page.textContent("h1")).toBe("Ana Ruiz <b>, your request has been received");
    expect(await totalOf(page)).toBe(before);
    await page.screenshot({ path: "screenshots/shop-reservation.png", fullPage: true });
    await page.reload();
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.close();
  });

  test("pays the deposit at the gateway, and comes back to a confirmed reservation", async () => {
    const page = await open(shop("en"));
    await searchAndChoose(page, "pay");
    await fillDetails(page);
    await page.click("[data-pay]");
    await page.waitForURL(/\/dev\/gateway\//);
    await page.screenshot({ path: "screenshots/pay-gateway.png", fullPage: true });
    await page.click("button[value=accept], button[name=decision][value=pay], [data-pay], button:has-text('Pay')");
    await page.waitForURL((url) => url.searchParams.has("id") || url.pathname.includes("payment-gateway-return"));
    await page.screenshot({ path: "screenshots/pay-return.png", fullPage: true });
    if (!page.url().includes("/demo/")) await page.click("a[href*='/demo/']");
    await page.waitForSelector("[data-status=confirmed]");
    expect(await page.getAttribute("[data-payment]", "data-payment")).toBe("deposit");
    expect(cents(await page.textContent("[data-paid]"))).toBeGreaterThan(0);
    await page.screenshot({ path: "screenshots/pay-reservation.png", fullPage: true });
    await page.close();
  });

  test("reads everything in their language", async () => {
    const page = await open(shop("de"));
    await page.waitForSelector("fieldset select option[value]", { state: "attached" });
    expect(await page.textContent("h1")).toBe("Wo und wann?");
    expect(await page.textContent("fieldset select option")).toContain("Palma");
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li");
    expect(await page.textContent(".products button.main:enabled")).toBe("Wählen");
    await page.close();
  });
});

describe("a visitor of a transfer website on another origin", () => {
  const transferShop = (lang: string) => `${shop(lang)}&shop=transfers`;

  test("buys a return transfer with a child seat, pays the deposit, and comes back to a confirmed reservation", async () => {
    const page = await open(transferShop("en"));
    await page.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
    expect(await page.textContent("select[name=origin_point_id] option")).toContain("Palma Airport");
    await page.selectOption("select[name=destination_point_id]", { label: "Port de Pollença, hotels" });
    await page.check("[name=round_trip]");
    await page.screenshot({ path: "screenshots/transfer-search.png", fullPage: true });
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    await page.screenshot({ path: "screenshots/transfer-choose.png", fullPage: true });
    await page.click(".products li:not(.gone) button.main");
    await page.waitForSelector("[data-step=complete] [data-return]");
    const before = await totalOf(page);
    expect(before).toBe(15_000);
    await page.click("[data-extra=SEAT] button:last-child");
    await expect.poll(() => totalOf(page)).toBe(before + 1600);
    await page.screenshot({ path: "screenshots/transfer-complete.png", fullPage: true });
    await fillDetails(page);
    await page.fill("[name=flight_number]", "IB3900");
    await page.click("[data-pay]");
    await page.waitForURL(/\/dev\/gateway\//);
    await page.click("button[value=accept], button[name=decision][value=pay], [data-pay], button:has-text('Pay')");
    await page.waitForURL((url) => url.searchParams.has("id") || url.pathname.includes("payment-gateway-return"));
    if (!page.url().includes("/demo/")) await page.click("a[href*='/demo/']");
    await page.waitForSelector("[data-status=confirmed]");
    expect(await page.getAttribute("[data-payment]", "data-payment")).toBe("deposit");
    expect(cents(await page.textContent("[data-paid]"))).toBeGreaterThan(0);
    await page.screenshot({ path: "screenshots/transfer-reservation.png", fullPage: true });
    await page.close();
  });

  test("reads points and vehicles in their language, and learns what is wrong", async () => {
    const page = await open(transferShop("de"));
    await page.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
    expect(await page.textContent("h1")).toBe("Von wo nach wo?");
    expect(await page.textContent("select[name=origin_point_id] option")).toBe("Flughafen Palma (PMI)");
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li");
    expect(await page.textContent(".products h2")).toBe("Limousine");
    await page.close();
  });
});

test("on a phone the demo page of the account itself fits the screen, in light and in dark", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await open(`${account()}/demo/?lang=es`, 390);
    await page.emulateMedia({ colorScheme });
    await searchAndChoose(page, `phone-${colorScheme}`);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await page.screenshot({ path: `screenshots/phone-${colorScheme}-complete.png`, fullPage: true });
    await page.close();
  }
});

test("no page wrote an error to the console", () => {
  expect(problems).toEqual([]);
});
