import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { getQuoteTexts } from "#domain/quotes/texts.ts";
import { paymentLinkTexts } from "#worker/api/payments/link-texts.ts";
import { paymentTexts } from "#worker/api/payments/texts.ts";
import { de } from "../../../pwa/widget/src/texts/de.ts";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { getDateInDays, useOffice } from "../../browser/office-page.ts";
import { getOverflowWidth, listAxeFaults, saveScreenshot } from "../../browser/page-checks.ts";
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

/** Presses a button that leads to another page. */
const follow = (tab: Page, selector: string) => Promise.all([tab.waitForNavigation(), tab.click(selector)]);

/** Expects an accessible page of the screen's width. */
async function expectReadable(tab: Page, name: string): Promise<void> {
  expect([await listAxeFaults(tab), (await getOverflowWidth(tab)) <= 0]).toEqual([[], true]);
  await saveScreenshot(tab, `customer-${name}`, true);
}

/** Expects a page that asks for nothing but contacting the company. */
async function expectContactOnly(tab: Page): Promise<void> {
  expect([await tab.locator("form").count(), await tab.locator("a[href$='#contact']").count()]).toEqual([0, 1]);
}

interface Created {
  readonly id: number;
  readonly link: string;
  readonly version: number;
  readonly status: string;
}

const LANGUAGES = ["de", "en"] as const;
const LANGUAGES_WITH_TEXTS = [
  ["de", de],
  ["en", en],
] as const;

async function createQuote(language: string): Promise<Created> {
  const created = await ask("POST", "/quotes", {
    ...{ date_from: getDateInDays(55), time_from: "10:00", date_to: getDateInDays(57), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP", valid_until: `${getDateInDays(3)}T12:00` },
    customer: { name: "Rosa", surname: "Später", email: "rosa@example.com" },
    customer_language: language,
  });
  return (created.body as { readonly quote: Created }).quote;
}

const PAY_BUTTON = "button >> nth=0";

/** Books a vehicle of the list and opens the gateway's page to pay with the chosen option. */
async function bookUntilGateway(language: string, days: number, { vehicle = 0, option = 0 } = {}): Promise<Page> {
  const period = `rb-from=${getDateInDays(days)}&rb-to=${getDateInDays(days + 2)}&rb-pickup=1&rb-return=1`;
  const page = await openOnPhone(`${address}/?lang=${language}&rb=choose&${period}`);
  await page.locator(".products li:not(.gone) button.main").nth(vehicle).click();
  await fillCustomerDetails(page);
  await page.locator("[data-choice]:not([data-choice=later])").nth(option).check();
  await page.click("[data-order]");
  await page.waitForURL(/dev\/gateway/);
  return page;
}

async function readLastReservation(): Promise<Created> {
  const listed = await ask("GET", "/reservations?sort=-id&page_size=1");
  return (listed.body as { readonly data: [Created] }).data[0];
}

test.each(LANGUAGES)(
  "asks to check a quote that was changed while its page was open, and accepts it once (%s)",
  async (language) => {
    const texts = getQuoteTexts(language);
    const { id, link, version } = await createQuote(language);
    const [page, other] = [await openOnPhone(link), await openOnPhone(link)];
    const changed = await ask("PATCH", `/quotes/${id}`, { expected_version: version, date_to: getDateInDays(59) });
    expect(changed.status).toBe(200);
    await page.fill("[name=customer_phone]", "12x");
    const accept = (tab: Page) => follow(tab, "form[action$=accept] button");
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

test.each(LANGUAGES_WITH_TEXTS)(
  "explains a payment that arrives after the company cancelled the reservation (%s)",
  async (language, texts) => {
    const page = await bookUntilGateway(language, 66);
    const { id, version } = await readLastReservation();
    const cancelled = await ask("POST", `/reservations/${id}/cancel`, {
      expected_version: version,
      reason: "Kein Fahrzeug",
    });
    expect(cancelled.status).toBe(200);
    await page.click(PAY_BUTTON);
    await page.locator(`h1 >> text=${paymentTexts[language].review.title}`).waitFor();
    expect(await page.textContent("main")).toContain(paymentTexts[language].review.text);
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-status=cancelled]");
    expect(await page.textContent("[data-reason]")).toBe(texts.paidTooLate);
    expect(await page.locator("[data-pay], [data-owing]").count()).toBe(0);
    await page.close();
  },
);

test.each(LANGUAGES)("names the next step if a quote expires while its page is open (%s)", async (language) => {
  const { id, link, version } = await createQuote(language);
  const page = await openOnPhone(link);
  // The request must arrive before the time that it sets.
  const shorten = async () => {
    const valid_until = new Date(Date.now() + 1000).toISOString();
    return (await ask("PATCH", `/quotes/${id}`, { expected_version: version, valid_until })).status;
  };
  await expect.poll(shorten).toBe(200);
  const readStatus = async () => ((await ask("GET", `/quotes/${id}`)).body as { readonly quote: Created }).quote.status;
  await expect.poll(readStatus).toBe("expired");
  await follow(page, "form[action$=accept] button");
  for (const tab of [page, await openOnPhone(link)]) {
    expect((await tab.textContent(".note"))?.trim()).toBe(getQuoteTexts(language).expired);
    await expectContactOnly(tab);
    await expectReadable(tab, `expired-quote-${language}`);
    await tab.close();
  }
});

test.each(LANGUAGES)("accepts a payment that ends after its link, and asks for no other (%s)", async (language) => {
  const texts = paymentLinkTexts[language];
  const sold = await ask("POST", "/reservations", {
    ...{ date_from: getDateInDays(70), time_from: "10:00", date_to: getDateInDays(72), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP", status: "confirmed", customer_language: language },
    customer: { name: "Rosa", surname: "Später", email: "rosa@example.com" },
  });
  const path = `/reservations/${(sold.body as { readonly reservation: Created }).reservation.id}/payment-links`;
  /** Opens a link in two tabs, one of them at the gateway. On a slow machine a short link may expire before. */
  const openTabs = async (seconds: number): Promise<readonly [Page, Page]> => {
    const expires_at = new Date(Date.now() + seconds * 1000).toISOString();
    const created = await ask("POST", path, { purpose: "payment", amount: "30.00", expires_at });
    const { payment_link: link } = created.body as { readonly payment_link?: { readonly url: string } };
    if (!link) return openTabs(seconds * 2);
    const tabs = [await openOnPhone(link.url), await openOnPhone(link.url)] as const;
    if (await tabs[0].locator("form").count()) await follow(tabs[0], "form button:not(.quiet)");
    if (tabs[0].url().includes("/dev/gateway")) return tabs;
    for (const tab of tabs) await tab.close();
    return openTabs(seconds * 2);
  };
  const [page, other] = await openTabs(4);
  await expect.poll(() => other.reload().then(() => other.textContent("h1"))).toBe(texts.expired.title);
  expect(await other.textContent("main")).toContain(texts.expired.text);
  await expectContactOnly(other);
  await expectReadable(other, `expired-payment-link-${language}`);
  await page.click(PAY_BUTTON);
  await page.locator(`h1 >> text=${paymentTexts[language].paid.title}`).waitFor();
  await other.reload();
  expect(await other.textContent("h1")).toBe(texts.paid.title);
  expect(await other.locator("form").count()).toBe(0);
  for (const tab of [page, other]) await tab.close();
});

test.each(LANGUAGES_WITH_TEXTS)(
  "explains a second payment in another tab of the same reservation (%s)",
  async (language, texts) => {
    const page = await bookUntilGateway(language, 74, { option: 2 });
    await page.goBack();
    await page.waitForSelector("[data-pay]");
    const [second, third] = [await openOnPhone(page.url()), await openOnPhone(page.url())];
    for (const tab of [page, second]) {
      await tab.locator("[data-choice]").nth(2).check();
      await tab.click("[data-pay]");
      await tab.waitForURL(/dev\/gateway/);
    }
    await third.waitForSelector("[data-pay]");
    const states = paymentTexts[language];
    for (const [tab, state] of [
      [page, states.paid],
      [second, states.second],
    ] as const) {
      await tab.click(PAY_BUTTON);
      await tab.locator(`h1 >> text=${state.title}`).waitFor();
      expect(await tab.textContent("main")).toContain(state.text);
    }
    await follow(third, "[data-pay]");
    expect(await third.textContent("h1")).toBe(states.alreadyPaid.title);
    for (const [tab, name] of [
      [second, "second-payment"],
      [third, "already-paid"],
    ] as const) {
      await expectReadable(tab, `${name}-${language}`);
      await tab.click("a.button[href*='rb-id']");
      await tab.waitForSelector("[data-status=confirmed]");
      expect(await tab.locator("[data-pay]").count()).toBe(0);
      expect(await tab.textContent("dl:has([data-paid])")).toContain(texts.refund);
    }
    for (const tab of [page, second, third]) await tab.close();
  },
);

async function setPaymentHold(minutes: number): Promise<void> {
  const { settings } = (await ask("GET", "/settings")).body as { readonly settings: Created };
  const change = { expected_version: settings.version, payment_hold_minutes: minutes };
  expect((await ask("PATCH", "/settings", change)).status).toBe(200);
}

/** Counts the last reservations that still hold their vehicle. */
async function countHeld(last: number): Promise<number> {
  const listed = await ask("GET", `/reservations?sort=-id&page_size=${last}`);
  const { data } = listed.body as { readonly data: readonly { readonly hold_until: string | null }[] };
  return data.filter(({ hold_until: until }) => until !== null && Date.parse(until) > Date.now()).length;
}

/** Sells all free vehicles of a reservation's category in its place and period. */
async function sellRest(id: number, days: number): Promise<void> {
  const { reservation } = (await ask("GET", `/reservations/${id}`)).body as {
    readonly reservation: { readonly reservation_lines: readonly [{ readonly item_id: string }] };
  };
  const rental = {
    ...{ date_from: getDateInDays(days), time_from: "10:00", date_to: getDateInDays(days + 2), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: reservation.reservation_lines[0].item_id },
    ...{ status: "confirmed", customer: { name: "Rosa", surname: "Später" } },
  };
  let { status } = await ask("POST", "/reservations", rental);
  while (status === 201) ({ status } = await ask("POST", "/reservations", rental));
  expect(status).toBe(409);
}

/** Vehicles of the list, of which the first one is sold before the payment, and what their customers then see. */
const LATE_PAYMENTS = [
  { vehicle: 0, state: "review", mark: "[data-reason=paid_too_late]", reasons: ["paidTooLate"], buttons: 0 },
  { vehicle: 1, state: "paid", mark: "[data-status=confirmed]", reasons: [], buttons: 1 },
] as const;

test("confirms a reservation paid after its hold if the vehicle is free, and explains it otherwise", async () => {
  await setPaymentHold(1);
  const booked = [];
  for (const [language, texts] of LANGUAGES_WITH_TEXTS)
    for (const late of LATE_PAYMENTS) {
      const page = await bookUntilGateway(language, 78, late);
      booked.push({ ...late, language, texts, page, id: (await readLastReservation()).id });
    }
  await setPaymentHold(30);
  await expect.poll(() => countHeld(booked.length)).toBe(0);
  await sellRest(booked[0]?.id ?? 0, 78);
  for (const { language, texts, page, state, mark, reasons, buttons } of booked) {
    await page.click(PAY_BUTTON);
    await page.locator(`h1 >> text=${paymentTexts[language][state].title}`).waitFor();
    await expectReadable(page, `late-payment-${state}-${language}`);
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector(mark);
    expect(await page.locator("[data-reason]").allTextContents()).toEqual(reasons.map((name) => texts[name]));
    for (const button of ["[data-pay]", "[data-contract]"]) expect(await page.locator(button).count()).toBe(buttons);
    await expectReadable(page, `late-payment-${state}-reservation-${language}`);
    await page.close();
  }
});
