import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { getQuoteTexts } from "#domain/quotes/texts.ts";
import { paymentTexts } from "#worker/api/payments/texts.ts";
import { de } from "../../../pwa/widget/src/texts/de.ts";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { getDateInDays, useOffice } from "../../browser/office-page.ts";
import { getOverflowWidth, listAxeFaults } from "../../browser/page-checks.ts";
import { fillCustomerDetails } from "../../browser/partner-website.ts";

let office: Page;
let address = "";

const { ask } = useOffice((opened) => {
  office = opened.page;
  address = new URL(opened.office.address).origin;
});

/** Opens a page of a customer on a phone. */
async function openOnPhone(url: string): Promise<Page> {
  const page = await office.context().newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(url);
  return page;
}

interface Created {
  readonly id: number;
  readonly link: string;
  readonly version: number;
}

const LANGUAGES = ["de", "en"] as const;

test.each(LANGUAGES)(
  "asks to check a quote that was changed while its page was open, and accepts it once (%s)",
  async (language) => {
    const texts = getQuoteTexts(language);
    const created = await ask("POST", "/quotes", {
      ...{ date_from: getDateInDays(55), time_from: "10:00", date_to: getDateInDays(57), time_to: "10:00" },
      ...{ pickup_place: 1, return_place: 1, category_code: "COMP", valid_until: `${getDateInDays(3)}T12:00` },
      customer: { name: "Rosa", surname: "Später", email: "rosa@example.com" },
      customer_language: language,
    });
    const { id, link, version } = (created.body as { readonly quote: Created }).quote;
    const [page, other] = [await openOnPhone(link), await openOnPhone(link)];
    const changed = await ask("PATCH", `/quotes/${id}`, { expected_version: version, date_to: getDateInDays(59) });
    expect(changed.status).toBe(200);
    await page.fill("[name=customer_phone]", "12x");
    const accept = (tab: Page) => Promise.all([tab.waitForNavigation(), tab.click("form[action$=accept] button")]);
    await accept(page);
    expect((await page.textContent(".note"))?.trim()).toBe(texts.changed);
    expect(await page.locator("#wrong-customer_phone").textContent()).toBe(`${texts.wrongField} (+34 600 000 000)`);
    await page.fill("[name=customer_phone]", "600 700 800");
    await accept(page);
    await accept(other);
    const note = (await page.textContent(".note"))?.trim() ?? "";
    expect(note).toBe(texts.accepted(Number(/\d+/.exec(note)?.[0])));
    expect((await other.textContent(".note"))?.trim()).toBe(note);
    for (const tab of [page, other]) {
      expect([await listAxeFaults(tab), (await getOverflowWidth(tab)) <= 0]).toEqual([[], true]);
      await tab.close();
    }
  },
);

test.each([
  ["de", de],
  ["en", en],
] as const)(
  "explains a payment that arrives after the company cancelled the reservation (%s)",
  async (language, texts) => {
    const period = `rb-from=${getDateInDays(66)}&rb-to=${getDateInDays(68)}&rb-pickup=1&rb-return=1`;
    const page = await openOnPhone(`${address}/?lang=${language}&rb=choose&${period}`);
    await page.click(".products li:not(.gone) button.main");
    await fillCustomerDetails(page);
    await page.locator("[data-choice]:not([data-choice=later])").first().check();
    await page.click("[data-order]");
    await page.waitForURL(/dev\/gateway/);
    const listed = await ask("GET", "/reservations?sort=-id&page_size=1");
    const [{ id, version }] = (listed.body as { readonly data: [Created] }).data;
    const cancelled = await ask("POST", `/reservations/${id}/cancel`, {
      expected_version: version,
      reason: "Kein Fahrzeug",
    });
    expect(cancelled.status).toBe(200);
    await page.click("button >> nth=0");
    await page.locator(`h1 >> text=${paymentTexts[language].review.title}`).waitFor();
    expect(await page.textContent("main")).toContain(paymentTexts[language].review.text);
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-status=cancelled]");
    expect(await page.textContent("[data-reason]")).toBe(texts.paidTooLate);
    expect(await page.locator("[data-pay], [data-owing]").count()).toBe(0);
    await page.close();
  },
);
