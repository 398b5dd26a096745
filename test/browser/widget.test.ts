import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { languages } from "../../pwa/widget/src/texts/all.ts";
import { de } from "../../pwa/widget/src/texts/de.ts";
import { en } from "../../pwa/widget/src/texts/en.ts";
import { fill } from "../../pwa/widget/src/texts.ts";
import { saveScreenshot } from "./appearance.ts";
import {
  aWebsite,
  bookAndPayLater,
  expectAccessible,
  getFocused,
  showReservationAs,
  tabTo,
  typeInto,
  typeWhoBooks,
} from "./foreign-website.ts";
import { getDateInDays } from "./office-page.ts";

const { open, refused } = aWebsite();

/** Books, gets rejected by the bank and returns by its link. */
async function bookUnpaid(page: Page): Promise<void> {
  await page.click("button[type=submit]");
  await page.click(".products button.main");
  await typeWhoBooks(page);
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
function listForeignTexts(language: keyof typeof languages): ReadonlySet<string> {
  const own = new Set<string>(Object.values(languages[language]));
  const all = Object.values(languages).flatMap((texts) => Object.values(texts));
  return new Set(all.filter((text) => !own.has(text)));
}

describe.each(["fr", "it", "pt", "nl"] as const)("in %s", (language) => {
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
    await expectOwnTexts(languages[language].title);
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    await expectOwnTexts(languages[language].chooseTitle);
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    await expectOwnTexts(languages[language].details);
    await page.click("[data-sign-in]");
    await page.waitForSelector("[data-way=in]");
    await expectOwnTexts(languages[language].forgot);
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
    const before = await getFocused(page);
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
    expect(await getFocused(page)).not.toBe(before);
    await tabTo(page, "button[type=submit]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await getFocused(page)).toBe("Choose a vehicle");
    await expectAccessible(page);
    await tabTo(page, ".products button");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=details] [data-total]");
    await expectAccessible(page);
    // With reduced excess, the deposit is lower.
    const deposit = () => page.textContent(".sum > p.quiet");
    const fullDeposit = await deposit();
    await tabTo(page, "[name=insurance]");
    await page.keyboard.press("ArrowDown");
    expect(await page.isChecked("[data-insurance=FULL]")).toBe(true);
    await expect.poll(deposit).not.toBe(fullDeposit);
    await typeInto(page, "customer_name", "Ana");
    await typeInto(page, "customer_surname", "Ruiz <b>");
    await typeInto(page, "customer_email", "ana@");
    await tabTo(page, "[name=accepted_terms]");
    await page.keyboard.press("Space");
    await tabTo(page, "[name=payment]");
    // The first choice is checked, and the one before it is the last.
    await page.keyboard.press("ArrowUp");
    await tabTo(page, "[data-order]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[name=customer_email][aria-invalid=true]");
    expect(await page.textContent(".wrong >> nth=0")).toContain("Enter an email address");
    await page.keyboard.type("example.com");
    await tabTo(page, "[data-order]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-status=pending_confirmation]");
    expect(await getFocused(page)).toBe("Ana Ruiz <b>, we have received your request");
    await expectAccessible(page);
    await page.reload();
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.close();
  });

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
    await typeWhoBooks(page);
    await bookAndPayLater(page);
    await page.waitForSelector("[data-status=pending_confirmation]");
    const heard = (await page.evaluate("window.heard")) as readonly [string, string][];
    expect(heard.map(([name]) => name)).toEqual(["search", "select", "book"]);
    const id = new URL(page.url()).searchParams.get("rb-id") ?? "";
    expect(id).not.toBe("");
    expect(JSON.stringify(heard)).not.toContain(id);
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
    await offer.locator("button.main").click();
    expect(await page.textContent("[data-total]")).toBe(price);
    expect(await page.textContent(".sum")).toContain("Return place or one-way fee");
    await typeWhoBooks(page);
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
    expect(await place()).toBe(fill(en.cancelled, { name: "Ana Ruiz" }));
    await page.close();
  });

  // Proves "booking-widget.md": A return before its pickup is marked at its field; "Try again" keeps the focus
  // Proves "accessibility.md": A7
  test("focuses the invalid field, and keeps the focus during another attempt", async () => {
    // No holiday of the branches.
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
    await expect.poll(() => page.textContent(".problem")).toBe(de.unknownReservation);
    expect(refused.splice(0)).toHaveLength(3);
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
    await showReservationAs(page, { status_reason: "expired" });
    await page.waitForSelector("[data-status=pending_confirmation] [data-reason=expired]");
    expect(await page.textContent("h2")).toBe(fill(de.heldNoMore, { name: "Ana Ruiz" }));
    expect(await page.textContent("[data-reason]")).toBe(de.holdEnded);
    await page.close();
  });

  // Proves "booking-engine-vehicles.md: existing websites": A whole purchase from another origin, in a browser
  // Proves "booking-widget.md": After a payment that failed, the reservation is shown with ways to pay
  test("shows a declined payment in German and lets the customer pay again", async () => {
    const page = await open("lang=de", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await typeWhoBooks(page);
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
    expect(await page.textContent("h2")).toBe(fill(de.unpaid, { name: "Ana Ruiz" }));
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
    await showReservationAs(page, { status: "cancelled", status_reason: reason });
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
    await typeWhoBooks(page);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.url().includes("/checkout")),
      page.click("[data-pay]"),
    ]);
    expect(sent.postDataJSON()).toMatchObject({ payment: "paypal_standard" });
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
    await typeWhoBooks(page);
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

  test("shows the search in one row on desktops, below each other on phones, and the form to find a booking", async () => {
    const page = await open("lang=de", 1320);
    await page.waitForSelector("[name=driver_age_rule]");
    const fields = ["pickup_place", "time_from", "return_place", "time_to", "driver_age_rule", "promotion_code"];
    const readBottoms = () =>
      Promise.all(
        [...fields.map((name) => `[name=${name}]`), "[data-date=date_to]", "button[type=submit]"].map(async (field) => {
          const box = await page.locator(field).boundingBox();
          return box && Math.round(box.y + box.height);
        }),
      );
    expect(new Set(await readBottoms()).size).toBe(1);
    await expectAccessible(page);
    await saveScreenshot(page, "widget-bar", true);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(new Set(await readBottoms()).size).toBeGreaterThan(4);
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

  // Proves "booking-widget.md": A wrong account or key is explained in the console, and the visitor reads whom to
  //   contact
  test("explains an unknown account to the developer and shows the visitor a message", async () => {
    expect(refused).toEqual([]);
    const page = await open("lang=ca&account=nobody");
    await page.waitForSelector("[data-closed]");
    expect(await page.textContent("[data-closed]")).toContain("Truqueu-nos");
    expect(refused.join(" ")).toContain('Is the attribute account="…" right');
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
    expect(await prices("NOPE")).toEqual({ told: [fill(de.codeIdle, { code: "NOPE" })], all: fullDeposit.all });
    await page.close();
    const old = await open("lang=de&rb=choose&rb-from=2020-01-01&rb-to=2020-01-05&rb-pickup=1");
    await old.waitForSelector("[data-step=search] button[type=submit]");
    expect(await old.textContent(".problem")).toContain(de.pastDates);
    await old.close();
    const broken = await open("lang=de&rb=reservation");
    await broken.waitForSelector(".problem:not(:empty)");
    expect(await broken.textContent(".problem")).toBe(de.unknownReservation);
    await broken.close();
  });
});

describe("on a phone", () => {
  const getBox = async (page: Page, selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    if (!box) throw new Error(`${selector} isn't shown`);
    return box;
  };

  test("lists vehicles in the full width, with their facts below the photo and an uncut order", async () => {
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
    await page.close();
  });

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
    // Long texts don't shrink the radio buttons.
    const widths = await page.$$eval("[name=payment]", (radios) => radios.map((radio) => radio.clientWidth));
    expect(new Set(widths).size).toBe(1);
    await typeWhoBooks(page);
    await bookAndPayLater(page);
    await page.waitForSelector("[data-status]");
    expect(await page.textContent("[data-sent-to]")).toContain("ana@example.com");
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
    await page.goBack();
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await page.locator(`text=${en.nothing}`).count()).toBe(0);
    await expect.poll(() => page.evaluate("scrollY")).toBe(900);
    await page.close();
  });

  test("refuses an age next to its field before it searches, until another age is chosen", async () => {
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

  test("explains a link to a closed day", async () => {
    const page = await open("lang=en", 390);
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-step=choose] .products li");
    const year = new Date(Date.now() + 45 * 86_400_000).getFullYear() + 1;
    const address = new URL(page.url());
    address.searchParams.set("rb-from", `${year}-12-25`);
    address.searchParams.set("rb-to", `${year}-12-30`);
    await page.goto(address.href);
    await page.waitForSelector(".problem:not(:empty)");
    expect(await page.textContent(".problem")).toContain(fill(en.closedOn, { field: en.pickupDate }));
    refused.splice(0);
    await page.close();
  });
});
