import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import {
  completeHandOver,
  finishHandOver,
  readStatus,
  saveCheckInScreenshot,
  signIn,
  takePhotos,
  waitUntilAllSynced,
  waitUntilInstalled,
} from "./phone.ts";

// Full platform with the real Worker, database and files.

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await closePages(browser);
});

const address = () => `http://acme.localhost:${inject("port")}/checkin/`;

async function openSignedInPhone(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: "en" });
  await page.goto(address());
  await signIn(page, "staff@acme.test", "Staff-acme-2026!");
  await waitUntilInstalled(page);
  return page;
}

/** Opens the day's first booking with a vehicle to hand over at any branch. */
async function openDelivery(page: Page): Promise<void> {
  const branches = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.branch option')].map(({ value }) => value)",
  );
  for (const code of branches) {
    await page.selectOption(".branch select", code);
    await page.waitForTimeout(600);
    if ((await page.locator(".entry").count()) === 0) continue;
    await page.click(".entry >> nth=0");
    await page.waitForSelector(".legs");
    if (await page.isVisible(".action .main:has-text('Start handover')")) return;
    await page.goBack();
  }
  throw new Error("The demo company has no delivery today.");
}

test("hands a vehicle over offline, and sends the operation to the server once online", async () => {
  const page = await openSignedInPhone();
  await openDelivery(page);
  await saveCheckInScreenshot(page, "platform-booking");
  await page.context().setOffline(true);
  await completeHandOver(page, { kilometres: "999999", photos: 2 });
  expect(await readStatus(page)).toContain("Offline · 1 to sync");
  await page.reload();
  await page.waitForSelector(".item");
  expect(await readStatus(page)).toContain("1 to sync");
  await page.context().setOffline(false);
  await waitUntilAllSynced(page);
  await page.click(".item .link");
  await expect.poll(() => page.textContent(".item")).toContain("Photos 4/4");
  await page.waitForSelector(".chip:has-text('On rent')");
  await saveCheckInScreenshot(page, "platform-delivered");
  await page.close();
});

// Proves "check-in.md": 1b
if (inject("isThorough"))
  test("doesn't resend a photo whose response was lost, because the server knows its hash", async () => {
    const page = await openSignedInPhone();
    // The photo arrives, but the device never gets the response.
    await page.addInitScript(`{
    const { send } = XMLHttpRequest.prototype;
    globalThis.uploads = 0;
    XMLHttpRequest.prototype.send = function (body) {
      uploads += 1;
      this.onload = this.onerror;
      return send.call(this, body);
    };
  }`);
    await page.reload();
    await page.click(".entry >> nth=0");
    await page.waitForSelector(".legs");
    await page.click("main > button.other");
    await page.waitForSelector(".shots");
    await takePhotos(page, 1, 30);
    await page.locator(".action button").last().click();
    await finishHandOver(page);
    await waitUntilAllSynced(page);
    expect(await page.evaluate("uploads")).toBe(1);
    await page.close();
  });

test("serves the app with its headers, caching hashed files permanently and revalidating the rest", async () => {
  const page = await browser.newPage();
  const answer = await page.goto(address());
  const headers = answer?.headers() ?? {};
  expect(headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  // WebAssembly for the code reader, but no inline scripts.
  expect(headers["content-security-policy"]).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
  expect(headers["cache-control"]).toBe("no-cache");
  const script = await page.getAttribute("script[type=module]", "src");
  const getCacheControl = (path: string) =>
    page.evaluate<string>(
      `fetch("${path}").then((answer) => answer.status + " " + answer.headers.get("Cache-Control"))`,
    );
  expect(await getCacheControl(script ?? "")).toBe("200 public, max-age=31536000, immutable");
  expect(await getCacheControl("/checkin/sw.js")).toBe("200 no-cache");
  expect(await getCacheControl("/checkin/assets/none.js")).toBe("404 no-store");
  await page.close();
});
