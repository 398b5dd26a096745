import { describe, expect, test } from "vitest";
import { addDays } from "#domain/dates.ts";
import { addDayWithFourCars } from "#support/check-in/check-in-fixture.ts";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { expectAccessible, goToNextStep, saveCheckInScreenshot, signIn } from "./phone.ts";
import { useCheckInDevices } from "./phones.ts";

// Critical interactions of the app. Others are tested before a release.

const phones = useCheckInDevices(addDayWithFourCars);
const { open } = phones;
const startPhone = () => phones.start();

test("shows how late a rental is next to its overdue return, not next to its pickup", async () => {
  const day = (ago: number) => addDays(getTodayAtCompany(), -ago);
  const unit = createUnit(50, { vehicle: createVehicle(50), state: "out" });
  const out = { date_from: day(5), date_to: day(2), time_to: "00:00", resources: [unit] };
  phones.server.bookings.set(50, createBooking(50, day(5), out));
  const page = await startPhone();
  await open(page, "booking/50", ".legs .chip");
  const chipsAt = (leg: number) => page.locator(".legs > div").nth(leg).locator(".chip").allInnerTexts();
  expect([await chipsAt(0), await chipsAt(1)]).toEqual([[], ["2 days late"]]);
});

describe("an accidental touch", () => {
  // Proves "check-in.md": T7
  test("advances only one step on a double tap on the bottom button", async () => {
    const page = await startPhone();
    await open(page, "booking/1", ".legs");
    await goToNextStep(page);
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

test("keeps users on their page after sign-in while lists are loading", async () => {
  const late = Promise.withResolvers<void>();
  const page = await phones.visit((opened) =>
    opened.route("**/transfer-trips?*", async (tripRequest) => {
      await late.promise;
      await tripRequest.continue();
    }),
  );
  await signIn(page, "ana");
  const answered = page.waitForResponse("**/transfer-trips?*");
  await page.click(".entries a >> nth=0");
  await page.waitForSelector(".legs");
  late.resolve();
  await answered;
  // After the late response, the app requests the other days.
  await expect
    .poll(() => phones.server.requests.filter(({ path }) => path.includes("search")).length)
    .toBeGreaterThan(0);
  await page.waitForSelector(".legs");
  expect(new URL(page.url()).hash).toMatch(/^#\/booking\//);
});

// Proves "check-in.md": T10
// Proves "check-in.md": W12j
test("requires confirmation to hand over an unpaid vehicle", async () => {
  const page = await startPhone();
  await open(page, "booking/1", ".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=4");
  await page.click("[aria-label='More: Navigation']");
  await page.click(".steps a >> nth=5");
  await page.waitForSelector(".amounts:has-text('Extras added now'):has-text('€20.00'):has-text('€120.00')");
  await page.click(".steps a >> nth=7");
  await page.waitForSelector(".note:has-text('€120.00 still to pay')");
  await page.waitForSelector(".note:has-text('Deposit due: €300.00')");
  await page.waitForSelector(".review:has-text('1 × Navigation')");
  expect(await page.isDisabled(".action .main")).toBe(true);
  await expectAccessible(page, "review-unpaid");
  await saveCheckInScreenshot(page, "light-review-unpaid");
  await page.check("[name=money-confirmed]");
  expect(await page.isDisabled(".action .main")).toBe(false);
});

// Proves "check-in.md": L1
test("hides a phone's screen after a while without a touch until the PIN is typed", async () => {
  const page = await startPhone();
  await open(page, "more", "[name=pin]");
  await page.fill("[name=pin]", "12");
  await page.click("button:has-text('Set the PIN')");
  await page.waitForSelector("[role=alert]:has-text('4 to 12 digits')");
  await page.fill("[name=pin]", "4711");
  await page.click("button:has-text('Set the PIN')");
  await page.waitForSelector("[role=status]:has-text('A PIN opens the app')");
  await page.evaluate("localStorage.setItem('checkin.used', '0')");
  await page.reload();
  await page.waitForSelector("h1:has-text('ana')");
  expect(await page.textContent("body")).not.toContain("Karin Vogel");
  await expectAccessible(page, "lock");
  await saveCheckInScreenshot(page, "light-lock");
  await page.fill("[name=pin]", "0000");
  await page.click(".action .main");
  await page.waitForSelector("[role=alert]:has-text('Wrong PIN')");
  await page.fill("[name=pin]", "4711");
  await page.click(".action .main");
  await page.waitForSelector("h2:has-text('App lock')");
});
