import { describe, expect, test } from "vitest";
import { addDays, type CivilDate, parseCivilDate } from "#domain/dates.ts";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { es } from "../../../pwa/widget/src/texts/es.ts";
import {
  bookAndPayLater,
  expectAccessible,
  fillCustomerDetails,
  startPartnerWebsite,
} from "../../browser/partner-website.ts";

const { open, refused } = startPartnerWebsite();

describe("embedded on a website with a strict content policy", () => {
  test("keeps all parts of a card inside it on the smallest phone", async () => {
    const page = await open("lang=de", 320);
    await page.click("button[type=submit]");
    await page.click(".products li:not(.gone) button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    const beyond =
      await page.evaluate(`[...document.querySelector("rental-booking").shadowRoot.querySelectorAll(".card")].flatMap((card) => {
        const inner = card.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(card).paddingRight);
        const all = [...card.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > inner);
        return all.map((one) => one.outerHTML.slice(0, 80));
      })`);
    expect(beyond).toEqual([]);
    await expectAccessible(page);
    await page.close();
  });

  // Proves "booking-widget.md": Inside WordPress, and none of the page's styles
  test("shows the widget unchanged inside a WordPress post, whatever the theme styles", async () => {
    const readStyles = async (query: string) => {
      const page = await open(query);
      await page.waitForSelector("select[name=return_place] option", { state: "attached" });
      const computedStyles = await page.evaluate<unknown>(`["h2", "label", "button[type=submit]"].map((name) => {
        const one = document.querySelector("rental-booking").shadowRoot.querySelector(name);
        const { color, fontFamily, fontSize, fontStyle, letterSpacing, lineHeight, textTransform } = getComputedStyle(one);
        return { color, fontFamily, fontSize, fontStyle, letterSpacing, lineHeight, textTransform };
      })`);
      // Pickup and return are side by side, with aligned tops.
      const tops = await page
        .locator("form fieldset")
        .evaluateAll((all) => all.map((item) => item.getBoundingClientRect().top));
      expect([tops.length, new Set(tops).size]).toEqual([2, 1]);
      await page.click("button[type=submit]");
      await page.waitForSelector("[data-step=choose] .products li");
      expect(await page.evaluate("getComputedStyle(document.querySelector('rental-booking')).outlineStyle")).toBe(
        "none",
      );
      await page.close();
      return computedStyles;
    };
    expect(await readStyles("lang=ca&wordpress=1")).toEqual(await readStyles("lang=ca"));
  });

  // Proves "rules.md: carts and checkout": … and in the widget: a copied tab books what it shows, and loses no digit of
  //   a telephone
  test("shares the cart with a copied tab, and books no choice of the other tab that the visitor hasn't seen", async () => {
    const page = await open("lang=en");
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    // Browsers duplicate a tab with its storage.
    const [copy] = await Promise.all([
      page.context().waitForEvent("page"),
      page.evaluate("void window.open(location.href)"),
    ]);
    await copy.waitForSelector("[data-step=details] [data-total]");
    await copy.click("[data-extra=GPS] button:last-child");
    await expect.poll(() => copy.textContent(".sum dl")).toContain("1 ×");
    await fillCustomerDetails(page);
    // No typed character of a phone number is lost.
    await page.locator("[name=customer_phone]").pressSequentially("+49 (0)170 / 123 45 67");
    expect(await page.inputValue("[name=customer_phone]")).toBe("+49 (0)170 / 123 45 67");
    await bookAndPayLater(page);
    await page.waitForSelector(`text=${en.cartChanged}`);
    await expect.poll(() => page.textContent(".sum dl")).toContain("1 ×");
    // One window doesn't silently overwrite changes of another.
    await copy.click("[data-extra=GPS] button:first-of-type");
    await expect.poll(() => copy.textContent(".sum dl")).not.toContain("1 ×");
    await page.locator("[data-extra] button:last-child").last().click();
    await page.waitForSelector(`text=${en.cartChanged}`);
    await expect.poll(() => page.textContent(".sum dl")).not.toContain("1 ×");
    // The copy searches other dates, so it gets its own cart.
    const legs = () => page.locator(".sum p").first().textContent();
    const visibleLegs = await legs();
    const address = new URL(copy.url());
    address.searchParams.set("rb", "choose");
    for (const name of ["rb-from", "rb-to"])
      address.searchParams.set(name, addDays(parseCivilDate(address.searchParams.get(name) ?? "") as CivilDate, 7));
    await copy.goto(address.href);
    await copy.click(".products button.main");
    await copy.waitForSelector("[data-step=details] [data-total]");
    await bookAndPayLater(page);
    await page.waitForSelector(`[data-step=choose] >> text=${en.cartChanged}`);
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    expect(await legs()).toBe(visibleLegs);
    await bookAndPayLater(page);
    await page.waitForSelector("[data-status=pending_confirmation]");
    await copy.close();
    await page.close();
    const conflict = "Failed to load resource: the server responded with a status of 409 (Conflict)";
    expect(refused.splice(0)).toEqual([conflict, conflict, conflict]);
  });

  test("shows in a copied tab, after a reload or click, that the other tab has booked its cart", async () => {
    const page = await open("lang=en");
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    const openCopy = async () => {
      const [copy] = await Promise.all([
        page.context().waitForEvent("page"),
        page.evaluate("void window.open(location.href)"),
      ]);
      await copy.waitForSelector("[data-step=details] [data-total]");
      return copy;
    };
    const [reloaded, pressed] = [await openCopy(), await openCopy()];
    await fillCustomerDetails(page);
    await bookAndPayLater(page);
    const number = /\d+/.exec((await page.textContent("[data-status] .quiet")) ?? "")?.[0];
    await reloaded.reload();
    await reloaded.waitForSelector("[data-step=choose] .products li");
    await pressed.click("[data-extra=GPS] button:last-child");
    await pressed.waitForSelector("[data-step=search] button[type=submit]");
    for (const tab of [reloaded, pressed]) {
      expect(await tab.textContent("[data-booked]")).toBe(`Reservation ${number}. ${en.isBooked} ${en.findBooking}`);
      expect(await tab.locator(".problem:not(:empty)").count()).toBe(0);
      await expectAccessible(tab);
      // The link of the reservation stays in the tab that booked.
      expect(await tab.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(
        new URL(page.url()).searchParams.get("rb-id") ?? "",
      );
      await tab.click("[data-booked] button");
      await tab.waitForSelector("[data-find]");
      await tab.close();
    }
    await page.close();
  });

  // Proves "booking-widget.md": A missing or wrong key is read by the developer of any website
  test.each([
    ["", 'missing attribute key="…"'],
    ["nonsense", 'wrong attribute key="…"'],
  ])("explains an invalid key (%s) to the developer", async (key, advice) => {
    const page = await open(`lang=es&account=globex&key=${key}`);
    await page.waitForSelector("[data-closed]");
    expect(await page.textContent("[data-closed]")).toContain(es.closed);
    expect(refused.at(-1)).toMatch(/http:\/\/globex\.localhost:\d+: /);
    expect(refused.at(-1)).toContain(advice);
    await page.close();
  });

  test.each([
    ["rentals", "rb-from"],
    ["transfers", "rt-date"],
  ])("proposes no closed day in the search form of %s", async (kind, parameter) => {
    const page = await open(`lang=en&kind=${kind}`);
    // Simulates closed days on the first two days of each initially loaded calendar.
    await page.addInitScript(`{
      const ask = fetch;
      const closed = (globalThis.closedDays = []);
      globalThis.fetch = async (url, init) => {
        const answer = await ask(url, init);
        if (!/frontend\\/dates/.test(String(url))) return answer;
        const days = await answer.json();
        if (closed.length === 0 && !/collections/.test(String(url))) closed.push(...days.slice(0, 2));
        return Response.json(days.filter((day) => !closed.includes(day)));
      };
    }`);
    await page.reload();
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    const closed = await page.evaluate<string[]>("closedDays");
    const proposed = new URL(page.url()).searchParams.get(parameter) ?? "";
    expect(closed).toHaveLength(2);
    expect(proposed > (closed[1] ?? "")).toBe(true);
    await page.goBack();
    // Chosen or linked values stay unchanged, and the search reports problems.
    const link = await open(`lang=en&kind=${kind}&${parameter}=${closed[0]}`);
    await link.waitForSelector("button[type=submit]:not([disabled])");
    const name = kind === "rentals" ? "date_from" : "date";
    const visibleLegs = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    expect(await link.textContent(`[data-date=${name}]`)).toContain(visibleLegs.format(Date.parse(`${closed[0]}`)));
    await link.close();
    await page.close();
  });

  // Proves "booking-widget.md": The account's choices for its websites apply
  test("hides the return time and the prices of unavailable vehicles if the account's settings require that", async () => {
    const page = await open("lang=en");
    await page.waitForSelector("[name=time_to]");
    // Simulate the settings response, because other tests use the account's settings at the same time.
    await page.addInitScript(`{
      const ask = fetch;
      globalThis.fetch = async (url, init) => {
        const answer = await ask(url, init);
        if (!/frontend\\/settings|include_products/.test(String(url))) return answer;
        const body = await answer.json();
        Object.assign(body.settings ?? body, { same_pickup_return_time: true, hide_price_if_not_available: true });
        if (body.products) body.products[0].availability = false;
        return Response.json(body);
      };
    }`);
    await page.reload();
    await page.waitForSelector("[name=time_from] option:nth-child(2)", { state: "attached" });
    expect(await page.locator("[name=time_to]").count()).toBe(0);
    await page.selectOption("[name=time_from]", "12:30");
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("rb-from-time"), searchParams.get("rb-to-time")]).toEqual(["12:30", "12:30"]);
    expect(await page.locator(".products .gone .price b").count()).toBe(0);
    expect(await page.locator(".products li:not(.gone) .price b").count()).toBeGreaterThan(0);
    await page.close();
  });
});
