import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { addDays } from "#domain/dates.ts";
import { aBooking, aUnit, aVehicle } from "#support/check-in/day.ts";
import { withFourCars } from "#support/check-in/four-cars.ts";
import { todayThere } from "#support/today.ts";
import { aPhoto, expectAccessible, next, screenshot, until } from "./phone.ts";
import { usePhones } from "./phones.ts";

// How the app behaves under a thumb, where a slip would cost most; its other habits are proofs of a release.

const phones = usePhones(withFourCars);
const { open } = phones;
const aPhone = () => phones.start();

test.each(["refuses its database", "refuses all that a page keeps"])(
  "a phone that %s says so, and what to do, in place of an empty page",
  async (what) => {
    const refusal = `IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };`;
    const more = `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });`;
    const content = what.includes("all") ? refusal + more : refusal;
    const page = await phones.visit((visitor) => visitor.addInitScript({ content }));
    await page.waitForSelector("[role=alert] h2");
    expect(await page.textContent("[role=alert]")).toContain("private window");
    expect(await page.textContent(".action button")).toContain("Try again");
    await expectAccessible(page, "unusable");
    await screenshot(page, "unusable");
  },
);

test("with letters of twice their size nothing is wider than the phone, and no button is cut off", async () => {
  const prepare = (page: Page) => page.addInitScript({ content: `localStorage.setItem("checkin.language", "de")` });
  const page = await phones.start({ prepare });
  await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
  const beyond = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect(await beyond()).toBeLessThanOrEqual(0);
  await open(page, "booking/1", ".legs");
  expect(await beyond()).toBeLessThanOrEqual(0);
  await next(page);
  for (const step of [1, 2, 5, 6, 7]) {
    await page.click(`.steps a >> nth=${step}`);
    await page.waitForSelector(`.steps li:nth-child(${step + 1}) a[aria-current]`);
    expect([step, await beyond()]).toEqual([step, 0]);
  }
  await screenshot(page, "twice-the-letters");
});

test("the name that somebody typed stays when they sign in another way, and when the app starts again", async () => {
  const page = await aPhone();
  await open(page, "booking/1", ".legs");
  await next(page);
  await page.click(".steps a >> nth=6");
  await page.fill("[name=signer]", "Eva Puig");
  await page.locator("[name=method]").nth(1).check({ force: true });
  expect(await page.inputValue("[name=signer]")).toBe("Eva Puig");
  await until(page, "document.querySelectorAll('[name=method]')[1].checked");
  await page.reload();
  await page.waitForSelector("[name=signer]");
  expect(await page.inputValue("[name=signer]")).toBe("Eva Puig");
  expect(await page.locator("[name=method]").nth(1).isChecked()).toBe(true);
});

test("a booking says how late it is, at the end that is due", async () => {
  const day = (ago: number) => addDays(todayThere(), -ago);
  const unit = aUnit(50, { vehicle: aVehicle(50), state: "out" });
  const out = { date_from: day(5), date_to: day(2), time_to: "00:00", resources: [unit] };
  phones.server.bookings.set(50, aBooking(50, day(5), out));
  const page = await aPhone();
  await open(page, "booking/50", ".legs .chip");
  const chipsAt = (leg: number) => page.locator(".legs > div").nth(leg).locator(".chip").allInnerTexts();
  expect([await chipsAt(0), await chipsAt(1)]).toEqual([[], ["2 days late"]]);
});

describe("a slip of the finger", () => {
  test("twice on the button at the bottom goes one step, not two", async () => {
    const page = await aPhone();
    await open(page, "booking/1", ".legs");
    await next(page);
    await page.click(".steps a >> nth=4");
    await page.waitForSelector("h1:has-text('Extras')");
    const box = await page.locator(".action .main").boundingBox();
    if (!box) throw new Error("There is no button.");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.waitForTimeout(400);
    await page.mouse.click(x, y, { clickCount: 2, delay: 20 });
    await page.waitForSelector("h1:has-text('Payment')");
    expect(await page.textContent("h1")).toContain("Payment");
  });
});

test("a vehicle goes out unpaid only where somebody says so", async () => {
  const page = await aPhone();
  await open(page, "booking/1", ".legs");
  await next(page);
  await page.click(".steps a >> nth=4");
  await page.click("[aria-label='More: Navigation']");
  await page.click(".steps a >> nth=5");
  await page.waitForSelector(".amounts:has-text('Sold now'):has-text('€20.00'):has-text('€120.00')");
  await page.click(".steps a >> nth=7");
  await page.waitForSelector(".note:has-text('€120.00 still to pay')");
  await page.waitForSelector(".note:has-text('€300.00 of deposit still to take')");
  await page.waitForSelector(".review:has-text('1 × Navigation')");
  expect(await page.isDisabled(".action .main")).toBe(true);
  await expectAccessible(page, "review-unpaid");
  await screenshot(page, "light-review-unpaid");
  await page.check("[name=money-confirmed]");
  expect(await page.isDisabled(".action .main")).toBe(false);
});

test("a phone with a PIN shows nothing after a while without a touch, until the PIN is typed", async () => {
  const page = await aPhone();
  await open(page, "more", "[name=pin]");
  await page.fill("[name=pin]", "12");
  await page.click("button:has-text('Set the PIN')");
  await page.waitForSelector("[role=alert]:has-text('4 to 12 digits')");
  await page.fill("[name=pin]", "4711");
  await page.click("button:has-text('Set the PIN')");
  await page.waitForSelector("[role=status]:has-text('A PIN is set')");
  await page.evaluate("localStorage.setItem('checkin.used', '0')");
  await page.reload();
  await page.waitForSelector("h1:has-text('ana')");
  expect(await page.textContent("body")).not.toContain("Karin Vogel");
  await expectAccessible(page, "lock");
  await screenshot(page, "light-lock");
  await page.fill("[name=pin]", "0000");
  await page.click(".action .main");
  await page.waitForSelector("[role=alert]:has-text('not the PIN')");
  await page.fill("[name=pin]", "4711");
  await page.click(".action .main");
  await page.waitForSelector("h2:has-text('Lock')");
});

test("a screen whose part the network took with it says so, and comes when there is one again", async () => {
  const part = "**/assets/more-*.js";
  const page = await phones.start({ prepare: (one) => one.context().route(part, (route) => route.abort()) });
  await open(page, "more", "[role=alert]:has-text('comes with the next network')");
  await expectAccessible(page, "part-missing");
  await screenshot(page, "part-missing");
  await page.click("[role=alert] button");
  await page.waitForSelector("[role=alert]:has-text('comes with the next network')");
  await page.context().unroute(part);
  await page.click("[role=alert] button");
  await page.waitForSelector("[name=pin]");
});

test.each([
  ["the pad", "signature-paper"],
  ["what writes the contract", "contract"],
])("a signature without %s says so in its place, and can be given when it has come", async (_what, part) => {
  const [missing, file] = ["[role=alert]:has-text('comes with the next network')", `**/assets/${part}-*.js`];
  const page = await phones.start({ prepare: (one) => one.context().route(file, (route) => route.abort()) });
  await open(page, "booking/1", ".legs");
  await next(page);
  await page.click(".steps a >> nth=6");
  await page.waitForSelector(missing);
  expect(await page.isVisible("canvas")).toBe(false);
  await page.context().unroute(file);
  await page.click("[role=alert] button");
  await page.waitForSelector("canvas");
  expect(await page.isVisible(missing)).toBe(false);
});

test("a photo that cannot be made smaller, as that part is not here yet, says so and leaves its button alive", async () => {
  const part = "**/assets/compress-*.js";
  const page = await phones.start({ prepare: (one) => one.context().route(part, (route) => route.abort()) });
  await open(page, "booking/1", ".legs");
  await next(page);
  await page.click(".steps a >> nth=2");
  await page.waitForSelector(".shots");
  const take = async () => {
    const buffer = await aPhoto(page, 1);
    await page.setInputFiles(".action input[type=file]", { name: "photo.jpg", mimeType: "image/jpeg", buffer });
  };
  await take();
  await page.waitForSelector("[role=alert]:has-text('comes with the next network')");
  await page.context().unroute(part);
  await take();
  await page.waitForSelector(".shot img");
});
