import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { de } from "../../pwa/widget/src/texts/de.ts";
import { en } from "../../pwa/widget/src/texts/en.ts";
import { textsByLanguage } from "../../pwa/widget/src/texts/texts-by-language.ts";
import { fillPlaceholders } from "../../pwa/widget/src/texts.ts";
import { getDateInDays } from "./office-page.ts";
import { saveScreenshot } from "./page-checks.ts";
import {
  expectAccessible,
  fillCustomerDetails,
  getBox,
  readFocusedWidgetText,
  startPartnerWebsite,
  tabTo,
  typeInto,
} from "./partner-website.ts";

const { open, refused } = startPartnerWebsite();

/** Lists the visible texts and labels of the widget. */
const listShownTexts = (page: Page) =>
  page.evaluate(`{
    const { shadowRoot } = document.querySelector("rental-booking");
    const labels = [...shadowRoot.querySelectorAll("[aria-label]")].map((part) => part.getAttribute("aria-label"));
    const walker = document.createTreeWalker(shadowRoot, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) labels.push(walker.currentNode.textContent);
    labels.map((text) => text.trim()).filter(Boolean);
  }`) as Promise<string[]>;

/** Texts of the widget that only other languages have. */
function listForeignTexts(language: keyof typeof textsByLanguage): ReadonlySet<string> {
  const own = new Set<string>(Object.values(textsByLanguage[language]));
  const all = Object.values(textsByLanguage).flatMap((texts) => Object.values(texts));
  return new Set(all.filter((text) => !own.has(text)));
}

/** The gate checks one language, a release all. */
const CHECKED_LANGUAGES = inject("isThorough") ? (["fr", "it", "pt", "nl"] as const) : (["pt"] as const);

describe.each(CHECKED_LANGUAGES)("the widget in %s", (language) => {
  test("shows texts only in the page's language, and step names in one line on a phone", async () => {
    const page = await open(`lang=${language}`);
    await page.setViewportSize({ width: 320, height: 700 });
    const foreign = listForeignTexts(language);
    const expectOwnTexts = async (text: string) => {
      const shownTexts = await listShownTexts(page);
      expect(shownTexts).toContain(text);
      // Names of the company's categories and extras may be words of another language.
      const names = await page.$$eval(
        ".products h3, [data-extra] td, [data-extra] span, .cover b, .cover .quiet",
        (parts) => parts.map((part) => part.textContent),
      );
      expect(shownTexts.filter((shownText) => foreign.has(shownText) && !names.includes(shownText))).toEqual([]);
      const heights = await page.$$eval(".steps li", (steps) =>
        steps.map((step) => step.getBoundingClientRect().height),
      );
      expect(Math.max(...heights)).toBeLessThan(35);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    };
    await page.waitForSelector("select[name=return_place] option", { state: "attached" });
    await expectOwnTexts(textsByLanguage[language].title);
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    await expectOwnTexts(textsByLanguage[language].chooseTitle);
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    await expectOwnTexts(textsByLanguage[language].details);
    await page.click("[data-sign-in]");
    await page.waitForSelector("[data-way=in]");
    await expectOwnTexts(textsByLanguage[language].forgot);
    await page.close();
  });
});

describe("embedded on a website with a strict content policy", () => {
  // Proves "booking-widget.md": Two lines on any website, under a policy that allows nothing in line
  // Proves "accessibility.md": A1
  // Proves "accessibility.md": A3
  test("books by keyboard only, without axe violations in any step", async () => {
    const page = await open("lang=en");
    await page.waitForSelector("select[name=return_place] option", { state: "attached" });
    await expectAccessible(page);
    await tabTo(page, "[data-date=date_from]");
    const before = await readFocusedWidgetText(page);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-day][tabindex='0']");
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    // Branches have no pickups on these holidays.
    while (await page.locator("[data-day$='-12-25']:focus, [data-day$='-01-01']:focus").count())
      await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
    expect(await readFocusedWidgetText(page)).not.toBe(before);
    await tabTo(page, "button[type=submit]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await readFocusedWidgetText(page)).toBe("Choose a vehicle");
    await expectAccessible(page);
    await tabTo(page, ".products button");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=details] [data-total]");
    await expectAccessible(page);
    const listDeposits = () => page.$$eval(".sum > p.quiet", (lines) => lines.map((line) => line.textContent));
    expect(await listDeposits()).toEqual([expect.stringMatching(/deposit/i)]);
    await tabTo(page, "[name=insurance]");
    await page.keyboard.press("ArrowDown");
    expect(await page.isChecked("[data-insurance=FULL]")).toBe(true);
    // This insurance removes the whole deposit.
    await expect.poll(listDeposits).toEqual([]);
    await typeInto(page, "customer_name", "Ana");
    await typeInto(page, "customer_surname", "Ruiz <b>");
    await typeInto(page, "customer_email", "ana@");
    await tabTo(page, "[name=accepted_terms]");
    await page.keyboard.press("Space");
    await tabTo(page, "[name=payment]");
    // The first option is checked. Arrow Up selects the last one, because the options wrap around.
    await page.keyboard.press("ArrowUp");
    await tabTo(page, "[data-order]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[name=customer_email][aria-invalid=true]");
    expect(await page.textContent(".wrong >> nth=0")).toContain("Enter an email address");
    await page.keyboard.type("example.com");
    await tabTo(page, "[data-order]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-status=pending_confirmation]");
    expect(await readFocusedWidgetText(page)).toBe("Ana Ruiz <b>, we have received your request");
    await expectAccessible(page);
    await page.reload();
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.close();
  });

  test("books at the listed price by pressing Enter for the main button", async () => {
    const page = await open("lang=en");
    await page.waitForSelector("select[name=return_place] option:nth-child(2)", { state: "attached" });
    const elsewhere = await page.getAttribute("select[name=return_place] option:last-child", "value");
    await page.selectOption("select[name=return_place]", elsewhere ?? "");
    await page.click("button[type=submit]");
    const offer = page.locator(".products li:not(.gone)").first();
    const price = await offer.locator(".price b").textContent();
    expect(await offer.locator(".price").textContent()).toContain("Return place or one-way fee");
    expect(await offer.locator(".price").textContent()).toContain(en.taxesIncluded);
    await offer.locator("button.main").click();
    expect(await page.textContent("[data-total]")).toBe(price);
    const kilometres = await page.textContent("[data-kilometres]");
    const chosenPayment = page.locator("[name=payment]").last();
    await chosenPayment.check();
    await page.reload();
    expect(await page.textContent("[data-kilometres]")).toBe(kilometres);
    expect(await chosenPayment.isChecked()).toBe(true);
    await page.locator("[name=payment]").first().check();
    expect(await page.textContent(".sum")).toContain("Return place or one-way fee");
    await fillCustomerDetails(page);
    await page.fill("[name=customer_name]", "A".repeat(41));
    await page.press("[name=customer_email]", "Enter");
    await page.waitForSelector("[name=customer_name][aria-invalid=true]");
    expect(await page.inputValue("[name=customer_name]")).toBe("A".repeat(41));
    expect(await page.textContent(".wrong >> nth=0")).toContain("at most 40 characters");
    await page.fill("[name=customer_name]", "Ana");
    expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
    await page.press("[name=customer_email]", "Enter");
    await page.waitForURL(/\/dev\/gateway\//);
    await page.close();
  });

  // Proves "booking-widget.md": Screen reader users keep their place after every press, and hear the price
  // Proves "accessibility.md": A2
  test("keeps a screen reader user's focus after every press, and announces the price", async () => {
    const page = await open("lang=en");
    const press = async (selector: string) => {
      await tabTo(page, selector);
      await page.keyboard.press("Enter");
    };
    const place = () =>
      page.evaluate<string>(`(() => {
        const { activeElement: at } = document.querySelector("rental-booking").shadowRoot;
        return at?.getAttribute("aria-label") ?? at?.textContent ?? "lost";
      })()`);
    await page.waitForSelector("button[type=submit]:not([disabled])");
    await press("[data-date=date_from]");
    await page.waitForSelector("[data-day][tabindex='0']");
    // Go back to the earliest month: the button stays, and Escape still works.
    await page.focus(`[aria-label="${en.previousMonth}"]`);
    while (!(await page.locator(`[aria-label="${en.previousMonth}"][aria-disabled=true]`).count()))
      await page.keyboard.press("Enter");
    expect(await place()).toBe(en.previousMonth);
    await page.keyboard.press("Escape");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
    await press("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    await press(".products button");
    await page.waitForSelector("[data-step=details] [data-total]");
    expect(await place()).toBe(en.insurance);
    await page.check("[data-insurance=FULL]");
    await expect.poll(() => page.textContent(".sum [role=status]")).toMatch(/^Total: €\d/);
    expect(await page.textContent(".sum [role=status]")).toContain((await page.textContent("[data-total]")) ?? "none");
    await typeInto(page, "customer_name", "Ana");
    await typeInto(page, "customer_surname", "Ruiz");
    await typeInto(page, "customer_email", "ana@example.com");
    await page.check("[name=accepted_terms]");
    await page.check("[data-choice=later]");
    await press("[data-order]");
    await page.waitForSelector("[data-status=pending_confirmation]");
    await press("[data-contract]");
    await press("[data-more-drivers]");
    expect(await place()).toBe(en.contractSecond);
    await press("[data-more-drivers]");
    expect(await place()).toBe(en.contractThird);
    await press("[data-move=change]");
    await page.waitForSelector("[data-ask]");
    expect(await place()).toBe(en.changeBooking);
    await press("[data-ask]");
    await page.waitForSelector("[data-moves] [role=status] [data-quote]");
    expect(await place()).toBe(en.changeBooking);
    await press("[data-leave]");
    await page.waitForSelector("[data-move=cancel]");
    expect(await place()).toBe(en.changeBooking);
    await press("[data-move=cancel]");
    await page.waitForSelector("[data-moves] [role=status] [data-quote]");
    expect(await place()).toBe(en.cancelIt);
    await expectAccessible(page);
    await press("[data-confirm]");
    await page.waitForSelector("[data-status=cancelled]");
    expect(await place()).toBe(fillPlaceholders(en.cancelled, { name: "Ana Ruiz" }));
    await page.close();
  });

  // Proves "booking-widget.md": A return before its pickup is marked at its field; "Try again" keeps the focus
  // Proves "accessibility.md": A7
  // Proves "accessibility.md": A2
  // Proves "accessibility.md": A3
  test("focuses the invalid field, and keeps the focus during another attempt", async () => {
    // A day that isn't a holiday of the branches.
    const date = [70, 71].map(getDateInDays).find((day) => !/-(?:12-25|01-01)$/.test(day));
    const page = await open(`lang=de&rb-from=${date}&rb-from-time=12:00&rb-to=${date}&rb-to-time=10:00`);
    const within = "document.querySelector('rental-booking').shadowRoot";
    const at = (property: string) => page.evaluate<string | null>(`${within}.activeElement?.${property} ?? null`);
    await page.click("button[type=submit]:not([disabled])");
    await expect.poll(() => at("name")).toBe("time_to");
    expect(await at("ariaInvalid")).toBe("true");
    const descriptionId = await at("getAttribute('aria-describedby')");
    expect(await page.textContent(`[id="${descriptionId}"]`)).toBe(de.returnBefore);
    await expectAccessible(page);
    await page.selectOption("[name=time_to]", "13:00");
    expect(await page.locator("[aria-invalid]").count()).toBe(0);
    expect(await page.textContent(`[id="${descriptionId}"]`)).toBe("");
    // Two network failures, then a response that there's no such reservation.
    let tried = 0;
    await page.route(/booking\/00000000/, (route) => (++tried < 3 ? route.abort() : route.continue()));
    await page.goto(`${page.url().split("?")[0]}?lang=de&rb=reservation&rb-id=00000000-0000-4000-8000-000000000000`);
    await page.locator("button", { hasText: de.retry }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => tried).toBe(2);
    await page.waitForSelector(".shop[aria-busy=false]");
    expect(await at("textContent")).toBe(de.retry);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent(".problem[role=alert]")).toBe(de.unknownReservation);
    expect(refused.splice(0)).toHaveLength(3);
    await page.close();
  });

  // Proves "booking-engine-vehicles.md: existing websites": A whole purchase from another origin, in a browser
  // Proves "booking-widget.md": After a payment that failed, the reservation is shown with ways to pay
  test("shows a declined payment in German and lets the customer pay again", async () => {
    const page = await open("lang=de", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await fillCustomerDetails(page);
    await page.click("[data-pay]");
    await page.click("button:has-text('Refuse')");
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-step=reservation] [data-pay]");
    expect(await page.textContent("h2")).toBe("Ana Ruiz, Ihre Reservierung ist noch zu bezahlen");
    await expectAccessible(page);
    await page.click("[data-pay]");
    await page.click("button:has-text('Pay')");
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-status=confirmed]");
    await page.waitForSelector("[data-download=contract]:has-text('Mietvertrag')");
    const calendar = await page.getAttribute("[data-download=calendar]", "href");
    expect(await page.evaluate(`fetch(${JSON.stringify(calendar)}).then((answer) => answer.ok)`)).toBe(true);
    await expectAccessible(page);
    await saveScreenshot(page, "widget-confirmed", true);
    expect(await page.textContent("h2")).toBe("Ana Ruiz, Ihre Reservierung ist bestätigt");
    await page.close();
  });

  test("compares insurances by cover, price, deposit and excess, and books one of them", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.waitForSelector("[data-insurance=FULL]");
    const cards = await page.$$eval(".cover", (labels) => labels.map((label) => label.textContent ?? ""));
    expect(cards[0]).toContain(en.basicCover);
    expect(cards[1]).toMatch(/€.+per day/);
    for (const card of cards) expect(card).toMatch(/deposit/i);
    // A vehicle that has only a deposit shows no excess on any card, and the basic cover never denies one.
    expect(cards[0]).not.toContain(en.noExcess);
    expect(cards[1]?.includes(en.noExcess)).toBe(/Excess: €/.test(cards[0] ?? ""));
    const lines = () => page.textContent(".sum dl");
    const before = await lines();
    await page.check("[data-insurance=FULL]");
    await expect.poll(lines).toContain("1 × ");
    await expectAccessible(page);
    await saveScreenshot(page, "widget-insurance", true);
    await page.check("[data-insurance='']");
    await expect.poll(lines).toBe(before);
    await page.close();
  });

  test("asks to accept the company's terms before the order, and sends the accepted version", async () => {
    const page = await open("lang=en", 390);
    const terms = { terms_url: "https://example.com/terms", privacy_url: "https://example.com/privacy" };
    // The test process can't resolve the company's host, so the page itself adds the terms to the settings.
    await page.addInitScript(
      (added) => {
        const send = globalThis.fetch;
        globalThis.fetch = async (...request: Parameters<typeof fetch>) => {
          const response = await send(...request);
          if (!response.url.includes("/frontend/settings")) return response;
          return Response.json({ ...((await response.json()) as object), ...added });
        };
      },
      { ...terms, terms_version: "9.9+9.9" },
    );
    await page.reload();
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.waitForSelector(".terms a");
    expect(await page.$$eval(".terms a", (links) => links.map((link) => link.getAttribute("href")))).toEqual([
      ...[terms.terms_url, terms.privacy_url],
    ]);
    expect(await page.textContent("[data-cancellation]")).toMatch(/Free cancellation until|costs a fee/);
    await fillCustomerDetails(page);
    await page.uncheck("[name=accepted_terms]");
    await page.check("[data-choice=later]");
    await page.click("[data-order]");
    await page.waitForSelector("[name=accepted_terms][aria-invalid=true]");
    expect(await page.textContent(".terms .wrong")).toBe(en.acceptRequired);
    await page.check("[name=accepted_terms]");
    expect(await page.locator(".terms .wrong").count()).toBe(0);
    await expectAccessible(page);
    await saveScreenshot(page, "widget-terms", true);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.url().includes("/checkout")),
      page.click("[data-order]"),
    ]);
    expect(sent.postDataJSON()).toMatchObject({ accepted_terms: "9.9+9.9", payment: "none" });
    // The company has no such version, because it changed its terms in the meantime.
    await page.waitForSelector(`.terms >> text=${en.termsChanged}`);
    expect(refused.splice(0)).toEqual([expect.stringContaining("400 (Bad Request)")]);
    await page.close();
  });

  // Proves "booking-widget.md": A wrong account or key is explained in the console, and the visitor reads whom to
  //   contact
  test("explains an unknown account to the developer and shows the visitor a message", async () => {
    expect(refused).toEqual([]);
    const page = await open("lang=ca&account=nobody");
    await page.waitForSelector("[data-closed]");
    expect(await page.textContent("[data-closed]")).toContain("Truqueu-nos");
    expect(refused.join(" ")).toContain("http://nobody.localhost");
    expect(refused.join(" ")).toContain('Check account="…"');
    await page.close();
  });

  // Proves "booking-widget.md": A code without effect is shown, an outdated link opens the form
  test("explains a promotion code without effect, removes it on request, and handles an old or broken link", async () => {
    const page = await open("lang=de");
    await page.waitForSelector("select[name=return_place] option", { state: "attached" });
    const prices = async (code: string) => {
      await page.fill("[name=promotion_code]", code);
      await page.click("button[type=submit]");
      await page.waitForSelector("[data-step=choose] .products li");
      const descriptionId = await page.locator(".problem:not(:empty)").allTextContents();
      const all = await page.locator(".price b").allTextContents();
      await page.goBack();
      await page.waitForSelector("[name=promotion_code]");
      return { told: descriptionId, all };
    };
    const lowered = await prices("WELCOME10");
    const fullDeposit = await prices("");
    expect(lowered.told).toEqual([]);
    expect(fullDeposit.all).not.toEqual(lowered.all);
    expect(await prices("NOPE")).toEqual({
      told: [fillPlaceholders(de.codeIdle, { code: "NOPE" })],
      all: fullDeposit.all,
    });
    await page.close();
    const old = await open("lang=de&rb=choose&rb-from=2020-01-01&rb-to=2020-01-05&rb-pickup=1");
    await old.waitForSelector("[data-step=search] button[type=submit]");
    await old.waitForSelector("[data-date=date_from][aria-invalid=true]:focus");
    expect(await old.textContent("fieldset:has([data-date=date_from]) .wrong")).toBe(de.pastDates);
    await old.close();
    const closedPlace = await open("lang=de&rb=choose&rb-from=2030-07-01&rb-to=2030-07-05&rb-pickup=999&rb-return=999");
    await closedPlace.waitForSelector("[name=pickup_place][aria-invalid=true]:focus");
    await closedPlace.waitForSelector("button[type=submit]:not([disabled])");
    const problems = await closedPlace.locator(".wrong:not(:empty), .problem:not(:empty)").allTextContents();
    expect(problems).toEqual([de.placeGone]);
    await closedPlace.close();
    const broken = await open("lang=de&rb=reservation");
    await broken.waitForSelector(".problem:not(:empty)");
    expect(await broken.textContent(".problem")).toBe(de.unknownReservation);
    await broken.close();
  });
});

describe("an error next to the pressed button or field", () => {
  const lost = /set-product|set-extra|checkout/;

  test("shows a lost connection at the button of each step, and repeats the action on another press", async () => {
    const page = await open("lang=en", 390);
    const loseConnection = (address: RegExp) => page.route(address, (route) => route.abort());
    const expectProblem = async (at: string, button: string) => {
      await page.locator(`[data-problem="${at}"]:not(:empty)`).waitFor();
      expect(await page.locator(".problem:not(:empty)").allTextContents()).toEqual([en.unreachable]);
      const [problem, pressed] = [await getBox(page, `[data-problem="${at}"]`), await getBox(page, button)];
      expect(Math.abs(problem.y - pressed.y)).toBeLessThan(110);
      expect(problem.y).toBeGreaterThanOrEqual(0);
      expect(problem.y + problem.height).toBeLessThanOrEqual(900);
      await expectAccessible(page);
    };
    await page.waitForSelector("button[type=submit]:not([disabled])");
    await loseConnection(/shopping-cart/);
    await page.click("button[type=submit]");
    await expectProblem("find", "button[type=submit]");
    await page.unroute(/shopping-cart/);
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    await loseConnection(lost);
    await page.click(".products li:nth-child(2) button.main");
    await expectProblem("choose", ".products li:nth-child(2) button.main");
    await page.unroute(lost);
    await page.click(".products li:nth-child(2) button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    await loseConnection(lost);
    const extra = "[data-extra]:last-child";
    await page.click(`${extra} button:last-of-type`);
    await expectProblem(`extra ${(await page.getAttribute(extra, "data-extra")) ?? ""}`, `${extra} output`);
    await fillCustomerDetails(page);
    await page.check("[data-choice=later]");
    await page.click("[data-order]");
    await expectProblem("book", "[data-order]");
    await page.unroute(lost);
    await page.click("[data-order]");
    await page.waitForSelector("[data-status=pending_confirmation]");
    refused.splice(0);
    await page.close();
  });

  test("marks the field of a closed day and an age that isn't accepted", async () => {
    const page = await open("lang=en", 390);
    await page.waitForSelector("select[name=return_place] option", { state: "attached" });
    const place = await page.inputValue("[name=pickup_place]");
    const address = page.url();
    const openLink = async (more: string) => {
      await page.goto(`${address}&rb=choose&rb-pickup=${place}&rb-return=${place}${more}`);
      await page.waitForSelector("[data-step=search] [aria-invalid=true]:focus");
      expect(await page.locator(".problem:not(:empty)").count()).toBe(0);
      await expectAccessible(page);
      return page.locator(".wrong:not(:empty)").allTextContents();
    };
    // All branches are closed at Christmas.
    const year = Number(getDateInDays(45).slice(0, 4)) + 1;
    expect(await openLink(`&rb-from=${year}-12-25&rb-to=${year}-12-30`)).toEqual([en.closedOn]);
    expect(await page.locator("[data-date=date_from][aria-invalid=true]").count()).toBe(1);
    const dates = `&rb-from=${getDateInDays(50)}&rb-to=${getDateInDays(53)}`;
    expect(await openLink(`${dates}&rb-age=1`)).toEqual([en.ageRefused]);
    refused.splice(0);
    await page.close();
  });

  test("returns a visitor who orders to the search, with an error, if the pickup time has passed", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await fillCustomerDetails(page);
    await page.check("[data-choice=later]");
    const json = { error: "x", code: "invalid_parameters", detail: [{ field: "date_from", code: "pickup_in_past" }] };
    await page.route(/checkout/, (route) =>
      route.fulfill({ status: 400, json, headers: { "Access-Control-Allow-Origin": "*" } }),
    );
    await page.click("[data-order]");
    await page.waitForSelector("[data-step=search] [data-date=date_from][aria-invalid=true]");
    expect(await page.locator(".wrong:not(:empty)").allTextContents()).toEqual([en.pastDates]);
    refused.splice(0);
    await page.close();
  });

  test("reminds a visitor who goes back from a completed reservation that it was already booked", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await fillCustomerDetails(page);
    await page.check("[data-choice=later]");
    await page.click("[data-order]");
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.goBack();
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await page.textContent("[data-booked]")).toContain(en.isBooked);
    await expectAccessible(page);
    await page.click("[data-booked] button");
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.close();
  });

  test("loads the places of the search again if the visitor asks for it", async () => {
    const page = await open("lang=en", 390);
    await page.route(/pickup-places/, (route) => route.abort());
    await page.reload();
    await page.waitForSelector("[data-retry]");
    expect(await page.isDisabled("button[type=submit]")).toBe(true);
    expect(await page.locator(".problem:not(:empty)").allTextContents()).toEqual([en.unreachable]);
    await page.unroute(/pickup-places/);
    await page.click("[data-retry]");
    await page.waitForSelector("button[type=submit]:not([disabled])");
    expect(await page.locator(".problem:not(:empty), [data-retry]").count()).toBe(0);
    refused.splice(0);
    await page.close();
  });
});

describe("on a phone", () => {
  test("shows the price below the extras and above the form", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    const tops = await Promise.all(
      ["[data-extra]", "[data-total]", "[name=customer_name]", "[data-order]"].map(
        async (selector) => (await getBox(page, selector)).y,
      ),
    );
    expect(tops).toEqual([...tops].sort((one, other) => one - other));
    await page.close();
  });

  test("shows vehicles on a phone in full width, with facts below the photo and a fully visible sort field", async () => {
    const page = await open("lang=de", 390);
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li .traits");
    const [steps, card, facts, sort] = [
      await getBox(page, ".steps"),
      await getBox(page, ".products li"),
      await getBox(page, ".products .traits"),
      await getBox(page, "[name=sort]"),
    ];
    expect(card.x).toBeCloseTo(steps.x, 0);
    expect(card.width).toBeCloseTo(steps.width, 0);
    expect(facts.width).toBeGreaterThan(card.width * 0.8);
    expect(sort.width).toBeCloseTo(card.width, 0);
    // A free cancellation isn't a warning.
    const getColour = (selector: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector("rental-booking").shadowRoot.querySelector(${JSON.stringify(selector)})).color`,
      );
    expect(await getColour("[data-free-until]")).not.toBe(await getColour(".price small:not(.quiet)"));
    await expectAccessible(page);
    // The loading notice is visible at the pressed button, not only below the list.
    let answer = () => {};
    await page.route(/set-product/, async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.continue();
    });
    await page.locator(".products button.main").first().click();
    await page.waitForSelector(".busy:not(:empty)");
    const notice = await getBox(page, ".busy");
    expect(notice.y + notice.height).toBeLessThanOrEqual(900);
    answer();
    await page.waitForSelector("[data-step=details] [data-total]");
    await page.close();
  });

  test("shows an error at the driver's age, before searching, until the visitor chooses an accepted age", async () => {
    const page = await open("lang=en", 390);
    await page.waitForSelector("[name=driver_age_rule] option[value='1']", { state: "attached" });
    await page.waitForSelector("button[type=submit]:not([disabled])");
    await page.selectOption("[name=driver_age_rule]", "1");
    await page.click("button[type=submit]");
    await page.waitForSelector("[name=driver_age_rule][aria-invalid=true]:focus");
    expect(await page.textContent(".field:has([name=driver_age_rule]) .wrong")).toBe(en.ageRefused);
    expect(await page.locator("[data-step=search]").count()).toBe(1);
    await expectAccessible(page);
    await page.selectOption("[name=driver_age_rule]", "3");
    expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    await page.close();
  });
});
