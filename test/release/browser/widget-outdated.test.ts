import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { de } from "../../../pwa/widget/src/texts/de.ts";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { fillPlaceholders } from "../../../pwa/widget/src/texts.ts";
import { getDateInDays } from "../../browser/office-page.ts";
import {
  bookAndPayLater,
  expectAccessible,
  fillCustomerDetails,
  startPartnerWebsite,
} from "../../browser/partner-website.ts";

const { open, refused } = startPartnerWebsite({ width: 390 });

const LANGUAGES = [["de", de] as const, ["en", en] as const];
const CHOOSE = ".products li:not(.gone) button.main";

/** Returns the query of a link to the vehicles of a period. */
const linkTo = (language: string, from: number, days = 3) =>
  `lang=${language}&rb=choose&rb-pickup=1&rb-return=1&rb-from=${getDateInDays(from)}&rb-to=${getDateInDays(from + days)}`;

async function toDetails(page: Page): Promise<void> {
  await page.click(CHOOSE);
  await page.waitForSelector("[data-step=details] [data-total]");
}

const refuse = (route: Route, field: string, code: string, params?: Readonly<Record<string, unknown>>) => {
  if (route.request().method() === "OPTIONS") return route.continue();
  const json = { error: "x", code: "invalid_input", detail: [{ field, message: "x", code, params }] };
  return route.fulfill({ status: 400, json, headers: { "Access-Control-Allow-Origin": "*" } });
};

test.each(LANGUAGES)("explains the invalid period of a link at its return date (%s)", async (language, texts) => {
  for (const [days, expected] of [
    [
      400,
      fillPlaceholders(texts.wrongField, {
        field: `${texts.date_to} (max. ${fillPlaceholders(texts.days, { n: 90 })})`,
      }),
    ],
    [-2, texts.returnBefore],
  ] as const) {
    const page = await open(linkTo(language, 60, days));
    await page.waitForSelector("[data-date=date_to][aria-invalid=true]:focus");
    expect(await page.textContent("fieldset:has([data-date=date_to]) .wrong")).toBe(expected);
    await expectAccessible(page);
    await page.close();
  }
  refused.splice(0);
});

test.each(LANGUAGES)("shows an example next to a mistyped phone number (%s)", async (language, texts) => {
  const page = await open(linkTo(language, 61));
  await toDetails(page);
  await fillCustomerDetails(page);
  await page.fill("[name=customer_phone]", "12x");
  await bookAndPayLater(page);
  await page.waitForSelector("[name=customer_phone][aria-invalid=true]:focus");
  expect(await page.locator(".wrong:not(:empty), .problem:not(:empty)").allTextContents()).toEqual([
    fillPlaceholders(texts.wrongField, { field: `${texts.phone} (+34 600 000 000)` }),
  ]);
  await expectAccessible(page);
  await page.fill("[name=customer_phone]", "+49 30 1234567");
  await bookAndPayLater(page);
  await page.waitForSelector("[data-status=pending_confirmation]");
  refused.splice(0);
  await page.close();
});

test.each(LANGUAGES)(
  "shows vehicles and extras again if the chosen ones are no longer offered (%s)",
  async (language, texts) => {
    const page = await open(linkTo(language, 62));
    await page.waitForSelector(CHOOSE);
    await page.route(/set-product/, (route) => refuse(route, "product", "no_product"));
    const [reloaded] = await Promise.all([
      page.waitForRequest((request) => request.method() === "GET" && /include_products/.test(request.url())),
      page.click(CHOOSE),
    ]);
    expect(reloaded.url()).toContain("/shopping-cart/");
    await page.locator(`.problem >> text=${texts.soldOut}`).waitFor();
    await page.unroute(/set-product/);
    await toDetails(page);
    await page.route(/set-extra/, (route) => refuse(route, "extra", "no_extra", { extra: "GPS" }));
    await Promise.all([
      page.waitForRequest((request) => request.method() === "GET" && /include_extras/.test(request.url())),
      page.click("[data-extra=GPS] button:last-child"),
    ]);
    const name = await page.getAttribute("[data-extra=GPS] button", "aria-label");
    const extra = name?.replace(fillPlaceholders(texts.less, { name: "" }), "") ?? "";
    await page.locator(`.problem >> text=${fillPlaceholders(texts.wrongField, { field: extra })}`).waitFor();
    await expect.poll(() => page.textContent("[data-extra=GPS] output")).toBe("0");
    await page.unroute(/set-extra/);
    await page.route(/checkout/, (route) => refuse(route, "quantity", "max_extra", { extra: "GPS", max: 1 }));
    await fillCustomerDetails(page);
    await Promise.all([
      page.waitForRequest((request) => request.method() === "GET" && /include_extras/.test(request.url())),
      bookAndPayLater(page),
    ]);
    const problem = fillPlaceholders(texts.wrongField, { field: `${extra} (max. 1)` });
    await expect.poll(() => page.textContent("[data-problem=book]")).toBe(problem);
    refused.splice(0);
    await page.close();
  },
);

test("reminds a visitor of the reservation after Back and a reload, but not in another search", async () => {
  const page = await open(linkTo("en", 63));
  await toDetails(page);
  await fillCustomerDetails(page);
  await bookAndPayLater(page);
  await page.waitForSelector("[data-status=pending_confirmation]");
  await page.goBack();
  await page.waitForSelector("[data-step=choose] [data-booked]");
  await page.reload();
  await page.waitForSelector("[data-step=choose] [data-booked]");
  expect(await page.textContent("[data-booked]")).toContain(en.isBooked);
  const website = new URL(page.url()).origin;
  await page.goto(`${website}/?${linkTo("en", 80)}`);
  await page.waitForSelector("[data-step=choose] .products li");
  expect(await page.locator("[data-booked]").count()).toBe(0);
  await page.goto(`${website}/?${linkTo("en", 63)}`);
  await page.click("[data-booked] button");
  await page.waitForSelector("[data-status=pending_confirmation]");
  await page.close();
});

test.each(LANGUAGES)(
  "offers payment again after the connection was lost on the way to the gateway (%s)",
  async (language, texts) => {
    const page = await open(linkTo(language, 64));
    await toDetails(page);
    await fillCustomerDetails(page);
    await page.route(/reserva\/pagar/, (route) => route.abort());
    await page.locator("[data-choice]:not([data-choice=later])").first().check();
    await Promise.all([
      page.waitForEvent("requestfailed", (request) => request.url().includes("/reserva/pagar")),
      page.click("[data-order]"),
    ]);
    await expect.poll(() => page.evaluate("location.protocol")).toBe("chrome-error:");
    await page.unroute(/reserva\/pagar/);
    await page.goBack();
    await page.waitForSelector("[data-status=pending_confirmation]");
    expect(await page.textContent("[data-status] .problem")).toBe(texts.unpaidHint);
    await page.click("[data-pay]");
    await page.waitForURL(/dev\/gateway/);
    await page.click("button >> nth=0");
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-status=confirmed]");
    refused.splice(0);
    await page.close();
  },
);
