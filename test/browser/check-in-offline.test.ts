import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aBooking, aUnit, aVehicle, todayThere } from "#support/check-in/day.ts";
import { type CheckInServer, checkInServer } from "#support/check-in/server.ts";
import { checkInSite } from "#support/check-in-site.ts";
import {
  aPhoto,
  drawSignature,
  handOver,
  killBrowser,
  LONGEST_WAIT,
  openOnProfile,
  signIn,
  statusOf,
  takePhotos,
  until,
  untilAllReceived,
  waitUntilInstalled,
} from "./phone.ts";

// The real app in a real browser; the server is in memory, so that it can be killed, be wrong and be asked what it has.

let server: CheckInServer;
let site: Awaited<ReturnType<typeof checkInSite>>;
let profile: string;
let phone: Awaited<ReturnType<typeof openOnProfile>>;

beforeEach(async () => {
  server = checkInServer();
  const today = todayThere();
  for (let id = 1; id <= 6; id++) {
    const vehicle = aVehicle(id);
    server.vehicles.set(vehicle.reference, vehicle);
    server.bookings.set(id, aBooking(id, today, { resources: [aUnit(id, { vehicle })] }));
  }
  site = await checkInSite(server);
  profile = await mkdtemp(join(tmpdir(), "phone-"));
  phone = await openOnProfile(profile);
});

afterEach(async () => {
  await killBrowser(phone).catch(() => undefined);
  await site.stop();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

async function startShift(page: Page): Promise<void> {
  await page.goto(site.address);
  await signIn(page, "ana");
  await waitUntilInstalled(page);
  // The fleet and the extras come after the day.
  await expect.poll(() => server.requests.some(({ path }) => path.includes("extra-search"))).toBe(true);
}

const open = (page: Page, id: number) => page.goto(`${site.address}#/booking/${id}`);

/** What was typed is on the disk: sealed, so that only the moment of its last change can be read from outside. */
const keptSince = (moment: number) => `new Promise((resolve) => {
  indexedDB.open("checkin").onsuccess = ({ target }) => {
    target.result.transaction("drafts").objectStore("drafts").getAll().onsuccess = (event) => {
      target.result.close();
      resolve(event.target.result.some((draft) => draft.updated_at >= ${moment}));
    };
  };
})`;

describe("a phone in a car park without a signal", () => {
  test("hands a car over, is killed and started again, and everything arrives exactly once in the daylight", async () => {
    await startShift(phone.page);
    await site.stop();
    await open(phone.page, 1);
    await handOver(phone.page, { kilometres: "10500" });
    await expect.poll(() => statusOf(phone.page)).toContain("1 waits");
    expect(server.operations.size).toBe(0);

    await killBrowser(phone);
    phone = await openOnProfile(profile);
    await phone.page.goto(`${site.address}#/outbox`);
    await phone.page.waitForSelector(".item");
    expect(await statusOf(phone.page)).toContain("1 waits");

    await site.start();
    await phone.page.click(".action .main");
    await untilAllReceived(phone.page);
    const [kept] = [...server.operations.values()];
    expect(server.operations.size).toBe(1);
    expect([...server.applications.values()]).toEqual([1]);
    expect(kept?.operation).toMatchObject({
      kind: "delivery",
      seq: 1,
      kilometres: 10_500,
      fuel_eighths: 7,
      author: "ana",
    });
    expect(kept?.operation.photos).toHaveLength(8);
    expect(kept?.operation.signature?.method).toBe("drawn");
    // The photos, the signature, and the text that stands above it.
    expect(server.files.size).toBe(10);
    const text = server.files.get(`${kept?.operation.booking_id}/${kept?.operation.signature?.contract_hash}`);
    expect(text?.type).toBe("text/plain");
    expect(new TextDecoder().decode(text?.bytes)).toContain("Kilómetros\t10.500");
  });

  test("killed in the middle of the photos, it goes on where it was", async () => {
    await startShift(phone.page);
    await site.stop();
    await open(phone.page, 2);
    // The vehicle is assigned: the work begins at what it shows.
    await phone.page.click(".action .main");
    await phone.page.fill("[name=kilometres]", "10777");
    await phone.page.click(".action .main");
    await phone.page.waitForSelector(".shots");
    await takePhotos(phone.page, 3);
    await killBrowser(phone);

    phone = await openOnProfile(profile);
    await open(phone.page, 2);
    await phone.page.click(".action .main:has-text('Continue')");
    await phone.page.waitForSelector(".shots");
    await until(phone.page, "document.querySelectorAll('.shot img').length === 3");
    await phone.page.click(".steps a >> nth=1");
    await expect.poll(() => phone.page.inputValue("[name=kilometres]")).toBe("10777");
  });

  test("killed while it was sending, it sends the rest, and nothing twice", async () => {
    await startShift(phone.page);
    await site.stop();
    await open(phone.page, 3);
    await handOver(phone.page, { kilometres: "11000", photos: 4 });
    let puts = 0;
    server.setFault(({ method }) => {
      if (method === "PUT") puts += 1;
      if (puts === 3) void killBrowser(phone);
      return puts >= 3 ? "drop_answer" : undefined;
    });
    await site.start();
    await phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))").catch(() => undefined);
    await expect.poll(() => puts, { timeout: LONGEST_WAIT }).toBeGreaterThanOrEqual(3);
    server.setFault(() => undefined);
    phone = await openOnProfile(profile);
    await phone.page.goto(site.address);
    await untilAllReceived(phone.page);
    expect([...server.applications.values()]).toEqual([1]);
    expect(server.files.size).toBe(6);
    expect(server.requests.filter(({ method }) => method === "PUT").length).toBeLessThanOrEqual(6);
  });

  test("says that the token has expired, keeps the work, and sends it after signing in again", async () => {
    await startShift(phone.page);
    await open(phone.page, 4);
    await phone.page.waitForSelector(".legs");
    server.expireTokens();
    await handOver(phone.page, { kilometres: "12000", photos: 1 });
    await expect.poll(() => statusOf(phone.page)).toContain("Sign in to send · 1 kept");
    await phone.page.click("a.banner");
    await signIn(phone.page, "ana");
    await untilAllReceived(phone.page);
    expect(server.applications.size).toBe(1);
  });

  test("has one sender, however many tabs are open", async () => {
    await startShift(phone.page);
    const second = await phone.context.newPage();
    await second.goto(site.address);
    await second.waitForSelector(".entry");
    await phone.page.bringToFront();
    await open(phone.page, 5);
    await handOver(phone.page, { kilometres: "13000", photos: 2 });
    await second.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await untilAllReceived(phone.page);
    await untilAllReceived(second);
    const posts = server.requests.filter(({ method, path }) => method === "POST" && path.endsWith("operations"));
    expect(posts).toHaveLength(1);
  });

  test("refuses to sign out while something has not arrived, until it is saved as a file", async () => {
    await startShift(phone.page);
    await site.stop();
    await open(phone.page, 6);
    await handOver(phone.page, { kilometres: "14000", photos: 1 });
    await phone.page.goto(`${site.address}#/more`);
    await phone.page.click("button:has-text('Sign out')");
    expect(await phone.page.isDisabled("button:has-text('Sign out and delete')")).toBe(true);
    await phone.page.click("button:has-text('Save what has not arrived')");
    await phone.page.waitForSelector("button:has-text('Sign out and delete'):enabled");
    await phone.page.click("button:has-text('Cancel')");
    await phone.page.goto(`${site.address}#/outbox`);
    await expect.poll(() => phone.page.locator(".item").count()).toBe(1);
  });

  test("keeps a signature when the phone is turned", async () => {
    await startShift(phone.page);
    await open(phone.page, 1);
    await phone.page.click(".action .main");
    await phone.page.waitForSelector(".steps");
    await phone.page.click(".steps a >> nth=6");
    await drawSignature(phone.page);
    const ink = `(() => {
      const canvas = document.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let dark = 0;
      for (let index = 0; index < data.length; index += 4) if (data[index] < 128) dark += 1;
      return dark;
    })()`;
    const before = await phone.page.evaluate<number>(ink);
    await phone.page.setViewportSize({ width: 844, height: 390 });
    await until(phone.page, "document.querySelector('canvas').width > 500");
    await expect.poll(() => phone.page.evaluate<number>(ink)).toBeGreaterThan(before * 0.8);
    expect(before).toBeGreaterThan(100);
  });

  test("refuses a photo before it is lost where the phone is full, and keeps the fields", async () => {
    await startShift(phone.page);
    await open(phone.page, 1);
    await phone.page.click(".action .main");
    await phone.page.click(".steps a >> nth=2");
    await phone.page.waitForSelector(".shots");
    await phone.page.evaluate("navigator.storage.estimate = async () => ({ quota: 1e8, usage: 9e7 })");
    const buffer = await aPhoto(phone.page, 1);
    await phone.page.setInputFiles(".action input[type=file]", { name: "a.jpg", mimeType: "image/jpeg", buffer });
    await phone.page.waitForSelector("[role=alert]:has-text('No room')");
    await phone.page.click(".steps a >> nth=1");
    const typedAt = await phone.page.evaluate<number>("Date.now()");
    await phone.page.fill("[name=kilometres]", "15000");
    await until(phone.page, keptSince(typedAt));
    await phone.page.reload();
    await phone.page.click(".steps a >> nth=1");
    await expect.poll(() => phone.page.inputValue("[name=kilometres]")).toBe("15000");
  });
});
