import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { de } from "../../../pwa/widget/src/texts/de.ts";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { fillPlaceholders } from "../../../pwa/widget/src/texts.ts";
import { saveScreenshot } from "../../browser/page-checks.ts";
import {
  bookAndPayLater,
  expectAccessible,
  fillCustomerDetails,
  getBox,
  reloadReservationWithChanges,
  startPartnerWebsite,
} from "../../browser/partner-website.ts";

const { open, refused } = startPartnerWebsite();

/** Books, gets rejected by the bank and returns by its link. */
async function bookUnpaid(page: Page): Promise<void> {
  await page.click("button[type=submit]");
  await page.click(".products button.main");
  await fillCustomerDetails(page);
  await page.click("[data-pay]");
  await page.click("button:has-text('Refuse')");
  const back = await page.getAttribute("a.button[href*='rb-id']", "href");
  await page.goto(back ?? "");
}

type Product = Readonly<Record<string, unknown>>;

/** Changes the products of each search's response. */
const changeProducts = (page: Page, change: (product: Product) => Product) =>
  page.route("**/shopping-cart**", async (route) => {
    // Only the browser resolves names below localhost.
    const url = new URL(route.request().url());
    const { host } = url;
    url.hostname = "127.0.0.1";
    const response = await route.fetch({ url: url.href, headers: { ...route.request().headers(), host } });
    const answer: { readonly products?: readonly Product[] } = await response.json();
    await route.fulfill({ response, json: { ...answer, products: answer.products?.map(change) } });
  });

describe("embedded on a website with a strict content policy", () => {
  test("shows the search, sorts and filters the results, and sends the website an event for each step", async () => {
    const page = await open("lang=en");
    await page.evaluate(`{
      window.heard = [];
      for (const name of ["search", "select", "book", "pay"])
        document.addEventListener(name, ({ type, detail }) => window.heard.push([type, JSON.stringify(detail)]));
    }`);
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await page.textContent("[data-searched]")).toMatch(/10:00 → .* · \d+ days/);
    await page.selectOption("[name=sort]", "price");
    const prices = (await page.locator(".products li:not(.gone) .price b").allTextContents()).map((text) =>
      Number(text.replace(/[^\d.]/g, "")),
    );
    expect(prices.length).toBeGreaterThan(1);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    const seats = page.locator("[name=seats] option");
    await page.selectOption("[name=seats]", (await seats.last().getAttribute("value")) ?? "");
    expect(await page.locator(".products li").count()).toBeLessThan(prices.length + 1);
    await expectAccessible(page);
    await page.selectOption("[name=seats]", "0");
    await page.click(".products li:not(.gone) button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    await fillCustomerDetails(page);
    await bookAndPayLater(page);
    await page.waitForSelector("[data-status=pending_confirmation]");
    const heard = (await page.evaluate("window.heard")) as readonly [string, string][];
    expect(heard.map(([name]) => name)).toEqual(["search", "select", "book"]);
    const id = new URL(page.url()).searchParams.get("rb-id") ?? "";
    expect(id).not.toBe("");
    expect(JSON.stringify(heard)).not.toContain(id);
    await page.close();
  });

  test("announces a repeated error again by inserting the same text again", async () => {
    const page = await open("lang=de");
    let tried = 0;
    await page.route(/booking\/00000000/, (route) => {
      tried += 1;
      return route.abort();
    });
    await page.goto(`${page.url().split("?")[0]}?lang=de&rb=reservation&rb-id=00000000-0000-4000-8000-000000000000`);
    await page.locator("button", { hasText: de.retry }).waitFor();
    const problemText = await page.textContent(".problem");
    await page.evaluate(`{
      window.heard = [];
      const region = document.querySelector("rental-booking").shadowRoot.querySelector(".problem[role=alert]");
      const hear = ({ addedNodes }) => window.heard.push(...[...addedNodes].map((one) => one.textContent));
      new MutationObserver((changes) => changes.forEach(hear)).observe(region, { childList: true, subtree: true });
    }`);
    await page.click(`button:has-text("${de.retry}")`);
    await expect.poll(() => tried).toBe(2);
    await page.waitForSelector(".shop[aria-busy=false]");
    expect(await page.evaluate("window.heard")).toEqual([problemText]);
    expect([problemText, refused.splice(0).length]).toEqual([expect.stringMatching(/\S/), 2]);
    await page.close();
  });

  test("shows an expired hold on the page of its reservation, even before the reservation is cancelled", async () => {
    const page = await open("lang=de", 390);
    await bookUnpaid(page);
    await reloadReservationWithChanges(page, { status_reason: "expired" });
    await page.waitForSelector("[data-status=pending_confirmation] [data-reason=expired]");
    expect(await page.textContent("h2")).toBe(fillPlaceholders(de.heldNoMore, { name: "Ana Ruiz" }));
    expect(await page.textContent("[data-reason]")).toBe(de.holdEnded);
    // No amount, form or change is left, and the main button leads to a new reservation.
    expect(await page.locator("[data-owing], [data-contract], [data-moves]").count()).toBe(0);
    await page.click("[data-again].main");
    await page.waitForSelector("[data-step=search] button[type=submit]");
    await page.close();
  });

  // Proves "booking-widget.md": A page restored by the browser after the bank shows the current state
  test("shows the payment to a customer who returns from the bank to the cached page", async () => {
    const page = await open("lang=de", 390);
    await bookUnpaid(page);
    await page.waitForSelector("[data-status=pending_confirmation]");
    // The previous page stays unchanged, as in the back/forward cache.
    const [bank] = await Promise.all([
      page.context().waitForEvent("page"),
      page.evaluate("void window.open(location.href)"),
    ]);
    await bank.click("[data-pay]");
    await bank.click("button:has-text('Pay')");
    await bank.waitForSelector("a.button[href*='rb-id']");
    await bank.close();
    expect(await page.textContent("h2")).toBe(fillPlaceholders(de.unpaid, { name: "Ana Ruiz" }));
    await page.evaluate("void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.waitForSelector("[data-status=confirmed]");
    expect(await page.textContent("h2")).toBe("Ana Ruiz, Ihre Reservierung ist bestätigt");
    await page.close();
  });

  test.each([
    ["expired", de.holdEnded],
    ["paid_too_late", de.paidTooLate],
  ])("shows why a reservation was cancelled as %s, without axe violations", async (reason, expectedText) => {
    const page = await open("lang=de", 390);
    await bookUnpaid(page);
    await reloadReservationWithChanges(page, { status: "cancelled", status_reason: reason });
    await page.waitForSelector("[data-status=cancelled]");
    expect(await page.textContent("[data-reason]")).toBe(expectedText);
    await expectAccessible(page);
    await page.close();
  });

  // Proves "booking-widget.md": A change of lang translates what is shown; Back, reload and links keep search and cart
  test("keeps search and choices on Back, on a reload and in another language", async () => {
    const page = await open("lang=en");
    await page.selectOption("[name=pickup_place]", { index: 1 });
    await page.waitForSelector("button[type=submit]:not([disabled])");
    const readSearchFields = async () => [
      await page.inputValue("[name=pickup_place]"),
      await page.inputValue("[name=return_place]"),
      ...(await page.locator("[data-date]").allTextContents()),
    ];
    const sentRequest = await readSearchFields();
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li");
    await page.goBack();
    await page.waitForSelector("[name=return_place] option", { state: "attached" });
    expect(await readSearchFields()).toEqual(sentRequest);
    await page.goForward();
    await page.waitForSelector(".products li");
    const offered = await page.textContent(".products h3");
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    const total = await page.textContent("[data-total]");
    await page.fill("[name=customer_name]", "Ana");
    await page.reload();
    await page.waitForSelector("[data-step=details] [data-total]");
    expect(await page.textContent("[data-total]")).toBe(total);
    expect(await page.inputValue("[name=customer_name]")).toBe("Ana");
    await page.goBack();
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await page.textContent(".products h3")).toBe(offered);
    await page.evaluate("document.querySelector('rental-booking').setAttribute('lang', 'es')");
    await page.waitForSelector(".products button:has-text('Elegir')");
    await expect.poll(() => page.textContent(".products .quiet")).toContain("o similar");
    // A shared link shows the same search in a new tab.
    const other = await open(`${new URL(page.url()).searchParams}`);
    await other.waitForSelector("[data-step=choose] .products li");
    expect(await other.textContent(".products h3")).toBe(offered);
    await other.close();
    await page.close();
  });

  test("lets a visitor choose amount and method above one button, which pays exactly that", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.waitForSelector(".payment");
    expect(await page.locator("[data-pay]").count()).toBe(1);
    const choices = await page.$$eval(".payment input", (inputs) => inputs.map((input) => input.dataset["choice"]));
    expect(choices).toContain("total paypal_standard");
    expect(await page.textContent("[data-pay]")).toContain("the rest later");
    await page.check("[data-choice='total paypal_standard']");
    const button = await page.textContent("[data-pay][data-part=total]");
    expect(button).toContain("PayPal");
    expect(button).toContain(await page.textContent("[data-total]"));
    await expectAccessible(page);
    await saveScreenshot(page, "widget-payment", true);
    await fillCustomerDetails(page);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.url().includes("/checkout")),
      page.click("[data-pay]"),
    ]);
    expect(sent.postDataJSON()).toMatchObject({ payment: "paypal_standard" });
    await page.close();
  });

  test("shows the excess of each insurance if the vehicle has an excess", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.locator(".products li", { hasText: "SUV" }).first().locator("button.main").click();
    await page.waitForSelector("[data-insurance=FULL]");
    const cards = await page.$$eval(".cover", (labels) => labels.map((label) => label.textContent ?? ""));
    expect(cards[0]).toMatch(/deposit[\s\S]*€[\s\S]*excess[\s\S]*€/i);
    expect(cards[1]).toContain(en.noExcess);
    await page.close();
  });

  test("shows places, dates and times in one uncut row on desktops, and each field below the other on phones", async () => {
    const page = await open("lang=de", 1320);
    await page.waitForSelector("[name=driver_age_rule]");
    const names = (fields: readonly string[]) => fields.map((name) => `[name=${name}]`);
    const when = ["[data-date=date_from]", "[data-date=date_to]"];
    const trip = [...names(["pickup_place", "time_from", "return_place", "time_to"]), ...when];
    const rest = [...names(["driver_age_rule", "promotion_code"]), "button[type=submit]"];
    const readBottoms = (fields: readonly string[]) =>
      Promise.all(
        fields.map(async (field) => {
          const box = await page.locator(field).boundingBox();
          return box && Math.round(box.y + box.height);
        }),
      );
    expect(new Set(await readBottoms(trip)).size).toBe(1);
    expect(new Set(await readBottoms(rest)).size).toBe(1);
    for (const field of when)
      expect(await page.$eval(field, (button) => [button.scrollWidth, button.clientHeight])).toEqual([
        await page.$eval(field, (button) => button.clientWidth),
        46,
      ]);
    await expectAccessible(page);
    await saveScreenshot(page, "widget-bar", true);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(new Set(await readBottoms([...trip, ...rest])).size).toBeGreaterThan(4);
    await page.click("[data-find-booking]");
    await page.waitForSelector("[data-find] [name=number]:focus");
    await page.close();
  });

  test("finds the nearest free dates of a sold-out vehicle on request, and searches for them", async () => {
    const page = await open("lang=en", 390);
    const requestedPaths: string[] = [];
    page.on("request", (request) => void (request.url().includes("/occupation") && requestedPaths.push(request.url())));
    await changeProducts(page, (product) => ({ ...product, availability: false }));
    await page.click("button[type=submit]");
    const card = page.locator(".products li").last();
    await card.waitFor();
    expect(requestedPaths).toEqual([]);
    const from = new URL(page.url()).searchParams.get("rb-from") ?? "";
    await card.locator("[data-free-dates] button").click();
    await card.locator(`[data-free-dates] button:has-text("Search")`).waitFor();
    expect(requestedPaths).toHaveLength(1);
    await expectAccessible(page);
    await page.unroute("**/shopping-cart**");
    await card.locator("[data-free-dates] button").click();
    await expect.poll(() => new URL(page.url()).searchParams.get("rb-from")).not.toBe(from);
    await page.waitForSelector(".products li:not(.gone) button.main");
    await page.close();
  });

  test("shows several photos of a vehicle, chosen by buttons", async () => {
    const page = await open("lang=en", 390);
    const photos = ["sedan", "van"].map((kind) => ({ photo_path: `/demo-photos/${kind}-3b82c4-medium.svg` }));
    await changeProducts(page, (product) => ({ ...product, photos }));
    await page.click("button[type=submit]");
    const card = page.locator(".products li").first();
    const large = card.locator(".photos > img");
    expect(await large.getAttribute("src")).toContain("sedan");
    await card.getByLabel("Photo 2 of 2").click();
    await expect.poll(() => large.getAttribute("src")).toContain("van");
    expect(await card.locator("[aria-pressed=true]").getAttribute("aria-label")).toBe("Photo 2 of 2");
    await expectAccessible(page);
    await page.close();
  });

  test("mails the link of a reservation to a visitor who enters its number and email", async () => {
    const page = await open("lang=en", 390);
    await page.click("[data-sign-in], [data-find-booking]");
    await page.fill("[data-find] [name=number]", "12");
    await page.click("[data-find] button");
    await page.waitForSelector(`[data-find] .wrong:has-text("${en.wrongEmail}")`);
    await page.waitForSelector("[data-find] [name=email]:focus");
    await page.fill("[data-find] [name=email]", "nobody@example.com");
    expect(await page.locator("[data-find] .wrong").count()).toBe(0);
    await page.click("[data-find] button");
    await page.waitForSelector(`[data-find] [role=status]:has-text("${en.bookingLinkSent}")`);
    await expectAccessible(page);
    await saveScreenshot(page, "widget-find", true);
    await page.close();
  });
});

describe("on a phone", () => {
  test("shows the total above the order button, and days and places above documents and changes", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.waitForSelector("[data-order]");
    const total = await page.textContent("[data-total]");
    expect(await page.textContent("[data-order-total]")).toBe(total);
    const [due, button] = [await getBox(page, "[data-order-total]"), await getBox(page, "[data-order]")];
    expect(button.y - due.y).toBeGreaterThan(0);
    expect(button.y - due.y).toBeLessThan(100);
    // The review states what the price includes.
    expect(await page.textContent(".sum dt.total")).toBe(`${en.total} ${en.taxesIncluded}`);
    expect(await page.textContent("[data-kilometres]")).toMatch(/^\d+ km per day included$/);
    // Long texts don't shrink the radio buttons.
    const widths = await page.$$eval("[name=payment]", (radios) => radios.map((radio) => radio.clientWidth));
    expect(new Set(widths).size).toBe(1);
    await fillCustomerDetails(page);
    await bookAndPayLater(page);
    await page.waitForSelector("[data-status]");
    // A request says what happens next.
    expect(await page.textContent("[data-sent-to]")).toBe(
      fillPlaceholders(en.confirmedTo, { email: "ana@example.com" }),
    );
    const [status, summary, rest] = [
      await getBox(page, "[data-status]"),
      await getBox(page, ".sum"),
      await getBox(page, ".rest"),
    ];
    expect(summary.y).toBeGreaterThan(status.y);
    expect(rest.y).toBeGreaterThan(summary.y);
    const summaryText = await page.textContent(".sum");
    for (const label of [en.pickup, en.return]) expect(summaryText).toContain(label);
    await expectAccessible(page);
    await page.close();
  });

  test("returns to the same place in the list after Back, and shows no empty list in between", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li");
    await page.evaluate("scrollTo(0, 900)");
    await page.locator(".products button.main").nth(2).dispatchEvent("click");
    await page.waitForSelector("[data-order]");
    await page.evaluate("scrollTo(0, 1200)");
    await page.evaluate(`{
      const root = document.querySelector("rental-booking").shadowRoot;
      window.hasShownEmptyList = false;
      new MutationObserver(() => {
        if (root.textContent.includes(${JSON.stringify(en.nothing)})) window.hasShownEmptyList = true;
      }).observe(root, { childList: true, characterData: true, subtree: true });
    }`);
    await page.goBack();
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await page.evaluate("window.hasShownEmptyList")).toBe(false);
    await expect.poll(() => page.evaluate("scrollY")).toBe(900);
    await page.close();
  });

  test("explains to a visitor that a link leads to a closed day", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    const year = new Date(Date.now() + 45 * 86_400_000).getFullYear() + 1;
    const address = new URL(page.url());
    address.searchParams.set("rb-from", `${year}-12-25`);
    address.searchParams.set("rb-to", `${year}-12-30`);
    await page.goto(address.href);
    await page.waitForSelector("[data-date=date_from][aria-invalid=true]");
    expect(await page.textContent("fieldset:has([data-date=date_from]) .wrong")).toBe(en.closedOn);
    refused.splice(0);
    await page.close();
  });
});
