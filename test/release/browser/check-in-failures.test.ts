import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { createHeic } from "#support/images.ts";
import {
  completeHandOver,
  expectAccessible,
  finishHandOver,
  goToNextStep,
  readStatus,
  saveCheckInScreenshot,
  signIn,
  waitUntilAllSynced,
  waitUntilInstalled,
} from "../../browser/phone.ts";
import { useCheckInDevices } from "../../browser/phones.ts";

// Field failures in the app itself: photos, cleared devices, no background sync, two users at one booking.

const MEGABYTE = 1024 * 1024;
const MAX_STORED_BYTES = 400 * 1024;

const phones = useCheckInDevices((server) => {
  const today = getTodayAtCompany();
  for (let id = 1; id <= 4; id++) {
    const vehicle = createVehicle(id);
    server.vehicles.set(vehicle.reference, vehicle);
    server.bookings.set(id, createBooking(id, today, { resources: [createUnit(id, { vehicle })] }));
  }
});

/** Opens an offline-capable device with a signed-in user. */
async function startInstalledPhone(username = "ana", prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await phones.start({ username, prepare });
  await waitUntilInstalled(page);
  return page;
}

/** Checks accessibility in both themes and saves screenshots. */
async function takeScreenshot(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `${name}, ${colorScheme}`);
    await saveCheckInScreenshot(page, `${colorScheme}-${name}`);
  }
}

const open = (page: Page, path: string) => page.goto(`${phones.site.address}#/${path}`);

async function openPhotos(page: Page, id: number): Promise<void> {
  await open(page, `booking/${id}`);
  await page.waitForSelector(".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=2");
  await page.waitForSelector(".shots");
}

const takePhoto = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.setInputFiles(".action input[type=file]", { name, mimeType, buffer });

interface StoredFileRow {
  readonly hash: string;
  readonly type: string;
  readonly size: number;
}

/** Reads a store of the device's database. */
const readStore = <T>(page: Page, store: string) =>
  page.evaluate<readonly T[]>(`new Promise((resolve) => {
    indexedDB.open("checkin").onsuccess = ({ target }) => {
      target.result.transaction("${store}").objectStore("${store}").getAll().onsuccess = (event) => {
        target.result.close();
        resolve(event.target.result);
      };
    };
  })`);

/** Creates a picture of noise, which compresses badly. */
async function createNoisyPhoto(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(async () => {
    const canvas = new OffscreenCanvas(${width}, ${height});
    const context = canvas.getContext("2d");
    const tile = new ImageData(500, 500);
    for (let index = 0; index < tile.data.length; index++) tile.data[index] = index % 4 === 3 ? 255 : (index * 7919) % 251 ^ Math.random() * 255;
    for (let x = 0; x < ${width}; x += 500) for (let y = 0; y < ${height}; y += 500) context.putImageData(tile, x, y);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 });
    const reader = new FileReader();
    return new Promise((resolve) => {
      reader.onload = () => resolve(reader.result.split(",")[1]);
      reader.readAsDataURL(blob);
    });
  })()`);
  return Buffer.from(base64, "base64");
}

const readImageSize = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 2; at < bytes.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker >= 0xffc0 && marker <= 0xffc2) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  throw new Error("no frame");
};

describe("a photo", () => {
  // Proves "check-in.md": 11
  test("shrinks a photo of 12 megapixels and over 5 MB to at most 400 kB and 1600 pixels", async () => {
    const page = await startInstalledPhone();
    await openPhotos(page, 1);
    const original = await createNoisyPhoto(page, 4000, 3000);
    expect(original.length).toBeGreaterThan(5 * MEGABYTE);
    await takePhoto(page, "IMG_1.jpg", "image/jpeg", original);
    await page.waitForSelector(".shot img");
    const [file, ...others] = await readStore<StoredFileRow>(page, "files");
    expect(others).toEqual([]);
    expect(file?.type).toBe("image/jpeg");
    expect(file?.size).toBeLessThanOrEqual(MAX_STORED_BYTES);
    await page.click(".steps a >> nth=7");
    await finishHandOver(page);
    await waitUntilAllSynced(page);
    const [arrived] = [...phones.server.files.values()];
    expect(arrived?.bytes.length).toBe(file?.size);
    const { width, height } = readImageSize(arrived?.bytes ?? new Uint8Array());
    expect(Math.max(width, height)).toBeLessThanOrEqual(1600);
    expect(width / height).toBeCloseTo(4 / 3, 2);
  });

  // Proves "check-in.md": 11b
  test.each(["image/heic", "image/heif", ""])(
    "stores and sends a HEIC (%s) that this browser can't decode as it is",
    async (type) => {
      const page = await startInstalledPhone("manager@acme.test");
      await openPhotos(page, 1);
      const original = Buffer.from(createHeic({ width: 4032, height: 3024, bytes: 3 * MEGABYTE }));
      await takePhoto(page, "IMG_1.HEIC", type, original);
      await page.waitForSelector(".shot .kept:has-text('Photo saved, not shown here')");
      expect(await readStore<StoredFileRow>(page, "files")).toMatchObject([
        { type: "image/heic", size: original.length },
      ]);
      if (type === "image/heic") {
        await takeScreenshot(page, "photo-heic");
      }
      await page.click(".steps a >> nth=7");
      await finishHandOver(page);
      await waitUntilAllSynced(page);
      expect([...phones.server.files.values()].map((file) => [file.type, file.bytes.length])).toEqual([
        ["image/heic", original.length],
      ]);
      if (type !== "image/heic") return;
      await open(page, "office");
      await page.click(".groups button:has-text('All')");
      await page.waitForSelector(".thumbs a.kept[download]");
      await takeScreenshot(page, "office-heic");
    },
  );

  // Proves "check-in.md": 11d
  test("rejects a photo that can't be decoded or is too large before storing it, and keeps the other photos", async () => {
    const page = await startInstalledPhone();
    await openPhotos(page, 1);
    await takePhoto(page, "IMG_1.HEIC", "image/heic", Buffer.from(createHeic({ width: 4032, height: 3024 })));
    await page.waitForSelector(".shot .kept");
    await takePhoto(
      page,
      "IMG_2.HEIC",
      "image/heic",
      Buffer.from(createHeic({ width: 8064, height: 6048, bytes: 10 * MEGABYTE })),
    );
    await page.waitForSelector("[role=alert]:has-text('over 10 MB')");
    await takeScreenshot(page, "photo-too-large");
    await takePhoto(page, "page.jpg", "image/jpeg", Buffer.from("<html>not a picture</html>"));
    await page.waitForSelector("[role=alert]:has-text('be read. Take')");
    const half = (await createNoisyPhoto(page, 500, 500)).subarray(0, 600);
    await takePhoto(page, "half.jpg", "image/jpeg", half);
    await page.waitForSelector("[role=alert]:has-text('be read. Take')");
    expect(await readStore(page, "files")).toHaveLength(1);
    expect(await readStore(page, "contents")).toHaveLength(1);
    await page.reload();
    await page.waitForSelector(".shot .kept");
    await takePhoto(page, "IMG_3.jpg", "image/jpeg", await createNoisyPhoto(page, 500, 500));
    await page.waitForSelector(".shot img");
    expect(await page.isVisible("[role=alert]")).toBe(false);
  });

  // Proves "check-in.md": W12c
  test("shows an error at a damage photo that can't be stored", async () => {
    const page = await startInstalledPhone();
    await openPhotos(page, 1);
    await page.click(".steps a >> nth=3");
    await page.click(".diagram [role=button] >> nth=8");
    const input = "label:has-text('Photograph the damage') input";
    await page.setInputFiles(input, { name: "a.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") });
    await page.waitForSelector("[role=alert]:has-text('be read. Take')");
  });

  // Proves "check-in.md": 12f
  test("rejects a photo with the reason if the disk is full, and keeps the fields", async () => {
    const page = await startInstalledPhone();
    await openPhotos(page, 1);
    await page.evaluate(`{
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...all) {
        if (this.name === "contents") throw new DOMException("full", "QuotaExceededError");
        return put.apply(this, all);
      };
    }`);
    await takePhoto(page, "IMG_1.jpg", "image/jpeg", await createNoisyPhoto(page, 500, 500));
    await page.waitForSelector("[role=alert]:has-text('No space')");
    await page.click(".steps a >> nth=1");
    const typedAt = await page.evaluate<number>("Date.now()");
    await page.fill("[name=kilometres]", "15000");
    // Drafts are encrypted, so only the time of the last change is readable.
    const changes = async () =>
      (await readStore<{ updated_at: number }>(page, "drafts")).map((draft) => draft.updated_at);
    await expect.poll(async () => (await changes()).every((changedAt) => changedAt >= typedAt)).toBe(true);
    await page.reload();
    await expect.poll(() => page.inputValue("[name=kilometres]")).toBe("15000");
    expect(await readStore(page, "files")).toEqual([]);
  });

  // Proves "check-in.md": 11f
  test("shrinks a photo that the server calls too large, and resends it", async () => {
    const page = await startInstalledPhone();
    await openPhotos(page, 1);
    const original = await createNoisyPhoto(page, 1500, 1500);
    await takePhoto(page, "IMG_1.jpg", "image/jpeg", original);
    await page.waitForSelector(".shot img");
    const [before] = await readStore<StoredFileRow>(page, "files");
    const maxUploadBytes = (before?.size ?? 0) - 1;
    phones.server.setFault(({ method, body }) =>
      method === "PUT" && (body as ArrayBuffer).byteLength > maxUploadBytes
        ? { status: 413, body: "<html>413</html>" }
        : undefined,
    );
    await page.click(".steps a >> nth=7");
    await finishHandOver(page);
    await waitUntilAllSynced(page);
    const [operation] = [...phones.server.operations.values()].map((item) => item.operation);
    const [name, ...others] = [...phones.server.files.keys()];
    expect(others).toEqual([]);
    expect(name).toBe(`1/${operation?.photos?.[0]?.hash}`);
    expect(name).not.toContain(before?.hash);
    expect(phones.server.files.get(name ?? "")?.bytes.length).toBeLessThanOrEqual(maxUploadBytes);
    // The device shows the uploaded version.
    await page.click(".item .link");
    await page.waitForSelector(".item:has-text('Photos 1/1')");
  });
});

describe("operations waiting to be sent", () => {
  /** Creates a delivery with photos only. */
  async function photograph(page: Page, id: number, count: number): Promise<void> {
    await openPhotos(page, id);
    for (let number = 0; number < count; number++) {
      await takePhoto(page, `IMG_${number}.jpg`, "image/jpeg", await createNoisyPhoto(page, 500, 500 + number));
      await expect.poll(() => page.locator(".shot img").count()).toBe(number + 1);
    }
    await page.click(".steps a >> nth=7");
    await page.waitForSelector(".review");
    await page.check("[name=money-confirmed]");
  }

  // Proves "check-in.md": 4c
  test("sends an operation without the photo whose upload keeps failing, and shows it as incomplete to the office", async () => {
    const page = await startInstalledPhone("manager@acme.test");
    await photograph(page, 1, 3);
    const refused = (await readStore<{ files: string[] }>(page, "drafts"))[0]?.files[1] ?? "";
    phones.server.setFault(({ method, path }) =>
      method === "PUT" && path.endsWith(refused) ? { status: 500 } : undefined,
    );
    await goToNextStep(page);
    await expect.poll(() => phones.server.operations.size).toBe(1);
    await page.waitForSelector(".item .chip:has-text('Photos missing')");
    await page.click(".item .link");
    await page.waitForSelector(".item:has-text('Photos 2/3')");
    await page.waitForSelector(".files li:nth-child(2):has-text('failed')");
    expect(phones.server.files.size).toBe(2);
    await takeScreenshot(page, "photo-failing");
    await open(page, "office");
    await page.click(".groups button:has-text('Photos missing')");
    await page.waitForSelector(".card:has-text('Photos 2/3')");
  });

  // Proves "check-in.md": 7d
  test("keeps operations for their author after the session ends, and hides the customer from a colleague", async () => {
    const page = await startInstalledPhone("ana");
    await photograph(page, 1, 1);
    phones.server.expireTokens();
    await goToNextStep(page);
    await expect.poll(() => readStatus(page)).toContain("Sign in to sync · 1 pending");
    await page.click("a.banner");
    await page.waitForSelector("[name=username]");
    await page.fill("[name=username]", "jordi");
    await page.waitForSelector(".note:has-text('1 item of ana is waiting to sync')");
    await takeScreenshot(page, "sign-in-other");
    await signIn(page, "jordi");
    await open(page, "outbox");
    await page.waitForSelector(".entry:has-text('ana'):has-text('1 check-in record syncs when they sign in')");
    expect(await page.textContent("main")).not.toContain("Jordi Puig");
    await takeScreenshot(page, "outbox-others");
    expect(phones.server.operations.size).toBe(0);
    await open(page, "more");
    await page.click("button:has-text('Switch user now')");
    await signIn(page, "ana");
    await expect.poll(() => phones.server.operations.size).toBe(1);
    expect([...phones.server.operations.values()].map(({ operation }) => operation.author)).toEqual(["ana"]);
  });

  // Proves "check-in.md": 28
  test("marks an uploaded photo as taken by mistake, and keeps the photo", async () => {
    const page = await startInstalledPhone();
    await photograph(page, 1, 1);
    await goToNextStep(page);
    await waitUntilAllSynced(page);
    await page.click(".item .link");
    await page.click(".item button:has-text('Mark photo as wrong')");
    await page.waitForSelector(".item li:has-text('marked')");
    await expect.poll(() => phones.server.operations.size).toBe(2);
    const [work, mark] = [...phones.server.operations.values()].map(({ operation }) => operation);
    expect(mark).toMatchObject({ kind: "evidence", removed_photos: [work?.photos?.[0]?.hash] });
    expect(phones.server.files.size).toBe(1);
  });
});

describe("a phone that may lose its data", () => {
  // Proves "check-in.md": 13
  test("shows how many operations the server hasn't received for four hours", async () => {
    const page = await startInstalledPhone();
    await page.clock.install();
    await open(page, "booking/1");
    await page.reload();
    await page.waitForSelector(".legs");
    await page.context().setOffline(true);
    await completeHandOver(page, { kilometres: "11000", photos: 1 });
    expect(await page.locator(".banner:has-text('4 hours')").count()).toBe(0);
    await page.clock.fastForward("03:55:00");
    expect(await page.locator(".banner:has-text('4 hours')").count()).toBe(0);
    await page.clock.fastForward("00:10:00");
    await page.waitForSelector(".banner:has-text('1 item has not synced for 4 hours')");
    await takeScreenshot(page, "late");
    await page.click(".banner:has-text('4 hours')");
    await page.waitForSelector(".item");
  });

  // Proves "check-in.md": 13b
  test("gives a wiped phone a new device ID at sign-in, and shows the office the old one's missing operations", async () => {
    const page = await startInstalledPhone("manager@acme.test");
    const isFirstBooking = (text: string) => text.includes('"booking_id":1,');
    // The first item always fails, the second counts the failures further.
    phones.server.setFault(({ body }) => (isFirstBooking(String(body)) ? { status: 500 } : undefined));
    for (const id of [1, 2]) {
      await open(page, `booking/${id}`);
      await page.waitForSelector(".legs");
      await completeHandOver(page, { kilometres: "11000", photos: 0 });
    }
    await expect.poll(() => phones.server.operations.size).toBe(1);
    const session = await page.context().newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", {
      origin: new URL(phones.site.address).origin,
      storageTypes: "indexeddb",
    });
    await page.goto(phones.site.address);
    await page.reload();
    await page.waitForSelector("[role=status]:has-text('data was cleared')");
    await takeScreenshot(page, "wiped");
    phones.server.setFault(() => undefined);
    await signIn(page, "manager@acme.test");
    await open(page, "booking/3");
    await page.waitForSelector(".legs");
    await completeHandOver(page, { kilometres: "11000", photos: 0 });
    await expect.poll(() => phones.server.operations.size).toBe(2);
    const [old, fresh] = [...phones.server.operations.values()].map(({ operation }) => operation);
    expect([old?.seq, fresh?.seq]).toEqual([2, 1]);
    expect(fresh?.device_id).not.toBe(old?.device_id);
    await open(page, "office");
    await page.waitForSelector(
      `.entry:has-text('${old?.device_id.slice(0, 8)}'):has-text('1 check-in record missing')`,
    );
    await takeScreenshot(page, "office-gap");
    // After sign-out, the next user gets no data.
    await open(page, "more");
    await page.click("button:has-text('Sign out')");
    await page.waitForSelector("[name=username]");
    await page.reload();
    await page.waitForSelector("[name=username]");
    expect(await page.isVisible("text=data was cleared")).toBe(false);
  });

  // Proves "check-in.md": 13f
  test("requests persistent storage after the sign-in, and offers to install the app", async () => {
    const page = await startInstalledPhone("ana", (fresh) =>
      fresh.addInitScript(`
        globalThis.asked = [];
        navigator.storage.persist = async () => (asked.push("persist"), false);
      `),
    );
    await expect.poll(() => page.evaluate("globalThis.asked")).toEqual(["persist"]);
    await page.evaluate(`{
      const offer = new Event("beforeinstallprompt", { cancelable: true });
      offer.prompt = async () => asked.push(offer.defaultPrevented ? "install" : "too early");
      dispatchEvent(offer);
    }`);
    await page.waitForSelector(".banner:has-text('Install')");
    await takeScreenshot(page, "install");
    await page.click(".banner button:has-text('Install')");
    await expect.poll(() => page.evaluate("globalThis.asked")).toEqual(["persist", "install"]);
    expect(await page.isVisible(".banner:has-text('Install')")).toBe(false);
    await page.evaluate("dispatchEvent(new Event('appinstalled'))");
    await expect.poll(() => page.evaluate("globalThis.asked")).toEqual(["persist", "install", "persist"]);
  });
});

// Proves "check-in.md": 15
test("asks to keep the app open without background sync, and still sends everything", async () => {
  const page = await startInstalledPhone("ana", (fresh) =>
    fresh.addInitScript(`
      delete globalThis.SyncManager;
      delete ServiceWorkerRegistration.prototype.sync;
    `),
  );
  expect(await page.evaluate("'SyncManager' in globalThis || 'sync' in ServiceWorkerRegistration.prototype")).toBe(
    false,
  );
  await open(page, "booking/1");
  await page.waitForSelector(".legs");
  await page.context().setOffline(true);
  await completeHandOver(page, { kilometres: "11000", photos: 1 });
  await open(page, "outbox");
  await page.waitForSelector(".note:has-text('Keep the app open until everything is synced')");
  expect(phones.server.operations.size).toBe(0);
  await page.context().setOffline(false);
  await waitUntilAllSynced(page);
  expect([...phones.server.applications.values()]).toEqual([1]);
  expect(await page.isVisible(".note:has-text('Keep the app open')")).toBe(false);
});

describe("two agents working on one booking", () => {
  // Proves "check-in.md": 17
  test("applies the actions of two agents on one booking, and warns the later agent and the office", async () => {
    const [ana, boss] = await Promise.all([startInstalledPhone("ana"), startInstalledPhone("manager@acme.test")]);
    // Both have loaded the booking before the change.
    for (const page of [ana, boss]) {
      await open(page, "booking/1");
      await page.waitForSelector(".legs");
    }
    await boss.context().setOffline(true);
    await completeHandOver(ana, { kilometres: "11000", photos: 1 });
    await waitUntilAllSynced(ana);
    await boss.click("button:has-text('Add photos or a note')");
    await boss.waitForSelector(".shots");
    await takePhoto(boss, "damage.jpg", "image/jpeg", await createNoisyPhoto(boss, 500, 500));
    await boss.waitForSelector(".shot img");
    await boss.locator(".action button").last().click();
    await finishHandOver(boss);
    await boss.waitForSelector(".item");
    await boss.context().setOffline(false);
    await waitUntilAllSynced(boss);
    expect([...phones.server.operations.values()].map(({ result }) => [result.state, result.flags])).toEqual([
      ["applied", []],
      ["applied", ["parallel"]],
    ]);
    expect(phones.server.bookings.get(1)?.resources[0]).toMatchObject({
      state: "out",
      delivery: { kilometres: 11_000 },
    });
    expect(phones.server.files.size).toBe(4);
    await boss.click(".item .link");
    await boss.waitForSelector(".item .remarks:has-text('Someone else changed the reservation at the same time')");
    await takeScreenshot(boss, "parallel");
    await open(boss, "office");
    await boss.click(".groups button:has-text('All')");
    await boss.waitForSelector(".card:has-text('Photos and notes') .remarks:has-text('at the same time')");
    await takeScreenshot(boss, "office-parallel");
  });
});

// Proves "check-in.md": 25
test("asks for confirmation of lower kilometers without rejecting them, and limits fuel to a full tank", async () => {
  const page = await startInstalledPhone("manager@acme.test");
  await open(page, "booking/1");
  await page.waitForSelector(".legs");
  await completeHandOver(page, {
    kilometres: "9000",
    photos: 0,
    onStep: async (name) => {
      if (name === "readings") {
        await page.waitForSelector(".warning:has-text('Below the last reading (10,001')");
        expect(await page.locator("[name=fuel]").count()).toBe(9);
        expect(await page.isEnabled(".action .main")).toBe(true);
      }
      if (name === "review") {
        await page.waitForSelector(".note:has-text('Below the last reading')");
        await page.uncheck("[name=readings-confirmed]");
        expect(await page.isEnabled(".action .main")).toBe(false);
        await page.check("[name=readings-confirmed]");
      }
    },
  });
  await waitUntilAllSynced(page);
  const [done] = [...phones.server.operations.values()];
  expect(done?.operation).toMatchObject({ kilometres: 9000, fuel_eighths: 7, readings_confirmed: true });
  expect(done?.result).toMatchObject({ state: "applied", warnings: [{ code: "kilometres_lower" }] });
  await page.click(".item .link");
  await page.waitForSelector(".item .remarks:has-text('Mileage below the last reading')");
  await open(page, "office");
  await page.click(".groups button:has-text('All')");
  await page.waitForSelector(".remarks:has-text('Mileage below the last reading')");
});
