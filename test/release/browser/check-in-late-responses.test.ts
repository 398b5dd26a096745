import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { addDayWithFourCars } from "#support/check-in/check-in-fixture.ts";
import { addDeskRoutes, type ReceivedDeskRequest } from "#support/check-in/desk.ts";
import { goToNextStep } from "../../browser/phone.ts";
import { useCheckInDevices } from "../../browser/phones.ts";

// Late responses or writes never navigate users who have left the screen, and open nothing on a locked app.

let deskRequests: readonly ReceivedDeskRequest[];
const phones = useCheckInDevices((server) => {
  addDayWithFourCars(server);
  deskRequests = addDeskRoutes(server);
});
const { open } = phones;

const readAddressHash = (page: Page) => new URL(page.url()).hash;
const go = (page: Page, place: string) => page.evaluate(`location.hash = "#/${place}"`);
const readFocusedText = (page: Page) => page.evaluate<string>("document.activeElement.textContent.trim()");

async function setPin(page: Page): Promise<void> {
  await open(page, "more", "[name=pin]");
  await page.fill("[name=pin]", "4711");
  await page.click("button:has-text('Set the PIN')");
  await page.waitForSelector("[role=status]:has-text('A PIN opens the app')");
}

/** Simulates a long idle time. */
async function lock(page: Page): Promise<void> {
  await page.evaluate(
    "localStorage.setItem('checkin.used', '0'), document.dispatchEvent(new Event('visibilitychange'))",
  );
  await page.waitForSelector("[name=pin]");
}

async function unlock(page: Page): Promise<void> {
  await page.fill("[name=pin]", "4711");
  await page.click(".action .main");
}

/** Sends a walk-in booking and holds its response until released. */
async function bookWalkIn(page: Page): Promise<() => Promise<void>> {
  await open(page, "walk-in", "[name=pickup_place]");
  await page.waitForSelector("[name=pickup_place] option:nth-child(2)", { state: "attached" });
  await page.selectOption("[name=category_code]", "ECON");
  await page.fill("[name=name]", "Karin");
  await page.fill("[name=surname]", "Vogel");
  await page.click(".action .main");
  const late = Promise.withResolvers<void>();
  const requestReceived = Promise.withResolvers<void>();
  await page.route(/office\/reservations$/, async (route) => {
    requestReceived.resolve();
    await late.promise;
    await route.continue();
  });
  await page.click(".action .main:has-text('40.00')");
  await requestReceived.promise;
  return async () => {
    const answered = page.waitForResponse(/office\/reservations$/);
    late.resolve();
    await answered;
  };
}

const bookings = () => deskRequests.filter(({ path }) => path === "POST /api/v1/office/reservations").length;

test("announces a walk-in that was booked after the user left the page, without navigation", async () => {
  const page = await phones.start();
  const releaseRequest = await bookWalkIn(page);
  await go(page, "walk-in");
  expect(await page.isDisabled(".action .main")).toBe(true);
  await go(page, "more");
  await page.waitForSelector("h2:has-text('App lock')");
  // The live region must exist before its content.
  const region = await page.waitForSelector("[role=status].told", { state: "attached" });
  expect(await region.textContent()).toBe("");
  await releaseRequest();
  await page.waitForSelector(".told a.banner");
  expect([await region.textContent(), readAddressHash(page), bookings()]).toEqual([
    expect.stringMatching(/New reservation.*1/),
    "#/more",
    1,
  ]);
  await page.click(".told a.banner");
  await page.waitForSelector(".legs");
  expect(readAddressHash(page)).toBe("#/booking/1");
});

test("opens no page if a walk-in response arrives while the app is locked, and shows it after unlocking", async () => {
  const page = await phones.start();
  await setPin(page);
  const releaseRequest = await bookWalkIn(page);
  await lock(page);
  await releaseRequest();
  await unlock(page);
  await page.waitForSelector(".told a.banner");
  await expect.poll(() => page.inputValue("[name=surname]")).toBe("");
  expect([readAddressHash(page), bookings()]).toEqual(["#/walk-in", 1]);
});

/** Moves to the last step of a hand-over with the open balance confirmed. */
async function toReview(page: Page): Promise<void> {
  await open(page, "booking/1", ".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=7");
  await page.waitForSelector("[name=money-confirmed]");
}

/** Holds all disk writes until released. */
async function holdDisk(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`(async () => {
    const [{ name }] = await indexedDB.databases();
    const opened = indexedDB.open(name);
    await new Promise((resolve) => { opened.onsuccess = resolve; });
    const { result: database } = opened;
    const [first] = database.objectStoreNames;
    const store = database.transaction([...database.objectStoreNames], "readwrite").objectStore(first);
    const spin = () => { if (!window.isLetGo) store.count().onsuccess = spin; else database.close(); };
    await new Promise((resolve) => { store.count().onsuccess = () => { resolve(); spin(); }; });
  })()`);
  return () => page.evaluate("window.isLetGo = true");
}

const countSentRequests = () =>
  phones.server.requests.filter(({ path }) => path.includes("check-in-operations")).length;

/** Finishes a hand-over with its write held until released. */
async function finish(page: Page): Promise<() => Promise<unknown>> {
  await toReview(page);
  await page.check("[name=money-confirmed]");
  const releaseRequest = await holdDisk(page);
  await page.click(".action .main");
  return releaseRequest;
}

test("finishes an operation whose response is late without moving the user from another page", async () => {
  const page = await phones.start();
  const releaseRequest = await finish(page);
  await go(page, "more");
  await page.waitForSelector("h2:has-text('App lock')");
  await releaseRequest();
  await expect.poll(countSentRequests).toBeGreaterThan(0);
  expect(readAddressHash(page)).toBe("#/more");
});

test("opens no page if an operation finishes while the app is locked, and shows it after unlocking", async () => {
  const page = await phones.start();
  await setPin(page);
  const releaseRequest = await finish(page);
  await lock(page);
  await releaseRequest();
  await expect.poll(countSentRequests).toBeGreaterThan(0);
  await unlock(page);
  await page.waitForSelector(".empty:has-text('This check-in record is already finished or discarded.')");
  expect(readAddressHash(page)).toMatch(/^#\/work\/.*\/review$/);
});

test("describes a disabled finish button to screen readers with the amounts that prevent the hand-over", async () => {
  const page = await phones.start();
  await toReview(page);
  const described = () =>
    page.evaluate<readonly (string | undefined)[]>(
      `(document.querySelector(".action .main").getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean)
        .map((id) => document.getElementById(id)?.textContent.trim())`,
    );
  expect(await page.isDisabled(".action .main")).toBe(true);
  expect(await described()).toEqual([
    expect.stringContaining("€100.00 still to pay"),
    expect.stringContaining("Deposit due: €300.00"),
  ]);
  await page.check("[name=money-confirmed]");
  await expect.poll(described).toEqual([]);
  expect(await page.isDisabled(".action .main")).toBe(false);
});

test("focuses the confirmation before discarding an operation, and the booking's title afterwards", async () => {
  const page = await phones.start();
  await toReview(page);
  const discard = page.locator("main button.danger");
  await discard.click();
  await expect.poll(() => readFocusedText(page)).toBe("Cancel");
  await page.keyboard.press("Enter");
  await expect.poll(() => readFocusedText(page)).toBe(await discard.textContent());
  await page.keyboard.press("Enter");
  await page.locator("[role=alertdialog] .danger").click();
  await page.waitForSelector(".legs");
  expect(readAddressHash(page)).toBe("#/booking/1");
  await expect.poll(() => readFocusedText(page)).toBe(await page.textContent("h1"));
});
