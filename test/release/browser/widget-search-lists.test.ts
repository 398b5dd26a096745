import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { de } from "../../../pwa/widget/src/texts/de.ts";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { expectAccessible, startPartnerWebsite } from "../../browser/partner-website.ts";

const { open, refused } = startPartnerWebsite({ width: 390 });

const READY = "button[type=submit]:not([disabled])";
const UNKNOWN_PLACE = "lang=de&rb-from=2030-07-01&rb-to=2030-07-05&rb-pickup=999&rb-return=999";

/** Opens a page whose matching requests are handled before it loads. */
async function openWith(query: string, address: RegExp, handle: (page: Page) => Promise<void>) {
  const page = await open("lang=en");
  const { origin } = new URL(page.url());
  await page.goto("about:blank");
  await page.route(address, async (route) => {
    if (route.request().method() !== "OPTIONS") await handle(page);
    await route.continue();
  });
  await page.goto(`${origin}/?${query}`);
  return page;
}

test("enables the search even if the answer about a link's unknown pickup place arrives last", async () => {
  let releaseAnswer = () => {};
  const isReleased = new Promise<void>((resolve) => {
    releaseAnswer = resolve;
  });
  const page = await openWith(UNKNOWN_PLACE, /return-places.*pickup_place=999/, () => isReleased);
  await page.waitForSelector("[name=return_place] option", { state: "attached" });
  const late = page.waitForResponse(/return-places.*pickup_place=999/);
  releaseAnswer();
  await (await late).finished();
  // The answer changes the form in a later task.
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 200))");
  expect(await page.locator(READY).count()).toBe(1);
  expect(await page.locator("[name=return_place] option").count()).toBeGreaterThan(0);
  refused.splice(0);
  await page.close();
});

test("offers a retry after a list failed to load, and keeps it when the visitor follows a link on the page", async () => {
  const page = await open("lang=en");
  await page.waitForSelector(READY);
  await page.route(/pickup-places/, (route) => route.abort());
  await page.reload();
  await page.waitForSelector("[data-retry]");
  expect(await page.locator(".problem:not(:empty)").allTextContents()).toEqual([en.unreachable]);
  await page.evaluate("location.hash = 'contact'");
  await expect.poll(() => page.locator(".busy[role=status]").textContent()).toBe("");
  expect(await page.locator(".problem:not(:empty)").allTextContents()).toEqual([en.unreachable]);
  await expectAccessible(page);
  await page.unroute(/pickup-places/);
  await page.click("[data-retry]");
  await page.waitForSelector(READY);
  expect(await page.locator("[data-retry], .problem:not(:empty)").count()).toBe(0);
  refused.splice(0);
  await page.close();
});

test("offers a retry if a list of the search never arrives", async () => {
  const page = await open("lang=de");
  await page.waitForSelector(READY);
  // Never continues the request.
  await page.route(/return-places/, () => {});
  await page.reload();
  await page.waitForSelector("[data-retry]");
  expect(await page.locator(".problem:not(:empty)").allTextContents()).toEqual([de.unreachable]);
  await page.unroute(/return-places/);
  await page.click("[data-retry]");
  await page.waitForSelector(READY);
  refused.splice(0);
  await page.close();
});

test("explains a pickup place from which no return is possible", async () => {
  const page = await open("lang=de");
  await page.waitForSelector(READY);
  await page.route(/return-places/, (route) =>
    route.fulfill({ json: [], headers: { "Access-Control-Allow-Origin": "*" } }),
  );
  await page.reload();
  await page.waitForSelector("[name=pickup_place][aria-invalid=true]");
  expect(await page.locator(".wrong:not(:empty)").allTextContents()).toEqual([de.placeGone]);
  await page.unroute(/return-places/);
  await page.locator("[name=pickup_place]").selectOption({ index: 1 });
  await page.waitForSelector(READY);
  expect(await page.locator(".wrong:not(:empty)").count()).toBe(0);
  await page.close();
});
