import { describe, expect, test } from "vitest";
import { addDays, type CivilDate } from "#domain/dates.ts";
import { aBooking, todayThere } from "#support/check-in/day.ts";
import { withFourCars } from "#support/check-in/four-cars.ts";
import { aPhoto, expectAccessible, next, screenshot, until, untilAllReceived } from "./phone.ts";
import { usePhones } from "./phones.ts";

// How the app behaves under a thumb: what a slip of the finger does, what Back does, what is asked twice. The touches
// that the work takes, and the camera, are proofs of a release.

const phones = usePhones(withFourCars);
const { open } = phones;
const aPhone = () => phones.start();

describe("a slip of the finger", () => {
  test("on the damage drawing and Back leaves no damage", async () => {
    const page = await aPhone();
    await open(page, "booking/1", ".legs");
    await next(page);
    await page.click(".steps a >> nth=3");
    await page.click(".diagram [role=button] >> nth=3");
    await page.waitForSelector("[name=damage-kind]", { state: "attached" });
    await page.goBack();
    await page.waitForSelector(".diagram");
    expect(await page.locator(".diagram .new").count()).toBe(0);
    expect(await page.textContent(".action .main")).toBe("No new damage");
    await page.click("button:has-text('No damage')");
    await expect.poll(() => page.locator(".note").count()).toBe(0);
  });

  test("on a bin is undone by a touch", async () => {
    const page = await aPhone();
    await open(page, "booking/1", ".legs");
    await next(page);
    await page.click(".steps a >> nth=2");
    const buffer = await aPhoto(page, 1);
    await page.setInputFiles(".action input[type=file]", { name: "a.jpg", mimeType: "image/jpeg", buffer });
    await page.click(".shot .remove");
    await page.waitForSelector(".action .note:has-text('Removed: Front')");
    expect(await page.locator(".shot img").count()).toBe(0);
    await page.click(".action button:has-text('Undo')");
    await page.waitForSelector(".shot img");
  });

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

  test("on the signature's line is none, and says so", async () => {
    const page = await aPhone();
    await open(page, "booking/1", ".legs");
    await next(page);
    await page.click(".steps a >> nth=6");
    await until(page, "document.querySelector('canvas')?.style.touchAction === 'none'");
    await page.click("canvas", { position: { x: 60, y: 60 } });
    await page.waitForSelector(".paper [role=status]:has-text('too little')");
    expect(await page.textContent(".action .main")).toBe("Continue without a signature");
  });
});

test("each step begins at its top, and the day where it was left", async () => {
  const page = await aPhone();
  await page.setViewportSize({ width: 390, height: 420 });
  await page.evaluate("scrollTo(0, 120)");
  // Past Playwright, which would scroll to it first.
  await page.evaluate("document.querySelectorAll('.entry')[1].click()");
  await page.waitForSelector(".legs");
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  await page.goBack();
  await page.waitForSelector(".entries");
  await expect.poll(() => page.evaluate("scrollY")).toBe(120);
  await open(page, "booking/1", ".legs");
  await next(page);
  await page.click(".steps a >> nth=2");
  await page.waitForSelector(".shots");
  await page.evaluate("scrollTo(0, 300)");
  await page.click(".steps a >> nth=3");
  await page.waitForSelector(".diagram");
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
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

test("a vehicle that is reserved for another customer says for whom, and is taken only on a second touch", async () => {
  const page = await aPhone();
  const today = todayThere();
  phones.server.bookings.set(5, aBooking(5, today));
  await page.reload();
  await page.waitForSelector(".entries");
  await open(page, "booking/5", ".legs");
  await next(page);
  await page.fill("input[type=search]", "1002");
  await page.waitForSelector(".vehicle:has-text('Reserved'):has-text('Karin Vogel')");
  await page.click(".vehicle");
  await page.waitForSelector("[role=alertdialog]:has-text('reserved for somebody else')");
  expect(await page.isDisabled(".action .main")).toBe(true);
  await expectAccessible(page, "vehicle-reserved");
  await screenshot(page, "light-vehicle-reserved");
  await page.click("[role=alertdialog] button >> nth=0");
  await page.waitForSelector(".action .main:has-text('Take 1002 KLM all the same')");
});

test("what is looked for is found on the other days that are on the phone", async () => {
  const page = await aPhone();
  const tomorrow = addDays(todayThere() as CivilDate, 1);
  const customer = { ...aBooking(7, tomorrow).customer, full_name: "Ingrid Sommerfeld" };
  phones.server.bookings.set(7, aBooking(7, tomorrow, { customer }));
  await page.reload();
  await page.waitForSelector(".entries");
  await page.fill("input[type=search]", "sommerfeld");
  await page.waitForSelector("section:has-text('Other days') .entry:has-text('Ingrid Sommerfeld')");
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

test("a note is taken without a photo", async () => {
  const page = await aPhone();
  await open(page, "booking/1", ".legs");
  await page.click("button:has-text('Add photos or a note')");
  await page.fill("[name=notes]", "The customer waits at the hotel");
  await page.click(".action button >> nth=-1");
  await page.waitForSelector(".review");
  await next(page);
  await untilAllReceived(page);
  expect([...phones.server.operations.values()][0]?.operation.notes).toBe("The customer waits at the hotel");
});
