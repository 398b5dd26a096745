import { describe, expect, test } from "vitest";
import { addDays, type CivilDate, parseCivilDate } from "#domain/dates.ts";
import { de } from "../../pwa/widget/src/texts/de.ts";
import { en } from "../../pwa/widget/src/texts/en.ts";
import { es } from "../../pwa/widget/src/texts/es.ts";
import { fill } from "../../pwa/widget/src/texts.ts";
import { aWebsite, expectAccessible, focused, tabTo, typeInto } from "./foreign-website.ts";

const { open, refused } = aWebsite();

describe("on somebody's website, under a policy that allows nothing in line", () => {
  test("a visitor books by the keyboard alone, and axe finds nothing in any step", async () => {
    const page = await open("lang=en");
    await page.waitForSelector("select[name=return_place] option", { state: "attached" });
    await expectAccessible(page);
    await tabTo(page, "[data-date=date_from]");
    const before = await focused(page);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-day][tabindex='0']");
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    // No branch hands over on these holidays.
    while (await page.locator("[data-day$='-12-25']:focus, [data-day$='-01-01']:focus").count())
      await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
    expect(await focused(page)).not.toBe(before);
    await tabTo(page, "button[type=submit]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=choose] .products li");
    expect(await focused(page)).toBe("Choose a vehicle");
    await expectAccessible(page);
    await tabTo(page, ".products button");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-step=details] [data-total]");
    await expectAccessible(page);
    // Less to stand for: the excess is reduced, and the deposit with it.
    const deposit = () => page.textContent(".sum > p.quiet");
    const whole = await deposit();
    await tabTo(page, "[data-extra=FULL] button:last-child");
    await page.keyboard.press("Enter");
    await expect.poll(deposit).not.toBe(whole);
    await typeInto(page, "customer_name", "Ana");
    await typeInto(page, "customer_surname", "Ruiz <b>");
    await typeInto(page, "customer_email", "ana@");
    await tabTo(page, "[data-request]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[name=customer_email][aria-invalid=true]");
    expect(await page.textContent(".wrong >> nth=0")).toContain("not an e-mail address");
    await page.keyboard.type("example.com");
    await tabTo(page, "[data-request]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-status=pending_confirmation]");
    expect(await focused(page)).toBe("Ana Ruiz <b>, we have received your request");
    await expectAccessible(page);
    await page.reload();
    await page.waitForSelector("[data-status=pending_confirmation]");
    await page.close();
  });

  test("who sees nothing keeps their place after every press, and hears what it costs", async () => {
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
    // To the month before which there is none: the button stays, and Escape with it.
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
    expect(await place()).toBe(en.extras);
    await press("[data-extra=FULL] button:last-child");
    await expect.poll(() => page.textContent(".sum [role=status]")).toMatch(/^Total: \d/);
    expect(await page.textContent(".sum [role=status]")).toContain((await page.textContent("[data-total]")) ?? "none");
    await typeInto(page, "customer_name", "Ana");
    await typeInto(page, "customer_surname", "Ruiz");
    await typeInto(page, "customer_email", "ana@example.com");
    await press("[data-request]");
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

  test("who is refused by the bank is told so in German and pays again", async () => {
    const page = await open("lang=de", 390);
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.fill("[name=customer_name]", "Ana");
    await page.fill("[name=customer_surname]", "Ruiz");
    await page.fill("[name=customer_email]", "ana@example.com");
    await page.click("[data-pay]");
    await page.click("button:has-text('Refuse')");
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-step=reservation] [data-pay]");
    expect(await page.textContent("h2")).toBe("Ana Ruiz, Ihre Buchung ist noch zu bezahlen");
    await expectAccessible(page);
    await page.click("[data-pay]");
    await page.click("button:has-text('Pay')");
    await page.click("a.button[href*='rb-id']");
    await page.waitForSelector("[data-status=confirmed]");
    expect(await page.textContent("h2")).toBe("Ana Ruiz, Ihre Buchung ist bestätigt");
    await page.close();
  });

  test("Back, a reload and another language keep what was searched and chosen", async () => {
    const page = await open("lang=en");
    await page.selectOption("[name=pickup_place]", { index: 1 });
    await page.waitForSelector("button[type=submit]:not([disabled])");
    const sent = async () => [
      await page.inputValue("[name=pickup_place]"),
      await page.inputValue("[name=return_place]"),
      ...(await page.locator("[data-date]").allTextContents()),
    ];
    const asked = await sent();
    await page.click("button[type=submit]");
    await page.waitForSelector(".products li");
    await page.goBack();
    await page.waitForSelector("[name=return_place] option", { state: "attached" });
    expect(await sent()).toEqual(asked);
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
    // A link that somebody was sent: the same search in a tab that knows nothing of it.
    const other = await open(`${new URL(page.url()).searchParams}`);
    await other.waitForSelector("[data-step=choose] .products li");
    expect(await other.textContent(".products h3")).toBe(offered);
    await other.close();
    await page.close();
  });

  test("on the smallest phone no button leaves its card", async () => {
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

  test("inside a post of WordPress it looks as ever, whatever its theme says of all texts and buttons", async () => {
    const lookOf = async (query: string) => {
      const page = await open(query);
      await page.waitForSelector("select[name=return_place] option", { state: "attached" });
      const look = await page.evaluate<unknown>(`["h2", "label", "button[type=submit]"].map((name) => {
        const one = document.querySelector("rental-booking").shadowRoot.querySelector(name);
        const { color, fontFamily, fontSize, fontStyle, letterSpacing, lineHeight, textTransform } = getComputedStyle(one);
        return { color, fontFamily, fontSize, fontStyle, letterSpacing, lineHeight, textTransform };
      })`);
      // What is picked up and what is brought back stand side by side, at one height.
      const heights = await page
        .locator("form fieldset")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect([heights.length, new Set(heights).size]).toEqual([2, 1]);
      await page.click("button[type=submit]");
      await page.waitForSelector("[data-step=choose] .products li");
      expect(await page.evaluate("getComputedStyle(document.querySelector('rental-booking')).outlineStyle")).toBe(
        "none",
      );
      await page.close();
      return look;
    };
    expect(await lookOf("lang=ca&wordpress=1")).toEqual(await lookOf("lang=ca"));
  });

  test("a copy of the tab goes on with the same cart: what one shows is not booked as the other chose it", async () => {
    const page = await open("lang=en");
    await page.click("button[type=submit]");
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    // As browsers copy a tab: with what it keeps.
    const [copy] = await Promise.all([
      page.context().waitForEvent("page"),
      page.evaluate("void window.open(location.href)"),
    ]);
    await copy.waitForSelector("[data-step=details] [data-total]");
    await copy.click("[data-extra=GPS] button:last-child");
    await expect.poll(() => copy.textContent(".sum dl")).toContain("1 ×");
    await page.fill("[name=customer_name]", "Ana");
    await page.fill("[name=customer_surname]", "Ruiz");
    await page.fill("[name=customer_email]", "ana@example.com");
    // No key is lost of a number as people type it.
    await page.locator("[name=customer_phone]").pressSequentially("+49 (0)170 / 123 45 67");
    expect(await page.inputValue("[name=customer_phone]")).toBe("+49 (0)170 / 123 45 67");
    await page.click("[data-request]");
    await page.waitForSelector(`text=${en.cartChanged}`);
    await expect.poll(() => page.textContent(".sum dl")).toContain("1 ×");
    // What one window sets, the other one does not overwrite unseen.
    await copy.click("[data-extra=GPS] button:first-of-type");
    await expect.poll(() => copy.textContent(".sum dl")).not.toContain("1 ×");
    await page.locator("[data-extra] button:last-child").last().click();
    await page.waitForSelector(`text=${en.cartChanged}`);
    await expect.poll(() => page.textContent(".sum dl")).not.toContain("1 ×");
    // The copy searches for other days, which this window does not book: it has a cart of its own from now on.
    const legs = () => page.locator(".sum p").first().textContent();
    const shown = await legs();
    const address = new URL(copy.url());
    address.searchParams.set("rb", "choose");
    for (const name of ["rb-from", "rb-to"])
      address.searchParams.set(name, addDays(parseCivilDate(address.searchParams.get(name) ?? "") as CivilDate, 7));
    await copy.goto(address.href);
    await copy.click(".products button.main");
    await copy.waitForSelector("[data-step=details] [data-total]");
    await page.click("[data-request]");
    await page.waitForSelector(`[data-step=choose] >> text=${en.cartChanged}`);
    await page.click(".products button.main");
    await page.waitForSelector("[data-step=details] [data-total]");
    expect(await legs()).toBe(shown);
    await page.click("[data-request]");
    await page.waitForSelector("[data-status=pending_confirmation]");
    await copy.close();
    await page.close();
    const conflict = "Failed to load resource: the server responded with a status of 409 (Conflict)";
    expect(refused.splice(0)).toEqual([conflict, conflict, conflict]);
  });

  test("an account that is none is explained to the developer, and the visitor is not left alone", async () => {
    expect(refused).toEqual([]);
    const page = await open("lang=ca&account=nobody");
    await page.waitForSelector("[data-closed]");
    expect(await page.textContent("[data-closed]")).toContain("Truqueu-nos");
    expect(refused.join(" ")).toContain('Is the attribute account="…" right');
    await page.close();
  });

  test.each([
    ["", 'the attribute key="…" is missing, required by'],
    ["nonsense", "the key that its attribute says is none of"],
  ])("a key that is none (%s) is explained to the developer", async (key, advice) => {
    const page = await open(`lang=es&account=globex&key=${key}`);
    await page.waitForSelector("[data-closed]");
    expect(await page.textContent("[data-closed]")).toContain(es.closed);
    expect(refused.at(-1)).toContain(`${advice} http://globex.localhost`);
    await page.close();
  });

  test("a code that gives nothing is told, taken back it is gone, and an old or broken link leads on", async () => {
    const page = await open("lang=de");
    await page.waitForSelector("select[name=return_place] option", { state: "attached" });
    const prices = async (code: string) => {
      await page.fill("[name=promotion_code]", code);
      await page.click("button[type=submit]");
      await page.waitForSelector("[data-step=choose] .products li");
      const told = await page.locator(".problem:not(:empty)").allTextContents();
      const all = await page.locator(".price b").allTextContents();
      await page.goBack();
      await page.waitForSelector("[name=promotion_code]");
      return { told, all };
    };
    const lowered = await prices("WELCOME10");
    const whole = await prices("");
    expect(lowered.told).toEqual([]);
    expect(whole.all).not.toEqual(lowered.all);
    expect(await prices("NOPE")).toEqual({ told: [fill(de.codeIdle, { code: "NOPE" })], all: whole.all });
    await page.close();
    const old = await open("lang=de&rb=choose&rb-from=2020-01-01&rb-to=2020-01-05&rb-pickup=1");
    await old.waitForSelector("[data-step=search] button[type=submit]");
    expect(await old.textContent(".problem")).toContain(de.pickupDate);
    await old.close();
    const broken = await open("lang=de&rb=reservation");
    await broken.waitForSelector(".problem:not(:empty)");
    expect(await broken.textContent(".problem")).toBe(de.unknownReservation);
    await broken.close();
  });

  test.each([
    ["rentals", "rb-from"],
    ["transfers", "rt-date"],
  ])("a day that the form of %s proposes is never one on which the company is closed", async (kind, parameter) => {
    const page = await open(`lang=en&kind=${kind}`);
    // As if the company were closed on the first two days of each calendar that is asked for before one is opened.
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
    // What somebody chose, or a link says, stays as it is: the search says what is wrong with it.
    const link = await open(`lang=en&kind=${kind}&${parameter}=${closed[0]}`);
    await link.waitForSelector("button[type=submit]:not([disabled])");
    const name = kind === "rentals" ? "date_from" : "date";
    const shown = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    expect(await link.textContent(`[data-date=${name}]`)).toContain(shown.format(Date.parse(`${closed[0]}`)));
    await link.close();
    await page.close();
  });

  test("what the account chose for its websites holds here: one time for both ends, no price of what is not free", async () => {
    const page = await open("lang=en");
    await page.waitForSelector("[name=time_to]");
    // What the account would answer, had it chosen so: other tests use its settings at the same time.
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
