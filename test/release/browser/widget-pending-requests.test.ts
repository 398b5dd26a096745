import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { bookAndPayLater, expectAccessible, startPartnerWebsite } from "../../browser/partner-website.ts";

const { open } = startPartnerWebsite();

/** Holds matching requests until released. Returns which were sent. */
async function holdBack(page: Page, address: RegExp) {
  const sentRequests: string[] = [];
  const heldResponses: (() => void)[] = [];
  let isHolding = true;
  await page.route(address, async (route) => {
    if (route.request().method() === "OPTIONS") return route.continue();
    sentRequests.push(decodeURIComponent(route.request().postData() ?? route.request().url()));
    if (isHolding) await new Promise<void>((resolve) => heldResponses.push(resolve));
    await route.continue();
  });
  const releaseResponses = () => {
    isHolding = false;
    for (const release of heldResponses.splice(0)) release();
  };
  return { asked: sentRequests, letGo: releaseResponses };
}

async function toDetails(page: Page): Promise<void> {
  await page.click("button[type=submit]");
  await page.click(".products li:not(.gone) button.main");
  await page.waitForSelector("[data-step=details] [data-total]");
}

const quantity = (page: Page, extra: string) => page.textContent(`[data-extra=${extra}] output`);
const getAddButtonSelector = (extra: string) => `[data-extra=${extra}] button:last-child`;

describe("presses during pending requests", () => {
  test("chooses the vehicle that the visitor pressed last", async () => {
    const page = await open("lang=en");
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li:not(.gone) >> nth=1");
    const { asked, letGo } = await holdBack(page, /set-product/);
    const second = page.locator(".products li:not(.gone)").nth(1);
    const name = await second.locator("h3").textContent();
    await page.click(".products li:not(.gone) button.main >> nth=0");
    await expect.poll(() => asked).toHaveLength(1);
    expect(await page.textContent(".busy[role=status]")).toBe(en.loading);
    await second.locator("button.main").click();
    letGo();
    await page.waitForSelector("[data-step=details] [data-total]");
    expect(await page.textContent(".sum")).toContain(name);
    expect(asked).toHaveLength(2);
    await page.goBack();
    await page.waitForSelector("[data-step=choose]");
    await page.close();
  });

  test("counts each press of an extra immediately, and keeps typed input", async () => {
    const page = await open("lang=en");
    await toDetails(page);
    const { asked, letGo } = await holdBack(page, /set-extra/);
    await page.click(getAddButtonSelector("SEAT"));
    await expect.poll(() => asked).toHaveLength(1);
    await page.click(getAddButtonSelector("SEAT"));
    await page.click(getAddButtonSelector("GPS"));
    expect([await quantity(page, "SEAT"), await quantity(page, "GPS")]).toEqual(["2", "1"]);
    await page.fill("[name=customer_name]", "Ana");
    await expectAccessible(page);
    letGo();
    await expect.poll(() => page.textContent(".sum dl")).toContain("2 × ");
    await expect.poll(() => page.textContent(".busy[role=status]")).toBe("");
    expect([await quantity(page, "SEAT"), await quantity(page, "GPS")]).toEqual(["2", "1"]);
    expect(await page.inputValue("[name=customer_name]")).toBe("Ana");
    await page.close();
  });

  test("reverts presses after a rejected extra, with a notice", async () => {
    const page = await open("lang=en");
    await toDetails(page);
    let rejectResponse = () => {};
    const rejectionReleased = new Promise<void>((resolve) => {
      rejectResponse = resolve;
    });
    const placed: string[] = [];
    await page.route(/set-extra/, async (route) => {
      if (route.request().method() === "OPTIONS") return route.continue();
      await rejectionReleased;
      const headers = { "Access-Control-Allow-Origin": "*" };
      await route.fulfill({ status: 409, json: { error: "x", code: "extra_not_available" }, headers });
    });
    page.on("request", (request) => {
      if (request.url().includes("/checkout")) placed.push(request.url());
    });
    for (const [name, value] of [
      ["customer_name", "Ana"],
      ["customer_surname", "Ruiz"],
      ["customer_email", "ana@example.com"],
    ] as const) {
      await page.fill(`[name=${name}]`, value);
    }
    await page.click(getAddButtonSelector("SEAT"));
    await bookAndPayLater(page);
    rejectResponse();
    await page.waitForSelector(".problem:not(:empty)");
    await expect.poll(() => page.textContent(".busy[role=status]")).toBe("");
    expect([await quantity(page, "SEAT"), placed]).toEqual(["0", []]);
    expect(await page.inputValue("[name=customer_name]")).toBe("Ana");
    await page.close();
  });

  test("books once after two presses, and shows the new price first if an extra was added in the meantime", async () => {
    const page = await open("lang=en");
    await toDetails(page);
    for (const name of ["customer_name", "customer_surname"]) await page.fill(`[name=${name}]`, "Ana");
    await page.fill("[name=customer_email]", "ana@example.com");
    const extras = await holdBack(page, /set-extra/);
    await page.click(getAddButtonSelector("SEAT"));
    await expect.poll(() => extras.asked).toHaveLength(1);
    await bookAndPayLater(page);
    extras.letGo();
    await page.waitForSelector("[data-problem=book]:not(:empty)");
    expect(await page.textContent("[data-problem=book]")).toBe(en.priceChanged);
    const checkouts = await holdBack(page, /checkout/);
    await bookAndPayLater(page);
    await expect.poll(() => checkouts.asked).toHaveLength(1);
    await bookAndPayLater(page);
    checkouts.letGo();
    await page.waitForSelector("[data-status=pending_confirmation]");
    await expect.poll(() => page.textContent(".busy[role=status]")).toBe("");
    expect(checkouts.asked).toHaveLength(1);
    await page.close();
  });

  test("shows the last of two overlapping searches", async () => {
    const page = await open("lang=en");
    await page.waitForSelector("select[name=return_place] option", { state: "attached" });
    const { asked, letGo } = await holdBack(page, /shopping-cart/);
    await page.click("button[type=submit]");
    await expect.poll(() => asked).toHaveLength(1);
    await page.fill("[name=promotion_code]", "WELCOME10");
    await page.click("button[type=submit]");
    letGo();
    await page.waitForSelector("[data-step=choose] .products li");
    expect(new URL(page.url()).searchParams.get("rb-code")).toBe("WELCOME10");
    await page.close();
  });

  test("keeps a visitor who goes back on that page when a pending search or choice completes", async () => {
    const page = await open("lang=en");
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li:not(.gone)");
    const choices = await holdBack(page, /set-product/);
    await page.click(".products li:not(.gone) button.main >> nth=0");
    await expect.poll(() => choices.asked).toHaveLength(1);
    await page.goBack();
    await page.waitForSelector("[data-step=search]");
    const address = page.url();
    choices.letGo();
    await expect.poll(() => page.textContent(".busy[role=status]")).toBe("");
    expect([page.url(), await page.getAttribute("[data-step]", "data-step")]).toEqual([address, "search"]);
    const searches = await holdBack(page, /shopping-cart/);
    await page.fill("[name=promotion_code]", "WELCOME10");
    await page.click("button[type=submit]");
    await expect.poll(() => searches.asked).toHaveLength(1);
    // Results of the first search are shown with the current data, whatever the other search changed in the cart.
    await page.goForward();
    await page.waitForSelector("[data-step=choose]");
    const forward = page.url();
    searches.letGo();
    await page.waitForSelector(".products li:not(.gone) button.main");
    await expect.poll(() => page.textContent(".busy[role=status]")).toBe("");
    expect(page.url()).toBe(forward);
    await page.click(".products li:not(.gone) button.main >> nth=0");
    await page.waitForSelector("[data-step=details] [data-total]");
    expect(new URL(page.url()).searchParams.get("rb-code")).toBeNull();
    await page.close();
  });

  test("keeps a visitor who goes back on that page when a pending booking completes, and shows the booking", async () => {
    const page = await open("lang=en");
    await toDetails(page);
    for (const name of ["customer_name", "customer_surname"]) await page.fill(`[name=${name}]`, "Ana");
    await page.fill("[name=customer_email]", "ana@example.com");
    const { asked, letGo } = await holdBack(page, /checkout/);
    await bookAndPayLater(page);
    await expect.poll(() => asked).toHaveLength(1);
    await page.goBack();
    await page.waitForSelector("[data-step=choose]");
    const address = page.url();
    letGo();
    await page.waitForSelector("[data-booked]");
    await expect.poll(() => page.textContent(".busy[role=status]")).toBe("");
    expect([page.url(), asked.length]).toEqual([address, 1]);
    await expectAccessible(page);
    await page.click("[data-booked] button");
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.close();
  });

  test("shows the products of the search visited last, even if another search's response arrives later", async () => {
    const page = await open("lang=en");
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li:not(.gone)");
    const first = page.url();
    await page.goBack();
    await page.fill("[name=promotion_code]", "WELCOME10");
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li:not(.gone)");
    const cheaper = await page.textContent(".products li:not(.gone)");
    const second = page.url();
    // Hold only the first response.
    await page.evaluate(`(() => {
      const ask = window.fetch;
      const late = Promise.withResolvers();
      let times = 0;
      window.letGo = late.resolve;
      window.fetch = async (...asked) => {
        const isFirst = String(asked[0]).includes("shopping-cart") && ++times === 1;
        const answer = await ask(...asked);
        window.isHeld ||= isFirst;
        if (isFirst) await late.promise;
        return answer;
      };
    })()`);
    const visit = (address: string) =>
      page.evaluate(
        `history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent("popstate"))`,
      );
    await page.goBack();
    await page.waitForSelector("[data-step=search]");
    await visit(first);
    await expect.poll(() => page.evaluate("window.isHeld === true")).toBe(true);
    await visit(second);
    await expect.poll(() => page.textContent(".products li:not(.gone)")).toBe(cheaper);
    await page.evaluate("window.letGo()");
    await expect.poll(() => page.textContent(".busy[role=status]")).toBe("");
    expect(await page.textContent(".products li:not(.gone)")).toBe(cheaper);
    await page.close();
  });
});
