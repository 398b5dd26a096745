import { describe, expect, test } from "vitest";
import { de } from "../../../pwa/widget/src/texts/de.ts";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { fillPlaceholders } from "../../../pwa/widget/src/texts.ts";
import {
  bookAndPayLater,
  expectAccessible,
  readFocusedWidgetText,
  startPartnerWebsite,
  tabTo,
  typeInto,
} from "../../browser/partner-website.ts";

const website = startPartnerWebsite();
const open = (query: string, width?: number) => website.open(`kind=transfers&${query}`, width);

describe("transfer on a website with a strict content policy", () => {
  // Proves "booking-widget.md": Transfers by keyboard, their reload and cancelling
  test("books a return transfer with an extra by keyboard only, survives a reload and cancels it", async () => {
    const page = await open("lang=en");
    await page.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
    await tabTo(page, "[name=round_trip]");
    await page.keyboard.press("Space");
    await tabTo(page, "[data-date=return_date]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-day][tabindex='0']");
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
    await tabTo(page, "button[type=submit]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await readFocusedWidgetText(page)).toBe(en.chooseTitle);
    await tabTo(page, ".products button");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=details] [data-total]");
    const before = await page.textContent("[data-total]");
    await tabTo(page, "[data-extra=SEAT] button:last-child");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent("[data-total]")).not.toBe(before);
    const total = await page.textContent("[data-total]");
    await typeInto(page, "customer_name", "Ana");
    await typeInto(page, "customer_surname", "Ruiz");
    await typeInto(page, "customer_email", "ana@");
    await tabTo(page, "[name=payment]");
    await page.keyboard.press("ArrowUp");
    await tabTo(page, "[data-order]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[name=customer_email][aria-invalid=true]");
    await page.keyboard.type("example.com");
    expect(await page.locator("[name=customer_phone][aria-invalid=true]").count()).toBe(1);
    await typeInto(page, "customer_phone", "600000000");
    await typeInto(page, "flight_number", "IB3920");
    await tabTo(page, "[name=accepted_terms]");
    await page.keyboard.press("Space");
    await tabTo(page, "[data-order]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-status=pending_confirmation]");
    expect(await readFocusedWidgetText(page)).toBe(fillPlaceholders(en.received, { name: "Ana Ruiz" }));
    await expectAccessible(page);
    await page.reload();
    await page.waitForSelector("[data-status=pending_confirmation]");
    expect(await page.textContent("[data-total]")).toBe(total);
    await tabTo(page, "[data-move=cancel]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-quote]");
    await expectAccessible(page);
    await tabTo(page, "[data-confirm]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-status=cancelled]");
    await page.close();
  });

  // Proves "booking-widget.md": Transfers: Back, reload, links; a payment that failed
  test("keeps a transfer after Back, a reload and in a shared link, and allows another payment after a refusal", async () => {
    const page = await open("lang=de", 390);
    await page.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
    await page.selectOption("[name=destination_point_id]", { index: 2 });
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    const offered = await page.textContent(".products");
    await page.click(".products li:not(.gone) button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    const total = await page.textContent("[data-total]");
    await page.fill("[name=customer_name]", "Ana");
    await page.reload();
    await page.waitForSelector("[data-step=details] [data-total]");
    expect([await page.textContent("[data-total]"), await page.inputValue("[name=customer_name]")]).toEqual([
      total,
      "Ana",
    ]);
    await page.goBack();
    await page.waitForSelector("[data-step=choose] .products li");
    // A shared link shows the same search in a new tab.
    const sharedPage = await open(`${new URL(page.url()).searchParams}`, 390);
    await sharedPage.waitForSelector("[data-step=choose] .products li");
    expect(await sharedPage.textContent(".products")).toBe(offered);
    await sharedPage.close();
    await page.goForward();
    // Presses during the reload are ignored.
    await page.waitForSelector("[data-step=details][aria-busy=false] [data-total]");
    await page.fill("[name=customer_surname]", "Ruiz");
    await page.fill("[name=customer_email]", "ana@example.com");
    await page.fill("[name=customer_phone]", "600000000");
    await page.fill("[name=detailed_destination_address]", "Hotel Mar, Harbour 1");
    await page.check("[name=accepted_terms]");
    await page.click("[data-pay]");
    await page.click("button:has-text('Refuse')");
    await page.click("a.button[href*='rt-id']");
    await page.waitForSelector("[data-step=reservation] [data-pay]");
    expect(await page.textContent("h2")).toBe(fillPlaceholders(de.unpaid, { name: "Ana Ruiz" }));
    await expectAccessible(page);
    await page.click("[data-pay]");
    await page.click("button:has-text('Pay')");
    await page.click("a.button[href*='rt-id']");
    await page.waitForSelector("[data-status=confirmed]");
    expect(await page.textContent("[data-total]")).toBe(total);
    await page.close();
  });

  test("lists a transfer for the signed-in customer who booked it", async () => {
    const page = await open("lang=es", 390);
    await page.click("[data-sign-in]");
    await page.fill("[name=email]", "customer@acme.test");
    await page.fill("[name=password]", "Customer-acme-2026!");
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-listed]");
    const before = Number(await page.getAttribute("[data-listed]", "data-listed"));
    await page.goBack();
    await page.waitForSelector("select[name=destination_point_id] option[value]", { state: "attached" });
    await page.click("button[type=submit]");
    await page.click(".products li:not(.gone) button.main");
    await bookAndPayLater(page);
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.click("[data-own]");
    await page.waitForSelector(`[data-listed='${before + 1}']`);
    expect(await page.textContent("[data-listed]")).toContain("Aeropuerto de Palma");
    await expectAccessible(page);
    await page.close();
  });

  test("violates no content security policy of the website", () => {
    expect(website.refused).toEqual([]);
  });
});
