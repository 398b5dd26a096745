import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type DeskRequest, withDesk } from "#support/check-in/desk.ts";
import { withFourCars } from "#support/check-in/four-cars.ts";
import { next } from "../../browser/phone.ts";
import { usePhones } from "../../browser/phones.ts";

// What is answered or written late moves nobody who has gone elsewhere, and opens nothing under the lock.

let deskRequests: readonly DeskRequest[];
const phones = usePhones((server) => {
  withFourCars(server);
  deskRequests = withDesk(server);
});
const { open } = phones;

const at = (page: Page) => new URL(page.url()).hash;
const go = (page: Page, place: string) => page.evaluate(`location.hash = "#/${place}"`);
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent.trim()");

async function setPin(page: Page): Promise<void> {
  await open(page, "more", "[name=pin]");
  await page.fill("[name=pin]", "4711");
  await page.click("button:has-text('Set the PIN')");
  await page.waitForSelector("[role=status]:has-text('A PIN is set')");
}

/** As if nobody had touched the phone for long. */
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

/** A walk-in that was sent, and is not answered until it is let go. */
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

test("a walk-in that is answered late moves nobody, and is told in a region that is heard", async () => {
  const page = await phones.start();
  const releaseRequest = await bookWalkIn(page);
  await go(page, "walk-in");
  expect(await page.isDisabled(".action .main")).toBe(true);
  await go(page, "more");
  await page.waitForSelector("h2:has-text('Lock')");
  // There before what is put into it.
  const region = await page.waitForSelector("[role=status].told", { state: "attached" });
  expect(await region.textContent()).toBe("");
  await releaseRequest();
  await page.waitForSelector(".told a.banner");
  expect([await region.textContent(), at(page), bookings()]).toEqual([
    expect.stringMatching(/New booking.*1/),
    "#/more",
    1,
  ]);
  await page.click(".told a.banner");
  await page.waitForSelector(".legs");
  expect(at(page)).toBe("#/booking/1");
});

test("a walk-in that is answered under the lock opens nothing: whoever unlocks is told of it", async () => {
  const page = await phones.start();
  await setPin(page);
  const releaseRequest = await bookWalkIn(page);
  await lock(page);
  await releaseRequest();
  await unlock(page);
  await page.waitForSelector(".told a.banner");
  await expect.poll(() => page.inputValue("[name=surname]")).toBe("");
  expect([at(page), bookings()]).toEqual(["#/walk-in", 1]);
});

/** The last step of a hand-over, with what is left open said. */
async function toReview(page: Page): Promise<void> {
  await open(page, "booking/1", ".legs");
  await next(page);
  await page.click(".steps a >> nth=7");
  await page.waitForSelector("[name=money-confirmed]");
}

/** Whatever is written to the phone waits until it is let go. */
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

const sent = () => phones.server.requests.filter(({ path }) => path.includes("check-in-operations")).length;

/** A hand-over whose last button was pressed, and that is not written until it is let go. */
async function finish(page: Page): Promise<() => Promise<unknown>> {
  await toReview(page);
  await page.check("[name=money-confirmed]");
  const releaseRequest = await holdDisk(page);
  await page.click(".action .main");
  return releaseRequest;
}

test("work that is finished late moves nobody who has gone elsewhere", async () => {
  const page = await phones.start();
  const releaseRequest = await finish(page);
  await go(page, "more");
  await page.waitForSelector("h2:has-text('Lock')");
  await releaseRequest();
  await expect.poll(sent).toBeGreaterThan(0);
  expect(at(page)).toBe("#/more");
});

test("work that is finished under the lock opens nothing: whoever unlocks reads that it is finished", async () => {
  const page = await phones.start();
  await setPin(page);
  const releaseRequest = await finish(page);
  await lock(page);
  await releaseRequest();
  await expect.poll(sent).toBeGreaterThan(0);
  await unlock(page);
  await page.waitForSelector(".empty:has-text('This work is finished')");
  expect(at(page)).toMatch(/^#\/work\/.*\/review$/);
});

test("what keeps a hand-over from being finished is said of the button that finishes it", async () => {
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
    expect.stringContaining("€300.00 of deposit still to take"),
  ]);
  await page.check("[name=money-confirmed]");
  await expect.poll(described).toEqual([]);
  expect(await page.isDisabled(".action .main")).toBe(false);
});

test("who is asked whether to discard a hand-over keeps their place, and goes on from the title of its booking", async () => {
  const page = await phones.start();
  await toReview(page);
  const discard = page.locator("main button.danger");
  await discard.click();
  await expect.poll(() => focused(page)).toBe("Cancel");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe(await discard.textContent());
  await page.keyboard.press("Enter");
  await page.locator("[role=alertdialog] .danger").click();
  await page.waitForSelector(".legs");
  expect(at(page)).toBe("#/booking/1");
  await expect.poll(() => focused(page)).toBe(await page.textContent("h1"));
});
