import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { addDays, type CivilDate } from "#domain/dates.ts";
import { addDayWithFourCars } from "#support/check-in/check-in-fixture.ts";
import { createBooking } from "#support/check-in/day.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import {
  createPhoto,
  createRecentDraftCheckScript,
  expectAccessible,
  goToNextStep,
  saveCheckInScreenshot,
  waitForExpression,
  waitUntilAllSynced,
  waitUntilInstalled,
} from "../../browser/phone.ts";
import { useCheckInDevices } from "../../browser/phones.ts";

// Interactions by touch: accidental touches, Back and confirmations.

const phones = useCheckInDevices(addDayWithFourCars);
const { open } = phones;
const startPhone = () => phones.start();

describe("an accidental touch", () => {
  // Proves "check-in.md": T5
  test("records no damage if the user taps the vehicle drawing and goes back", async () => {
    const page = await startPhone();
    await open(page, "booking/1", ".legs");
    await goToNextStep(page);
    await page.click(".steps a >> nth=3");
    await page.click(".diagram [role=button] >> nth=3");
    await page.waitForSelector("[name=damage-kind]", { state: "attached" });
    await page.goBack();
    await page.waitForSelector(".diagram");
    expect(await page.locator(".diagram .new").count()).toBe(0);
    expect(await page.textContent(".action .main")).toBe("No new damage");
    await page.click("button:has-text('Discard this damage')");
    await expect.poll(() => page.locator(".note").count()).toBe(0);
  });

  // Proves "check-in.md": T6
  test("restores a deleted photo with one tap", async () => {
    const page = await startPhone();
    await open(page, "booking/1", ".legs");
    await goToNextStep(page);
    await page.click(".steps a >> nth=2");
    const buffer = await createPhoto(page, 1);
    await page.setInputFiles(".action input[type=file]", { name: "a.jpg", mimeType: "image/jpeg", buffer });
    await page.click(".shot .remove");
    await page.waitForSelector(".action .note:has-text('Removed: Front')");
    expect(await page.locator(".shot img").count()).toBe(0);
    await page.click(".action button:has-text('Undo')");
    await page.waitForSelector(".shot img");
  });

  // Proves "check-in.md": T8
  test("ignores a single tap on the signature pad, and shows that a signature is too short", async () => {
    const page = await startPhone();
    await open(page, "booking/1", ".legs");
    await goToNextStep(page);
    await page.click(".steps a >> nth=6");
    await waitForExpression(page, "document.querySelector('canvas')?.style.touchAction === 'none'");
    await page.click("canvas", { position: { x: 60, y: 60 } });
    await page.waitForSelector(".signature-sheet [role=status]:has-text('too short')");
    // Continuing unsigned is never the main button.
    expect(await page.textContent(".action .main")).toBe("Sign below");
    expect(await page.textContent(".action .other")).toBe("Continue without a signature");
    await goToNextStep(page);
    await page.waitForSelector(".signing:focus");
  });
});

// Proves "check-in.md": P11
test("enlarges the signature pad to full screen, and keeps the signature complete when it gets smaller", async () => {
  const page = await startPhone();
  await open(page, "booking/1", ".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=6");
  await page.click("button:has-text('Sign on the whole screen')");
  await page.waitForSelector(".signature-sheet.whole");
  const canvas = page.locator(".signature-sheet.whole canvas");
  await waitForExpression(page, "document.querySelector('canvas').style.touchAction === 'none'");
  const box = await canvas.boundingBox();
  if (!box) throw new Error("There is no signature pad.");
  expect(box.height).toBeGreaterThan(500);
  await expectAccessible(page, "signature-whole");
  await page.mouse.move(box.x + 40, box.y + 60);
  await page.mouse.down();
  for (let at = 1; at < 30; at++) await page.mouse.move(box.x + 40 + (at % 5) * 50, box.y + 60 + at * 15);
  await page.mouse.up();
  await page.waitForSelector(".signature-sheet [role=status]:has-text('Signed')");
  await saveCheckInScreenshot(page, "light-signature-whole");
  await page.click(".signature-sheet button:has-text('Done')");
  await expect.poll(() => page.evaluate<number>("document.querySelector('canvas').offsetHeight")).toBeLessThan(250);
  // The end of the last stroke, far below the edge of the smaller pad, is visible.
  const inkAtTheFoot = `(() => {
    const canvas = document.querySelector("canvas");
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, Math.round(height * 0.8), width, Math.round(height * 0.2));
    return data.some((value, index) => index % 4 === 0 && value < 100);
  })()`;
  await waitForExpression(page, inkAtTheFoot);
  await goToNextStep(page);
  await page.waitForSelector(".review");
});

// Proves "check-in.md": P5
test("calculates change for cash, and warns about too little cash", async () => {
  const page = await startPhone();
  await open(page, "booking/1", ".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=5");
  await page.click(".suggestion");
  const payment = page.locator(".charge").first();
  await payment.locator("label:has-text('transaction') input").fill("TPV-4711");
  await payment.locator("select").selectOption("cash");
  await payment.locator("label:has-text('Cash') input").fill("150");
  await page.waitForSelector(".hint:has-text('50.00')");
  await payment.locator("label:has-text('Cash') input").fill("50");
  await page.waitForSelector(".warning:has-text('50.00')");
});

// Proves "check-in.md": L5
test("unlocks the app offline with the device's own lock, but only if the device recognizes the user", async () => {
  const page = await startPhone();
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await waitUntilInstalled(page);
  await open(page, "more", "[name=pin]");
  await page.click("button:has-text('own lock')");
  await page.waitForSelector("[role=status]:has-text('own lock opens the app')");
  await page.context().setOffline(true);
  await page.evaluate("localStorage.setItem('checkin.used', '0')");
  await page.reload();
  await page.waitForSelector("h1:has-text('ana')");
  expect(await page.locator("[name=pin]").count()).toBe(0);
  await expectAccessible(page, "lock-device");
  await saveCheckInScreenshot(page, "light-lock-device");
  await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.click(".action .main");
  await page.waitForSelector("[role=alert]:has-text('confirm it')");
  expect(await page.textContent("body")).not.toContain("Karin Vogel");
  await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await page.click(".action .main");
  await page.waitForSelector("h2:has-text('App lock')");
  await page.click("button:has-text('Remove the lock')");
  await page.waitForSelector("[name=pin]");
});

// Proves "check-in.md": T9
test("opens each step scrolled to its top, and the day at its last scroll position", async () => {
  const page = await startPhone();
  await page.setViewportSize({ width: 390, height: 420 });
  await page.evaluate("scrollTo(0, 120)");
  // Click by script, because Playwright would scroll the element into view first.
  await page.evaluate("document.querySelectorAll('.entry')[1].click()");
  await page.waitForSelector(".legs");
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  await page.goBack();
  await page.waitForSelector(".entries");
  await expect.poll(() => page.evaluate("scrollY")).toBe(120);
  await open(page, "booking/1", ".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=2");
  await page.waitForSelector(".shots");
  await page.evaluate("scrollTo(0, 300)");
  await page.click(".steps a >> nth=3");
  await page.waitForSelector(".diagram");
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
});

// Proves "check-in.md": T14
test("shows for which customer a vehicle is reserved, and selects it only after a confirmation", async () => {
  const page = await startPhone();
  const today = getTodayAtCompany();
  phones.server.bookings.set(5, createBooking(5, today));
  await page.reload();
  await page.waitForSelector(".entries");
  await open(page, "booking/5", ".legs");
  await goToNextStep(page);
  await page.fill("input[type=search]", "1002");
  await page.waitForSelector(".vehicle:has-text('Reserved'):has-text('Karin Vogel')");
  await page.click(".vehicle");
  await page.waitForSelector("[role=alertdialog]:has-text('Reserved for another customer')");
  expect(await page.isDisabled(".action .main")).toBe(true);
  await expectAccessible(page, "vehicle-reserved");
  await saveCheckInScreenshot(page, "light-vehicle-reserved");
  await page.click("[role=alertdialog] button >> nth=0");
  await page.waitForSelector(".action .main:has-text('Use 1002 KLM anyway')");
});

// Proves "check-in.md": P28
test("shows the day offline after loading two scripts and at most three database reads", async () => {
  const page = await startPhone();
  await waitUntilInstalled(page);
  await page.context().setOffline(true);
  await page.addInitScript({ content: COUNT_READS });
  await page.reload();
  await page.waitForSelector(".entry");
  expect(await page.evaluate<number>("globalThis.reads")).toBeLessThanOrEqual(3);
  expect(await page.evaluate<number>("globalThis.scripts")).toBe(2);
});

/** Counts reads and scripts until the first booking is shown. */
const COUNT_READS = `
  const { transaction } = IDBDatabase.prototype;
  let isThere = false;
  globalThis.reads = 0;
  IDBDatabase.prototype.transaction = function (...wanted) {
    if (!isThere) globalThis.reads += 1;
    return transaction.apply(this, wanted);
  };
  new MutationObserver((_, watch) => {
    if (!document.querySelector(".entry")) return;
    isThere = true;
    globalThis.scripts = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).length;
    watch.disconnect();
  }).observe(document, { childList: true, subtree: true });
`;

// Proves "check-in.md": W12g
test("searches also the other days stored on the device", async () => {
  const page = await startPhone();
  const tomorrow = addDays(getTodayAtCompany() as CivilDate, 1);
  const customer = { ...createBooking(7, tomorrow).customer, full_name: "Ingrid Sommerfeld" };
  phones.server.bookings.set(7, createBooking(7, tomorrow, { customer }));
  await page.reload();
  await page.waitForSelector(".entries");
  await page.fill("input[type=search]", "sommerfeld");
  await page.waitForSelector("section:has-text('Results on other days') .entry:has-text('Ingrid Sommerfeld')");
});

test("aligns a right-to-left name at the right", async () => {
  const page = await startPhone();
  const customer = { ...createBooking(7, getTodayAtCompany()).customer, full_name: "محمد Smith" };
  phones.server.bookings.set(7, createBooking(7, getTodayAtCompany(), { customer }));
  await page.reload();
  await page.waitForSelector(".entry:has-text('Smith')");
  const [first = 0, last = 0] = await page.evaluate<number[]>(`(() => {
    const name = [...document.querySelectorAll(".who")].find((one) => one.textContent === "محمد Smith").firstChild;
    return [0, name.length - 1].map((at) => {
      const range = document.createRange();
      range.setStart(name, at);
      range.setEnd(name, at + 1);
      return range.getBoundingClientRect().left;
    });
  })()`);
  expect(first).toBeGreaterThan(last);
});

// Proves "check-in.md": P24
test("links a booking to map, call, message and mail", async () => {
  const page = await startPhone();
  await open(page, "booking/1", ".legs");
  const hrefs = await page.evaluate<string[]>("[...document.querySelectorAll('main a[href]')].map((one) => one.href)");
  for (const way of ["https://www.openstreetmap.org/search?query=Palma", "tel:", "sms:", "mailto:"])
    expect(hrefs.some((href) => href.startsWith(way))).toBe(true);
});

// Proves "check-in.md": W12e
test("sends a note without a photo from a booking's page", async () => {
  const page = await startPhone();
  await open(page, "booking/1", ".legs");
  await page.click("button:has-text('Add photos or a note')");
  await page.fill("[name=notes]", "The customer waits at the hotel");
  await page.click(".action button >> nth=-1");
  await page.waitForSelector(".review");
  await goToNextStep(page);
  await waitUntilAllSynced(page);
  expect([...phones.server.operations.values()][0]?.operation.notes).toBe("The customer waits at the hotel");
});

// Proves "check-in.md": P30
test("fits the screen with letters of double size, without cut-off buttons", async () => {
  const prepare = (page: Page) => page.addInitScript({ content: `localStorage.setItem("checkin.language", "de")` });
  const page = await phones.start({ prepare });
  await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
  const beyond = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect(await beyond()).toBeLessThanOrEqual(0);
  await open(page, "booking/1", ".legs");
  expect(await beyond()).toBeLessThanOrEqual(0);
  await goToNextStep(page);
  for (const step of [1, 2, 5, 6, 7]) {
    await page.click(`.steps a >> nth=${step}`);
    await page.waitForSelector(`.steps li:nth-child(${step + 1}) a[aria-current]`);
    expect([step, await beyond()]).toEqual([step, 0]);
  }
  await saveCheckInScreenshot(page, "twice-the-letters");
});

// Proves "check-in.md": 28f
test("keeps the signer's typed name if the user changes the way of signing or restarts the app", async () => {
  const page = await startPhone();
  await open(page, "booking/1", ".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=6");
  await page.fill("[name=signer]", "Eva Puig");
  const chosenAt = await page.evaluate<number>("Date.now()");
  await page.locator("[name=method]").nth(1).check({ force: true });
  expect(await page.inputValue("[name=signer]")).toBe("Eva Puig");
  await waitForExpression(page, "document.querySelectorAll('[name=method]')[1].checked");
  await waitForExpression(page, createRecentDraftCheckScript(chosenAt));
  await page.reload();
  await page.waitForSelector("[name=signer]");
  expect(await page.inputValue("[name=signer]")).toBe("Eva Puig");
  expect(await page.locator("[name=method]").nth(1).isChecked()).toBe(true);
});
