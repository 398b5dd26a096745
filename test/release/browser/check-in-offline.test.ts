import { describe, expect, test } from "vitest";
import {
  completeHandOver,
  createPhoto,
  createRecentDraftCheckScript,
  drawSignature,
  finishHandOver,
  goToNextStep,
  readStatus,
  signIn,
  takePhotos,
  waitForExpression,
  waitUntilAllSynced,
} from "../../browser/phone.ts";
import { useRestartableCheckInApp } from "../../browser/use-shift.ts";

const shift = useRestartableCheckInApp();

describe("a phone offline", () => {
  // Proves "check-in.md": 28h
  test("sends an offline hand-over exactly once after the app was killed and restarted", async () => {
    await shift.start();
    await shift.site.stop();
    await shift.open(1);
    await completeHandOver(shift.page, { kilometres: "10500" });
    await expect.poll(() => readStatus(shift.page)).toContain("1 to sync");
    expect(shift.server.operations.size).toBe(0);

    await shift.kill();
    await shift.restart();
    await shift.page.goto(`${shift.site.address}#/outbox`);
    await shift.page.waitForSelector(".item");
    expect(await readStatus(shift.page)).toContain("1 to sync");

    await shift.site.start();
    await shift.page.click(".action .main");
    await waitUntilAllSynced(shift.page);
    const [item] = [...shift.server.operations.values()];
    expect(shift.server.operations.size).toBe(1);
    expect([...shift.server.applications.values()]).toEqual([1]);
    expect(item?.operation).toMatchObject({
      kind: "delivery",
      seq: 1,
      kilometres: 10_500,
      fuel_eighths: 7,
      author: "ana",
    });
    expect(item?.operation.photos).toHaveLength(8);
    expect(item?.operation.signature?.method).toBe("drawn");
    // Photos, signature and the signed text.
    expect(shift.server.files.size).toBe(10);
    const text = shift.server.files.get(`${item?.operation.booking_id}/${item?.operation.signature?.contract_hash}`);
    expect(text?.type).toBe("text/plain");
    expect(new TextDecoder().decode(text?.bytes)).toContain("Kilómetros\t10.500");
  });

  test("continues a hand-over at the same point after the app was killed while taking photos", async () => {
    await shift.start();
    await shift.site.stop();
    await shift.open(2);
    // With an assigned vehicle, the work starts at the readings.
    await shift.page.click(".action .main");
    await shift.page.fill("[name=kilometres]", "10777");
    await shift.page.click(".action .main");
    await shift.page.waitForSelector(".shots");
    await takePhotos(shift.page, 3);
    await shift.kill();

    await shift.restart();
    await shift.open(2);
    await shift.page.click(".action .main:has-text('Continue')");
    await shift.page.waitForSelector(".shots");
    await waitForExpression(shift.page, "document.querySelectorAll('.shot img').length === 3");
    await shift.page.click(".steps a >> nth=1");
    await expect.poll(() => shift.page.inputValue("[name=kilometres]")).toBe("10777");
  });

  // Proves "check-in.md": 2
  test("sends the remaining data, and nothing twice, after the app was killed while sending", async () => {
    await shift.start();
    await shift.site.stop();
    await shift.open(3);
    await completeHandOver(shift.page, { kilometres: "11000", photos: 4 });
    let puts = 0;
    shift.server.setFault(({ method }) => {
      if (method === "PUT") puts += 1;
      if (puts === 3) void shift.kill();
      return puts >= 3 ? "drop_answer" : undefined;
    });
    await shift.site.start();
    await shift.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))").catch(() => undefined);
    await expect.poll(() => puts).toBeGreaterThanOrEqual(3);
    shift.server.setFault(() => undefined);
    await shift.restart();
    await shift.page.goto(shift.site.address);
    await waitUntilAllSynced(shift.page);
    expect([...shift.server.applications.values()]).toEqual([1]);
    expect(shift.server.files.size).toBe(6);
    expect(shift.server.requests.filter(({ method }) => method === "PUT").length).toBeLessThanOrEqual(6);
  });

  // Proves "check-in.md": 7
  test("reports the expired token, keeps the operations and sends them after the next sign-in", async () => {
    await shift.start();
    await shift.open(4);
    await shift.page.waitForSelector(".legs");
    shift.server.expireTokens();
    await completeHandOver(shift.page, { kilometres: "12000", photos: 1 });
    await expect.poll(() => readStatus(shift.page)).toContain("Sign in to sync · 1 pending");
    await shift.page.click("a.banner");
    await signIn(shift.page, "ana");
    await waitUntilAllSynced(shift.page);
    expect(shift.server.applications.size).toBe(1);
  });

  // Proves "check-in.md": 21
  test("sends operations from one tab, however many are open", async () => {
    await shift.start();
    const second = await shift.context.newPage();
    await second.goto(shift.site.address);
    await second.waitForSelector(".entry");
    await shift.page.bringToFront();
    await shift.open(5);
    await completeHandOver(shift.page, { kilometres: "13000", photos: 2 });
    await second.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await waitUntilAllSynced(shift.page);
    await waitUntilAllSynced(second);
    const posts = shift.server.requests.filter(({ method, path }) => method === "POST" && path.endsWith("operations"));
    expect(posts).toHaveLength(1);
  });

  // Proves "check-in.md": 21c
  test("shares a started operation across tabs, so it is recorded once", async () => {
    await shift.start();
    await shift.site.stop();
    await shift.open(2);
    await goToNextStep(shift.page);
    await shift.page.click(".steps a >> nth=1");
    await shift.page.waitForSelector("[name=kilometres]");
    const second = await shift.context.newPage();
    await second.goto(shift.page.url().replace("readings", "photos"));
    await second.waitForSelector(".shots");
    await takePhotos(second, 2);

    await shift.page.bringToFront();
    const typedAt = Date.now();
    await shift.page.fill("[name=kilometres]", "10700");
    await waitForExpression(shift.page, createRecentDraftCheckScript(typedAt));
    await second.bringToFront();
    await second.click(".steps a >> nth=1");
    await expect.poll(() => second.inputValue("[name=kilometres]")).toBe("10700");
    await second.click(".steps a >> nth=2");
    await waitForExpression(second, `document.querySelectorAll(".shot img").length === 2`);

    await second.click(".steps a >> nth=7");
    await finishHandOver(second);
    await expect.poll(() => readStatus(second)).toContain("1 to sync");
    await shift.page.waitForSelector(".empty:has-text('This check-in record is already finished or discarded.')");
    await shift.site.start();
    await waitUntilAllSynced(second);
    const [item] = [...shift.server.operations.values()];
    expect(shift.server.operations.size).toBe(1);
    expect(item?.operation).toMatchObject({ kilometres: 10_700 });
    expect(item?.operation.photos).toHaveLength(2);
  });

  // Proves "check-in.md": 21d
  test("shows the last signed-in user in every tab, also after an offline start", async () => {
    await shift.start();
    const second = await shift.context.newPage();
    await second.goto(shift.site.address);
    await second.waitForSelector(".entry");
    shift.server.expireTokens();
    await shift.page.bringToFront();
    await shift.page.reload();
    await signIn(shift.page, "jordi");
    await second.waitForSelector(".entry");
    await second.goto(`${shift.site.address}#/more`);
    await second.waitForSelector("header:has-text('jordi')");
    await shift.site.stop();
    await second.goto(shift.site.address);
    await second.waitForSelector(".entry");
    expect(await second.isVisible("[name=username]")).toBe(false);
  });

  // Proves "check-in.md": 26
  test("prevents signing out with unsent operations until they are saved as a file", async () => {
    await shift.start();
    await shift.site.stop();
    await shift.open(6);
    await completeHandOver(shift.page, { kilometres: "14000", photos: 1 });
    await shift.page.goto(`${shift.site.address}#/more`);
    await shift.page.click("button:has-text('Sign out')");
    expect(await shift.page.isDisabled("button:has-text('Sign out and delete')")).toBe(true);
    await shift.page.click("button:has-text('Save unsynced data as a file')");
    await shift.page.waitForSelector("button:has-text('Sign out and delete'):enabled");
    await shift.page.click("button:has-text('Cancel')");
    await shift.page.goto(`${shift.site.address}#/outbox`);
    await expect.poll(() => shift.page.locator(".item").count()).toBe(1);
  });

  // Proves "check-in.md": 27
  test("keeps a signature when the phone is turned", async () => {
    await shift.start();
    await shift.open(1);
    await shift.page.click(".action .main");
    await shift.page.waitForSelector(".steps");
    await shift.page.click(".steps a >> nth=6");
    await drawSignature(shift.page);
    const ink = `(() => {
      const canvas = document.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let dark = 0;
      for (let index = 0; index < data.length; index += 4) if (data[index] < 128) dark += 1;
      return dark;
    })()`;
    const before = await shift.page.evaluate<number>(ink);
    await shift.page.setViewportSize({ width: 844, height: 390 });
    await waitForExpression(shift.page, "document.querySelector('canvas').width > 500");
    await expect.poll(() => shift.page.evaluate<number>(ink)).toBeGreaterThan(before * 0.8);
    expect(before).toBeGreaterThan(100);
  });

  // Proves "check-in.md": 12
  test("rejects a photo before losing it if the device is full, and keeps the fields", async () => {
    await shift.start();
    await shift.open(1);
    await shift.page.click(".action .main");
    await shift.page.click(".steps a >> nth=2");
    await shift.page.waitForSelector(".shots");
    await shift.page.evaluate("navigator.storage.estimate = async () => ({ quota: 1e8, usage: 9e7 })");
    const buffer = await createPhoto(shift.page, 1);
    await shift.page.setInputFiles(".action input[type=file]", { name: "a.jpg", mimeType: "image/jpeg", buffer });
    await shift.page.waitForSelector("[role=alert]:has-text('No space')");
    await shift.page.click(".steps a >> nth=1");
    const typedAt = await shift.page.evaluate<number>("Date.now()");
    await shift.page.fill("[name=kilometres]", "15000");
    await waitForExpression(shift.page, createRecentDraftCheckScript(typedAt));
    await shift.page.reload();
    await shift.page.click(".steps a >> nth=1");
    await expect.poll(() => shift.page.inputValue("[name=kilometres]")).toBe("15000");
  });

  test("saves input typed on a full device once there is space, even if the user opened another booking", async () => {
    await shift.start();
    await shift.open(1);
    await shift.page.click(".action .main");
    await shift.page.click(".steps a >> nth=1");
    await shift.page.waitForSelector("[name=kilometres]");
    await shift.page.evaluate(`{
      window.kept = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
    }`);
    await shift.page.fill("[name=kilometres]", "15123");
    await shift.page.waitForSelector("[role=alert]:has-text('saved yet. Free up space')");
    await shift.page.evaluate("IDBObjectStore.prototype.put = window.kept");
    await shift.open(2);
    await shift.page.click(".action .main");
    await shift.page.waitForSelector(".steps");
    await waitForExpression(shift.page, "!document.querySelector('[role=alert]')");
    await shift.page.reload();
    await shift.open(1);
    await shift.page.click(".action .main:has-text('Continue')");
    await shift.page.click(".steps a >> nth=1");
    await expect.poll(() => shift.page.inputValue("[name=kilometres]")).toBe("15123");
  });
});
