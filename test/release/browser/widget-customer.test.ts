import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { ca } from "../../../pwa/widget/src/texts/ca.ts";
import { de } from "../../../pwa/widget/src/texts/de.ts";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { es } from "../../../pwa/widget/src/texts/es.ts";
import { textsByLanguage } from "../../../pwa/widget/src/texts/texts-by-language.ts";
import {
  bookAndPayLater,
  expectAccessible,
  fillCustomerDetails,
  reloadReservationWithChanges,
  startPartnerWebsite,
} from "../../browser/partner-website.ts";

const PHONE = 390;

const { open } = startPartnerWebsite({ width: PHONE });

async function search(page: Page): Promise<void> {
  await page.click("button[type=submit]");
  await page.click(".products li:not(.gone) button.main");
  await page.waitForSelector("[data-step=details] [data-total]");
}

const readMessage = async (page: Page) => {
  await page.waitForSelector(".problem:not(:empty)");
  return page.textContent(".problem:not(:empty)");
};

/** Makes the company reject matching requests. */
const rejectRequests = (page: Page, address: RegExp, status: number, code: string) =>
  page.route(address, (route) =>
    route.fulfill({ status, json: { error: "x", code }, headers: { "Access-Control-Allow-Origin": "*" } }),
  );

async function sendDetails(page: Page): Promise<void> {
  await fillCustomerDetails(page);
  await bookAndPayLater(page);
}

async function book(page: Page): Promise<void> {
  await search(page);
  await sendDetails(page);
  await page.waitForSelector("[data-status=pending_confirmation]");
}

/** Applies a quoted change and checks that its price is as quoted. */
async function applyAsQuoted(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.click("[data-ask]");
  await page.waitForSelector("[data-quote]");
  await expectAccessible(page);
  const [, total] = await page.locator("[data-quote] dd").allTextContents();
  await page.click("[data-confirm]");
  await expect.poll(() => page.textContent("[data-total]")).toBe(total);
}

describe("a customer on a foreign website, on a phone", () => {
  // Proves "booking-widget.md": Customers sign in, make an account, have a link sent, book with it and see their
  //   reservations
  test("creates a customer account with errors at their fields, books with it and shows the booking", async () => {
    const page = await open("lang=ca");
    await page.click("[data-sign-in]");
    await page.waitForSelector("[data-way=in]");
    await expectAccessible(page);
    await page.fill("[name=email]", "nobody@example.com");
    await page.fill("[name=password]", "Wrong-pass-2026!");
    await page.click("button[type=submit]");
    await page.waitForSelector("[name=password][aria-invalid=true]");
    expect(await page.textContent(".wrong")).toBe(ca.wrongSignIn);
    await page.click("[data-other=up]");
    await page.click("[data-way=up] button[type=submit]");
    await expect.poll(() => page.locator(".wrong").allTextContents()).toHaveLength(4);
    await expectAccessible(page);
    const email = `ana.${Date.now()}@example.com`;
    await page.fill("[name=name]", "Ana");
    await page.fill("[name=surname]", "Ruiz");
    await page.fill("[name=email]", email);
    await page.fill("[name=password]", "password");
    await page.click("button[type=submit]");
    await page.waitForSelector("[name=password][aria-invalid=true]");
    expect(await page.textContent(".wrong")).toContain("filtracions conegudes");
    await page.fill("[name=password]", "Una-frase-ben-llarga-2026");
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-listed='0']");
    expect(await page.textContent("[data-customer]")).toContain("Ana Ruiz");
    await page.reload();
    await page.waitForSelector("[data-listed='0']");
    await page.goBack();
    await search(page);
    expect(await page.locator("[name=customer_email]").count()).toBe(0);
    await bookAndPayLater(page);
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.click("[data-own]");
    await page.waitForSelector("[data-listed='1']");
    await expectAccessible(page);
    await page.click("[data-listed] button");
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.click("[data-sign-out]");
    await page.waitForSelector("[data-sign-in]");
    await page.click("[data-sign-in]");
    await page.click("[data-other=forgotten]");
    await page.fill("[name=email]", email);
    await page.click("button[type=submit]");
    await expect
      .poll(() => page.locator("[role=status]").allTextContents())
      .toContain(ca.linkSent.replace("{email}", email));
    await page.close();
  });

  // Proves "booking-widget.md": A visitor who signs in keeps the cart
  test("continues with the cart after the visitor signs in during the booking", async () => {
    const page = await open("lang=en");
    await search(page);
    const total = await page.textContent("[data-total]");
    await page.click("[data-sign-in]");
    await page.fill("[name=email]", "customer@acme.test");
    await page.fill("[name=password]", "Customer-acme-2026!");
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=details] [data-total]");
    expect(await page.textContent("[data-total]")).toBe(total);
    expect(await page.locator("[name=customer_email]").count()).toBe(0);
    await page.close();
  });

  // Proves "booking-widget.md": Contract data: existing values are kept, missing ones are shown at their field
  test("completes the contract in German, keeping known data and marking missing fields", async () => {
    const page = await open("lang=de");
    await book(page);
    await page.waitForSelector("[data-missing]");
    await page.click("[data-contract]");
    await page.waitForSelector("[name=driver_date_of_birth]");
    await expectAccessible(page);
    await page.fill("[name=customer_document_id]", "12345678Z");
    await page.fill("[name=driver_date_of_birth]", "2100-01-01");
    await page.fill("[name=driver_driving_license_expiration_date]", "2020-01-01");
    await page.click("[data-save]");
    await expect.poll(() => page.locator(".wrong").allTextContents()).toEqual([de.notPast, de.endsBefore]);
    await expectAccessible(page);
    await page.reload();
    await page.waitForSelector("[name=customer_document_id]");
    expect(await page.inputValue("[name=customer_document_id]")).toBe("12345678Z");
    await page.fill("[name=driver_date_of_birth]", "1990-02-03");
    await page.fill("[name=driver_driving_license_expiration_date]", "2100-01-01");
    await page.click("[data-save]");
    await expect
      .poll(() => page.textContent("[data-missing] > [role=status]"))
      .toContain("Gespeichert. Es fehlen noch");
    const invalidFields = await page
      .locator("[aria-invalid=true]")
      .evaluateAll((all) => all.map((item) => item.getAttribute("name")));
    expect(invalidFields).toContain("customer_address_street");
    for (const name of invalidFields) {
      const field = page.locator(`[name=${name}]`);
      if (name?.endsWith("country")) await field.selectOption("ES");
      else await field.fill(name?.endsWith("date") ? "2010-01-01" : "600000000");
    }
    await page.click("[data-save]");
    await page.waitForSelector("[data-missing='0']");
    expect(await page.textContent("[data-missing] > [role=status]")).toBe(de.contractDone);
    await page.reload();
    await page.click("[data-contract]");
    expect(await page.inputValue("[name=customer_document_id]")).toBe("12345678Z");
    await page.close();
  });

  // Proves "booking-widget.md": Own bookings are changed at the price that was shown, and cancelled
  test("changes a booking's dates and extras at the price that was shown, and cancels the booking", async () => {
    const page = await open("lang=es");
    await book(page);
    await page.click("[data-move=change]");
    await page.click("[data-date=date_to]");
    await page.waitForSelector("[data-day][tabindex='0']");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.click("[data-moves] [data-extra=SEAT] button:last-child");
    await applyAsQuoted(page);
    expect(await page.textContent(".sum dl")).toContain("1 × ");
    await page.click("[data-move=cancel]");
    await page.waitForSelector("[data-quote]");
    await page.click("[data-leave]");
    await page.click("[data-move=cancel]");
    await page.click("[data-confirm]");
    await page.waitForSelector("[data-status=cancelled]");
    expect(await page.locator("[data-moves], [data-contract]").count()).toBe(0);
    await page.close();
  });

  test("shows a refund to a customer who paid and cancelled, once it is done", async () => {
    const page = await open("lang=en");
    await search(page);
    await fillCustomerDetails(page);
    await page.click("[data-pay]");
    await page.waitForURL(/\/dev\/gateway\//);
    await page.click("button:has-text('Pay')");
    await page.click("a.button:not(.quiet)");
    await page.waitForSelector("[data-status=confirmed]");
    expect(await page.locator("[data-paid-back]").count()).toBe(0);
    await page.click("[data-move=cancel]");
    await page.click("[data-confirm]");
    await page.waitForSelector("[data-status=cancelled]");
    // The office refunds the payment, which the company's response then shows.
    await reloadReservationWithChanges(page, { payment_status: "refunded", total_paid: "0.00", total_pending: "0.00" });
    await page.waitForSelector("[data-payment=refunded]");
    expect(await page.textContent("[data-paid-back]")).toBe(en.paidBack);
    await expectAccessible(page);
    await page.close();
  });

  test("shows a transfer's new price before changing its time and passengers", async () => {
    const page = await open("lang=de&kind=transfers");
    await book(page);
    await page.click("[data-move=change]");
    await page.waitForSelector("[data-moves] [name=time] option:nth-child(2)", { state: "attached" });
    await page.selectOption("[data-moves] [name=time]", "23:30");
    await page.fill("[data-moves] [name=number_of_adults]", "1");
    await applyAsQuoted(page);
    expect(await page.textContent(".sum")).toContain("23:30");
    await page.click("[data-move=change]");
    await page.waitForSelector("[data-moves] [name=time] option:nth-child(2)", { state: "attached" });
    await page.fill("[data-moves] [name=number_of_adults]", "90");
    await page.click("[data-ask]");
    await expect.poll(() => page.textContent("[data-moves] .wrong")).toContain(de.noPlaces);
    await page.close();
  });

  test("explains an unknown reservation and a sign-in of staff to the visitor with their own messages", async () => {
    const page = await open(`lang=en&rb-id=${"0".repeat(32)}`);
    expect(await readMessage(page)).toBe(en.unknownReservation);
    await page.click("[data-sign-in]");
    await page.waitForSelector(".problem", { state: "hidden" });
    await page.fill("[name=email]", "staff@acme.test");
    await page.fill("[name=password]", "Staff-acme-2026!");
    await page.click("button[type=submit]");
    expect(await readMessage(page)).toBe(en.notCustomer);
    expect(await page.locator("[data-customer]").count()).toBe(0);
    await page.close();
  });

  // Proves "booking-widget.md": An expired cart and a taken vehicle are shown on the page that follows
  test("leads a visitor back with a reason if the cart has expired or the vehicle has been sold", async () => {
    const page = await open("lang=es");
    await search(page);
    await rejectRequests(page, /shopping-cart\/\w+\?/, 404, "cart_not_found");
    await page.reload();
    expect(await readMessage(page)).toBe(es.expired);
    await page.unrouteAll();
    await search(page);
    await rejectRequests(page, /\/checkout/, 409, "CRBOOK002");
    await sendDetails(page);
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await readMessage(page)).toBe(es.soldOut);
    await page.close();
  });
});

const LANGUAGES = Object.entries(textsByLanguage).sort(([code]) => (code === "de" ? -1 : 0));

// The language with the longest words in the gate, all of them in a release.
describe("every step in every language", () => {
  // Proves "booking-widget.md": Every step in every language, and axe
  test.each(inject("isThorough") ? LANGUAGES : LANGUAGES.slice(0, 1))(
    "shows %s in its language and without axe violations",
    async (lang, texts) => {
      const page = await open(`lang=${lang}`);
      await page.waitForSelector("select[name=return_place] option", { state: "attached" });
      expect(await page.textContent("h2")).toBe(texts.title);
      await expectAccessible(page);
      await search(page);
      expect(await page.textContent("form h2")).toBe(texts.details);
      await expectAccessible(page);
      await page.click("[data-sign-in]");
      await page.waitForSelector("[data-way=in]");
      expect(await page.textContent("[data-way] .main")).toBe(texts.signIn);
      await expectAccessible(page);
      await page.close();
      const transfers = await open(`lang=${lang}&kind=transfers`);
      await transfers.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
      expect(await transfers.textContent("h2")).toBe(texts.transferTitle);
      await expectAccessible(transfers);
      await search(transfers);
      expect(await transfers.textContent(".sum h3")).toBe(texts.yourTransfer);
      await expectAccessible(transfers);
      await transfers.close();
    },
  );
});
